//! Every diagnostic there is, in one table: code, how grave, one line, and its page.
//!
//! The page is a file of its own, `pages/LNNNN.md`: what it means, why it matters, an example
//! that brings it about, and how to mend it. A test runs every example.
//!
//! L01 file and syntax · L02 values and fields · L03 names and references · L04 models ·
//! L05 limits · L06 found while evaluating frames, L064 and L065 in files that a document names,
//! L066 while simulating (all raised by `lariat-eval`; what can be told of a spring and of a rope
//! without frames and files is raised here, under the same codes).
//!
//! Codes are forever: a diagnostic that is no longer made leaves its number unused.

use std::fmt;

use super::Severity;

macro_rules! codes {
    ($($variant:ident $name:ident $severity:ident $title:literal)*) => {
        /// A kind of diagnostic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", stringify!($name), "`: ", $title, ".")] $variant,)*
        }

        impl Code {
            /// All of them, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// `L0203` and the like.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name),)* }
            }

            /// How grave it is, unless the diagnostic itself says otherwise.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// What it is, in one line.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// Its page: what it means, why it matters, an example, how to mend it. Markdown.
            pub const fn page(self) -> &'static str {
                match self {
                    $(Self::$variant => include_str!(concat!("pages/", stringify!($name), ".md")),)*
                }
            }
        }
    };
}

codes! {
    FileTooLarge L0101 Error "the file is larger than the limit"
    BrokenText L0102 Error "the file is not UTF-8 text"
    Syntax L0103 Error "the file is not TOML at this place"
    DuplicateKey L0104 Error "a name is given twice in one table"
    NumberTooLong L0105 Error "a whole number has too many digits"
    DateValue L0106 Error "a date stands where a value is expected"
    NestedTooDeep L0107 Error "values lie too deep within each other"
    EmptyFile L0108 Error "the file is empty"
    VersionTooNew L0109 Error "the file was written by a newer version"
    VersionMissing L0110 Note "the file does not say its version"
    VersionUnknown L0111 Error "there is no such version of the format"
    NoBodies L0112 Warning "the document has no bodies"

    UnknownField L0201 Error "there is no parameter of this name"
    MissingField L0202 Error "a parameter is missing"
    WrongType L0203 Error "a value is of the wrong kind"
    NotFinite L0204 Error "a number is not finite"
    OutOfRange L0205 Error "a number is outside its range"
    NotWhole L0206 Error "a number must be whole"
    UnknownChoice L0207 Error "there is no choice of this name"
    SaidTwice L0208 Error "the same parameter is given in two words"
    OnlyOneOf L0209 Error "two parameters exclude each other"
    NeedsOneOf L0210 Error "one of several parameters is needed"
    NotAnimatable L0211 Error "this parameter cannot be keyed"
    NoKeys L0212 Error "a list of keys is empty"
    KeysOutOfOrder L0213 Error "keys are not in the order of their frames"
    TwoKeysOnOneFrame L0214 Error "two keys stand on one frame"
    HandleBackwards L0215 Warning "a handle runs backwards in time"
    BadKey L0216 Error "a key is not a frame and a value"
    WrongCount L0217 Error "a list has the wrong number of entries"
    BadColour L0218 Error "a colour cannot be read"
    AlongOutOfOrder L0219 Error "a profile along the rope does not rise from 0 to 1"
    BadFrameRange L0220 Error "the shot has no frames"
    BadFrameRate L0221 Error "the frame rate is not a rate"
    RaggedGrid L0222 Error "the rows of a height field are not equally long"
    NoDirection L0223 Error "a direction is zero"
    WordsIgnored L0224 Warning "a key says something that has no effect"
    BadWiggle L0225 Error "a wiggle cannot be solved as it is told"
    BadFormula L0226 Error "a formula cannot be read"
    LoopJumps L0227 Warning "a loop is around what does not come round"

    DuplicateName L0301 Error "two things have one name"
    UnknownLocator L0302 Error "there is no locator of this name"
    UnknownBody L0303 Error "there is no body of this name"
    UnknownCollider L0304 Error "there is no collider of this name"
    UnknownPart L0305 Error "a part of a compound is no body"
    AttachmentCycle L0306 Error "bodies hang on each other in a circle"
    UnusedLocator L0307 Warning "nothing holds on to this locator"
    UnusedCollider L0308 Warning "nothing is clamped against this collider"
    RepeatedPart L0309 Error "a compound has the same part twice"
    BlankName L0310 Error "a name is blank"
    LeftOut L0311 Note "a body or camera is left out because of another"
    UnknownChannel L0312 Error "there is no parameter of this name to follow"
    NothingToFollow L0313 Error "what is to be followed does not oscillate"
    FollowCycle L0314 Error "parameters follow each other in a circle"

    PincersOverlap L0401 Error "pincers overlap"
    PincersTooLong L0402 Error "pincers do not fit on the spring"
    PincersHoldTooMany L0403 Warning "pincers hold more coils than there are"
    SpanLongerThanRope L0404 Error "the span of a lasso is longer than its rope"
    BendPastEnd L0405 Warning "a bend runs past the end of the rope"
    NoParts L0406 Error "a compound has no parts"
    NoEffect L0407 Warning "a parameter has no effect here"
    Resonant L0408 Warning "a wiggle swings out much further than its keys"
    FasterThanFrames L0409 Warning "a wiggle is faster than the frames"
    CannotSimulate L0410 Error "a body of this model cannot be simulated"
    StringOnString L0411 Error "a string hangs on a body that moves with it"
    TiedInside L0412 Warning "a string is tied inside of a solid that it touches"

    TooManyBodies L0501 Error "more bodies than the limit"
    TooManySamples L0502 Error "a body has more points than the limit"
    TooManySamplesInAll L0503 Error "all bodies together have more points than the limit"
    TooManyKeys L0504 Error "a parameter has more keys than the limit"
    TooManyEntries L0505 Error "a list has more entries than the limit"
    TooManyCells L0506 Error "a height field has more heights than the limit"
    TooManyFrames L0507 Error "the shot has more frames than the limit"
    TooManyFindings L0508 Error "more diagnostics than are listed"

    RopeTooShort L0601 Error "a rope is shorter than the gap it must span"
    NotEnoughSlack L0602 Warning "waves need more slack than there is"
    CannotBeLaid L0603 Warning "a floor or clamp leaves too much rope"
    PinchedTooManyAtFrame L0604 Warning "at a frame pincers hold more coils than there are"
    WireTooShort L0605 Warning "a wire is too short for its backbone"
    AttachedBeyondEnd L0606 Warning "something is attached beyond the end of a body"
    LeftItsRange L0607 Warning "a number leaves its range between keys"
    PincersMeetAtFrame L0608 Warning "at a frame pincers run into each other"
    PincersLeaveNoRoom L0609 Warning "at a frame pincers leave no room for the other coils"
    BendPastEndAtFrame L0610 Warning "at a frame a bend runs past the end of the rope"
    SpanTooLongAtFrame L0611 Warning "at a frame the span of a lasso is longer than its rope"
    WavesTooFine L0612 Warning "waves are too fine to be measured"
    WireTooLong L0613 Warning "a wire is longer than its coils can take up"
    TooManyAtFrame L0614 Warning "at a frame a string of lights needs more points than the limit"
    EndInside L0615 Warning "an end of a rope lies inside what it is clamped against"
    NowhereToLook L0620 Error "a camera stands where it looks"
    FileUnread L0640 Error "a file that a body needs cannot be read"
    FileIsNoMesh L0641 Error "a file is no mesh"
    UnknownFileFormat L0642 Error "the ending of a file says no format that can be read"
    MeshTooLarge L0643 Error "a mesh has more points than the limit"
    MeshInCompound L0644 Error "a mesh is part of a compound"
    FormulaFails L0645 Error "a formula has no value at some point"
    FileHasNoModes L0650 Error "a file is no file of modes"
    NoSuchMode L0651 Error "a file has no mode of this number"
    ModeOfOtherPoints L0652 Error "a mode has other points than the body that it is to move"
    NoSuchPart L0653 Error "a file of modes has no part of this name"
    NoOneShape L0654 Error "the parts of a file make no one shape"
    PaintedTwice L0655 Error "two fields are painted on one body"
    RopesPainted L0656 Error "a mode is painted on ropes"
    SimulationStopped L0660 Error "a simulation went diverged and was stopped"
    Overstretched L0661 Warning "a rope is stretched further than what it is made of bears"
    StepTooLong L0662 Warning "the steps of a simulation are too long for its method"
    PinsMeet L0663 Warning "two pins hold nearly the same place of a rope"
    TakeOfOther L0664 Note "a recorded take belongs to another state of the document"
    PoseMissed L0665 Warning "a simulated rope misses the pose that it starts from"
    StringTorn L0666 Note "a string tears"
    PinMissed L0667 Warning "a pin holds a string where the string is not"
    HeldTight L0668 Warning "a string that keeps its length is held too tight for its own weight"
    TooStiff L0669 Warning "a string is stiffer than its steps can follow"
    OutOfOrder L0670 Error "a string yields after it tears, or hardens where it should give way"
    RunsThrough L0671 Warning "a string starts from a pose that runs through what it touches"
    StartsInside L0672 Warning "a solid starts inside of what it bumps into"
}

impl Code {
    /// The code of this name; case does not matter, and the `L` may be left out.
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
