//! Places where strands touch something.

use glam::DVec3;
use lariat_eval::Touched;

use crate::scene;

#[test]
fn a_rope_on_a_floor_touches_it_where_it_lies() {
    let scene = scene(
        "[[body]]\nname = \"rope\"\nmodel = \"loose-rope\"\nfrom = [0, 0, 1]\nlength = 2\n\
         radius = 0.02\nfloor = 0\nsamples = 97\n",
    );
    let moment = scene.evaluate(1.0);
    let contacts = scene.contacts(&moment);
    let strand = &moment.bodies[0].strands[0];
    let lying = strand.points().iter().filter(|p| p.z < 0.0201).count();
    assert!(lying > 20, "{lying}");
    let on_floor: Vec<_> = contacts.iter().filter(|c| c.with == Touched::Obstacle).collect();
    assert!(on_floor.len().abs_diff(lying) <= 1, "{} of {lying}", on_floor.len());
    assert!(on_floor.iter().all(|contact| contact.at.z.abs() < 1e-9));
}

#[test]
fn crossing_ropes_touch_where_they_cross() {
    let crossing = |height: f64| {
        let text = format!(
            "[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [-1, 0, 1]\nto = [1, 0, 1]\n\
             sag = 0\nradius = 0.05\n[[body]]\nname = \"b\"\nmodel = \"suspended-rope\"\nfrom = [0, -1, \
             {height}]\nto = [0, 1, {height}]\nsag = 0\nradius = 0.05\n"
        );
        let scene = scene(&text);
        let contacts = scene.contacts(&scene.evaluate(1.0));
        contacts.into_iter().map(|contact| (contact.at, contact.with)).collect::<Vec<_>>()
    };
    let found = crossing(1.1);
    assert!(!found.is_empty());
    for (at, with) in found {
        assert!(at.distance(DVec3::new(0.0, 0.0, 1.05)) < 0.02, "{at}");
        assert!(matches!(with, Touched::Strand(_)));
    }
    assert_eq!(crossing(1.15), []);
}

#[test]
fn a_string_touches_the_solid_it_lies_on() {
    let scene = scene(
        "[shot]\nframes = [1, 40]\n[[body]]\nname = \"drum\"\nmodel = \"solid\"\nshape = \
         \"cylinder\"\nradius = 0.1\nheight = 0.4\nposition = [0, 0, 0.6]\nrotation = [90, 0, 0]\n\
         dynamics = { kind = \"rigid\", start = 40 }\n[[body]]\nname = \"line\"\nmodel = \
         \"suspended-rope\"\nfrom = { keys = [[1, [-0.4, 0, 1]], [12, [-0.4, 0, 0.75]]] }\nto = { keys \
         = [[1, [0.4, 0, 1]], [12, [0.4, 0, 0.75]]] }\nsag = 0.2\nradius = 0.01\n[body.dynamics]\nkind \
         = \"string\"\nsegments = 48\nviscosity = 4\n",
    );
    assert_eq!(scene.contacts(&scene.evaluate(1.0)), []);
    let contacts = scene.contacts(&scene.evaluate(36.0));
    assert!(contacts.len() > 2, "{contacts:?}");
    for contact in contacts {
        let off = contact.at - DVec3::new(0.0, contact.at.y, 0.6);
        assert!((off.length() - 0.1).abs() < 0.01 && off.z > 0.0, "{}", contact.at);
        assert_eq!((contact.body, contact.with), (1, Touched::Obstacle));
    }
}

#[test]
fn strands_that_are_built_together_do_not_touch() {
    for body in [
        "model = \"hoop\"\ncentre = [0, 0, 1]\n",
        "model = \"lasso\"\ncentre = [2, 2, 3]\nhoop-radius = 0.6\nhand = [0, 2, 1.5]\nlength = 9\nspan-length = 3.1\n",
        "model = \"string-of-lights\"\nfrom = [0, 0, 2]\nto = [3, 0, 2]\nlength = 3.2\n",
    ] {
        let scene = scene(&format!("[[body]]\nname = \"one\"\n{body}"));
        let moment = scene.evaluate(1.0);
        assert!(!moment.bodies[0].strands.is_empty(), "{body}");
        let contacts = scene.contacts(&moment);
        assert_eq!(contacts, [], "{} contacts of {body}", contacts.len());
    }
}

#[test]
fn an_attached_end_does_not_touch_what_holds_it() {
    let held = scene(
        "[[body]]\nname = \"rope\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [2, 0, 2]\nsag = \
         0\nradius = 0.03\n[[body]]\nname = \"tag\"\nmodel = \"suspended-rope\"\nfrom = { body = \
         \"rope\", at = 0.5 }\nto = [1, 0.5, 1.5]\nlength = 1.6\nradius = 0.01\n[[body]]\nname = \
         \"ball\"\nmodel = \"solid\"\nshape = \"ball\"\nradius = 0.1\nposition = [1, -1, 1]\ndynamics \
         = { kind = \"rigid\", start = 5 }\n[[body]]\nname = \"line\"\nmodel = \
         \"suspended-rope\"\nfrom = { body = \"ball\", offset = [0, 0, 0.1] }\nto = [1, -1, \
         2]\nlength = 0.9\nradius = 0.005\ndynamics = { kind = \"string\" }\n",
    );
    assert_eq!(held.contacts(&held.evaluate(1.0)), []);
    // Further from its end, it touches what it lies on.
    let lying = scene(
        "[[body]]\nname = \"rope\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [2, 0, 2]\nsag = \
         0\nradius = 0.03\n[[body]]\nname = \"tag\"\nmodel = \"suspended-rope\"\nfrom = { body = \
         \"rope\", at = 0 }\nto = [1, 0, 2.03]\nsag = 0\nradius = 0.01\n",
    );
    assert!(!lying.contacts(&lying.evaluate(1.0)).is_empty());
}
