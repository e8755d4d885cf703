//! The charts of the page as figures, each with its data as a table.
//!
//! Gauge, headroom rows and ladder are plain SVG in percent of their width, so they stretch
//! without a redraw. The sweep is drawn for its width, so its figure has an empty place that
//! [`super::sweep`] fills. Colors come from the style sheet, so a change of theme needs nothing.

use super::panels::Model;
use crate::chart::Table;
use crate::chart::gauge::{Gauge, Subject};
use crate::chart::ladder::Ladder;
use crate::chart::rows::{self, Headroom};
use crate::chart::sweep::{MOST, Sweep};
use crate::markup::Html;
use crate::ui::words::{in_words_of, whose};

/// Floor, choice, recommendation and ceiling on one axis for a proxy and the fleet.
pub fn gauge(out: &mut Html, m: &Model<'_>) {
    let gauge = Gauge::of(m.answer());
    out.raw("<figure class=\"hr-fig\">");
    out.begin("<div id=\"{}\">", "s-gauge");
    gauge.write(out);
    out.end("</div>");
    data(out, m, "table-gauge", "<table class=\"hr-table\" aria-label=\"Window\" id=\"s-{}\">", || {
        Subject::of(m.answer()).table()
    });
    out.begin("<div id=\"{}\">", "s-gauge-high");
    if let Some(high) = Gauge::of_high(m.answer()) {
        out.raw(
            "<p class=\"hr-sub\"><b>HIGH priority</b>, for routes that ask for it. Its ceiling is what the floor of \
             DEFAULT leaves of what the hosts survive.</p>",
        );
        high.write_as(out, ["s-high-alt", "s-high-bar", "s-high-axis"]);
    }
    out.end("</div></figure>");
}

/// Limits with the growth they leave, the first to trip on top.
pub fn headroom(out: &mut Html, m: &Model<'_>) {
    let headroom = Headroom::of(m.answer());
    out.raw("<figure class=\"hr-fig\"><figcaption class=\"hr-head\"><h2>Headroom: what trips first</h2>");
    let about =
        headroom.subtitle.clone() + if whose(m.answer()).is_empty() { "" } else { "; DEFAULT priority only" };
    out.slot("<p class=\"hr-sub\" id=\"{}\">", "s-trips-sub", &about, "</p></figcaption>");
    out.begin("<div id=\"{}\">", "s-trips");
    headroom.write(out);
    out.end("</div>");
    data(out, m, "table-trips", "<table class=\"hr-table\" aria-label=\"Headroom\" id=\"s-{}\">", || {
        rows::table_of(m.answer())
    });
    out.raw("</figure>");
}

/// Refused share against fleet rate, with a rate of the reader's choice.
pub fn sweep(out: &mut Html, m: &Model<'_>) {
    let about = "Share of requests the busiest proxy refuses in the worst second".to_owned()
        + if whose(m.answer()).is_empty() { "" } else { "; DEFAULT priority only" };
    out.raw("<figure class=\"hr-fig\"><figcaption class=\"hr-head\"><h2>Refused as load grows</h2>");
    let about = in_words_of(&m.answer().scenario, &about);
    out.slot("<p class=\"hr-sub\" id=\"{}\">", "s-sweep-sub", &about, "</p></figcaption>");
    out.put(
        "<div class=\"hr-plot\" id=\"plot\"></div><div class=\"hr-what-if\">\
         <label for=\"what-if\">What if: times today’s peak</label>\
         <output for=\"what-if\" id=\"what-if-text\" aria-live=\"off\"></output>\
         <input type=\"range\" id=\"what-if\" min=\"0\" max=\"{}\" step=\"0.05\" value=\"1\"></div>",
        &[&MOST.to_string()],
    );
    data(out, m, "table-sweep", "<table class=\"hr-table\" aria-label=\"Refused\" id=\"s-{}\">", || {
        Sweep::of(m.answer()).table()
    });
    out.raw("</figure>");
}

/// Attempts, back-offs and the clocks around them on one axis of time, and as inequalities.
pub fn ladder(out: &mut Html, m: &Model<'_>) {
    let ladder = Ladder::of(m.answer());
    out.raw("<figure class=\"hr-fig\">");
    out.begin("<div id=\"{}\">", "s-ladder");
    ladder.write(out);
    out.end("</div>");
    out.begin("<p class=\"hr-chain\" id=\"{}\">", "s-chain");
    ladder.chain.write(out);
    out.end("</p>");
    data(out, m, "table-ladder", "<table class=\"hr-table\" aria-label=\"Ladder\" id=\"s-{}\">", || {
        ladder.table()
    });
    out.raw("</figure>");
}

/// "Show as table": the rows are written only while they are shown.
fn data(out: &mut Html, m: &Model<'_>, id: &str, open: &'static str, table: impl FnOnce() -> Table) {
    out.put("<details class=\"hr-sub\" id=\"{}\"><summary>Show as table</summary>", &[&id]);
    out.begin(open, id);
    if m.is_open(id) {
        table().write(out);
    }
    out.end("</table></details>");
}
