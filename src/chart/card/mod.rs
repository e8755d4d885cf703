//! The answer as one picture: sentence, main numbers, headroom and ladder, for documents that allow no frame.
//!
//! It stands by itself: colors of both themes are in it, no font and no file is asked for, and it says in
//! title and description what it shows. Text and bars lie under each other, as on the narrowest page, so
//! that the picture can be read from 320 CSS px on.

mod style;
mod text;

use super::ladder::{Ladder, Mark};
use super::markup::Px;
use super::rows::{Headroom, Reach, Row};
use super::scale::At;
use super::text::{Anchor, Label, ems};
use crate::engine::analysis::Analysis;
use crate::engine::scenario::RULES_VERSION;
use crate::engine::units::display;
use crate::markup::Html;
use text::{Word, lines};

/// Width in CSS px.
const WIDTH: f64 = 400.0;
/// Space at both sides.
const PAD: f64 = 16.0;
/// Width of the plots.
const INNER: f64 = WIDTH - 2.0 * PAD;
/// Size of the sentence.
const SAY: f64 = 18.0;

/// The class of Envoy's names.
const CODE: &str = "hr-card-code";

/// The picture of an answer; `address` is where its link leads; without a site in it, there is none.
pub fn svg(a: &Analysis, address: &str) -> String {
    let mut card = Card { out: Html::default(), y: 0.0 };
    card.say(a);
    card.facts(a);
    card.headroom(&Headroom::of(a));
    card.ladder(&Ladder::of(a));
    card.foot(a, address);
    let height = card.y;
    let mut svg = Html::default();
    head(&mut svg, a, height);
    let mut text = svg.into_string();
    text.push_str(card.out.as_str());
    text.push_str("</svg>\n");
    text
}

/// The element itself, with what it says to those who do not see it.
fn head(out: &mut Html, a: &Analysis, height: f64) {
    out.put(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hr-card\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" role=\"group\" aria-labelledby=\"hr-card-title\" aria-describedby=\"hr-card-desc\">\n",
        &[&Px(WIDTH), &Px(height), &Px(WIDTH), &Px(height)],
    );
    out.put("<title id=\"hr-card-title\">Limits of {}</title>\n", &[&a.scenario.name]);
    out.put(
        "<desc id=\"hr-card-desc\">{} {} {}</desc>\n",
        &[&a.headline.sentence_text(), &Headroom::of(a).alt, &Ladder::of(a).alt],
    );
    style::write(out);
    out.put("<rect class=\"hr-card-ground\" width=\"{}\" height=\"{}\"/>\n", &[&Px(WIDTH), &Px(height)]);
}

/// The picture under construction, from top to bottom.
struct Card {
    out: Html,
    y: f64,
}

impl Card {
    fn text(&mut self, class: &str, x: f64, text: &str) {
        self.out
            .put("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", &[&class, &Px(x), &Px(self.y), &text]);
    }

    /// Name and sentence.
    fn say(&mut self, a: &Analysis) {
        self.y = 30.0;
        for line in lines(&[Word::quiet(&a.scenario.name)], INNER, 14.0) {
            self.text(
                "hr-card-name",
                PAD,
                &line.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" "),
            );
            self.y += 20.0;
        }
        self.y += 6.0;
        let words: Vec<Word> = a.headline.sentence.iter().map(Word::of).collect();
        for line in lines(&words, INNER, SAY) {
            self.out.put("<text class=\"hr-card-say\" x=\"{}\" y=\"{}\">", &[&Px(PAD), &Px(self.y)]);
            for (at, word) in line.iter().enumerate() {
                let space = if at > 0 && word.spaced { " " } else { "" };
                let tag = if word.strong { "<tspan class=\"hr-card-strong\">{}{}</tspan>" } else { "{}{}" };
                self.out.put(tag, &[&space, &word.text]);
            }
            self.out.raw("</text>\n");
            self.y += 24.0;
        }
    }

    /// The main numbers.
    fn facts(&mut self, a: &Analysis) {
        let t = a.default_threshold();
        let fleet = |value: u32| {
            let fleet = f64::from(value) * f64::from(a.scenario.clients);
            format!("{} · fleet {}", display::count(f64::from(value)), display::count(fleet))
        };
        let budget = if a.retry.num_retries == 0 {
            "retries off".to_owned()
        } else {
            let percent = display::number(t.retry_budget.budget_percent.0);
            format!("{percent}%, min {}", display::count(f64::from(t.retry_budget.min_retry_concurrency)))
        };
        let off =
            |time: f64| if time > 0.0 { format!("{} ms", display::number(time)) } else { "off".to_owned() };
        let mut rows = vec![
            ("max_requests", fleet(t.max_requests)),
            ("max_connections", fleet(t.max_connections)),
            ("max_pending_requests", fleet(t.max_pending_requests)),
            ("retry_budget", budget),
            ("timeout", off(a.timeouts.route_ms.0)),
        ];
        if let Some(per_try) = a.timeouts.per_try_ms {
            rows.push(("per_try_timeout", off(per_try.0)));
        }
        self.y += 4.0;
        for (name, value) in rows {
            self.text("hr-card-code", PAD, name);
            self.text("hr-card-value", WIDTH - PAD, &value);
            self.y += 21.0;
        }
    }

    fn heading(&mut self, title: &str, about: &str) {
        self.out.put(
            "<path class=\"hr-card-line\" d=\"M{} {}H{}\"/>\n",
            &[&Px(PAD), &Px(self.y - 4.0), &Px(WIDTH - PAD)],
        );
        self.y += 22.0;
        self.text("hr-card-head", PAD, title);
        for line in lines(&[Word::quiet(about)], INNER, 12.5) {
            self.y += 17.0;
            self.text(
                "hr-card-note",
                PAD,
                &line.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" "),
            );
        }
        self.y += 24.0;
    }

    /// Name, note and value of a row; its bar follows below.
    fn row(&mut self, class: &str, name: &str, note: &str, value: &str) {
        // A letter of code is 0.62 of its size wide, at most.
        let wide = if class == CODE { 0.62 * 13.0 * name.len() as f64 } else { ems(name) * 13.0 };
        let fits = wide + (ems(note) * 12.5 + ems(value) * 14.5) * 1.05 + 20.0 <= INNER;
        self.out.put("<text class=\"{}\" x=\"{}\" y=\"{}\">{}", &[&class, &Px(PAD), &Px(self.y), &name]);
        if fits {
            self.out.put_some("<tspan class=\"hr-card-note\" dx=\"8\">{}</tspan>", note);
        }
        self.out.raw("</text>\n");
        self.text("hr-card-value", WIDTH - PAD, value);
        if !fits {
            self.y += 16.0;
            self.text("hr-card-note", PAD, note);
        }
        self.y += 12.0;
    }

    fn span(&mut self, class: &str, from: At, to: At) {
        self.out.put("<path class=\"{}\" d=\"M{} {}H{}\"/>\n", &[&class, &x(from), &Px(self.y), &x(to)]);
    }

    fn dot(&mut self, class: &str, at: At) {
        self.out
            .put("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"4.5\"/>\n", &[&class, &x(at), &Px(self.y)]);
    }

    fn grid(&mut self, grid: &[At], reference: Option<At>) {
        let (top, bottom) = (self.y - 8.0, self.y + 8.0);
        for at in grid {
            self.out
                .put("<path class=\"hr-card-line\" d=\"M{} {}V{}\"/>\n", &[&x(*at), &Px(top), &Px(bottom)]);
        }
        if let Some(at) = reference {
            self.out.put("<path class=\"hr-card-ref\" d=\"M{} {}V{}\"/>\n", &[&x(at), &Px(top), &Px(bottom)]);
        }
    }

    fn axis(&mut self, labels: &[Label], note: &str) {
        let lowest = labels.iter().map(|label| label.y).fold(0.0, f64::max);
        for label in labels.iter().filter(|label| !label.is_blank()) {
            let class = match label.anchor {
                Anchor::Start => "hr-card-tick",
                Anchor::Middle => "hr-card-tick hr-card-mid",
                Anchor::End => "hr-card-tick hr-card-end",
            };
            self.out.put(
                "<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n",
                &[
                    &class,
                    &Px((PAD + label.at.px(INNER) + label.dx).max(PAD + half(label))),
                    &Px(self.y + label.y),
                    &label.text,
                ],
            );
        }
        self.y += lowest + 17.0;
        self.text("hr-card-note", PAD, note);
        self.y += 22.0;
    }

    fn headroom(&mut self, rows: &Headroom) {
        self.heading("Headroom: what trips first", &rows.subtitle);
        for row in &rows.rows {
            self.row(CODE, row.setting, &row.note, &value_of(row));
            self.grid(&rows.grid, rows.asked);
            match row.reach {
                Reach::To { at, is_short } => {
                    let (bar, dot) = if is_short {
                        ("hr-card-bar hr-card-short", "hr-card-dot hr-card-dot-short")
                    } else {
                        ("hr-card-bar", "hr-card-dot")
                    };
                    self.span(bar, At::START, at);
                    self.dot(dot, at);
                }
                Reach::Beyond => self.span("hr-card-bar", At::START, At::END),
                Reach::Never(reason) => {
                    self.y += 4.0;
                    self.text("hr-card-note", PAD + 6.0, reason);
                    self.y -= 4.0;
                }
            }
            self.y += 26.0;
        }
        self.y -= 10.0;
        self.axis(&rows.labels, "times today’s peak");
    }

    fn ladder(&mut self, ladder: &Ladder) {
        self.heading("Timeout ladder", "Worst case, to scale");
        for rung in &ladder.rungs {
            self.row("hr-card-label", &rung.name, &rung.note, &rung.value);
            self.grid(&ladder.grid, ladder.cut);
            for mark in &rung.marks {
                match mark {
                    Mark::Line(from, to) => self.span("hr-card-spread", *from, *to),
                    Mark::Dot(at) => self.dot("hr-card-dot hr-card-dot-ink", *at),
                    Mark::Wait(from, to) => self.span("hr-card-try hr-card-wait", *from, *to),
                    Mark::Try(from, to) => self.span("hr-card-try", *from, *to),
                    Mark::Pause(from, to) => self.span("hr-card-try hr-card-pause", *from, *to),
                    Mark::Limit(from, to) => self.span("hr-card-limit", *from, *to),
                    // Said by the row's value already, and there is no room for it twice.
                    Mark::Text(_) => {}
                }
            }
            self.y += 26.0;
        }
        self.y -= 10.0;
        self.axis(&ladder.labels, ladder.axis_note);
    }

    /// Who says so, and the way to the numbers.
    fn foot(&mut self, a: &Analysis, address: &str) {
        self.y += 2.0;
        let line = format!("Headroom, rules {RULES_VERSION}, Envoy {}", a.scenario.envoy_version);
        self.text("hr-card-note", PAD, &line);
        // Where nobody knows where Headroom is served, a fragment alone leads nowhere.
        if address.starts_with("http") {
            self.out.put(
                "<a href=\"{}\"><text class=\"hr-card-link\" x=\"{}\" y=\"{}\">Open in Headroom</text></a>\n",
                &[&address, &Px(WIDTH - PAD), &Px(self.y)],
            );
        }
        self.y += 16.0;
    }
}

/// The multiple, with a word where it is less than was asked for: color alone says nothing.
fn value_of(row: &Row) -> String {
    match row.reach {
        Reach::To { is_short: true, .. } => format!("⚠ {}", row.value),
        _ => row.value.clone(),
    }
}

/// How far a label reaches to the left of its anchor.
fn half(label: &Label) -> f64 {
    if label.anchor == Anchor::Middle { ems(&label.text) * 6.25 } else { 0.0 }
}

fn x(at: At) -> Px {
    Px(PAD + at.px(INNER))
}
