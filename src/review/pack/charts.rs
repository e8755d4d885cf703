//! The charts, each with what it says in words and its numbers.

use crate::chart::gauge::{Gauge, Subject};
use crate::chart::ladder::Ladder;
use crate::chart::rows::{self, Headroom};
use crate::chart::sweep::Sweep;
use crate::engine::analysis::Analysis;
use crate::markup::Html;
use crate::review::document::{Block, Figure, Picture, Section, Table};

fn html(write: impl FnOnce(&mut Html)) -> Picture {
    let mut out = Html::default();
    write(&mut out);
    // The Size view of the same page has the same charts.
    Picture::Html(out.copy())
}

fn figure(caption: &str, alt: &str, picture: Picture, table: crate::chart::Table) -> Block {
    Block::Figure(Box::new(Figure {
        caption: caption.to_owned(),
        alt: alt.to_owned(),
        picture,
        table: Table::of_chart(caption, table),
    }))
}

/// Floor, choice and ceiling.
pub fn gauge(a: &Analysis) -> Block {
    let gauge = Gauge::of(a);
    let picture = html(|out| gauge.write(out));
    figure("Window of `max_requests`", &gauge.alt, picture, Subject::of(a).table())
}

/// The same of HIGH priority, where there is one.
pub fn high_gauge(a: &Analysis) -> Option<Block> {
    let subject = Subject::of_high(a)?;
    let gauge = Gauge::new(subject);
    let picture = html(|out| gauge.write_as(out, ["s-high-alt", "s-high-bar", "s-high-axis"]));
    Some(figure("Window of `max_requests`, HIGH priority", &gauge.alt, picture, subject.table()))
}

/// Attempts and clocks on one axis.
pub fn ladder(a: &Analysis) -> Block {
    let ladder = Ladder::of(a);
    let picture = html(|out| {
        ladder.write(out);
        out.raw("<p class=\"hr-chain\">");
        ladder.chain.write(out);
        out.raw("</p>");
    });
    figure("Timeouts, worst case, to scale", &ladder.alt, picture, ladder.table())
}

/// What trips first, and what is refused as load grows.
pub fn headroom(a: &Analysis) -> Section {
    let headroom = Headroom::of(a);
    let sweep = Sweep::of(a);
    let picture = html(|out| headroom.write(out));
    let (alt, table) = (sweep.alt(None), sweep.table());
    Section {
        id: "headroom",
        title: "Headroom: what trips first".to_owned(),
        blocks: vec![
            figure(&headroom.subtitle, &headroom.alt, picture, rows::table_of(a)),
            Block::Heading("Refused as load grows".to_owned()),
            figure(
                "Share of requests the busiest proxy refuses in the worst second",
                &alt,
                Picture::Sweep(sweep),
                table,
            ),
        ],
    }
}
