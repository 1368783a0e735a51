//! Table of all diagnostics: code, severity, title and page.
//!
//! Each page is a file, `pages/LNNNN.md`, with the cause, an example and the fix. A test runs every
//! example.
//!
//! | codes | subject |
//! |---|---|
//! | L01 | file and syntax |
//! | L02 | values and fields |
//! | L03 | names and references |
//! | L04 | models |
//! | L05 | limits |
//! | L06 | frames, when they are evaluated |
//! | L064, L065 | files that a document refers to |
//! | L066, L067 | simulation |
//!
//! `lariat-eval` reports L06; lowering reports those that need neither frames nor files.
//!
//! A code never changes its meaning, and the number of a removed diagnostic is not reused.

use std::fmt;

use super::Severity;

macro_rules! codes {
    ($($variant:ident $name:ident $severity:ident $title:literal)*) => {
        /// The kind of a diagnostic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", stringify!($name), "`: ", $title, ".")] $variant,)*
        }

        impl Code {
            /// All codes, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The code as users see it, such as `L0203`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name),)* }
            }

            /// Default severity; a diagnostic may override it.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// Title in one line.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// Page in Markdown: the cause, an example and the fix.
            pub const fn page(self) -> &'static str {
                match self {
                    $(Self::$variant => include_str!(concat!("pages/", stringify!($name), ".md")),)*
                }
            }
        }
    };
}

codes! {
    FileTooLarge L0101 Error "file is larger than the limit"
    NotUtf8 L0102 Error "file is not UTF-8 text"
    Syntax L0103 Error "invalid TOML syntax"
    DuplicateKey L0104 Error "duplicate key in a table"
    IntegerTooLarge L0105 Error "whole number is too large"
    DateValue L0106 Error "dates are not allowed"
    NestedTooDeep L0107 Error "values are nested too deeply"
    EmptyFile L0108 Error "file is empty"
    VersionTooNew L0109 Error "file needs a newer version of Lariat"
    VersionMissing L0110 Note "format version is missing"
    VersionUnknown L0111 Error "unknown format version"
    NoBodies L0112 Warning "document has no bodies"
    MethodReplaced L0113 Note "simulation method of an older version has no equivalent"

    UnknownField L0201 Error "unknown parameter"
    MissingField L0202 Error "required parameter is missing"
    WrongType L0203 Error "value has the wrong type"
    NotFinite L0204 Error "number is not finite"
    OutOfRange L0205 Error "number is out of range"
    NotWhole L0206 Error "number must be whole"
    UnknownChoice L0207 Error "unknown choice"
    GivenTwice L0208 Error "parameter is given under two names"
    OnlyOneOf L0209 Error "parameters are mutually exclusive"
    NeedsOneOf L0210 Error "one of several parameters is required"
    NotAnimatable L0211 Error "parameter cannot be keyed"
    NoKeys L0212 Error "list of keys is empty"
    KeysOutOfOrder L0213 Error "keys are not in frame order"
    TwoKeysOnOneFrame L0214 Error "two keys on the same frame"
    HandleBackwards L0215 Warning "key handle points backwards in time"
    InvalidKey L0216 Error "invalid key"
    WrongCount L0217 Error "list has the wrong number of entries"
    InvalidColour L0218 Error "invalid colour"
    PositionsOutOfOrder L0219 Error "positions along the rope are not increasing"
    InvalidFrameRange L0220 Error "shot has no frames"
    InvalidFrameRate L0221 Error "invalid frame rate"
    RaggedGrid L0222 Error "rows of a height field differ in length"
    ZeroDirection L0223 Error "direction is zero"
    KeySettingIgnored L0224 Warning "setting of a key has no effect"
    InvalidWiggle L0225 Error "wiggle has no solution"
    InvalidFormula L0226 Error "invalid formula"
    LoopJumps L0227 Warning "loop has different rest positions at its two ends"
    UnknownLook L0228 Warning "unknown look"

    DuplicateName L0301 Error "duplicate name"
    UnknownLocator L0302 Error "unknown locator"
    UnknownBody L0303 Error "unknown body"
    UnknownCollider L0304 Error "unknown collider"
    UnknownPart L0305 Error "part of a compound does not exist"
    AttachmentCycle L0306 Error "attachments form a cycle"
    UnusedLocator L0307 Warning "locator is not used"
    UnusedCollider L0308 Warning "collider is not used"
    RepeatedPart L0309 Error "compound lists a part twice"
    BlankName L0310 Error "name is blank"
    Skipped L0311 Note "skipped because it depends on something with errors"
    UnknownChannel L0312 Error "followed parameter does not exist"
    NotOscillating L0313 Error "followed parameter does not oscillate"
    FollowCycle L0314 Error "followers form a cycle"

    PincersOverlap L0401 Error "pincers overlap"
    PincersTooLong L0402 Error "pincers do not fit on the spring"
    PincersHoldTooMany L0403 Warning "pincers hold more coils than the spring has"
    SpanLongerThanRope L0404 Error "span of a lasso is longer than its rope"
    BendPastEnd L0405 Warning "bend extends past the end of the rope"
    NoParts L0406 Error "compound has no parts"
    NoEffect L0407 Warning "parameter has no effect"
    Overshoot L0408 Warning "wiggle overshoots its keys by far"
    FasterThanFrames L0409 Warning "wiggle is faster than the frame rate"
    CannotSimulate L0410 Error "model cannot be simulated"
    StringOnString L0411 Error "string is attached to a body that depends on the same simulation"
    TiedInside L0412 Warning "string is tied inside a solid that it collides with"
    MixedMethods L0413 Error "strings of a document use different methods"
    PublishedWithSolids L0414 Error "published strings cannot be simulated together with solids"

    TooManyBodies L0501 Error "too many bodies"
    TooManySamples L0502 Error "body has too many points"
    TooManySamplesInAll L0503 Error "document has too many points in total"
    TooManyKeys L0504 Error "parameter has too many keys"
    TooManyEntries L0505 Error "list has too many entries"
    TooManyCells L0506 Error "height field is too large"
    TooManyFrames L0507 Error "shot has too many frames"
    TooManyDiagnostics L0508 Error "too many diagnostics"

    RopeTooShort L0601 Error "rope is too short"
    NotEnoughSlack L0602 Warning "not enough slack for the waves"
    ExcessRope L0603 Warning "floor or clamp leaves too much rope"
    PincersHoldTooManyAtFrame L0604 Warning "pincers hold more coils than the spring has at some frame"
    WireTooShort L0605 Warning "wire is too short for its backbone"
    AttachedBeyondEnd L0606 Warning "attachment point is past the end of a body"
    LeavesRange L0607 Warning "parameter leaves its range between keys"
    PincersMeetAtFrame L0608 Warning "pincers collide at some frame"
    PincersLeaveNoRoom L0609 Warning "pincers leave no room for the other coils at some frame"
    BendPastEndAtFrame L0610 Warning "bend extends past the end of the rope at some frame"
    SpanTooLongAtFrame L0611 Warning "span of a lasso is longer than its rope at some frame"
    WavesTooFine L0612 Warning "waves are too fine to measure"
    WireTooLong L0613 Warning "wire is too long for its coils"
    TooManyPointsAtFrame L0614 Warning "string of lights has too many points at some frame"
    EndInside L0615 Warning "end of a rope is inside an obstacle"
    CameraAtTarget L0620 Error "camera position equals its target"
    UnreadableFile L0640 Error "cannot read a file"
    InvalidMesh L0641 Error "file is not a valid mesh"
    UnknownFileFormat L0642 Error "unsupported file format"
    MeshTooLarge L0643 Error "mesh has too many points"
    MeshInCompound L0644 Error "mesh cannot be part of a compound"
    FormulaFails L0645 Error "formula has no value at some point"
    FileOutside L0646 Error "file is outside the folder of the document"
    InvalidModes L0650 Error "file is not a valid modes file"
    UnknownMode L0651 Error "unknown mode number"
    ModePointMismatch L0652 Error "mode and body differ in their number of points"
    UnknownModesPart L0653 Error "unknown part of a modes file"
    NotOneShape L0654 Error "parts of a modes file do not form one shape"
    PaintedTwice L0655 Error "two fields are painted on one body"
    PaintedRopes L0656 Error "mode cannot be painted on ropes"
    SimulationStopped L0660 Error "simulation was stopped"
    Overstretched L0661 Warning "rope is stretched beyond its breaking strain"
    StepTooLong L0662 Warning "time step is too long for the simulation method"
    PinsMeet L0663 Warning "two pins are too close together"
    StaleTake L0664 Note "recorded take is out of date"
    StartPoseMissed L0665 Warning "simulated rope does not match its start pose"
    StringTorn L0666 Note "string tears"
    PinAwayFromString L0667 Warning "pin is away from the string"
    TooTight L0668 Warning "inextensible string is too tight for its own weight"
    TooStiff L0669 Warning "string is too stiff for its time step"
    YieldOrder L0670 Error "yield and rupture values are in the wrong order"
    StartPoseIntersects L0671 Warning "start pose of a string intersects an obstacle"
    SolidStartsInside L0672 Warning "solid starts inside an obstacle"
    RecordingTooLarge L0673 Error "recording of a simulation is too large"
    DamagedTake L0674 Note "recorded take is damaged"
}

impl Code {
    /// Finds a code by name; case does not matter, and the `L` is optional.
    pub fn find(name: &str) -> Option<Self> {
        let digits = name.trim().trim_start_matches(['l', 'L']);
        Self::ALL.iter().copied().find(|code| code.name()[1..] == *digits)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
