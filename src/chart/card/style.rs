//! The looks of the picture, in both themes: a picture in a document sees no style sheet of the page.

use crate::chart::palette::{Color, DARK, LIGHT, Palette};
use crate::markup::{Html, Piece};

impl Piece for Color {
    fn write(&self, out: &mut Html) {
        out.text(&self.to_string());
    }
}

/// Writes the style element.
pub fn write(out: &mut Html) {
    out.raw(
        "<style>\n.hr-card text{font:13px system-ui,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif;font-variant-numeric:tabular-nums}\n\
         .hr-card .hr-card-code{font:13px ui-monospace,\"SF Mono\",Consolas,\"Liberation Mono\",monospace}\n\
         .hr-card .hr-card-say{font-size:18px}.hr-card .hr-card-name{font-size:14px}\n\
         .hr-card .hr-card-head{font-size:15px;font-weight:600}\n\
         .hr-card .hr-card-note{font-size:12.5px;font-family:system-ui,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif}\n\
         .hr-card .hr-card-tick{font-size:12.5px}.hr-card .hr-card-mid{text-anchor:middle}\n\
         .hr-card :is(.hr-card-end,.hr-card-value,.hr-card-link){text-anchor:end}\n\
         .hr-card .hr-card-value{font-weight:600}.hr-card .hr-card-strong{font-weight:650}\n\
         .hr-card .hr-card-link{text-decoration:underline}\n\
         .hr-card path{fill:none;stroke-width:1}.hr-card .hr-card-ref{stroke-dasharray:2 3}\n\
         .hr-card .hr-card-bar{stroke-width:6}.hr-card .hr-card-try{stroke-width:12}.hr-card .hr-card-limit{stroke-width:6}\n\
         .hr-card .hr-card-wait{stroke-dasharray:3 2}.hr-card .hr-card-pause{stroke-dasharray:2 2}\n",
    );
    colors(out, &LIGHT);
    out.raw("@media (prefers-color-scheme:dark){\n");
    colors(out, &DARK);
    out.raw("}\n</style>\n");
}

fn colors(out: &mut Html, p: &Palette) {
    let mut rule = |before: &'static str, color: Color| {
        out.raw(before);
        out.put("{}", &[&color]);
        out.raw("}\n");
    };
    rule(".hr-card .hr-card-ground{fill:", p.surface);
    rule(".hr-card text{fill:", p.ink);
    rule(".hr-card :is(.hr-card-note,.hr-card-tick,.hr-card-name){fill:", p.ink_2);
    rule(".hr-card :is(.hr-card-strong,.hr-card-link){fill:", p.accent);
    rule(".hr-card .hr-card-line{stroke:", p.line);
    rule(".hr-card .hr-card-spread{stroke:", p.edge);
    rule(".hr-card :is(.hr-card-ref,.hr-card-limit){stroke:", p.ink_3);
    rule(".hr-card :is(.hr-card-bar,.hr-card-try){stroke:", p.accent);
    rule(".hr-card .hr-card-pause{stroke:", p.ink_3);
    rule(".hr-card .hr-card-short{stroke:", p.caution);
    rule(".hr-card .hr-card-dot{fill:", p.accent);
    rule(".hr-card .hr-card-dot-short{fill:", p.caution);
    rule(".hr-card .hr-card-dot-ink{fill:", p.ink_3);
}
