//! The answer's column.

use super::{Model, findings, hero, ladder, outlier, retry, stale, thresholds, window};
use crate::markup::Html;
use crate::ui::figures;

/// Everything Headroom says about the scenario, but the YAML.
pub fn answer(out: &mut Html, m: &Model<'_>) {
    let title = "Size of ".to_owned() + &m.answer().scenario.name;
    out.slot("<h1 class=\"hr-vh\" id=\"{}\">", "s-title", &title, "</h1>");
    out.begin("<div id=\"{}\">", "s-stale");
    stale(out, m);
    out.end("</div>");
    hero(out, m);
    window(out, m);
    thresholds(out, m);
    findings(out, m);
    out.raw("<div class=\"hr-block\"><div class=\"hr-pair hr-pair--wide\">");
    figures::headroom(out, m);
    figures::sweep(out, m);
    out.raw("</div></div>");
    ladder(out, m);
    out.raw("<div class=\"hr-block\"><div class=\"hr-pair\">");
    retry(out, m);
    outlier(out, m);
    out.raw("</div></div>");
}
