//! Bodies attached to locators and to other bodies.

use glam::DVec3;
use lariat_core::geometry::Footage;

use crate::scene;

#[test]
fn a_rope_follows_its_locator() {
    let scene = scene(
        r#"
        [[locator]]
        name = "hand"
        position = { keys = [[1, [0, 0, 2]], [11, [1, 0, 2]]], interpolation = "linear" }
        rotation = [0, 0, 90]
        [[body]]
        name = "lead"
        model = "loose-rope"
        from = { locator = "hand", offset = [0.5, 0, 0] }
        length = 1
        "#,
    );
    // Turned by 90 degrees about Z, the locator's X is the world's Y.
    for (frame, x) in [(1.0, 0.0), (6.0, 0.5), (11.0, 1.0), (99.0, 1.0)] {
        let held = scene.evaluate(frame).bodies[0].strands[0].points()[0];
        assert!(held.distance(DVec3::new(x, 0.5, 2.0)) < 1e-12, "frame {frame}: {held}");
    }
}

const CHAIN: &str = r#"
    [[body]]
    name = "bell"
    model = "loose-rope"
    from = { body = "branch", at = 0.5 }
    length = 0.5
    [[body]]
    name = "line"
    model = "suspended-rope"
    from = [0, 0, 2]
    to = [4, 0, 2]
    length = 5
    swing = { keys = [[1, 0], [24, 60]] }
    [[body]]
    name = "branch"
    model = "loose-rope"
    from = { body = "line", at = 1 }
    length = 1
"#;

#[test]
fn bodies_hang_on_bodies_in_any_order_of_the_file() {
    let moment = scene(CHAIN).evaluate(12.0);
    let [bell, line, branch] = &moment.bodies[..] else { panic!("three bodies") };
    assert_eq!(branch.strands[0].points()[0], line.strands[0].points()[48]);
    assert!(bell.strands[0].points()[0].distance(DVec3::new(4.0, 0.0, 1.5)) < 1e-12);
}

#[test]
fn one_body_evaluated_alone_equals_that_of_the_scene() {
    let scene = scene(CHAIN);
    let moment = scene.evaluate(17.5);
    for b in 0..3 {
        assert_eq!(scene.evaluate_body(b, 17.5), moment.bodies[b]);
    }
}

#[test]
fn memory_to_pose_one_body_does_not_grow_with_their_number() {
    use lariat_core::geometry::Footage;
    // Bytes allocated to pose one body.
    let allocated = |bells: usize| {
        let mut text = "[[body]]\nname = \"line\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [4, 0, 2]\nlength = 5\nsamples = 9\n".to_owned();
        for bell in 0..bells {
            text += &format!(
                "[[body]]\nname = \"{bell}\"\nmodel = \"loose-rope\"\nfrom = {{ body = \"line\", at = 0.5 }}\nlength = 0.5\nsamples = 5\n"
            );
        }
        let scene = scene(&text);
        let mut strands = Vec::new();
        // One pose before, for values that are computed once.
        Footage::strands(&scene, 3, 3.0, &mut strands);
        let pose = || Footage::strands(&scene, 7, 3.0, &mut strands);
        allocation_counter::measure(pose).bytes_total
    };
    assert_eq!(allocated(1000), allocated(10));
}

#[test]
fn the_middle_of_a_body_is_the_middle_of_its_length() {
    let scene = scene(
        r#"
        [[body]]
        name = "line"
        model = "suspended-rope"
        from = [0, 0, 2]
        to = [4, 0, 2]
        length = 5
        [[body]]
        name = "bell"
        model = "loose-rope"
        from = { body = "line", at = 0.5, offset = [0, 0.1, 0] }
        length = 0.5
        "#,
    );
    let moment = scene.evaluate(1.0);
    let (line, bell) = (&moment.bodies[0].strands[0], &moment.bodies[1].strands[0]);
    // The offset goes along the normal, which points up in the middle of a hung rope.
    let expected = line.points()[24] + DVec3::Z * 0.1;
    assert!(bell.points()[0].distance(expected) < 1e-9, "{}", bell.points()[0]);
}

#[test]
fn an_offset_follows_the_frames_of_its_body() {
    for line in [
        "model = \"jump-rope\"\nturn = 70\nfrom = [0, 0, 2]\nto = [4, 0, 2]\nlength = 5",
        "model = \"suspended-rope\"\nswing = 60\nfrom = [0, 0, 2]\nto = [4, 0, 2]\nlength = 5",
        "model = \"suspended-rope\"\nframes = \"frenet\"\nsway = 80\nfrom = [0, 0, 2]\nto = [0, 1, 5]\nlength = 5",
        "model = \"hoop\"\ncentre = [0, 0, 1]\ntilt = 70\nsamples = 49",
    ] {
        let scene = scene(&format!(
            "[[body]]\nname = \"line\"\n{line}\n[[body]]\nname = \"bell\"\nmodel = \"loose-rope\"\n\
             from = {{ body = \"line\", at = 0.5, offset = [0.3, 0.1, 0.2] }}\nlength = 0.5\n"
        ));
        let moment = scene.evaluate(1.0);
        let (line, bell) = (&moment.bodies[0].strands[0], &moment.bodies[1].strands[0]);
        // The curve is symmetric, so the middle of its length is at or near the middle sample.
        let at = bell.points()[0];
        let expected = |i: usize| {
            let frame = line.frames()[i];
            line.points()[i] + frame.tangent() * 0.3 + frame.normal() * 0.1 + frame.binormal() * 0.2
        };
        let near = (0..49).map(|i| at.distance(expected(i))).fold(f64::INFINITY, f64::min);
        let step = line.points()[24].distance(line.points()[25]);
        assert!(near < 0.6 * step, "{near} from any sample of {step}");
    }
}

#[test]
fn a_compound_joins_its_parts_and_hides_them() {
    use lariat_core::geometry::Footage;
    let scene = scene(
        r#"
        [[body]]
        name = "span"
        model = "suspended-rope"
        from = [0, 0, 2]
        to = [3, 0, 2]
        length = 4
        [[body]]
        name = "tail"
        model = "loose-rope"
        from = { body = "span", at = 1 }
        length = 1
        [[body]]
        name = "whole"
        model = "compound"
        parts = ["span", "tail"]
        "#,
    );
    let whole = &scene.evaluate(1.0).bodies[2].strands[0];
    assert_eq!(whole.points().len(), 49 + 48);
    assert!(whole.points()[96].distance(DVec3::new(3.0, 0.0, 1.0)) < 1e-12);
    let footage: &dyn Footage = &scene;
    assert_eq!((footage.body_count(), footage.body_name(0)), (1, "whole"));
}

#[test]
fn a_hidden_body_still_holds_its_followers() {
    use lariat_core::geometry::Footage;
    let text = CHAIN.replace("name = \"line\"", "name = \"line\"\n    visible = false");
    let scene = scene(&text);
    let moment = scene.evaluate(12.0);
    assert!(!moment.bodies[1].visible);
    assert_eq!(moment.bodies[2].strands[0].points()[0], DVec3::new(4.0, 0.0, 2.0));
    let mut strands = Vec::new();
    Footage::strands(&scene, 1, 12.0, &mut strands);
    assert!(strands.is_empty());
    Footage::strands(&scene, 2, 12.0, &mut strands);
    assert_eq!(strands.len(), 1);
}

#[test]
fn a_chain_evaluated_body_by_body_is_posed_once_per_frame() {
    const BODIES: usize = 50;
    const FRAMES: usize = 12;
    let mut text = "[shot]\nframes = [1, 12]\n[[body]]\nname = 'b0'\nmodel = 'loose-rope'\n\
         from = { keys = [[1, [0, 0, 9]], [12, [1, 0, 9]]] }\nlength = 0.2\n"
        .to_owned();
    for b in 1..BODIES {
        text += &format!(
            "[[body]]\nname = 'b{b}'\nmodel = 'loose-rope'\n\
             from = {{ body = 'b{}', at = 0.9, offset = [0, 0.01, 0] }}\nlength = 0.2\n",
            b - 1
        );
    }
    // The order of exporters: one body after the other, each at all frames.
    let (asked, fresh) = (scene(&text), scene(&text));
    let mut strands = Vec::new();
    for body in 0..BODIES {
        for frame in 1..=FRAMES {
            asked.strands(body, frame as f64, &mut strands);
            if frame % 5 == 1 {
                assert_eq!(strands, fresh.evaluate(frame as f64).bodies[body].strands);
            }
        }
    }
    assert_eq!(asked.bodies_posed(), (BODIES * FRAMES) as u64);
}
