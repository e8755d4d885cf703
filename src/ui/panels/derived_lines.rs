//! What the inputs amount to: the line that closes each group.

use crate::engine::analysis::Analysis;
use crate::engine::params::Group;
use crate::engine::units::{Millis, display};
use crate::ui::reactive::part;
use crate::ui::state::Derived;
use crate::ui::words::capitalize;
use leptos::prelude::*;

type Line = (String, String);

/// The derived lines of a group; without values while the inputs are invalid.
#[component]
pub fn DerivedLines(
    /// The group they close.
    group: Group,
) -> impl IntoView {
    let derived: Derived = expect_context();
    part(move || {
        let stale = derived.is_stale();
        let lines = derived.read(|a| lines_of(a, group));
        let line = |(label, value): Line| {
            let value = if stale { "–".to_owned() } else { value };
            view! { <p class="hr-derived"><span>{label}</span><span>{value}</span></p> }
        };
        lines.into_iter().map(line).collect_view().into_any()
    })
}

fn lines_of(a: &Analysis, group: Group) -> Vec<Line> {
    match group {
        Group::Traffic => mean_lines(a),
        Group::Clients => vec![(
            "Busiest proxy".to_owned(),
            format!("{}, {} in flight", display::rate(a.load.client_rate), display::number(a.load.offered.0)),
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
    vec![(label.to_owned(), text(a.latency.mean_ms)), ("Mean, any shape".to_owned(), bounds)]
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
