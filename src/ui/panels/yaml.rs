//! The generated configuration: tabs, copy, download, colors, changes.

use super::yaml_lines::{Line, YamlText};
use crate::engine::units::display;
use crate::markup::Html;
use crate::ui::components::yaml_tokens::tokens;
use crate::ui::components::{Copied, CopyButton, OFF};

/// The formats, in the order of the tabs, and what each is.
const FORMATS: [(&str, &str); 2] = [
    ("Envoy", "Cluster and route fragments, to paste into your own."),
    ("Bootstrap", "A whole bootstrap with one listener, to start Envoy with."),
];

/// The id of the text, for selecting it when the clipboard refuses.
pub const YAML_ID: &str = "yaml";

/// The output rail; it is off while `n_problems` inputs are wrong.
pub fn yaml(out: &mut Html, text: &YamlText, tab: usize, copied: Copied, n_problems: usize) {
    let is_off = n_problems > 0;
    out.raw("<section class=\"hr-block\" aria-labelledby=\"h-yaml\"><div class=\"hr-head--row\"><h2 id=\"h-yaml\">YAML</h2>");
    out.begin("<div class=\"hr-actions\" id=\"{}\">", "s-take");
    let button = CopyButton { id: "copy", label: "Copy", icon: "copy", is_main: true };
    button.write(out, copied, is_off);
    out.raw("<button class=\"hr-btn\" type=\"button\" id=\"save\" data-do=\"save\"");
    out.raw(if is_off { OFF } else { "" });
    out.raw(">Download</button>");
    out.end("</div></div>");
    out.begin("<div class=\"hr-seg\" role=\"group\" aria-label=\"Output format\" id=\"{}\">", "s-tabs");
    for (at, (name, _)) in (0u32..).zip(FORMATS) {
        let pressed = if at as usize == tab { "true" } else { "false" };
        out.put(
            "<button type=\"button\" id=\"tab-{}\" data-do=\"tab {}\" aria-pressed=\"{}\">{}</button>",
            &[&at, &at, &pressed, &name],
        );
    }
    out.end("</div><pre class=\"hr-yaml\" tabindex=\"0\" role=\"region\" aria-label=\"Generated YAML\">");
    out.begin("<code id=\"{}\">", YAML_ID);
    for line in text.lines() {
        write_line(out, line);
    }
    out.end("</code></pre>");
    out.begin("<div id=\"{}\">", "s-note");
    match FORMATS.get(tab) {
        Some((_, about)) if !is_off => out.put("<p class=\"hr-sub\">{}</p>", &[about]),
        _ => out.put("<p class=\"hr-sub\" id=\"copy-off\">{}</p>", &[&copy_is_off(n_problems)]),
    }
    out.end("</div></section>");
}

fn write_line(out: &mut Html, line: Line<'_>) {
    out.raw(if line.is_changed {
        "<span class=\"hr-line hr-line--changed\">"
    } else {
        "<span class=\"hr-line\">"
    });
    for (token, text) in tokens(line.text) {
        let class = token.class();
        if class.is_empty() {
            out.text(text);
        } else {
            out.put("<span class=\"{}\">{}</span>", &[&class, &text]);
        }
    }
    out.raw("\n</span>");
}

fn copy_is_off(n_problems: usize) -> String {
    let inputs = match u32::try_from(n_problems) {
        Ok(1) => "the input is".to_owned(),
        n => format!("the {} inputs are", display::words(n.unwrap_or(u32::MAX))),
    };
    format!("Copy is off until {inputs} fixed, so that no YAML leaves with numbers you did not ask for.")
}

/// A file name of the service's letters and digits.
pub fn file_name(service: &str) -> String {
    let safe: String = service.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{}.yaml", safe.trim_matches('-'))
}
