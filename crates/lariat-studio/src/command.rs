//! One table of commands, for menus, shortcuts, the palette and tooltips.
//!
//! Tests: `no_shortcut_has_two_commands`, `every_command_has_one_row`.

use egui::{Key, KeyboardShortcut, Modifiers};

/// Something that a person can do without pointing at a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    /// Shows the welcome page.
    Welcome,
    /// Opens an empty shot.
    New,
    /// Asks for a document to open.
    Open,
    /// Saves the document.
    Save,
    /// Asks for a name and saves the document under it.
    SaveAs,
    /// Asks for a file and renders the shot into it.
    Render,
    /// Asks for a file and exports the shot into it.
    Export,
    /// Closes the window.
    Quit,
    /// Takes back the last change.
    Undo,
    /// Makes the change again that was taken back.
    Redo,
    /// Copies the selected things.
    Duplicate,
    /// Removes the selected things.
    Delete,
    /// Lets the name of the active thing be typed.
    Rename,
    /// Selects everything.
    SelectAll,
    /// Selects nothing, or ends a gesture without a trace.
    Deselect,
    /// Moves the selected things with the pointer.
    Move,
    /// Turns the active thing with the pointer.
    Turn,
    /// Hangs a rope between the next two clicks.
    HangRope,
    /// Adds a locator.
    AddLocator,
    /// Adds a camera with the current view.
    AddCamera,
    /// Extracts the modes of the active body.
    ExtractModes,
    /// Starts or stops playback.
    Play,
    /// Goes to the first frame.
    FirstFrame,
    /// Goes to the last frame.
    LastFrame,
    /// Goes to the next frame.
    NextFrame,
    /// Goes to the frame before.
    PreviousFrame,
    /// Copies the selected keys.
    CopyKeys,
    /// Pastes keys at the current frame.
    PasteKeys,
    /// Removes the selected keys.
    DeleteKeys,
    /// Scales the selected keys about the current frame.
    ScaleKeys,
    /// Sets keys at the current frame.
    InsertKey,
    /// Goes to the next key of the selection.
    NextKey,
    /// Goes to the key before.
    PreviousKey,
    /// Marks the current frame, or asks for the name of its marker.
    Marker,
    /// Goes to the next marker.
    NextMarker,
    /// Goes to the marker before.
    PreviousMarker,
    /// Starts again at the end.
    Loop,
    /// Sets keys when a keyed parameter is moved.
    AutoKey,
    /// Moves the view so that it shows everything.
    FrameAll,
    /// Moves the view so that it shows the selection.
    FrameSelection,
    /// Hides the selected things, or shows them again.
    Hide,
    /// Shows the selected bodies alone, or with the others again.
    Solo,
    /// Shows everything that is hidden.
    ShowAll,
    /// Looks through the camera of the shot.
    ThroughCamera,
    /// Looks from the front.
    FromFront,
    /// Looks from the side.
    FromSide,
    /// Looks from above.
    FromTop,
    /// Perspective or parallel view.
    Perspective,
    /// Shows or hides the grid on the ground.
    Grid,
    /// Shows or hides ghosts of the selection.
    Ghosts,
    /// Shows or hides trails of the selection.
    Trails,
    /// Colours strands by their tension.
    Tension,
    /// Colours strands by their twist.
    Twist,
    /// Marks where strands touch something.
    Contact,
    /// Copies the picture of the view.
    CopyView,
    /// Shows or hides the list of things.
    Outliner,
    /// Shows or hides the history.
    History,
    /// Shows or hides the parameters.
    Inspector,
    /// Shows or hides the panel at the bottom.
    Bottom,
    /// Shows the timeline.
    Timeline,
    /// Shows the graph.
    Graph,
    /// Light or dark.
    Appearance,
    /// Larger text and controls.
    Larger,
    /// Smaller text and controls.
    Smaller,
    /// Finds a command by its name.
    Palette,
}

/// A menu of the bar at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    /// Documents.
    File,
    /// History and selection.
    Edit,
    /// New things.
    Add,
    /// Frames and playback.
    Time,
    /// Views and panels.
    View,
}

impl Menu {
    /// All menus, in their order.
    pub const ALL: [Self; 5] = [Self::File, Self::Edit, Self::Add, Self::Time, Self::View];

    /// Name in the bar.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Add => "Add",
            Self::Time => "Time",
            Self::View => "View",
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct CommandRow {
    /// The command.
    pub command: Command,
    /// Its menu.
    pub menu: Menu,
    /// Its name, in menus and in the palette.
    pub label: &'static str,
    /// Its shortcuts; the first one is shown.
    pub shortcuts: &'static [KeyboardShortcut],
    /// One sentence for its tooltip.
    pub help: &'static str,
}

const NONE: Modifiers = Modifiers::NONE;
const CTRL: Modifiers = Modifiers::COMMAND;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
const ALT_SHIFT: Modifiers = Modifiers::ALT.plus(Modifiers::SHIFT);
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

const fn on(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

macro_rules! commands {
    ($($command:ident $menu:ident $label:literal [$($shortcut:expr),*] $help:literal;)*) => {
        /// All commands, in the order of the menus.
        pub static COMMANDS: &[CommandRow] = &[$(CommandRow {
            command: Command::$command,
            menu: Menu::$menu,
            label: $label,
            shortcuts: &[$($shortcut),*],
            help: $help,
        }),*];
    };
}

commands! {
    New File "New shot" [on(CTRL, Key::N)] "Opens an empty shot.";
    Open File "Open…" [on(CTRL, Key::O)] "Opens a document from the disk.";
    Welcome File "Museum and recipes" [] "Shows scenes to start from.";
    Save File "Save" [on(CTRL, Key::S)] "Saves the document.";
    SaveAs File "Save as…" [on(CTRL_SHIFT, Key::S)] "Saves the document under another name.";
    Render File "Render…" [on(NONE, Key::F12)] "Renders a picture or a movie.";
    Export File "Export…" [on(CTRL, Key::E)] "Writes USD, CSV, JSON or a drawing.";
    Quit File "Quit" [on(CTRL, Key::Q)] "Closes the window.";
    Undo Edit "Undo" [on(CTRL, Key::Z)] "Takes back the last change.";
    Redo Edit "Redo" [on(CTRL_SHIFT, Key::Z), on(CTRL, Key::Y)] "Makes the change again.";
    Duplicate Edit "Duplicate" [on(CTRL, Key::D)] "Copies the selected things.";
    Delete Edit "Delete" [on(NONE, Key::Delete), on(NONE, Key::X)] "Removes the selected things.";
    Rename Edit "Rename" [on(NONE, Key::F2)] "Lets the name of the active thing be typed; it is renamed everywhere.";
    SelectAll Edit "Select all" [on(CTRL, Key::A)] "Selects all bodies.";
    Deselect Edit "Deselect" [on(NONE, Key::Escape)] "Ends a drag without a trace, or selects nothing.";
    Palette Edit "Find a command…" [on(CTRL, Key::K), on(NONE, Key::F3)] "Finds a command by its name.";
    Move Edit "Move" [on(NONE, Key::G)] "Moves the selected things with the pointer; X, Y and Z constrain, numbers are metres.";
    Turn Edit "Turn" [on(NONE, Key::R)] "Turns the active thing with the pointer; X, Y and Z choose the axis, numbers are degrees.";
    CopyKeys Edit "Copy keys" [on(CTRL, Key::C)] "Copies the selected keys.";
    PasteKeys Edit "Paste keys" [on(CTRL, Key::V)] "Pastes the copied keys, the first at the current frame.";
    InsertKey Edit "Insert keys" [on(NONE, Key::I)] "Sets keys of the chosen channels at the current frame.";
    ScaleKeys Edit "Scale keys" [on(NONE, Key::S)] "Scales the selected keys about the current frame, by the pointer until a click.";
    DeleteKeys Edit "Delete keys" [] "Removes the selected keys.";
    ExtractModes Edit "Extract modes" [] "Finds the ways in which the active body swings.";
    HangRope Add "Hang a rope" [on(NONE, Key::H)] "Hangs a rope between the next two clicks in the view.";
    AddLocator Add "Locator" [on(NONE, Key::L)] "Adds a place that ropes can be held at.";
    AddCamera Add "Camera from this view" [] "Adds a camera that sees what you see now.";
    Play Time "Play or stop" [on(NONE, Key::Space)] "Plays the shot at its true speed.";
    FirstFrame Time "First frame" [on(NONE, Key::Home)] "Goes to the first frame of the shot.";
    LastFrame Time "Last frame" [on(NONE, Key::End)] "Goes to the last frame of the shot.";
    NextFrame Time "Next frame" [on(NONE, Key::ArrowRight)] "Goes to the next frame.";
    PreviousFrame Time "Previous frame" [on(NONE, Key::ArrowLeft)] "Goes to the frame before.";
    NextKey Time "Next key" [on(NONE, Key::ArrowUp)] "Goes to the next key of the selected things.";
    PreviousKey Time "Previous key" [on(NONE, Key::ArrowDown)] "Goes to the key before.";
    Marker Time "Marker" [on(NONE, Key::M)] "Marks the current frame; on a marker, asks for its name or removes it.";
    NextMarker Time "Next marker" [on(SHIFT, Key::ArrowUp)] "Goes to the next marker.";
    PreviousMarker Time "Previous marker" [on(SHIFT, Key::ArrowDown)] "Goes to the marker before.";
    Loop Time "Loop" [on(SHIFT, Key::Space)] "Starts again at the end of the shot.";
    AutoKey Time "Auto-key" [on(NONE, Key::K)] "Moving a keyed parameter sets a key at the current frame.";
    FrameAll View "Show everything" [on(NONE, Key::A)] "Moves the view so that it shows everything.";
    FrameSelection View "Show the selection" [on(NONE, Key::F)] "Moves the view so that it shows the selection.";
    Hide View "Hide or show" [on(ALT, Key::H)] "Hides the selected things in the view, or shows them again; renders and exports have them anyway.";
    Solo View "Show alone" [on(NONE, Key::Slash)] "Shows only the selected bodies, or the others again.";
    ShowAll View "Show hidden things" [on(ALT_SHIFT, Key::H)] "Shows everything that is hidden.";
    ThroughCamera View "Through the camera" [on(NONE, Key::Num0)] "Looks through the camera of the shot.";
    FromFront View "From the front" [on(NONE, Key::Num1)] "Looks along Y.";
    FromSide View "From the side" [on(NONE, Key::Num3)] "Looks against X.";
    FromTop View "From above" [on(NONE, Key::Num7)] "Looks down.";
    Perspective View "Perspective" [on(NONE, Key::Num5)] "Changes between perspective and parallel view.";
    Grid View "Grid" [on(SHIFT, Key::G)] "Shows or hides the grid on the ground.";
    Ghosts View "Ghosts" [on(SHIFT, Key::H)] "Shows or hides the selected bodies at frames before and after.";
    Trails View "Trails" [on(SHIFT, Key::T)] "Shows or hides the paths of the selected bodies.";
    Tension View "Tension" [] "Colours strands by their tension, or as they are.";
    Twist View "Twist" [] "Colours strands by their twist, or as they are.";
    Contact View "Contact" [] "Marks places where strands touch something.";
    CopyView View "Copy the view" [on(CTRL_SHIFT, Key::C)] "Copies the view as a picture, without grid, outlines and handles.";
    Outliner View "Things" [on(CTRL, Key::Num1)] "Shows or hides the list of things.";
    History View "History" [on(CTRL, Key::H)] "Shows or hides the list of changes.";
    Inspector View "Parameters" [on(CTRL, Key::Num2)] "Shows or hides the parameters of the selection.";
    Bottom View "Timeline and graph" [on(CTRL, Key::Num3)] "Shows or hides the panel at the bottom.";
    Timeline View "Timeline" [on(CTRL, Key::Num4)] "Shows the keys of all channels.";
    Graph View "Graph" [on(CTRL, Key::Num5)] "Shows the curves of the chosen channels.";
    Appearance View "Light or dark" [] "Changes between light and dark.";
    Larger View "Larger text" [on(CTRL, Key::Plus), on(CTRL, Key::Equals)] "Makes text and controls larger.";
    Smaller View "Smaller text" [on(CTRL, Key::Minus)] "Makes text and controls smaller.";
}

impl Command {
    /// Its row in the table.
    pub fn row(self) -> &'static CommandRow {
        // Every command has a row, as a test checks; the first one otherwise.
        COMMANDS.iter().find(|row| row.command == self).unwrap_or(&COMMANDS[0])
    }
}

/// Commands whose shortcut was pressed. Longer shortcuts are tried first, so that Ctrl+Shift+Z is not
/// taken for Ctrl+Z. Keys without modifiers that a panel keeps for itself are none.
pub(crate) fn pressed(context: &egui::Context, kept: &[Key]) -> Vec<Command> {
    let is_typing = context.text_edit_focused();
    let has_menu = egui::Popup::is_any_open(context);
    let mut found = Vec::new();
    context.input_mut(|input| {
        let mut all: Vec<(&KeyboardShortcut, Command)> = COMMANDS
            .iter()
            .flat_map(|row| row.shortcuts.iter().map(|shortcut| (shortcut, row.command)))
            .collect();
        all.sort_by_key(|(shortcut, _)| std::cmp::Reverse(weight(shortcut.modifiers)));
        for (shortcut, command) in all {
            // Letters belong to the field that is typed in, and so do its own undo and select all.
            let is_of_file = command.row().menu == Menu::File || command == Command::Palette;
            if is_typing && !(shortcut.modifiers.command && is_of_file) {
                continue;
            }
            if shortcut.modifiers.is_none() && kept.contains(&shortcut.logical_key) {
                continue;
            }
            // Escape closes an open menu first.
            if has_menu && shortcut.logical_key == Key::Escape {
                continue;
            }
            if input.consume_shortcut(shortcut) {
                found.push(command);
            }
        }
        // A window turns Ctrl+C and Ctrl+V into these.
        for event in input.events.iter().filter(|_| !is_typing) {
            match event {
                egui::Event::Copy => found.push(Command::CopyKeys),
                egui::Event::Paste(_) => found.push(Command::PasteKeys),
                _ => {}
            }
        }
    });
    found
}

fn weight(modifiers: Modifiers) -> u32 {
    u32::from(modifiers.command) + u32::from(modifiers.shift) + u32::from(modifiers.alt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_shortcut_has_two_commands() {
        let all: Vec<&KeyboardShortcut> = COMMANDS.iter().flat_map(|row| row.shortcuts).collect();
        for (i, one) in all.iter().enumerate() {
            assert!(!all[i + 1..].contains(one), "{one:?}");
        }
    }

    #[test]
    fn every_command_has_one_row() {
        for row in COMMANDS {
            let rows = COMMANDS.iter().filter(|other| other.command == row.command);
            assert_eq!(rows.count(), 1, "{}", row.label);
            assert!(row.help.ends_with('.') && !row.label.is_empty());
            assert_eq!(row.command.row().label, row.label);
        }
        assert_eq!(COMMANDS.len(), Command::Palette as usize + 1, "a command without a row");
    }
}
