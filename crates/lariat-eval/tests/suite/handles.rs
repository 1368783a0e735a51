//! Handles of bodies.

use glam::DVec3;
use lariat_eval::HandleKind;

use crate::scene;

#[test]
fn every_model_has_handles() {
    for museum_scene in lariat_museum::SCENES {
        let scene = lariat_eval::Scene::bind(
            &lariat_scene::check::check(
                museum_scene.text.as_bytes(),
                &lariat_scene::Limits::DEFAULT,
            )
            .content
            .unwrap()
            .lowered,
        );
        for body in 0..scene.body_count() {
            let handles = scene.handles(body, 12.0);
            let name = scene.body_name(body);
            assert!(!handles.points.is_empty(), "`{name}` of {}", museum_scene.name);
            assert!(handles.points.iter().all(|handle| handle.at.is_finite()));
        }
    }
}

#[test]
fn a_handle_at_an_end_has_the_kind_of_its_anchor() {
    let scene = scene(
        "[[locator]]\nname = 'hand'\nposition = { keys = [[0, [0, 0, 1]], [10, [0, 0, 2]]] }\n\
         [[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = { locator = 'hand' }\nto = [1, 0, 1]\nlength = 3\n\
         [[body]]\nname = 'tail'\nmodel = 'loose-rope'\nfrom = { body = 'rein', at = 0.5 }\nlength = 1\n",
    );
    let rein = scene.handles(0, 10.0);
    let found: Vec<_> = rein.points.iter().map(|handle| (handle.kind, handle.at)).collect();
    assert_eq!(found[0], (HandleKind::Locator, DVec3::Z * 2.0));
    assert_eq!(found[1], (HandleKind::Point, DVec3::new(1.0, 0.0, 1.0)));
    assert!(!rein.polygon);
    let tail = scene.handles(1, 10.0);
    let middle = scene.evaluate(10.0).bodies[1].strands[0].points()[0];
    assert_eq!((tail.points[0].kind, tail.points[0].at), (HandleKind::Body, middle));
}

#[test]
fn a_handle_names_its_parameter() {
    let text = "[[body]]\nname = 'whip'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 2\n\
                bends = [{ position = 0.25, length = 0.1, angle = 60 }]\n\
                [[body]]\nname = 'dog'\nmodel = 'slinky'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\n\
                coil-radius = 0.1\ncoils = 10\npincers = [{ position = 0.5, length = 0.1, count = 2 }]\n\
                [[body]]\nname = 'rope'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 2\n\
                dynamics = { kind = 'spline-rope', pins = [{ at = 0.5, to = [0, 0, 1] }] }\n";
    let (lowered, scene) = (crate::lowered(text), scene(text));
    let paths = |body: usize| -> Vec<String> {
        let handles = scene.handles(body, 0.0);
        let path = |handle: &lariat_eval::Handle| {
            handle.parameter.path(&lowered.bodies[handle.body]).to_string()
        };
        handles.iter().map(path).collect()
    };
    assert_eq!(paths(0), ["body[0].from", "body[0].bends[0].position"]);
    assert_eq!(
        paths(1),
        [
            "body[1].from",
            "body[1].inner[0]",
            "body[1].inner[1]",
            "body[1].to",
            "body[1].pincers[0].position"
        ]
    );
    assert_eq!(paths(2), ["body[2].from", "body[2].dynamics.pins[0].to"]);
    let handles = scene.handles(1, 0.0);
    let pincer = handles.others[0];
    assert_eq!(pincer.kind, HandleKind::Pincer);
    // Without sag, the backbone is symmetric.
    assert!((pincer.at.x - 0.5).abs() < 1e-6, "{}", pincer.at);
}

#[test]
fn a_bend_has_its_handle_where_it_begins() {
    let scene = scene(
        "[[body]]\nname = 'whip'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 2\n\
         direction = [1, 0, 0]\nbends = [{ position = 0.25, length = 0.1, angle = 60 }]\n",
    );
    let handles = scene.handles(0, 0.0);
    let bend = handles.points.iter().find(|handle| handle.kind == HandleKind::Bend).unwrap();
    assert!(bend.at.distance(DVec3::new(0.5, 0.0, 2.0)) < 1e-3, "{}", bend.at);
}

#[test]
fn a_slinky_has_a_control_polygon() {
    let scene = scene(
        "[[body]]\nname = 'slinky'\nmodel = 'slinky'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\n\
         coil-radius = 0.1\ncoils = 10\n",
    );
    let handles = scene.handles(0, 0.0);
    assert!(handles.polygon);
    assert_eq!(handles.points.len(), 4);
    assert_eq!(handles.points[3].at, DVec3::X);
}
