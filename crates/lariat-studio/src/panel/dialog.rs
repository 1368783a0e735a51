//! Dialogs: open a document or recorded motion, save a document under a name, find a command, name a
//! marker.

use egui::{Context, Key, ScrollArea, TextEdit, Window};

use crate::{
    app::Leaving,
    command::{COMMANDS, Command},
    host::Host,
    icon::{self, Icon},
    theme::SPACE,
};

/// A dialog that is open.
#[derive(Debug)]
pub(crate) struct Dialog {
    kind: Kind,
    /// Folder that is listed.
    folder: String,
    /// Name or words that are typed.
    typed: String,
    /// Whether the field has had the focus.
    focused: bool,
    /// Next step after the document is left.
    pub(crate) then: Option<Leaving>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Open,
    Motion,
    Save,
    Palette,
    Unsaved,
    /// A marker, by its index in the document.
    Marker(usize),
    /// The document could not be saved.
    NotSaved,
    /// The file was changed by another program.
    Changed {
        /// Whether the document has changes of its own.
        is_modified: bool,
        /// Whether it is about to be saved.
        saves: bool,
    },
}

/// Answer about a file that another program changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangedAnswer {
    /// The document becomes that of the file.
    LoadAgain,
    /// The document stays, and replaces the file when it is saved.
    KeepMine,
    /// The document gets another place.
    SaveAs,
}

/// Change of a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MarkerAnswer {
    /// It gets a name, or none.
    Name(usize, String),
    /// It is removed.
    Remove(usize),
}

impl Kind {
    /// Endings of the files that are listed.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Motion => &[".csv", ".usda", ".modes"],
            _ => &[".lariat"],
        }
    }
}

/// Result of showing a dialog.
#[derive(Debug)]
pub(crate) enum Answer {
    /// It stays open.
    None,
    /// It was closed.
    Closed,
    /// A command was chosen.
    Run(Command),
    /// A document was chosen.
    Open(String),
    /// A file with recorded motion was chosen.
    Motion(String),
    /// A place was chosen.
    Save(String),
    /// An answer about a file that another program changed, and whether the document is being saved.
    Changed(ChangedAnswer, bool),
    /// A marker changes.
    Marker(MarkerAnswer),
    /// A place is to be chosen.
    SaveAs,
    /// The document is saved at its place, then left if there is a next step.
    SaveThen,
    /// The document is left without its changes.
    LeaveAnyway(Leaving),
}

impl Dialog {
    pub(crate) fn open(folder: String) -> Self {
        Self::of_kind(Kind::Open, folder)
    }

    /// Asks for a file with recorded motion.
    pub(crate) fn motion(folder: String) -> Self {
        Self::of_kind(Kind::Motion, folder)
    }

    /// The same, with the next step after the document is saved.
    pub(crate) fn before(self, then: Option<Leaving>) -> Self {
        Self { then, ..self }
    }

    fn of_kind(kind: Kind, folder: String) -> Self {
        Self { kind, folder, typed: String::new(), focused: false, then: None }
    }

    pub(crate) fn save(folder: String, title: &str) -> Self {
        let typed = match title.ends_with(".lariat") {
            true => title.to_owned(),
            false => format!("{}.lariat", title.to_lowercase()),
        };
        Self { kind: Kind::Save, folder, typed, focused: false, then: None }
    }

    pub(crate) fn palette() -> Self {
        Self::of_kind(Kind::Palette, String::new())
    }

    /// Tells why the document was not saved, and offers another place.
    pub(crate) fn not_saved(why: &str) -> Self {
        let (folder, typed) = (String::new(), why.to_owned());
        Self { kind: Kind::NotSaved, folder, typed, focused: false, then: None }
    }

    /// Asks what happens to a file that another program changed.
    pub(crate) fn changed(title: &str, is_modified: bool, saves: bool) -> Self {
        let (folder, typed) = (String::new(), title.to_owned());
        let kind = Kind::Changed { is_modified, saves };
        Self { kind, folder, typed, focused: false, then: None }
    }

    /// Asks for the name of a marker.
    pub(crate) fn marker(index: usize, name: &str) -> Self {
        Self { typed: name.to_owned(), ..Self::of_kind(Kind::Marker(index), String::new()) }
    }

    /// Asks what happens to unsaved changes.
    pub(crate) fn unsaved(then: Leaving) -> Self {
        Self { then: Some(then), ..Self::of_kind(Kind::Unsaved, String::new()) }
    }
}

/// Shows a dialog.
pub(crate) fn dialog(context: &Context, dialog: &mut Dialog, host: &dyn Host) -> Answer {
    let title = match dialog.kind {
        Kind::Open => "Open a document",
        Kind::Motion => "Open recorded motion",
        Kind::Save => "Save as",
        Kind::Palette => "Find a command",
        Kind::Unsaved => "Unsaved changes",
        Kind::Marker(_) => "Marker",
        Kind::NotSaved => "Not saved",
        Kind::Changed { .. } => "Changed by another program",
    };
    let mut is_open = true;
    let mut answer = Answer::None;
    let window = Window::new(title).open(&mut is_open).collapsible(false).resizable(false);
    let top = egui::vec2(0.0, 64.0);
    window.anchor(egui::Align2::CENTER_TOP, top).default_width(420.0).show(context, |ui| {
        if let (Kind::Unsaved, Some(then)) = (dialog.kind, &dialog.then) {
            answer = unsaved(ui, then);
            return;
        }
        if dialog.kind == Kind::NotSaved {
            answer = not_saved(ui, &dialog.typed);
            return;
        }
        if let Kind::Changed { is_modified, saves } = dialog.kind {
            answer = changed(ui, &dialog.typed, is_modified, saves);
            return;
        }
        let (hint, name) = match dialog.kind {
            Kind::Palette => ("Type a few letters", "Command"),
            Kind::Marker(_) => ("Name", "Name"),
            _ => ("Name or path", "Name"),
        };
        let field = TextEdit::singleline(&mut dialog.typed).hint_text(hint);
        let response = ui.add_sized([404.0, 24.0], field);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, name));
        if !std::mem::replace(&mut dialog.focused, true) {
            response.request_focus();
        }
        let entered = ui.input(|input| input.key_pressed(Key::Enter));
        ui.add_space(SPACE);
        answer = match dialog.kind {
            Kind::Palette => palette(ui, &dialog.typed, entered),
            Kind::Marker(index) => marker(ui, index, &dialog.typed, entered),
            kind => files(ui, dialog, kind, host, entered),
        };
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            answer = Answer::Closed;
        }
    });
    if is_open { answer } else { Answer::Closed }
}

fn unsaved(ui: &mut egui::Ui, then: &Leaving) -> Answer {
    let mut answer = Answer::None;
    ui.label("The document has changes that are not saved.");
    ui.add_space(SPACE);
    ui.horizontal(|ui| {
        if ui.button("Save").clicked() {
            answer = Answer::SaveThen;
        }
        if ui.button("Leave without saving").clicked() {
            answer = Answer::LeaveAnyway(then.clone());
        }
        if ui.button("Stay").clicked() || ui.input(|input| input.key_pressed(Key::Escape)) {
            answer = Answer::Closed;
        }
    });
    answer
}

fn not_saved(ui: &mut egui::Ui, why: &str) -> Answer {
    let mut answer = Answer::None;
    ui.label(why);
    ui.add_space(SPACE);
    ui.horizontal(|ui| {
        if ui.button("Save as…").clicked() {
            answer = Answer::SaveAs;
        }
        if ui.button("Try again").clicked() {
            answer = Answer::SaveThen;
        }
        if ui.button("Not now").clicked() || ui.input(|input| input.key_pressed(Key::Escape)) {
            answer = Answer::Closed;
        }
    });
    answer
}

fn changed(ui: &mut egui::Ui, title: &str, is_modified: bool, saves: bool) -> Answer {
    let mut answer = Answer::None;
    ui.label(format!("Another program changed “{title}” since it was opened or saved here."));
    let yours = match is_modified {
        true => "You have changes of your own that are not saved.",
        false => "You have no unsaved changes.",
    };
    ui.label(yours);
    ui.add_space(SPACE);
    let keep = match saves {
        true => "Saves your version. The other one is copied beside it first.",
        false => "Goes on with your version. The other one is copied when you save.",
    };
    ui.horizontal(|ui| {
        for (name, help, choice) in [
            ("Load it again", "Undo brings your version back.", ChangedAnswer::LoadAgain),
            ("Keep mine", keep, ChangedAnswer::KeepMine),
            ("Save as…", "Leaves the file to the other program.", ChangedAnswer::SaveAs),
        ] {
            if ui.button(name).on_hover_text(help).clicked() {
                answer = Answer::Changed(choice, saves);
            }
        }
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            answer = Answer::Closed;
        }
    });
    answer
}

fn marker(ui: &mut egui::Ui, index: usize, typed: &str, entered: bool) -> Answer {
    let mut answer = Answer::None;
    ui.horizontal(|ui| {
        if ui.button("Rename").clicked() || entered {
            answer = Answer::Marker(MarkerAnswer::Name(index, typed.trim().to_owned()));
        }
        if ui.button("Remove").clicked() {
            answer = Answer::Marker(MarkerAnswer::Remove(index));
        }
        if ui.button("Cancel").clicked() {
            answer = Answer::Closed;
        }
    });
    answer
}

fn palette(ui: &mut egui::Ui, typed: &str, entered: bool) -> Answer {
    let words: Vec<String> = typed.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let found = COMMANDS.iter().filter(|row| {
        let text = format!("{} {} {}", row.menu.name(), row.label, row.help).to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    });
    let mut answer = Answer::None;
    ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
        for (i, row) in found.enumerate() {
            let shortcut = row.shortcuts.first().map(|one| ui.ctx().format_shortcut(one));
            let button = egui::Button::new(row.label)
                .frame(false)
                .shortcut_text(shortcut.unwrap_or_default())
                .min_size(egui::vec2(400.0, 0.0));
            let response = ui.add(button).on_hover_text(row.help);
            if response.clicked() || (entered && i == 0) {
                answer = Answer::Run(row.command);
            }
        }
    });
    answer
}

fn files(
    ui: &mut egui::Ui,
    dialog: &mut Dialog,
    kind: Kind,
    host: &dyn Host,
    entered: bool,
) -> Answer {
    let mut answer = Answer::None;
    ui.label(egui::RichText::new(&dialog.folder).small().weak());
    let entries = match host.entries(&dialog.folder, kind.endings()) {
        Ok(entries) => entries,
        Err(why) => {
            ui.colored_label(ui.visuals().error_fg_color, why);
            Vec::new()
        }
    };
    ScrollArea::vertical().max_height(280.0).min_scrolled_height(280.0).show(ui, |ui| {
        let up = ui.horizontal(|ui| {
            icon::show(ui, Icon::Up);
            ui.add(egui::Button::new("Folder above").frame(false)).clicked()
        });
        if up.inner {
            let up = dialog.folder.trim_end_matches(['/', '\\']).rfind(['/', '\\']);
            let end = up.map_or(dialog.folder.len(), |at| at.max(1));
            dialog.folder.truncate(end);
        }
        for entry in entries {
            let clicked = ui.horizontal(|ui| {
                icon::show(ui, if entry.is_file { Icon::Document } else { Icon::Folder });
                ui.add(egui::Button::new(&entry.name).frame(false)).clicked()
            });
            if clicked.inner {
                match (entry.is_file, kind) {
                    (false, _) => dialog.folder = entry.place,
                    (true, Kind::Open) => answer = Answer::Open(entry.place),
                    (true, Kind::Motion) => answer = Answer::Motion(entry.place),
                    (true, _) => dialog.typed = entry.name,
                }
            }
        }
    });
    let name = if kind == Kind::Save { "Save" } else { "Open" };
    let is_named = !dialog.typed.trim().is_empty();
    let clicked = ui.add_enabled(is_named, egui::Button::new(name)).clicked();
    if is_named && (clicked || entered) {
        let typed = dialog.typed.trim();
        let is_whole = typed.starts_with(['/', '\\']) || typed.contains(':');
        let place = if is_whole { typed.to_owned() } else { format!("{}/{typed}", dialog.folder) };
        answer = match kind {
            Kind::Open => Answer::Open(place),
            Kind::Motion => Answer::Motion(place),
            _ => Answer::Save(place),
        };
    }
    answer
}
