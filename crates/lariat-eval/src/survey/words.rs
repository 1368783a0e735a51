//! What could not be done as told, in words: where, what numbers, and the way out.
//!
//! Tests: `the_way_out_of_a_range_fits_what_led_there`, and those of each diagnostic.

use lariat_core::model::PoseWarning;
use lariat_core::model::layer::coils::PincerWarning;
use lariat_core::motion::{Animate, Channel, Extrapolation, Interpolation};
use lariat_scene::check::{Diagnostic, FrameRange};
use lariat_scene::lower::{Lowered, Record};
use lariat_scene::schema::Kind;
use lariat_string::Cause;

use super::Gathered;
use crate::moment::{ObstacleName, Subject, Trouble};
use crate::simulate::history::FULL;

/// "at frame 12", or "in frames 12–40, worst at frame 31", or "in 9 frames between 12 and 40".
fn when(seen: &Gathered) -> String {
    let Gathered { first, last, frames, .. } = seen;
    if *frames == 1 {
        return format!("at frame {first}");
    }
    let range = if *frames == last.abs_diff(*first) + 1 {
        format!("in frames {first}–{last}")
    } else {
        format!("in {frames} frames between {first} and {last}")
    };
    if seen.even { range } else { format!("{range}, worst at frame {}", seen.worst.0) }
}

/// The modulus of steel, in pascals: hardly anything is stiffer.
const STEEL: f64 = 2e11;

/// The highest `rate` that documents may ask for.
const HIGHEST_RATE: f64 = 1e6;

/// A number with four digits that count: `15.71`, `29530`; with a power of ten where it is very large
/// or very small: `2e11`.
fn digits(number: f64) -> String {
    let rounded = format!("{number:.3e}").parse().unwrap_or(number);
    let plain = rounded == 0.0 || (1e-3..1e6).contains(&rounded.abs());
    if plain { rounded.to_string() } else { format!("{rounded:e}") }
}

/// A length that is enough: rounded up to the millimetre.
fn enough(metres: f64) -> String {
    format!("{:.3}", (metres * 1000.0 + 1e-6).ceil() / 1000.0)
}

/// The way back into the range, by what led out of it: an ease, an extension, or tangents.
fn back_into_range(record: &Record, field: &str, t: f64) -> &'static str {
    match record.record_type().field(field).map(|row| row.kind) {
        Some(Kind::Scalar(_)) => record.scalar(field).map(|number| way_back(number, t)),
        Some(Kind::Colour) => record.colour(field).map(|colour| way_back(colour, t)),
        Some(Kind::Colours) => {
            // Any may be the one; one that moves most likely is.
            let mut colours = record.colours(field).unwrap_or_default().iter();
            colours.find(|colour| !colour.is_constant()).map(|colour| way_back(colour, t))
        }
        _ => None,
    }
    .unwrap_or(TANGENTS)
}

const TANGENTS: &str =
    "add a key there, or give the keys next to it `tangents = \"clamped-auto\"` or `\"flat\"`";

fn way_back<T: Animate>(channel: &Channel<T>, t: f64) -> &'static str {
    const EASE: &str = "choose an ease that does not overshoot, like `ease = \"cubic-in-out\"`, or \
                        leave the range some room between its keys";
    const SWINGS: &str = "set a key where it swings furthest, move it `around` another value, or \
                          make it less bouncy: fewer `swings`";
    let keys = match channel {
        Channel::Keyed(keys) => keys,
        Channel::Wiggly(_) | Channel::Following(_) => return SWINGS,
        Channel::Constant(_) => return TANGENTS,
    };
    let overshoots =
        |i: usize| matches!(keys.keys()[i].interpolation, Interpolation::Ease(e) if e.overshoots());
    let times = keys.key_times();
    let begun = times.partition_point(|time| *time <= t);
    let runs_on =
        |extend: Extrapolation| matches!(extend, Extrapolation::Line | Extrapolation::CycleOffset);
    if begun == 0 && runs_on(keys.before()) {
        "add a key before it, or say `before = \"hold\"`"
    } else if begun == times.len() && times.last().is_some_and(|last| t > *last) {
        if runs_on(keys.after()) {
            "add a key after it, or say `after = \"hold\"`"
        } else if (0..times.len()).any(overshoots) {
            EASE
        } else {
            TANGENTS
        }
    } else if begun.checked_sub(1).is_some_and(overshoots) {
        EASE
    } else {
        TANGENTS
    }
}

/// The numbers of a trouble, for programs.
fn values(trouble: &Trouble) -> Vec<(&'static str, f64)> {
    match *trouble {
        Trouble::Model(PoseWarning::TooShort { length, gap }) => {
            vec![("length", length), ("needed", gap)]
        }
        Trouble::TooShortOver { length, needed, gap } => {
            vec![("length", length), ("needed", needed), ("gap", gap)]
        }
        Trouble::Model(PoseWarning::TooWavy { share, missing }) => {
            vec![("missing", missing), ("share", share)]
        }
        Trouble::Model(PoseWarning::TooLong { left_over }) => vec![("left_over", left_over)],
        Trouble::Model(PoseWarning::Pincers(
            PincerWarning::TooMany { held, coils } | PincerWarning::NoRoom { held, coils },
        )) => vec![("held", held), ("coils", coils)],
        Trouble::Model(PoseWarning::Pincers(PincerWarning::Overlap { first, second })) => {
            vec![("first", first as f64), ("second", second as f64)]
        }
        Trouble::Model(PoseWarning::WireTooShort { wire, backbone }) => {
            vec![("wire", wire), ("backbone", backbone)]
        }
        Trouble::Model(PoseWarning::WireTooLong { wire, wound }) => {
            vec![("wire", wire), ("wound", wound)]
        }
        Trouble::Model(PoseWarning::BendPastEnd { bend, end }) => {
            vec![("bend", bend as f64), ("end", end)]
        }
        Trouble::Model(PoseWarning::SpanTooLong { span, length }) => {
            vec![("span", span), ("length", length)]
        }
        Trouble::Model(PoseWarning::TooFine { doubt }) => vec![("doubt", doubt)],
        Trouble::EndInside { depth, .. } => vec![("depth", depth)],
        Trouble::LeftRange { value, held } => vec![("value", value), ("held", held)],
        Trouble::BeyondEnd { at } => vec![("at", at)],
        Trouble::NowhereToLook { eye } => vec![("x", eye.x), ("y", eye.y), ("z", eye.z)],
        Trouble::TooMany { needed, most } => vec![("needed", needed), ("most", most as f64)],
        Trouble::SimulationStopped { time, frame, .. } => vec![("time", time), ("frame", frame)],
        Trouble::PinOutOfReach { first, second, apart, rope, most } => vec![
            ("first", first),
            ("second", second),
            ("apart", apart),
            ("rope", rope),
            ("most", most),
        ],
        Trouble::Overstretched { long, length, most } => {
            vec![("long", long), ("length", length), ("most", most)]
        }
        Trouble::PoseMissed { missed, bearable, control_points } => vec![
            ("missed", missed),
            ("bearable", bearable),
            ("control_points", control_points as f64),
        ],
        Trouble::RunsThrough { frame, part: [from, to], long, depth, .. } => {
            vec![("frame", frame), ("from", from), ("to", to), ("long", long), ("depth", depth)]
        }
        Trouble::StartsInside { frame, depth, place, .. } => {
            vec![("frame", frame), ("depth", depth), ("x", place.x), ("y", place.y), ("z", place.z)]
        }
        Trouble::PinMissed { at, missed, place, .. } => {
            vec![("at", at), ("missed", missed), ("x", place.x), ("y", place.y), ("z", place.z)]
        }
        Trouble::StepTooLong { rate, needed } => vec![("rate", rate), ("needed", needed)],
        Trouble::PinsMeet { first, second, apart } => {
            vec![("first", first), ("second", second), ("apart", apart)]
        }
        Trouble::Torn { frame, at, newtons, turns, .. } => {
            vec![("frame", frame), ("at", at), ("newtons", newtons), ("turns_per_metre", turns)]
        }
        Trouble::TornOn { more, frame } => vec![("more", more as f64), ("frame", frame)],
        Trouble::TooStiff { stiffness, most, rate } => {
            vec![("stiffness", stiffness), ("most", most), ("rate", rate)]
        }
        Trouble::OutOfOrder { values: [value, bound], .. } => {
            vec![("value", value), ("bound", bound)]
        }
        Trouble::HeldTight { apart, rope, newtons, bears, sag } => {
            let mut values = vec![("apart", apart), ("rope", rope), ("bears", bears), ("sag", sag)];
            // JSON has no word for without end.
            values.extend(newtons.is_finite().then_some(("newtons", newtons)));
            values
        }
    }
}

/// A diagnostic with its frames and numbers.
pub(super) fn diagnostic(lowered: &Lowered, seen: &Gathered) -> Diagnostic {
    let Gathered { first, last, frames: count, worst: (worst, warning), .. } = seen;
    let frames = FrameRange { first: *first, last: *last, count: *count, worst: *worst };
    told(lowered, seen).at_frames(frames, values(&warning.trouble))
}

/// A diagnostic in words.
fn told(lowered: &Lowered, seen: &Gathered) -> Diagnostic {
    let body = seen.who.record(lowered);
    let name = body.name();
    let when = when(seen);
    let warning = &seen.worst.1;
    let code = warning.code();
    let record = warning.of.find(lowered, body).unwrap_or(body);
    // Where the parameter stands: under another name, or not given at all, the record itself.
    let field = if record.has(warning.field) { warning.field } else { "name" };
    let (span, path) = (record.span(field), record.path_of(field));
    let parameter = match &warning.of {
        Subject::Body | Subject::Part(_) => format!("`{}` of `{name}`", warning.parameter()),
        Subject::Collider(name) => format!("`{}` of the collider `{name}`", warning.field),
    };
    let found = |message: String, label: String| {
        Diagnostic::new(code, message).label(span, path.clone(), label)
    };
    // The part that spans the gap, and what lengthens it.
    let rope = if warning.field == "span-length" { "the span of" } else { "rope" };
    let longer = |needed: f64| {
        if record.has("sag") && record.is_given("sag") {
            "give it more `sag`".to_owned()
        } else {
            format!("set `{}` to {} or more", warning.field, enough(needed))
        }
    };
    match warning.trouble {
        Trouble::Model(PoseWarning::TooShort { length, gap }) => found(
            format!("{rope} `{name}` is shorter than the gap it must span"),
            format!("{length:.3} m of rope; it needs {gap:.3} m {when}"),
        )
        .help(format!("{}, or bring its ends nearer", longer(gap)))
        .note(format!("until then `{name}` is drawn as a straight line")),
        Trouble::TooShortOver { length, needed, gap } => found(
            format!("{rope} `{name}` is too short for its way over the floor or a collider"),
            format!(
                "{length:.3} m of rope; its ends are {gap:.3} m apart, but the way over takes {needed:.3} m {when}"
            ),
        )
        .help(format!("lower the floor or move the collider, or {}", longer(needed)))
        .note(format!("until then `{name}` is drawn longer than it is")),
        Trouble::EndInside { depth, ref collider } => {
            let solid = collider.as_ref().map_or("the floor".to_owned(), |name| format!("`{name}`"));
            found(
                format!("`{}` of `{name}` lies inside {solid}", warning.field),
                format!("{depth:.3} m below the surface of {solid} {when}"),
            )
            .help(format!("move the end {} m out of it, or move {solid}", enough(depth)))
            .note("ends are held where they are; only the rope between them is kept outside")
        }
        Trouble::Model(PoseWarning::TooWavy { share, missing }) => found(
            format!("the waves of `{name}` need more slack than there is"),
            format!("they would need {missing:.3} m more rope {when}; only {:.0} % of them is drawn", share * 100.0),
        )
        .help(format!(
            "make the rope {} m longer, make the waves lower or fewer, or say `keep-length = false`",
            enough(missing)
        )),
        Trouble::Model(PoseWarning::TooLong { left_over }) => found(
            format!("`{name}` has more rope than there is room for"),
            format!("{left_over:.3} m find no place above the floor or collider {when}"),
        )
        .help(format!(
            "make it {left_over:.3} m shorter, move its ends, or say `keep-length = false` to let it be flattened"
        )),
        Trouble::Model(PoseWarning::Pincers(PincerWarning::TooMany { held, coils })) => found(
            format!("the pincers of `{name}` hold more coils than there are"),
            format!("{held:.2} of {coils} coils {when}"),
        )
        .help("let the pincers hold fewer coils, or give the spring more")
        .note("until then every pincer holds proportionally fewer"),
        Trouble::Model(PoseWarning::Pincers(PincerWarning::Overlap { first, second })) => found(
            format!("pincers {} and {} of `{name}` run into each other", first + 1, second + 1),
            format!("they overlap {when}"),
        )
        .help("move one of them away, or make it shorter")
        .note("where they overlap, both bunch the coils, and neither holds its count"),
        Trouble::Model(PoseWarning::Pincers(PincerWarning::NoRoom { held, coils })) => found(
            format!("the pincers of `{name}` leave no room for the other coils"),
            format!("they cover the whole spring and hold {held:.2} of {coils} coils {when}"),
        )
        .help("shorten a pincer, or let them hold all coils")
        .note("until then every pincer holds proportionally more"),
        Trouble::Model(PoseWarning::BendPastEnd { bend, end }) => found(
            format!("bend {} of `{name}` runs past the end of the rope", bend + 1),
            format!("it ends at {end:.4} {when}; 1 is the end of the rope"),
        )
        .help("begin it earlier, or make it shorter")
        .note("until then it turns the rope only by as much as there is rope for"),
        Trouble::Model(PoseWarning::SpanTooLong { span, length }) => found(
            format!("the span of `{name}` is longer than its rope"),
            format!("{span:.3} m between knot and hand, of {length:.3} m of rope {when}"),
        )
        .help(format!("make the rope {} m long or more, or shorten the span", enough(span)))
        .note("until then the span is as long as told, and there is no tail"),
        Trouble::Model(PoseWarning::TooFine { doubt }) => found(
            format!("the waves of `{name}` are too fine to be measured"),
            format!("its length may be off by {doubt:.6} m {when}"),
        )
        .help("give the waves fewer ripples, or say `keep-length = false`")
        .note("more ripples than a rope has samples cannot be seen in any case"),
        Trouble::Model(PoseWarning::WireTooLong { wire, wound }) => found(
            format!("the wire of `{name}` is longer than its coils can take up"),
            format!("{wire:.3} m of wire, of which {wound:.3} m are drawn {when}"),
        )
        .help("give it more coils, or less wire")
        .note("until then its coils have the `coil-radius`"),
        Trouble::Model(PoseWarning::WireTooShort { wire, backbone }) => found(
            format!("the wire of `{name}` is too short to be coiled"),
            format!("{wire:.3} m of wire along a backbone of {backbone:.3} m {when}"),
        )
        .help(format!("give it more than {} m of wire, or bring its ends nearer", enough(backbone)))
        .note("until then it is drawn without coils"),
        Trouble::LeftRange { value, held } => found(
            format!("{parameter} leaves its range between keys"),
            format!("it comes to {value:.4} {when} and is held at {held:.4}"),
        )
        .help(back_into_range(record, field, lowered.shot.seconds(seen.worst.0 as f64))),
        Trouble::BeyondEnd { at } => found(
            format!("`{name}` is attached beyond the end of a body"),
            format!("`at` comes to {at:.4} {when}; 0 is the start and 1 the end"),
        )
        .help("keep `at` between 0 and 1")
        .note("until then it is attached to the end itself"),
        Trouble::NowhereToLook { eye } => found(
            format!("camera `{name}` stands where it looks"),
            format!("both are at [{:.3}, {:.3}, {:.3}] {when}", eye.x, eye.y, eye.z),
        )
        .help("move `target` away from `position`, or the camera away from its target")
        .note("until then it looks along Y"),
        Trouble::SimulationStopped { time, frame, ref why } => found(
            format!("the simulation of `{name}` went no further"),
            format!("stopped at frame {frame:.2}, {time:.3} s: {why}"),
        )
        .help({
            let how = record.record("dynamics");
            let of = |name: &str| how.filter(|how| how.record_type().field(name).is_some());
            let method = of("method").and_then(|how| how.choice("method"));
            if why.starts_with(FULL) {
                // Nothing is wrong with it but its length.
                if of("segments").is_some() {
                    "end the shot earlier, or give strings fewer `segments`: all of them and all solids are one recording"
                } else if of("control-points").is_some() {
                    "end the shot earlier, or give it fewer `control-points`"
                } else {
                    "end the shot earlier, or simulate fewer solids and strings: all of them are one recording"
                }
            } else if of("rate").is_none() {
                "weaken what pulls it, throw it more slowly, or give the strings that are tied to it a higher `rate`"
            } else if why.contains("`viscosity`") {
                "give it `viscosity`, or `method = \"implicit\"`, which is stable at any step"
            } else if method.is_none_or(|method| method == "implicit") {
                // Strings have a modulus, spline ropes a stiffness.
                if of("modulus").is_some() {
                    "weaken what pulls or torques it, move what holds it more slowly, make it softer (`modulus`, `shear-modulus`, `bend-stiffness`), or give it a higher `rate`"
                } else {
                    "weaken what pulls it, move what holds it more slowly, make it softer (`stretch-stiffness`, `bend-stiffness`), or give it a higher `rate`"
                }
            } else {
                "give it a higher `rate`, fewer or slower hands, or `method = \"implicit\"`, which is stable at any step"
            }
        })
        .note(format!("from there on `{name}` stays as it was last")),
        Trouble::PinOutOfReach { first, second, apart, rope, most } => found(
            format!("`{name}` is held further apart than it can reach"),
            format!(
                "{apart:.3} m from {first:.4} to {second:.4} of it, with {rope:.3} m of rope between them {when}; it would break at {:.3} m",
                rope * (1.0 + most)
            ),
        )
        .help(format!(
            "make the rope {} m longer, bring the places nearer, or let one go with `on`, `hold-start` or `hold-end`",
            enough(apart - rope)
        ))
        .note("until then it is stretched as far as that, however hard it pulls"),
        Trouble::Overstretched { long, length, most } => found(
            format!("`{name}` is pulled longer than it can bear"),
            format!(
                "{long:.3} m of a rope that is {length:.3} m long at rest {when}; it would break at {:.3} m",
                length * (1.0 + most)
            ),
        )
        .help("pull less, hang less on it, or make it thicker: `radius`, `stretch-stiffness` or `made-of`")
        .note("nothing here breaks it: until then it stretches as far as it is pulled"),
        Trouble::PoseMissed { missed, bearable, control_points } => {
            let string = record.record("dynamics").is_some_and(|how| how.kind() == "string");
            let (what, field) =
                if string { ("segments", "segments") } else { ("control points", "control-points") };
            found(
                format!("`{name}` has too few {what} for the curve that it starts from"),
                format!(
                    "{control_points} of them miss its pose by {missed:.4} m, where {bearable:.4} m would not be seen"
                ),
            )
            .help(format!(
                "set `{field} = {}` or more, or leave it out, to have as many as it takes",
                2 * control_points
            ))
            .note("until then it jumps by that much when its simulation starts")
        }
        Trouble::PinMissed { at, missed, place, ref solid } => {
            let there = format!("[{:.5}, {:.5}, {:.5}]", place.x, place.y, place.z);
            let apart = format!("{missed:.4} m apart at {at:.4} of the string when it starts");
            if let Some(solid) = solid {
                found(
                    format!("`{name}` is tied to `{solid}`, which is not where the string is"),
                    apart,
                )
                .help(format!("the string is at {there} there: tie it to that place of `{solid}`, or move either of them"))
                .note("both are pulled together in the first step, as hard as they are stiff")
            } else {
                found(format!("a pin of `{name}` is not where the string is"), apart)
                    .help(format!("the string is at {there} there: pin it there, or pose it so that it comes by the pin"))
                    .note("it is pulled to its pin in the first step, as hard as it is stiff")
            }
        }
        Trouble::RunsThrough { ref through, own, frame, part: [from, to], long, depth, offset } => {
            let what = through.called_by(name);
            let tied = matches!(through, ObstacleName::Solid(_)) && own;
            let held = if tied { ", which it is tied to" } else { "" };
            let beside = format!("pose it so that it comes by outside of {what}");
            found(
                format!("`{name}` starts from a pose that runs through {what}{held}"),
                format!(
                    "at frame {}, {long:.3} m of it are inside, from {from:.3} to {to:.3} of the string, up to {depth:.3} m below the surface",
                    digits(frame)
                ),
            )
            .help(match (through, offset) {
                (ObstacleName::Solid(solid), Some(at)) => format!(
                    "tie it to where it comes in, `{{ body = \"{solid}\", offset = [{:.3}, {:.3}, {:.3}] }}`, or give it less slack",
                    at.x, at.y, at.z
                ),
                _ if tied => format!("{beside}: with less slack, with another shape, or tied to another side"),
                (ObstacleName::Solid(_), _) => format!("{beside}, or move either of them"),
                _ if own => format!("{beside}, or give it more `segments`"),
                (ObstacleName::Floor(_), _) => format!("{beside}, or give it a `floor` of its own, which keeps its pose above"),
                (ObstacleName::Collider(collider), _) => format!(
                    "{beside}, or clamp it as well, which keeps its pose outside: `layers = [{{ kind = \"clamp\", against = \"{collider}\" }}]`"
                ),
            })
            .note("it is pushed out at once, by as much as it is inside, and may be torn by that")
        }
        Trouble::StartsInside { ref inside, frame, depth, place } => {
            let what = inside.called_by(name);
            found(
                format!("`{name}` starts inside of {what}"),
                format!("at frame {}, by {depth:.3} m", digits(frame)),
            )
            .help(format!(
                "move it out, to `position = [{:.3}, {:.3}, {:.3}]`, or move {what}",
                place.x, place.y, place.z
            ))
            .note("it is pushed out at once, and thrown by that")
        }
        Trouble::StepTooLong { rate, needed } => found(
            format!("the steps of `{name}` are too long for its method"),
            format!("{rate} steps a second; the method needs {needed:.0}"),
        )
        .help(match needed.ceil() {
            needed if needed <= HIGHEST_RATE => format!(
                "set `rate = {needed:.0}`, or `method = \"implicit\"`, which takes steps of any length"
            ),
            _ => "say `method = \"implicit\"`, which takes steps of any length, or make it softer or heavier: no `rate` is high enough".to_owned(),
        })
        .note(format!("until then each step is made in {:.0} parts", (needed / rate).ceil())),
        Trouble::PinsMeet { first, second, apart } => found(
            format!("two pins of `{name}` hold nearly the same place of the rope"),
            format!("at {first:.4} and {second:.4} of it, but {apart:.3} m apart {when}"),
        )
        .help("hold it at places further apart, or turn one pin off while the other holds")
        .note("until then they meet between"),
        Trouble::Torn { frame, at, cause, newtons, turns, .. } => {
            let why = match cause {
                Cause::Pull => format!("it bears a pull of {} N there, and was pulled harder", digits(newtons)),
                Cause::Twist => format!("it bears {turns:.1} turns in a metre there, and was twisted further"),
                Cause::Cut => "it was cut".to_owned(),
            };
            found(
                format!("`{name}` tears at frame {frame:.1}, at {at:.3} of its length"),
                why,
            )
            .help("if it must hold: pull or twist it less, make it thicker or of something stronger, or say `tears = false`")
        }
        Trouble::TornOn { more, frame } => found(
            format!("`{name}` tears {more} more time{}", if more == 1 { "" } else { "s" }),
            format!("for the last time at frame {frame:.1}"),
        )
        .help("what goes to pieces is stiffer, weaker or pulled harder than it was meant to be: look at the first tears")
        .note("tears of a string are told one by one up to the eighth"),
        Trouble::HeldTight { apart, rope, newtons, bears, sag } => {
            let pulls = if newtons.is_finite() {
                format!("its own weight pulls it with {} N", digits(newtons))
            } else {
                "so its own weight pulls it without end".to_owned()
            };
            found(
                format!("`{name}` keeps its length, and is held too tight for its own weight"),
                format!("{rope:.6} m of it span {apart:.6} m: {pulls}, and it bears {} N", digits(bears)),
            )
            .help(format!(
                "let it sag by {} m or more, or let it stretch: `stretches = true`, without `flick`",
                enough(sag)
            ))
            .note("it does not stay so: it yields until it sags enough, and stays longer by that; what does not yield tears")
        }
        Trouble::TooStiff { stiffness, most, rate } => {
            let needed = (rate * (stiffness / most).sqrt()).ceil();
            let how = record.record("dynamics");
            let given = |name: &str| how.filter(|how| how.is_given(name))?.scalar(name);
            let modulus = match (given("modulus"), given("bend-stiffness")) {
                (Some(Channel::Constant(modulus)), None) if stiffness * STEEL <= most * modulus => {
                    ", or take a `modulus` that something has: steel has 2e11"
                }
                _ => "",
            };
            let stay = if needed <= HIGHEST_RATE {
                format!("if it must be that stiff, set `rate = {needed:.0}`; let it start straight then, for what is bent and that stiff flies to pieces")
            } else {
                "no `rate` is high enough for what is that stiff".to_owned()
            };
            found(
                format!("`{name}` is stiffer against bending than its steps can follow"),
                format!(
                    "EI is {} N m²; {rate} steps a second follow up to {} N m²",
                    digits(stiffness),
                    digits(most)
                ),
            )
            .help(format!(
                "set `bend-stiffness`, which alone says how hard it is to bend, to {} or less{modulus}",
                digits(most / 10.0)
            ))
            .help(stay)
            .note("until then it bends as if it had that much, and may be jerked and torn")
        }
        Trouble::OutOfOrder { fields: [field, bound], values: [value, most] } => {
            let how = record.record("dynamics").filter(|how| how.is_given(field));
            let (span, path) =
                how.map_or((span, path.clone()), |how| (how.span(field), how.path_of(field)));
            let given = how.is_some_and(|how| how.is_given(bound));
            let whose = if given { "it is" } else { "what it is made of has" };
            let [value, most] = [value, most].map(digits);
            Diagnostic::new(code, format!("`{field}` of `{name}` is above its `{bound}`"))
                .label(span, path, format!("{value}, where {whose} {most}"))
                .help(format!("set `{field}` to {most} or less, or raise `{bound}`"))
                .note(if bound.starts_with("rupture") {
                    "until then it tears before it yields"
                } else {
                    "until then it does not give way where it yields"
                })
        }
        Trouble::TooMany { needed, most } => found(
            format!("the string of lights `{name}` needs more points than the limit of {most}"),
            format!("{needed:.0} points {when}"),
        )
        .help("bring its ends nearer, put the bulbs further apart, or raise the limit with `--limit samples-per-body=N`")
        .note("until then it has fewer turns and fewer bulbs"),
    }
}
