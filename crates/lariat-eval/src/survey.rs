//! A whole shot looked through: what could not be done as told, as findings with place and numbers.
//!
//! A rope that is too short for its gap from frame 12 to frame 40 is one finding, not twenty-nine:
//! warnings are gathered per body, parameter and code, with the first frame, the worst one, and
//! what to do about it.

use std::collections::BTreeMap;

use lariat_core::model::Finding;
use lariat_core::model::layer::coils::PincerTrouble;
use lariat_scene::check::{Code, Diagnostic};
use lariat_scene::lower::Lowered;

use crate::moment::{Moment, Of, Trouble, Warning};
use crate::scene::Scene;

/// What a run through the frames of a shot has found so far.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    gathered: BTreeMap<Key, Gathered>,
}

/// What is told as one: the same code about the same parameter. What is wrong with a collider is
/// told once, whichever bodies are clamped against it, and belongs to none of them.
type Key = (Option<usize>, Code, &'static str, Of);

#[derive(Clone, Debug)]
struct Gathered {
    /// A body that met it.
    body: usize,
    /// The frame that was counted last; a frame may be looked at in parts.
    counted: Option<i64>,
    first: i64,
    last: i64,
    frames: u64,
    worst: (i64, Warning),
}

impl Survey {
    /// Takes note of the warnings of one frame.
    pub fn note(&mut self, frame: i64, moment: &Moment) {
        for (body, at) in moment.bodies.iter().enumerate() {
            for warning in &at.warnings {
                let owner = match warning.of {
                    Of::Collider(_) => None,
                    Of::Body | Of::Part(_) => Some(body),
                };
                let key = (owner, warning.code(), warning.field, warning.of.clone());
                let seen = self.gathered.entry(key).or_insert_with(|| Gathered {
                    body,
                    counted: None,
                    first: frame,
                    last: frame,
                    frames: 0,
                    worst: (frame, warning.clone()),
                });
                (seen.first, seen.last) = (seen.first.min(frame), seen.last.max(frame));
                if seen.counted.replace(frame) != Some(frame) {
                    seen.frames += 1;
                }
                let worse = warning.size().total_cmp(&seen.worst.1.size());
                // The earliest of equally bad frames, whatever order they were looked at in.
                if worse.is_gt() || (worse.is_eq() && frame < seen.worst.0) {
                    seen.worst = (frame, warning.clone());
                }
            }
        }
    }

    /// The findings, in the order of bodies.
    pub fn findings(&self, lowered: &Lowered) -> Vec<Diagnostic> {
        self.gathered.values().map(|seen| diagnostic(lowered, seen)).collect()
    }
}

/// Evaluates every frame of the shot and tells what could not be done as told.
///
/// `each` is called with every frame before it is evaluated; it may show progress, and returning
/// false stops there.
pub fn survey(
    scene: &Scene,
    lowered: &Lowered,
    mut each: impl FnMut(i64) -> bool,
) -> Vec<Diagnostic> {
    let mut survey = Survey::default();
    let mut moment = Moment::default();
    let (first, last) = (scene.shot().first, scene.shot().last);
    // A shot in which nothing moves is looked at once.
    let last = if (0..scene.body_count()).all(|b| scene.is_still(b)) { first } else { last };
    for frame in first..=last {
        if !each(frame) {
            break;
        }
        scene.evaluate_into(frame as f64, &mut moment);
        survey.note(frame, &moment);
    }
    survey.findings(lowered)
}

/// "at frame 12", or "in 29 frames from 12 to 40, worst at 31".
fn when(seen: &Gathered) -> String {
    if seen.frames == 1 {
        format!("at frame {}", seen.first)
    } else if seen.frames == seen.last.abs_diff(seen.first) + 1 {
        format!("in frames {}–{}, worst at frame {}", seen.first, seen.last, seen.worst.0)
    } else {
        let (n, first, last, worst) = (seen.frames, seen.first, seen.last, seen.worst.0);
        format!("in {n} frames between {first} and {last}, worst at frame {worst}")
    }
}

/// A length that is enough: rounded up to the millimetre.
fn enough(metres: f64) -> String {
    format!("{:.3}", (metres * 1000.0 + 1e-6).ceil() / 1000.0)
}

fn diagnostic(lowered: &Lowered, seen: &Gathered) -> Diagnostic {
    let body = &lowered.bodies[seen.body];
    let name = body.name();
    let when = when(seen);
    let warning = &seen.worst.1;
    let code = warning.code();
    let record = warning.of.find(lowered, seen.body).unwrap_or(body);
    // Where the parameter stands: under another name, or not given at all, the record itself.
    let field = if record.has(warning.field) { warning.field } else { "name" };
    let (span, path) = (record.span(field), record.path_of(field));
    let parameter = match &warning.of {
        Of::Body | Of::Part(_) => format!("`{}` of `{name}`", warning.parameter()),
        Of::Collider(name) => format!("`{}` of the collider `{name}`", warning.field),
    };
    let found =
        |message: String, label: String| Diagnostic::new(code, message).label(span, path, label);
    match warning.trouble {
        Trouble::Model(Finding::TooShort { length, gap }) => found(
            format!("rope `{name}` is shorter than the gap it must span"),
            format!("{length:.3} m of rope; it needs {gap:.3} m {when}"),
        )
        .help(format!("make it {} m long or more, or bring its ends nearer", enough(gap)))
        .note(format!("until then `{name}` is drawn as a straight line")),
        Trouble::Model(Finding::TooWavy { share, missing }) => found(
            format!("the waves of `{name}` need more slack than there is"),
            format!("they would need {missing:.3} m more rope {when}; only {:.0} % of them is drawn", share * 100.0),
        )
        .help(format!(
            "make the rope {} m longer, make the waves lower or fewer, or say `keep-length = false`",
            enough(missing)
        )),
        Trouble::Model(Finding::TooLong { left_over }) => found(
            format!("`{name}` has more rope than there is room for"),
            format!("{left_over:.3} m find no place above the floor or collider {when}"),
        )
        .help(format!(
            "make it {left_over:.3} m shorter, move its ends, or say `keep-length = false` to let it be flattened"
        )),
        Trouble::Model(Finding::Pincers(PincerTrouble::TooMany { held, coils })) => found(
            format!("the pincers of `{name}` hold more coils than there are"),
            format!("{held:.2} of {coils} coils {when}"),
        )
        .help("let the pincers hold fewer coils, or give the spring more")
        .note("until then every pincer holds proportionally fewer"),
        Trouble::Model(Finding::Pincers(PincerTrouble::Overlap { first, second })) => found(
            format!("pincers {} and {} of `{name}` run into each other", first + 1, second + 1),
            format!("they overlap {when}"),
        )
        .help("move one of them away, or make it shorter")
        .note("where they overlap, both bunch the coils, and neither holds its count"),
        Trouble::Model(Finding::Pincers(PincerTrouble::NoRoom { held, coils })) => found(
            format!("the pincers of `{name}` leave no room for the other coils"),
            format!("they cover the whole spring and hold {held:.2} of {coils} coils {when}"),
        )
        .help("shorten a pincer, or let them hold all coils")
        .note("until then every pincer holds proportionally more"),
        Trouble::Model(Finding::BendPastEnd { bend, end }) => found(
            format!("bend {} of `{name}` runs past the end of the rope", bend + 1),
            format!("it ends at {end:.4} {when}; 1 is the end of the rope"),
        )
        .help("begin it earlier, or make it shorter")
        .note("until then it turns the rope only by as much as there is rope for"),
        Trouble::Model(Finding::SpanTooLong { span, length }) => found(
            format!("the span of `{name}` is longer than its rope"),
            format!("{span:.3} m between knot and hand, of {length:.3} m of rope {when}"),
        )
        .help(format!("make the rope {} m long or more, or shorten the span", enough(span)))
        .note("until then the span is as long as told, and there is no tail"),
        Trouble::Model(Finding::TooFine { doubt }) => found(
            format!("the waves of `{name}` are too fine to be measured"),
            format!("its length may be off by {doubt:.6} m {when}"),
        )
        .help("give the waves fewer ripples, or say `keep-length = false`")
        .note("more ripples than a rope has samples cannot be seen in any case"),
        Trouble::Model(Finding::WireTooLong { wire, wound }) => found(
            format!("the wire of `{name}` is longer than its coils can take up"),
            format!("{wire:.3} m of wire, of which {wound:.3} m are drawn {when}"),
        )
        .help("give it more coils, or less wire")
        .note("until then its coils have the `coil-radius`"),
        Trouble::Model(Finding::WireTooShort { wire, backbone }) => found(
            format!("the wire of `{name}` is too short to be coiled"),
            format!("{wire:.3} m of wire along a backbone of {backbone:.3} m {when}"),
        )
        .help(format!("give it more than {} m of wire, or bring its ends nearer", enough(backbone)))
        .note("until then it is drawn without coils"),
        Trouble::LeftRange { value, held } => found(
            format!("{parameter} leaves its range between keys"),
            format!("it comes to {value:.4} {when} and is held at {held:.4}"),
        )
        .help("add a key there, or give the keys next to it `tangents = \"clamped-auto\"` or `\"flat\"`"),
        Trouble::BeyondEnd { at } => found(
            format!("`{name}` is attached beyond the end of a body"),
            format!("`at` comes to {at:.4} {when}; 0 is the start and 1 the end"),
        )
        .help("keep `at` between 0 and 1")
        .note("until then it is attached to the end itself"),
        Trouble::TooMany { needed, most } => found(
            format!("the string of lights `{name}` needs more points than the limit of {most}"),
            format!("{needed:.0} points {when}"),
        )
        .help("bring its ends nearer, put the bulbs further apart, or raise the limit with `--limit samples-per-body=N`")
        .note("until then it has fewer turns and fewer bulbs"),
    }
}
