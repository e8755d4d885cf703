//! The analysis as a document for a design review.

use headroom::engine::analysis::{Analysis, Number, Priority, Threshold, Trip};
use headroom::engine::export::{Target, export};
use headroom::engine::mapping::{inputs, margins};
use headroom::engine::scenario::RULES_VERSION;
use headroom::engine::units::display::{self, NBSP};
use headroom::engine::units::{Millis, Share};

/// The whole document.
pub fn document(analysis: &Analysis, target: Target) -> String {
    let sections = [
        opening(analysis),
        ways_out(analysis),
        window(analysis),
        thresholds(analysis),
        findings(analysis),
        trips(&analysis.trips),
        ladder(analysis),
        retries(analysis),
        outlier(analysis),
        numbers(&analysis.numbers),
        configuration(analysis, target),
    ];
    let text = sections.iter().filter(|section| !section.is_empty()).cloned().collect::<Vec<_>>().join("\n");
    // Spaces that cannot be seen are in the way of searching.
    text.replace(NBSP, " ")
}

fn opening(analysis: &Analysis) -> String {
    let s = &analysis.scenario;
    let headline = &analysis.headline;
    let paragraphs = [
        format!("# {}: size of its Envoy cluster", escaped(&s.name)),
        format!("**{}**", prose(&headline.status_text)),
        prose(&headline.sentence_text()),
        prose(&headline.reason_text()),
        format!("For Envoy {}, from {}; {}.", s.envoy_version, inputs(s).join(", "), margins(s).join(", ")),
        format!(
            "Sized by Headroom (rules {RULES_VERSION}), link: `#{}` (put it behind the address of the page to see and change this there).",
            s.to_link()
        ),
    ];
    let written = paragraphs.iter().filter(|text| !text.is_empty() && *text != "****");
    written.map(|text| format!("{text}\n")).collect::<Vec<_>>().join("\n")
}

fn window(analysis: &Analysis) -> String {
    let window = &analysis.window;
    let ceiling = window.ceiling.map_or_else(|| "unknown".to_owned(), count);
    let rows = [
        ("floor", count(window.floor), "below it, healthy peak traffic is refused"),
        ("recommended", count(window.recommended), "rides out the slowdown and the retries"),
        ("ceiling", ceiling, "above it, the fleet can exceed what the hosts survive"),
        ("**chosen**", format!("**{}**", count(window.chosen)), "the value to set"),
    ];
    let rows = rows.map(|(what, value, meaning)| vec![what.to_owned(), value, meaning.to_owned()]);
    let forecast = &analysis.forecast;
    let retries = if is_retrying(analysis) { " with retries" } else { "" };
    let refused = format!(
        "Refused at the healthy peak: {} ({}); at {} latency{retries}: {}.\n",
        display::share(forecast.refused_at_peak),
        display::one_in(forecast.refused_at_peak),
        format_args!("×{}", display::number(analysis.scenario.slowdown)),
        display::share(forecast.refused_at_slowdown),
    );
    format!(
        "{}\n{refused}",
        section("Window of `max_requests`, per proxy", &["", "requests in flight", "meaning"], rows)
    )
}

fn thresholds(analysis: &Analysis) -> String {
    let tables = analysis.thresholds.iter().map(|threshold| match threshold.priority {
        Priority::Default => section(
            "Thresholds, priority DEFAULT",
            &["setting", "per proxy", "fleet", "in use at peak", "refused"],
            default_rows(analysis, threshold),
        ),
        Priority::High => section(
            "Thresholds, priority HIGH",
            &["setting", "per proxy", "fleet"],
            limits(analysis, threshold).map(|[setting, each, fleet]| vec![setting, each, fleet]),
        ),
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// Setting, value per proxy, sum over the fleet.
fn limits(analysis: &Analysis, threshold: &Threshold) -> [[String; 3]; 4] {
    let clients = f64::from(analysis.scenario.clients);
    let limit =
        |name: &str, each: u32| [format!("`{name}`"), count(each), display::count(f64::from(each) * clients)];
    let mut retries = limit("retry_budget", threshold.retry_budget.min_retry_concurrency);
    if is_retrying(analysis) {
        let percent = display::quantity(threshold.retry_budget.budget_percent.0, "%");
        retries[1] = format!("{percent}, at least {}", retries[1]);
        retries[2] = format!("{} at once at least", retries[2]);
    } else {
        retries[1..].fill("off".to_owned());
    }
    [
        limit("max_requests", threshold.max_requests),
        limit("max_connections", threshold.max_connections),
        limit("max_pending_requests", threshold.max_pending_requests),
        retries,
    ]
}

fn default_rows(analysis: &Analysis, threshold: &Threshold) -> Vec<Vec<String>> {
    let usage = &analysis.forecast.use_at_peak;
    let none = || "none".to_owned();
    let used_and_refused = [
        (display::number(usage.max_requests.0), display::share(analysis.forecast.refused_at_peak)),
        (display::count(usage.max_connections as f64), none()),
        (
            display::number(usage.max_pending_requests),
            format!("{} while pools are cold", display::share(usage.pending_refused_cold)),
        ),
        if is_retrying(analysis) {
            (display::number(usage.retries), format!("{} of retries", display::share(usage.retries_refused)))
        } else {
            (none(), none())
        },
    ];
    let rows = limits(analysis, threshold).into_iter().zip(used_and_refused);
    rows.map(|([setting, each, fleet], (used, refused))| vec![setting, each, fleet, used, refused]).collect()
}

fn trips(trips: &[Trip]) -> String {
    let multiple = |m: Option<f64>| m.map_or_else(|| "never".to_owned(), display::multiple);
    let rows = trips.iter().map(|trip| {
        vec![
            format!("`{}`", trip.setting),
            trip.value.clone(),
            multiple(trip.rate_multiple),
            multiple(trip.latency_multiple),
            trip.cause.to_owned(),
        ]
    });
    let columns = ["limit", "value", "trips at rate", "trips at latency", "cause"];
    section("Headroom: what trips first", &columns, rows)
}

fn ladder(analysis: &Analysis) -> String {
    let t = &analysis.timeouts;
    // Beside it Envoy arms no route timeout.
    let longest = if analysis.scenario.protocol.streams() {
        "the longest life of a stream"
    } else {
        "everything, in place of the route timeout"
    };
    let rows = [
        ("`connect_timeout`", Some(t.connect_ms), "TCP and TLS"),
        ("`per_try_timeout`", t.per_try_ms, "one attempt, once it has a connection"),
        ("all attempts", Some(t.all_attempts_ms), "attempts and back-offs at their longest"),
        ("route `timeout`", Some(t.route_ms), "everything; 0 is off"),
        ("caller's deadline", t.deadline_ms, ""),
        ("stream `idle_timeout`", t.stream_idle_ms, "a stream on which nothing moves"),
        ("`max_stream_duration`", t.max_stream_duration_ms, longest),
        ("`grpc_timeout_header_max`", t.grpc_timeout_header_max_ms, "what a caller may ask for"),
        ("pool `idle_timeout`", Some(t.pool_idle_ms), "a connection without a request"),
    ];
    let rows = rows.into_iter().filter_map(|(clock, time, meaning)| {
        time.map(|time: Millis| vec![clock.to_owned(), display::millis(time), meaning.to_owned()])
    });
    section("Timeout ladder", &["clock", "value", "bounds"], rows)
}

/// Whether the route has a retry policy.
fn is_retrying(analysis: &Analysis) -> bool {
    analysis.retry.num_retries > 0 && !analysis.retry.retry_on.is_empty()
}

fn retries(analysis: &Analysis) -> String {
    let (retry, forecast) = (&analysis.retry, &analysis.forecast);
    if !is_retrying(analysis) {
        let because = if analysis.scenario.retry_overhead > 0.0 {
            "a second attempt does not fit into the route timeout"
        } else {
            "they may add no load"
        };
        return format!("## Retries\n\nOff: {because}.\n");
    }
    let mut rows = vec![
        ("`retry_on`", format!("`{}`", retry.retry_on.join(","))),
        ("`num_retries`", count(retry.num_retries)),
        (
            "back-off",
            format!(
                "first up to {}, at most {}",
                display::millis(retry.backoff_base_ms),
                display::millis(retry.backoff_max_ms)
            ),
        ),
        ("most attempts per request in an outage", display::number(retry.amplification_cap)),
        ("the same through all layers that retry", display::number(forecast.attempts_with_hops_capped)),
        ("retries at once, whole fleet", display::count(forecast.fleet_retries as f64)),
    ];
    let cuts = [
        ("good attempts cut by `per_try_timeout`", forecast.cut_by_per_try),
        ("the same in a slowdown", forecast.cut_by_per_try_at_slowdown),
    ];
    rows.extend(
        cuts.into_iter().filter_map(|(what, cut)| cut.map(|share: Share| (what, display::share(share)))),
    );
    section("Retries", &["", "value"], rows.into_iter().map(|(what, value)| vec![what.to_owned(), value]))
}

fn outlier(analysis: &Analysis) -> String {
    let ejection = &analysis.ejection;
    let Some(detection) = &analysis.outlier else {
        let because = ejection.off_because.as_deref().unwrap_or("no host can be spared");
        return format!("## Outlier detection\n\nOff: {because}.\n");
    };
    let mut rows = vec![
        ("`max_ejection_percent`", format!("{}%", detection.max_ejection_percent)),
        ("hosts that may go at once", count(ejection.hosts)),
        ("`consecutive_gateway_failure`", count(detection.consecutive_gateway_failure)),
    ];
    rows.extend(ejection.detection_ms.map(|t| ("time until a proxy ejects a dead host", display::millis(t))));
    rows.extend(ejection.failures_until_all.map(|n| ("failures until every proxy has", display::number(n))));
    rows.extend(ejection.false_per_day.map(|n| ("false ejections per day, whole fleet", display::number(n))));
    section(
        "Outlier detection",
        &["", "value"],
        rows.into_iter().map(|(what, value)| vec![what.to_owned(), value]),
    )
}

fn findings(analysis: &Analysis) -> String {
    let items = analysis.findings.iter().map(|f| {
        let parts = [&f.message, &f.consequence, &f.help].into_iter().filter(|text| !text.is_empty());
        let text = parts.map(|text| prose(&sentence(text)));
        let text = text.collect::<Vec<_>>().join(" ");
        format!("- **{} {} {}**: {text}\n", f.severity.as_str(), f.code, f.name)
    });
    let list: String = items.collect();
    format!("## Findings\n\n{}", if list.is_empty() { "None.\n".to_owned() } else { list })
}

/// A clause as a sentence, or as a question.
pub fn sentence(clause: &str) -> String {
    let clause = clause.trim_end_matches('.');
    let end = if clause.is_empty() || clause.ends_with('?') { "" } else { "." };
    let mut chars = clause.chars();
    let first = chars.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(chars).chain(end.chars()).collect()
}

fn ways_out(analysis: &Analysis) -> String {
    if analysis.ways_out.is_empty() {
        return String::new();
    }
    let rows = analysis.ways_out.iter().map(|way| vec![prose(&way.label), prose(&way.effect)]);
    section("Ways to make room", &["change", "effect"], rows)
}

fn numbers(numbers: &[Number]) -> String {
    let rows = numbers.iter().map(|n| {
        let value = n.value.map_or_else(|| "none".to_owned(), |value| display::quantity(value, n.unit));
        vec![
            format!("`{}`", n.id),
            value,
            n.label.as_str().to_owned(),
            prose(&n.formula),
            prose(&n.substituted),
            prose(n.source),
        ]
    });
    section("Numbers", &["number", "value", "kind", "formula", "with values", "source"], rows)
}

fn configuration(analysis: &Analysis, target: Target) -> String {
    // The text has no line that begins with a fence: its lines begin with keys, dashes and `#`.
    format!("## Configuration ({})\n\n```yaml\n{}```\n", target.as_str(), export(analysis, target))
}

fn count(value: u32) -> String {
    display::count(f64::from(value))
}

/// A heading and a table.
fn section(title: &str, columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = columns.iter().map(|column| (*column).to_owned()).collect();
    let rule = vec!["---".to_owned(); columns.len()];
    let body: String = rows.into_iter().map(|cells| line(&cells)).collect();
    format!("## {title}\n\n{}{}{body}", line(&head), line(&rule))
}

/// A text from outside that Markdown must not take for markup.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_mark(c) {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
        // A name in a comment must not call anybody.
        if c == '@' {
            out.push_str("<!-- -->");
        }
    }
    out
}

/// Whether Markdown may take a character for markup.
pub fn is_mark(c: char) -> bool {
    "\\`*_[]<>#|&~!".contains(c)
}

/// A text of ours: names of settings stand in backticks, formulas may look like markup.
fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_code = false;
    for c in text.chars() {
        is_code ^= c == '`';
        // In a table a bar ends the cell even in code.
        if c == '|' || (!is_code && matches!(c, '\\' | '*' | '<')) {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}
