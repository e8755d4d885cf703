//! A document as Markdown, for pull requests and wikis.

use super::document::{Block, Document, Figure, Remark, Table, Task};
use crate::engine::units::display::NBSP;
use std::fmt::Write as _;

/// The whole document.
pub fn write(document: &Document) -> String {
    let mut out = format!("# {}\n", line(&document.title));
    for about in &document.about {
        out.extend(["\n", &line(about), "\n"]);
    }
    if let Some(link) = &document.link {
        out.extend(["\nLink: <", link, ">\n"]);
    }
    for section in &document.sections {
        out.extend(["\n## ", &line(&section.title), "\n"]);
        for block in &section.blocks {
            out.push('\n');
            write_block(&mut out, block);
        }
    }
    // Spaces that cannot be seen are in the way of searching.
    out.replace(NBSP, " ")
}

fn write_block(out: &mut String, block: &Block) {
    match block {
        Block::Lead(text) => out.extend(["**", line(text).trim(), "**\n"]),
        Block::Text(text) => out.extend([&line(text), "\n"]),
        Block::Heading(text) => out.extend(["### ", &line(text), "\n"]),
        Block::Table(table) => write_table(out, table),
        Block::List(points) => points.iter().for_each(|point| out.extend(["- ", &line(point), "\n"])),
        Block::Steps(tasks) => tasks.iter().for_each(|task| write_task(out, task)),
        Block::Findings(remarks) => remarks.iter().for_each(|remark| write_remark(out, remark)),
        Block::Figure(figure) => write_figure(out, figure),
        Block::Code(language, text) => write_code(out, language, text),
        Block::Difference(lines) => {
            let lines = lines.iter().map(|(mark, text)| format!("{}{text}\n", mark.sign()));
            write_code(out, "diff", &lines.collect::<String>());
        }
    }
}

fn write_table(out: &mut String, table: &Table) {
    let mut row = |cells: &[String]| out.extend(["| ", &cells.join(" | "), " |\n"]);
    row(&table.columns.iter().map(|(name, _)| cell(name)).collect::<Vec<_>>());
    let rule = |(_, is_number): &(String, bool)| (if *is_number { "---:" } else { "---" }).to_owned();
    row(&table.columns.iter().map(rule).collect::<Vec<_>>());
    for cells in &table.rows {
        row(&cells.iter().map(|text| cell(text)).collect::<Vec<_>>());
    }
}

fn write_task(out: &mut String, task: &Task) {
    out.extend(["- [ ] ", &line(&task.what), "\n"]);
    if let Some(command) = &task.command {
        let fence = fence(command);
        out.extend(["\n  ", &fence, "sh\n"]);
        command.lines().for_each(|text| out.extend(["  ", text, "\n"]));
        out.extend(["  ", &fence, "\n\n"]);
    }
    task.points.iter().for_each(|point| out.extend(["  - ", &line(point), "\n"]));
}

fn write_remark(out: &mut String, remark: &Remark) {
    let status = match &remark.accepted {
        None => "open".to_owned(),
        Some(note) if note.trim().is_empty() => "accepted by design".to_owned(),
        Some(note) => format!("accepted by design: {}", line(note)),
    };
    let word = remark.severity.as_str();
    let _ = writeln!(
        out,
        "- **{word} {} {}** ({status}): {}",
        remark.code,
        line(remark.name),
        line(&remark.text)
    );
}

fn write_figure(out: &mut String, figure: &Figure) {
    out.extend([&line(&figure.alt), "\n\n"]);
    write_table(out, &figure.table);
}

fn write_code(out: &mut String, language: &str, text: &str) {
    let fence = fence(text);
    out.extend([&fence, language, "\n", text]);
    out.push_str(if text.ends_with('\n') || text.is_empty() { "" } else { "\n" });
    out.extend([&fence, "\n"]);
}

/// A fence that no line of the text can close.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat((longest + 1).max(3))
}

/// A text in a cell: a bar ends the cell even in code.
fn cell(text: &str) -> String {
    let text = line(text);
    if text.trim().is_empty() { String::new() } else { text }
}

/// A text from outside, such as a name: nothing in it is markup.
pub fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    escape(&mut out, text);
    out
}

/// A name as code; as text where code could not hold it.
pub fn code(text: &str) -> String {
    if text.contains(['`', '|']) || text.trim().is_empty() {
        literal(text)
    } else {
        line(&format!("`{text}`"))
    }
}

/// A text on a line of its own: what is between backticks is code, the rest is escaped.
pub fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let n = text.split('`').count();
    for (at, part) in text.split('`').enumerate() {
        // A backtick without its partner is a backtick.
        let is_code = at % 2 == 1 && at + 1 < n;
        if is_code && part.trim().is_empty() {
            out.extend(["\\`", part, "\\`"]);
        } else if is_code {
            let part = part.chars().map(visible).collect::<String>();
            out.extend(["`", &part.replace('|', "\\|"), "`"]);
        } else {
            if at % 2 == 1 && !is_code {
                out.push_str("\\`");
            }
            escape(&mut out, part);
        }
    }
    out
}

/// Control characters would end the line, and what turns the direction of writing would make a text look
/// like another one.
fn visible(c: char) -> char {
    match c {
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            char::REPLACEMENT_CHARACTER
        }
        c if c.is_control() => ' ',
        c => c,
    }
}

/// A text that Markdown must not take for markup.
fn escape(out: &mut String, text: &str) {
    let signs: Vec<char> = text.chars().map(visible).collect();
    let is_word = |at: Option<usize>| at.and_then(|at| signs.get(at)).is_some_and(|c| c.is_alphanumeric());
    for (at, sign) in signs.iter().copied().enumerate() {
        let next = signs.get(at + 1).copied();
        let is_begin = out.is_empty();
        let is_marked = match sign {
            '\\' | '`' | '*' | '[' | ']' | '<' | '|' | '~' => true,
            '_' => !(is_word(at.checked_sub(1)) && is_word(Some(at + 1))),
            '&' => next.is_some_and(|c| c.is_alphanumeric() || c == '#'),
            // An issue is called by its number, a list or quote begun by its sign.
            '#' => is_begin || next.is_some_and(|c| c.is_ascii_alphanumeric()),
            '>' | '+' | '-' | '=' => is_begin,
            '.' | ')' => {
                is_number(out) && next.is_none_or(|c| c == ' ') || out.to_ascii_lowercase().ends_with("www")
            }
            ':' => next == Some('/'),
            '!' => next == Some('['),
            _ => false,
        };
        if is_marked {
            out.push('\\');
        }
        out.push(sign);
        // A name must not call anybody.
        if sign == '@' {
            out.push_str("<!-- -->");
        }
    }
}

/// Whether all that stands there so far would number a list.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() < 10 && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{code, fence, line, literal, write_table};
    use crate::review::document::{Mark, Table};

    #[test]
    fn texts_stay_texts() {
        assert_eq!(line("`max_requests` 7 × 100 is 700"), "`max_requests` 7 × 100 is 700");
        assert_eq!(line("a_b _c_ *d* [e](f)"), "a_b \\_c\\_ \\*d\\* \\[e\\](f)");
        assert_eq!(line("<script> &lt; #1 @all"), "\\<script> \\&lt; \\#1 @<!-- -->all");
        assert_eq!(line("odd ` tick"), "odd \\` tick");
        assert_eq!(line("none `` here"), "none \\`\\` here");
        assert_eq!(literal("`a` _b_ @c\u{202e}"), "\\`a\\` \\_b\\_ @<!-- -->c\u{fffd}");
        assert_eq!([code("max_requests"), code("a|`b`"), code(" ")], ["`max_requests`", "a\\|\\`b\\`", " "]);
        assert_eq!(line("`a|b` c|d"), "`a\\|b` c\\|d");
        assert_eq!(line("1. no list"), "1\\. no list");
        assert_eq!(line("- no list"), "\\- no list");
        assert_eq!(line("http://evil www.evil"), "http\\://evil www\\.evil");
        assert_eq!(line("a\nb\u{1b}[2J"), "a b \\[2J");
        assert_eq!(line("B(7, 0.356) < 0.1 & more"), "B(7, 0.356) \\< 0.1 & more");
    }

    #[test]
    fn a_row_has_as_many_cells_as_the_heading_whatever_is_in_it() {
        let mut table = Table::new("t", &["a", "#b"]);
        table.row(["x|y`z|".to_owned(), "1\n2".to_owned()]);
        let mut out = String::new();
        write_table(&mut out, &table);
        assert_eq!(out, "| a | b |\n| --- | ---: |\n| x\\|y\\`z\\| | 1 2 |\n");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(fence("a ```` b"), "`````");
        assert_eq!(fence("plain"), "```");
        assert_eq!(Mark::Added.sign(), "+");
    }
}
