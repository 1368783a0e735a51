//! The arrangement of the window from one run to the next, as text.
//!
//! The window has one arrangement of panels; each of the last documents has its frame, selection and
//! view. The text is read leniently: values that are missing, unknown or out of range keep their
//! defaults, so a damaged text, or that of another version, costs nothing but the arrangement.
//!
//! Tests: `any_text_gives_a_workspace`, `an_arrangement_reads_back`,
//! `crates/lariat-studio/tests/studio/kept.rs`.

use glam::DVec3;
use lariat_render::OrbitCamera;
use lariat_scene::{Document, Table, Thing, Value, format};

use crate::{
    Session,
    workspace::{Appearance, Panel, Selection, Workspace},
};

/// Documents that are remembered; the text is written whole, about 500 bytes for each.
const MOST: usize = 64;

/// The place of a switch of the window.
type Switch = fn(&mut Workspace) -> &mut bool;

/// Switches of the window by name.
const SWITCHES: [(&str, Switch); 11] = [
    ("things", |w| &mut w.shows_outliner),
    ("history", |w| &mut w.shows_history),
    ("parameters", |w| &mut w.shows_inspector),
    ("bottom", |w| &mut w.shows_bottom),
    ("loops", |w| &mut w.loops),
    ("auto-key", |w| &mut w.auto_key),
    ("simulates", |w| &mut w.simulates),
    ("all-parameters", |w| &mut w.shows_all_parameters),
    ("grid", |w| &mut w.shows_grid),
    ("ghosts", |w| &mut w.shows_ghosts),
    ("trails", |w| &mut w.shows_trails),
];

fn read(text: &str) -> Table {
    format::read(text).map(|read| read.document.root).unwrap_or_default()
}

fn number(table: &Table, name: &str) -> Option<f64> {
    table.get(name)?.number().filter(|number| number.is_finite())
}

fn switch(table: &Table, name: &str) -> Option<bool> {
    table.get(name)?.switch()
}

fn numbers<const N: usize>(table: &Table, name: &str) -> Option<[f64; N]> {
    let list: Vec<f64> = table.get(name)?.list()?.iter().filter_map(Value::number).collect();
    let numbers: [f64; N] = list.try_into().ok()?;
    numbers.iter().all(|number| number.is_finite()).then_some(numbers)
}

/// Arranges the window as in the last run.
pub(crate) fn restore_window(text: &str, workspace: &mut Workspace) {
    let root = read(text);
    let Some(window) = root.get("window").and_then(Value::table) else { return };
    for (name, field) in SWITCHES {
        let of = field(workspace);
        *of = switch(window, name).unwrap_or(*of);
    }
    if let Some(name) = window.text("panel") {
        let panel = Panel::ALL.into_iter().find(|panel| panel.name().to_lowercase() == name);
        workspace.panel = panel.unwrap_or(workspace.panel);
    }
    if let Some(is_light) = switch(window, "light") {
        workspace.appearance = if is_light { Appearance::Light } else { Appearance::Dark };
    }
    if let Some(scale) = number(window, "scale") {
        workspace.scale = scale.clamp(0.5, 3.0) as f32;
    }
    if let Some(sizes) = numbers::<4>(window, "sizes") {
        // As large as a wall of screens; the window keeps panels from pushing each other out.
        workspace.sizes = sizes.map(|size| size.clamp(40.0, 8000.0) as f32);
    }
    for (name, value) in window.get("pulls").and_then(Value::table).iter().flat_map(|t| t.iter()) {
        if let Some(is_on) = value.switch() {
            workspace.pull_switches.insert(name.to_owned(), is_on);
        }
    }
}

/// Shows a document as it was left: frame, selection and view.
pub(crate) fn restore_document(text: &str, session: &Session, workspace: &mut Workspace) {
    let root = read(text);
    let Some(place) = session.place.as_deref() else { return };
    let Some(kept) = documents(&root).find(|one| one.text("place") == Some(place)) else { return };
    let scene = session.editor.scene();
    let shot = scene.shot();
    if let Some(frame) = number(kept, "frame") {
        workspace.frame = frame.clamp(shot.first as f64, shot.last as f64);
    }
    workspace.visible_frames = numbers::<2>(kept, "visible-frames")
        .filter(|[first, last]| (1.0..3e6).contains(&(last - first)));
    let camera = number(kept, "camera").map(|camera| camera as usize);
    workspace.camera = camera.filter(|camera| *camera < scene.camera_count());
    if let Some([x, y, z, yaw, pitch, distance]) = numbers::<6>(kept, "view") {
        let pivot = DVec3::new(x, y, z).clamp(DVec3::splat(-1e6), DVec3::splat(1e6));
        workspace.view = OrbitCamera {
            pivot,
            yaw,
            pitch: pitch.clamp(-std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2),
            distance: distance.clamp(1e-4, 1e6),
            orthographic: switch(kept, "parallel").unwrap_or(false),
            ..OrbitCamera::default()
        };
        workspace.frames_all = false;
    }
    let list = |name: &str| kept.get(name).and_then(Value::list).unwrap_or_default();
    workspace.channels =
        list("channels").iter().filter_map(Value::text).map(str::to_owned).collect();
    workspace.selected = list("selected").iter().filter_map(selection).collect();
    let document = session.editor.document();
    workspace.retain(|thing, name| document.find(thing, name).is_some());
}

fn documents(root: &Table) -> impl Iterator<Item = &Table> {
    root.get("document").and_then(Value::list).unwrap_or_default().iter().filter_map(Value::table)
}

fn selection(value: &Value) -> Option<Selection> {
    let [thing, name] = value.list()? else { return None };
    Some(Selection { thing: Thing::of_list(thing.text()?)?, name: name.text()?.to_owned() })
}

/// The arrangement as text; `before` is the text of the last run, whose other documents stay.
pub(crate) fn write(before: &str, workspace: &Workspace, session: Option<&Session>) -> String {
    let place = session.and_then(|session| session.place.as_deref());
    let own = place.map(|place| document(place, workspace));
    let before = read(before);
    let others = documents(&before).filter(|one| one.text("place") != place).cloned();
    let all: Vec<Value> = own.into_iter().chain(others).take(MOST).map(Value::Table).collect();
    let root = Table::new().with("lariat", 2.0).with("window", window(workspace));
    format::write(&Document { root: root.with("document", Value::List(all)) })
}

fn window(workspace: &Workspace) -> Table {
    let mut copy = workspace.clone();
    let mut table = Table::new().with("panel", &*workspace.panel.name().to_lowercase());
    for (name, field) in SWITCHES {
        table.set(name, *field(&mut copy));
    }
    table.set("light", workspace.appearance == Appearance::Light);
    table.set("scale", f64::from(workspace.scale));
    table.set(
        "sizes",
        Value::List(workspace.sizes.map(|size| f64::from(size.round()).into()).into()),
    );
    let pulls = workspace.pull_switches.iter();
    let pulls = pulls.fold(Table::new(), |all, (name, is_on)| all.with(&**name, *is_on));
    table.with("pulls", pulls)
}

fn document(place: &str, workspace: &Workspace) -> Table {
    let OrbitCamera { pivot, yaw, pitch, distance, orthographic, .. } = workspace.view;
    let list = |numbers: &[f64]| Value::List(numbers.iter().map(|x| Value::from(*x)).collect());
    let mut table = Table::new()
        .with("place", place)
        .with("frame", workspace.frame)
        .with("view", list(&[pivot.x, pivot.y, pivot.z, yaw, pitch, distance]))
        .with("parallel", orthographic);
    if let Some(frames) = workspace.visible_frames {
        table.set("visible-frames", list(&frames));
    }
    if let Some(camera) = workspace.camera {
        table.set("camera", camera as f64);
    }
    let pair =
        |one: &Selection| Value::List(vec![one.thing.list().into(), one.name.as_str().into()]);
    table.set("selected", Value::List(workspace.selected.iter().map(pair).collect()));
    let channels = workspace.channels.iter().map(|one| Value::from(one.as_str()));
    table.with("channels", Value::List(channels.collect()))
}

#[cfg(test)]
mod tests {
    use lariat_eval::NoFiles;

    use super::*;

    const ROPE: &str = "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'loose-rope'\nlength = 1\n";

    fn session() -> Session {
        let place = Some("/rope.lariat".to_owned());
        Session::open(ROPE, "rope", place, Box::new(NoFiles)).expect("a document")
    }

    fn arranged() -> Workspace {
        let mut workspace = Workspace {
            frame: 12.0,
            panel: Panel::Graph,
            appearance: Appearance::Light,
            scale: 1.25,
            sizes: [100.0, 120.0, 300.0, 240.0],
            visible_frames: Some([3.0, 40.0]),
            channels: vec!["body.a.length".to_owned()],
            shows_history: false,
            shows_trails: true,
            ..Workspace::default()
        };
        workspace.pull_switches.insert("bends".to_owned(), false);
        workspace.select(Thing::Body, "a", false);
        workspace.view.yaw = 1.25;
        workspace.view.pivot = DVec3::new(0.5, -2.0, 1.0);
        workspace
    }

    #[test]
    fn an_arrangement_reads_back() {
        let (session, was) = (session(), arranged());
        let other = "lariat = 2\n[[document]]\nplace = '/other.lariat'\nframe = 7\n";
        let text = write(other, &was, Some(&session));
        assert!(text.contains("/other.lariat"), "other documents stay: {text}");
        let mut is = Workspace::default();
        restore_window(&text, &mut is);
        restore_document(&text, &session, &mut is);
        is.frames_all = was.frames_all;
        assert_eq!(format!("{is:?}"), format!("{was:?}"));
        let again = write(&text, &is, Some(&session));
        assert_eq!(again, text, "the same text for the same arrangement");
    }

    #[test]
    fn any_text_gives_a_workspace() {
        let text = write("", &arranged(), Some(&session()));
        let mut texts = vec![
            "window = 3\ndocument = 4\n".to_owned(),
            "[window]\nscale = nan\nsizes = [1, inf, 2, 3]\npanel = 'kitchen'\nlight = 'yes'\n\
             [[document]]\nplace = '/rope.lariat'\nframe = 1e300\ncamera = -4\n\
             view = [nan, 0, 0, 0, 9, 0]\nvisible-frames = [5, 1]\nselected = [['body', 'b'], 3]\n"
                .to_owned(),
        ];
        texts.extend(
            (0..text.len())
                .filter(|cut| text.is_char_boundary(*cut))
                .map(|cut| text[..cut].to_owned()),
        );
        for text in texts {
            let mut workspace = Workspace::default();
            restore_window(&text, &mut workspace);
            restore_document(&text, &session(), &mut workspace);
            let Workspace { frame, scale, sizes, view, .. } = &workspace;
            assert!((1.0..=120.0).contains(frame) && (0.5..=3.0).contains(scale), "{text}");
            assert!(sizes.iter().all(|size| (40.0..=8000.0).contains(size)), "{text}");
            assert!(view.distance > 0.0 && view.pivot.is_finite() && view.pitch.abs() < 2.0);
            assert!(workspace.selected.iter().all(|one| one.name == "a"), "{text}");
        }
    }
}
