//! Every scene is clean, and together the scenes show every part of the schema.

use std::collections::BTreeSet;
use std::path::Path;

use lariat_core::curve::Frame;
use lariat_core::motion::{Ease, Extrapolation, Interpolation, Named, TangentKind};
use lariat_museum::SCENES;
use lariat_scene::Limits;
use lariat_scene::lower::Record;
use lariat_scene::schema::{self, Kind};

use super::{bound, content, surveyed};

#[test]
fn every_scene_is_clean_at_every_frame() {
    for museum_scene in SCENES {
        let mut found = surveyed(&content(museum_scene));
        // A tear is reported as a note; some scenes exist to show one.
        found.retain(|diagnostic| !diagnostic.contains("L0666"));
        assert!(found.is_empty(), "{}: {}", museum_scene.name, found.join("\n"));
    }
}

#[test]
fn names_are_file_names_and_unique() {
    let names: BTreeSet<String> = SCENES.iter().map(|e| e.name.to_owned()).collect();
    assert_eq!(names.len(), SCENES.len(), "two scenes have one name");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut files = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("the scenes are there") {
        let file = entry.expect("the folder can be read").file_name();
        let file = file.into_string().expect("names of scenes are plain");
        if let Some(name) = file.strip_suffix(".lariat") {
            files.insert(name.to_owned());
        } else {
            assert!(lariat_museum::file(&file).is_some(), "no scene names `{file}`");
        }
    }
    assert_eq!(names, files);
    for museum_scene in SCENES {
        let file = std::fs::read_to_string(
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join(format!("scenes/{}.lariat", museum_scene.name)),
        );
        assert_eq!(
            file.as_deref().ok(),
            Some(museum_scene.text),
            "{} shows another scene",
            museum_scene.name
        );
    }
}

#[test]
fn no_two_scenes_are_shown_for_the_same_reason() {
    let (mut titles, mut whys) = (BTreeSet::new(), BTreeSet::new());
    for museum_scene in SCENES {
        assert!(museum_scene.why.ends_with('.'), "{}", museum_scene.why);
        assert!(titles.insert(museum_scene.title), "{}", museum_scene.title);
        assert!(whys.insert(museum_scene.why), "{}", museum_scene.why);
        assert!(
            museum_scene.text.starts_with("# "),
            "{} does not say what to look at",
            museum_scene.name
        );
    }
}

#[test]
fn every_pose_is_finite() {
    for museum_scene in SCENES {
        let scene = bound(&content(museum_scene).lowered);
        let (first, last) = (scene.shot().first, scene.shot().last);
        for frame in [first, i64::midpoint(first, last), last] {
            for (b, moment) in scene.evaluate(frame as f64).bodies.iter().enumerate() {
                let name = scene.body_name(b);
                let there = !moment.strands.is_empty() || moment.mesh.is_some();
                assert!(there, "{name} of {} is nothing", museum_scene.name);
                for strand in &moment.strands {
                    let is_frame = |f: &Frame| {
                        (f.normal().length() - 1.0).abs() < 1e-9
                            && f.normal().dot(f.tangent()).abs() < 1e-9
                    };
                    assert!(
                        strand.points().iter().all(|p| p.is_finite())
                            && strand.frames().iter().all(is_frame),
                        "{name} of {} at frame {frame}",
                        museum_scene.name
                    );
                }
            }
        }
    }
}

/// The kind of every record in a lowered document: models, layers, envelopes, colliders.
fn kinds(record: &Record, seen: &mut BTreeSet<&'static str>) {
    for field in record.record_type().fields {
        match field.kind {
            Kind::Records(family) => {
                for inner in record.records(field.name) {
                    seen.insert(tagged(family.noun, inner.kind()));
                    kinds(inner, seen);
                }
            }
            Kind::Record(family) => {
                if let Some(inner) = record.record(field.name) {
                    seen.insert(tagged(family.noun, inner.kind()));
                    kinds(inner, seen);
                }
            }
            _ => {}
        }
    }
}

/// "layer wave" is not "wave wave".
fn tagged(noun: &str, kind: &str) -> &'static str {
    Box::leak(format!("{noun} {kind}").into_boxed_str())
}

#[test]
fn every_record_type_and_choice_is_in_some_scene() {
    let mut seen = BTreeSet::new();
    for museum_scene in SCENES {
        let lowered = content(museum_scene).lowered;
        for (noun, records) in [
            ("body", &lowered.bodies),
            ("collider", &lowered.colliders),
            ("camera", &lowered.cameras),
        ] {
            for record in records {
                seen.insert(tagged(noun, record.kind()));
                kinds(record, &mut seen);
            }
        }
    }
    for family in [
        &schema::BODY,
        &schema::LAYER,
        &schema::COLLIDER,
        &schema::CAMERA,
        &schema::ENVELOPE,
        &schema::WAVE,
        &schema::BEND,
        &schema::PINCER,
        &schema::COIL_WAVE,
        &schema::DYNAMICS,
        &schema::PIN,
        &schema::FORCE,
        &schema::WEIGHT,
    ] {
        for record in family.types {
            let what = tagged(family.noun, record.name);
            assert!(seen.contains(what), "no scene shows a {what}");
        }
    }
}

/// Whether a quoted word occurs in any museum scene.
fn is_said(word: &str) -> bool {
    let quoted = format!("\"{word}\"");
    SCENES.iter().any(|museum_scene| museum_scene.text.contains(&quoted))
}

#[test]
fn every_kind_of_motion_is_in_some_scene() {
    let missing = |words: &[&'static str]| -> Vec<&'static str> {
        words.iter().copied().filter(|word| !is_said(word)).collect()
    };
    let extends: Vec<_> = Extrapolation::NAMES.iter().map(|row| row.name).collect();
    assert_eq!(missing(&extends), [""; 0]);
    // Aligned handles look like free ones, and clamped-auto is the default.
    let tangents: Vec<_> = TangentKind::NAMES
        .iter()
        .map(|row| row.name)
        .filter(|name| !matches!(*name, "aligned" | "clamped-auto"))
        .collect();
    assert_eq!(missing(&tangents), [""; 0]);
    let eases: Vec<&str> = Ease::NAMES.iter().map(|row| row.name).collect();
    let plain: Vec<_> = Interpolation::NAMES
        .iter()
        .map(|row| row.name)
        .filter(|name| !eases.contains(name) && *name != "bezier")
        .collect();
    assert_eq!(missing(&plain), [""; 0]);
    assert!(eases.iter().any(|name| is_said(name)), "no scene is eased");
}

/// A scene opened in its own folder finds its meshes and modes, so a copy of the project is enough.
#[test]
fn every_scene_opens_from_its_own_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    for museum_scene in SCENES {
        let path = folder.join(format!("{}.lariat", museum_scene.name));
        let opened = lariat::open_file(&path, &Limits::DEFAULT).expect("the file can be read");
        let errors: Vec<_> = opened.diagnostics.iter().filter(|found| found.is_error()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", museum_scene.name);
    }
}
