//! What the inputs amount to: the line that closes each group.

use super::Model;
use crate::engine::analysis::Analysis;
use crate::engine::params::Group;
use crate::engine::units::{Millis, display};
use crate::markup::Html;
use crate::ui::words::{capitalize, rate};

type Line = (String, String);

/// The derived lines of a group; without values while the inputs are invalid.
pub fn derived_lines(out: &mut Html, m: &Model<'_>, group: Group) {
    let mut lines = lines_of(m.answer(), group);
    if m.now.is_stale() {
        // The words belong to the last answer too: "Eleven hosts" may be nine by now.
        lines.truncate(1);
        let label = match group {
            Group::Traffic => "Mean",
            Group::Clients => "Busiest proxy",
            _ => "Hosts left survive",
        };
        for line in &mut lines {
            *line = (label.to_owned(), "–".to_owned());
        }
    }
    for (label, value) in lines {
        out.put("<p class=\"hr-derived\"><span>{}</span><span>{}</span></p>", &[&label, &value]);
    }
}

fn lines_of(a: &Analysis, group: Group) -> Vec<Line> {
    match group {
        Group::Traffic => mean_lines(a),
        Group::Clients => vec![(
            "Busiest proxy".to_owned(),
            format!(
                "{}, {} in flight",
                rate(&a.scenario, a.load.client_rate),
                display::number(a.load.offered.0)
            ),
        )],
        Group::Upstream => vec![survivors(a)],
        Group::Margins | Group::More => Vec::new(),
    }
}

fn mean_lines(a: &Analysis) -> Vec<Line> {
    let streams = a.scenario.protocol.streams();
    let text = |ms: Millis| {
        if streams {
            format!("{}\u{a0}s", display::number(ms.as_secs()))
        } else {
            format!("{}\u{a0}ms", display::number(ms.0))
        }
    };
    let given = match &a.scenario.stream_duration_s {
        Some(life) if streams => life.mean.is_some(),
        _ => a.scenario.latency_ms.mean.is_some(),
    };
    let one_point = !streams && a.scenario.latency_ms.percentiles().len() == 1;
    let label = match (given, one_point || streams) {
        (true, _) => "Mean, as given",
        (false, true) => "Mean, if p99 is 3 × p50",
        (false, false) => "Mean, if log-normal",
    };
    let (low, high) = a.latency.mean_bounds_ms;
    let bounds = match high {
        Some(high) => format!("{} to {}", text(low), text(high)),
        None => format!("at least {}", text(low)),
    };
    let mut lines = vec![(label.to_owned(), text(a.latency.mean_ms))];
    // What is given needs no bounds.
    if !given {
        lines.push(("Mean, any shape".to_owned(), bounds));
    }
    lines
}

fn survivors(a: &Analysis) -> Line {
    let left = a.scenario.hosts_left();
    let noun = if left == 1 { "host survives" } else { "hosts survive" };
    let value = a
        .forecast
        .hosts_survive
        .map_or_else(|| "unknown".to_owned(), |n| format!("{} in flight", display::number(n.floor())));
    (capitalize(&format!("{} {noun}", display::words(left))), value)
}
