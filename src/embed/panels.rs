//! The panels of the embed: an answer to HTML.

use super::desk::ID;
use super::fields::Fields;
use super::options::{Options, Panel};
use crate::chart::gauge::Gauge;
use crate::chart::ladder::Ladder;
use crate::chart::rows::Headroom;
use crate::engine::analysis::{Analysis, Threshold};
use crate::engine::export::{Target, export};
use crate::engine::params::by_key;
use crate::engine::rules::Severity;
use crate::engine::scenario::{Draft, Problem};
use crate::engine::sentence::Status;
use crate::engine::units::display;
use crate::markup::{Html, Icon, Rich};

/// What the panels are written from.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The answer to the last valid texts.
    pub answer: &'a Analysis,
    /// The texts of now.
    pub draft: &'a Draft,
    /// What is wrong with them.
    pub problems: &'a [Problem],
    /// What the host has chosen.
    pub options: &'a Options,
    /// What was wrong with the address or a message.
    pub notices: &'a [String],
    /// Whether the configuration is shown for copying by hand.
    pub by_hand: bool,
}

impl Model<'_> {
    fn is_stale(&self) -> bool {
        !self.problems.is_empty()
    }

    fn fields(&self) -> Fields<'_> {
        Fields { draft: self.draft, options: self.options, problems: self.problems }
    }
}

/// The whole embed.
pub fn embed(out: &mut Html, m: &Model<'_>) {
    let a = m.answer;
    out.slot("<h1 class=\"hr-vh\" id=\"{}\">", "s-title", &format!("Sizing of {}", a.scenario.name), "</h1>");
    out.begin("<div id=\"{}\">", "s-attention");
    attention(out, m);
    out.end("</div>");
    if m.options.shows(Panel::Form) {
        m.fields().write(out);
    }
    // The page marks it as stale: a class outside of all slots would exchange everything.
    out.raw("<div class=\"hr-embed__answer\">");
    out.begin("<p class=\"hr-say\" id=\"{}\">", "s-say");
    for piece in &a.headline.sentence {
        if piece.strong {
            out.put("<strong>{}</strong>", &[&piece.text]);
        } else {
            out.put("{}", &[&Rich(&piece.text)]);
        }
    }
    out.end("</p>");
    out.raw("<figure class=\"hr-fig\">");
    out.begin("<div id=\"{}\">", "s-gauge");
    Gauge::of(a).write(out);
    out.end("</div></figure>");
    if m.options.shows(Panel::Thresholds) {
        thresholds(out, a);
    } else {
        out.begin("<dl class=\"hr-facts\" id=\"{}\">", "s-facts");
        facts(out, a);
        out.end("</dl>");
    }
    if m.options.shows(Panel::Chart) {
        chart(out, a);
    }
    if m.options.shows(Panel::Ladder) {
        ladder(out, a);
    }
    out.begin("<div id=\"{}\">", "s-status");
    status(out, a);
    out.end("</div>");
    if m.options.shows(Panel::Yaml) || m.by_hand {
        yaml(out, a);
    }
    out.raw("</div>");
    out.begin("<div class=\"hr-actions\" id=\"{}\">", "s-actions");
    actions(out, m);
    out.end("</div>");
    if m.options.shows(Panel::Simulate) {
        // What is played is put beside this text, so that no exchange ends a run.
        out.put("<div class=\"hr-embed__sim\" id=\"{}-sim\"></div>", &[&ID]);
    }
}

/// Settings that were not understood, and problems of inputs that are not shown.
fn attention(out: &mut Html, m: &Model<'_>) {
    let shown = m.fields().shown();
    let is_shown =
        |field: &str| m.options.shows(Panel::Form) && shown.0.iter().chain(&shown.1).any(|p| p.key == field);
    let unseen = m.problems.iter().filter(|problem| !is_shown(&problem.field));
    let unseen: Vec<String> = unseen
        .map(|problem| {
            let label = by_key(&problem.field).map_or(problem.field.as_str(), |p| p.label);
            format!("{label}: {}", problem.message)
        })
        .collect();
    let notices = m.options.notices.iter().chain(m.notices).chain(&unseen);
    let notices: Vec<&String> = notices.collect();
    if notices.is_empty() {
        return;
    }
    out.put(
        "<div class=\"hr-banner hr-banner--caution\" role=\"status\">{}<div><ul>",
        &[&Icon("caution", "")],
    );
    for notice in notices {
        out.put("<li>{}</li>", &[notice]);
    }
    out.raw("</ul></div></div>");
}

/// Three limits in short.
fn facts(out: &mut Html, a: &Analysis) {
    let limits = a.default_threshold();
    let count = |value: u32| display::count(f64::from(value));
    out.put(
        "<dt><code>max_pending_requests</code></dt><dd><b>{}</b></dd><dt><code>retry_budget</code></dt><dd>",
        &[&count(limits.max_pending_requests)],
    );
    if a.retry.num_retries == 0 {
        out.raw("retries off</dd>");
    } else {
        out.put(
            "<b>{}%</b>, min <b>{}</b></dd>",
            &[
                &display::number(limits.retry_budget.budget_percent.0),
                &count(limits.retry_budget.min_retry_concurrency),
            ],
        );
    }
    let ms = |time: f64| display::number(time);
    match (a.timeouts.route_ms.0, a.timeouts.per_try_ms) {
        (route, _) if route <= 0.0 => out.raw("<dt><code>timeout</code></dt><dd>off</dd>"),
        (route, Some(per_try)) => out.put(
            "<dt><code>timeout</code>, <code>per_try_timeout</code></dt><dd><b>{}</b>, <b>{}</b>&nbsp;ms</dd>",
            &[&ms(route), &ms(per_try.0)],
        ),
        (route, None) => out.put(
            "<dt><code>timeout</code></dt><dd><b>{}</b>&nbsp;ms</dd>",
            &[&ms(route)],
        ),
    }
}

/// All limits, a proxy and the fleet.
fn thresholds(out: &mut Html, a: &Analysis) {
    out.raw("<section class=\"hr-fig\" aria-labelledby=\"h-lim\"><h2 id=\"h-lim\">Thresholds</h2>");
    for threshold in &a.thresholds {
        let priority = if threshold.priority == a.default_threshold().priority { "DEFAULT" } else { "HIGH" };
        let caption = if a.thresholds.len() > 1 { priority } else { "" };
        out.put("<table class=\"hr-table\" id=\"limits-{}\">", &[&priority.to_ascii_lowercase()]);
        out.put_some("<caption class=\"hr-sub\">{} priority</caption>", caption);
        out.raw("<thead><tr><th scope=\"col\">Limit</th><th scope=\"col\" class=\"hr-num\">Per proxy</th>");
        out.slot(
            "<th scope=\"col\" class=\"hr-num\" id=\"{}\">",
            &format!("s-fleet-{priority}"),
            &format!("Fleet of {}", display::count(f64::from(a.scenario.clients))),
            "</th></tr></thead>",
        );
        out.begin("<tbody id=\"{}\">", &format!("s-limits-{priority}"));
        limits(out, threshold, a.scenario.clients);
        out.end("</tbody></table>");
    }
    out.raw("</section>");
}

fn limits(out: &mut Html, t: &Threshold, clients: u32) {
    let percent = format!("{}%", display::number(t.retry_budget.budget_percent.0));
    let rows = [
        ("max_requests", Some(t.max_requests)),
        ("max_connections", Some(t.max_connections)),
        ("max_pending_requests", Some(t.max_pending_requests)),
        ("budget_percent", None),
        ("min_retry_concurrency", Some(t.retry_budget.min_retry_concurrency)),
    ];
    for (name, value) in rows {
        let text = |times: u32| {
            value.map_or_else(|| percent.clone(), |v| display::count(f64::from(v) * f64::from(times)))
        };
        out.put(
            "<tr><th scope=\"row\"><code>{}</code></th><td class=\"hr-num\"><b>{}</b></td><td class=\"hr-num\">{}</td></tr>",
            &[&name, &text(1), &text(clients)],
        );
    }
}

/// What trips first.
fn chart(out: &mut Html, a: &Analysis) {
    let rows = Headroom::of(a);
    out.raw("<figure class=\"hr-fig\"><figcaption class=\"hr-head\"><h2>Headroom: what trips first</h2>");
    let only = if a.thresholds.len() > 1 { "; DEFAULT priority only" } else { "" };
    out.slot(
        "<p class=\"hr-sub\" id=\"{}\">",
        "s-trips-sub",
        &(rows.subtitle.clone() + only),
        "</p></figcaption>",
    );
    out.begin("<div id=\"{}\">", "s-trips");
    rows.write(out);
    out.end("</div></figure>");
}

/// Clocks on one axis of time, and as inequalities.
fn ladder(out: &mut Html, a: &Analysis) {
    let ladder = Ladder::of(a);
    out.raw("<figure class=\"hr-fig\"><figcaption class=\"hr-head\"><h2>Timeout ladder</h2><p class=\"hr-sub\">Worst case, to scale</p></figcaption>");
    out.begin("<div id=\"{}\">", "s-ladder");
    ladder.write(out);
    out.end("</div>");
    out.begin("<p class=\"hr-chain\" id=\"{}\">", "s-chain");
    ladder.chain.write(out);
    out.end("</p></figure>");
}

/// How many findings there are, and what the answer does not keep.
fn status(out: &mut Html, a: &Analysis) {
    let count = |severity| a.findings.iter().filter(|f| f.severity == severity).count();
    let counts = [(Severity::Error, "error", "errors"), (Severity::Warning, "warning", "warnings")];
    let counts: Vec<String> = counts
        .into_iter()
        .map(|(severity, one, many)| (count(severity), one, many))
        .filter(|(n, ..)| *n > 0)
        .map(|(n, one, many)| display::plural(n as f64, one, many))
        .collect();
    let (icon, tone) = match a.headline.status {
        Status::Danger => ("danger", "hr-danger"),
        _ if count(Severity::Error) > 0 => ("danger", "hr-danger"),
        Status::Caution => ("caution", "hr-caution"),
        _ if count(Severity::Warning) > 0 => ("caution", "hr-caution"),
        Status::Ok => ("ok", "hr-ok"),
    };
    let counts = if counts.is_empty() { "No warnings".to_owned() } else { counts.join(", ") };
    // "Caution: no room to slow down" without the word that icon and count say already; what fits is not the warning.
    let text = a.headline.status_text.as_str();
    let text = match (a.headline.status, text.split_once(": ")) {
        (Status::Danger | Status::Caution, Some((_, rest))) => rest,
        _ => text,
    };
    out.put("<p class=\"hr-status {}\">{}{}<span>{}</span></p>", &[&tone, &Icon(icon, ""), &counts, &text]);
}

/// The configuration.
fn yaml(out: &mut Html, a: &Analysis) {
    out.raw("<pre class=\"hr-yaml\" tabindex=\"0\" role=\"region\" aria-label=\"Generated YAML\">");
    out.begin("<code id=\"{}\">", "yaml");
    for line in export(a, Target::Envoy).lines() {
        if line.trim_start().starts_with('#') {
            out.put("<span class=\"hr-y-comment\">{}</span>\n", &[&line]);
        } else {
            out.put("{}\n", &[&line]);
        }
    }
    out.end("</code></pre>");
}

/// The way into the application, and the configuration for the clipboard.
fn actions(out: &mut Html, m: &Model<'_>) {
    out.put(
        "<a class=\"hr-btn hr-btn--main\" id=\"open\" target=\"_blank\" rel=\"noopener\" href=\"./#{}\">{}Open in Headroom</a>",
        &[&m.answer.scenario.to_link(), &Icon("open", "")],
    );
    out.raw("<button class=\"hr-btn\" type=\"button\" id=\"copy-yaml\" data-do=\"copy\"");
    if m.is_stale() {
        out.raw(" aria-disabled=\"true\" aria-describedby=\"copy-off\"");
    }
    out.put(
        ">{}<span class=\"hr-swap\"><span>Copy YAML</span>\
         <span class=\"hr-swap__off\" aria-hidden=\"true\">Copied</span>\
         <span class=\"hr-swap__over hr-swap__off\" aria-hidden=\"true\">Press Ctrl+C</span></span></button>",
        &[&Icon("copy", "")],
    );
    if m.options.shows(Panel::Simulate) {
        out.put(
            "<button class=\"hr-btn\" type=\"button\" id=\"simulate\" data-do=\"simulate\">{}Simulate a failure</button>",
            &[&Icon("play", "")],
        );
    }
    if m.is_stale() {
        out.raw("<p class=\"hr-sub\" id=\"copy-off\">The answer is that of the last valid inputs. Copy is off until the inputs are fixed.</p>");
    }
}
