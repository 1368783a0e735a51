//! Every link in a page has a valid target.
//!
//! Checked are `[words](target)` and `[name]: target` outside code, where the target is a file or a
//! folder of the project, with or without `#heading`. Addresses on the web are not checked.
//!
//! Tests: `a_link_to_nowhere_is_found`, `a_heading_that_is_not_there_is_found`,
//! `links_inside_code_are_not_links`.

use super::{
    tree::{File, Tree},
    violation::Violation,
};

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for page in tree.pages() {
        for (line, target) in targets(&page.text) {
            if let Some(problem) = problem(tree, page, &target) {
                violations.push(Violation::failure(
                    &page.path,
                    line,
                    format!("broken link to `{target}`: {problem}"),
                    "use a path relative to the folder of this page, or remove the link",
                ));
            }
        }
    }
    violations
}

fn problem(tree: &Tree, page: &File, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let Some(path) = resolve(&page.path, path) else {
        return Some("it leaves the repository".to_owned());
    };
    if !tree.has(&path) {
        return Some(format!("there is no `{path}`"));
    }
    let led_to = tree.file(&path)?;
    let is_there = heading.is_empty()
        || !led_to.path.to_ascii_lowercase().ends_with(".md")
        || headings(&led_to.text).any(|slug| slug == heading);
    (!is_there).then(|| format!("`{path}` has no heading `#{heading}`"))
}

/// Path from the root of `target` on the page at `from`.
pub(crate) fn resolve(from: &str, target: &str) -> Option<String> {
    if target.is_empty() {
        return Some(from.to_owned());
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    if target.starts_with('/') {
        parts.clear();
    }
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Lines outside fenced code, with line numbers; inline code is blanked.
fn prose(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(i, line)| {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            return None;
        }
        let mut in_code = false;
        let blanked = line.chars().map(|c| {
            in_code ^= c == '`';
            if in_code || c == '`' { ' ' } else { c }
        });
        (!fenced).then(|| (i + 1, blanked.collect()))
    })
}

/// Every link target of a page, with its line.
pub(crate) fn targets(text: &str) -> Vec<(usize, String)> {
    let mut targets = Vec::new();
    for (number, line) in prose(text) {
        for (at, _) in line.match_indices("](") {
            let rest = &line[at + 2..];
            if let Some(end) = rest.find(')') {
                // A title may follow the target.
                targets.extend(rest[..end].split_whitespace().next().map(|t| (number, t.into())));
            }
        }
        let defined = line.strip_prefix('[').and_then(|rest| rest.split_once("]:"));
        let target = defined.and_then(|(_, target)| target.split_whitespace().next());
        targets.extend(target.map(|target| (number, target.to_owned())));
    }
    targets
}

/// Anchors of the headings of a page.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let mut fenced = false;
    let is_heading = move |line: &&str| {
        fenced ^= line.trim_start().starts_with("```");
        !fenced && line.starts_with('#')
    };
    text.lines().filter(is_heading).map(|line| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        words
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let guide = "# The guide\n\n## `lariat check`: its output\n";
        let tree = Tree::of(&[("docs/page.md", text), ("docs/guide.md", guide), ("LICENSE", "")]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn valid_links_are_fine() {
        let text = "[a](guide.md) [b](../LICENSE) [c](..) [d](/docs/guide.md) [e](./guide.md \"t\")\n\
                    [f](https://example.org/x) [g](#here)\n\n# Here\n[h]: guide.md\n\
                    [i](guide.md#lariat-check-its-output)\n";
        assert_eq!(found(text), [""; 0]);
    }

    #[test]
    fn a_link_to_nowhere_is_found() {
        let found = found("fine\n[a](gide.md) and [b](../../outside.md)\n[c]: nowhere/\n");
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].contains("docs/page.md:2: broken link to `gide.md`"), "{}", found[0]);
        assert!(found[1].contains("leaves the repository"), "{}", found[1]);
        assert!(found[2].contains("page.md:3: "), "{}", found[2]);
    }

    #[test]
    fn a_heading_that_is_not_there_is_found() {
        assert!(found("[a](guide.md#gone)")[0].contains("no heading `#gone`"));
        assert!(found("# Here\n[a](#there)")[0].contains("no heading `#there`"));
        // A comment in a shell example is not a heading.
        assert_eq!(found("```sh\n# there\n```\n[a](#there)").len(), 1);
    }

    #[test]
    fn links_inside_code_are_not_links() {
        assert_eq!(found("`[a](gone.md)` is how a link is written\n```\n[a](b)\n```\n"), [""; 0]);
    }
}
