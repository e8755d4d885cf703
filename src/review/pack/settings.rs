//! What is set, table by table.

use super::charts;
use super::fleet;
use crate::engine::analysis::{Analysis, Priority, Threshold, UseAtPeak};
use crate::engine::units::{Millis, Share, display};
use crate::review::document::{Block, Section, Table};

/// Whether the route has a retry policy.
pub fn is_retrying(a: &Analysis) -> bool {
    a.retry.num_retries > 0 && !a.retry.retry_on.is_empty()
}

fn count(value: u32) -> String {
    display::count(f64::from(value))
}

/// Window and thresholds.
pub fn limits(a: &Analysis) -> Section {
    let mut blocks = vec![
        Block::Text(
            "Below the floor, healthy peak traffic is refused; the recommended value rides out the slowdown and the retries; \
             above the ceiling, the fleet together can exceed what the hosts survive."
                .to_owned(),
        ),
        charts::gauge(a),
    ];
    blocks.extend(charts::high_gauge(a));
    for threshold in &a.thresholds {
        blocks.push(match threshold.priority {
            Priority::Default => Block::Heading("Thresholds, priority DEFAULT".to_owned()),
            Priority::High => Block::Heading("Thresholds, priority HIGH".to_owned()),
        });
        blocks.push(Block::Table(thresholds(a, threshold)));
    }
    Section { id: "limits", title: "Limits".to_owned(), blocks }
}

fn thresholds(a: &Analysis, t: &Threshold) -> Table {
    let (caption, used) = match t.priority {
        Priority::Default => ("Thresholds, priority DEFAULT", Some(&a.forecast.use_at_peak)),
        Priority::High => ("Thresholds, priority HIGH", a.forecast.high_use_at_peak.as_ref()),
    };
    let columns = ["setting", "#per proxy", "#fleet", "#in use at peak", "#refused at peak"];
    let mut table = Table::new(caption, &columns);
    for ([setting, each, sum], [used, refused]) in
        limits_of(a, t).into_iter().zip(used.into_iter().flat_map(|used| uses(a, used)))
    {
        table.rows.push(vec![setting, each, sum, used, refused]);
    }
    table
}

/// Setting, value per proxy, sum over the fleet.
fn limits_of(a: &Analysis, t: &Threshold) -> [[String; 3]; 4] {
    let limit =
        |name: &str, each: u32| [format!("`{name}`"), count(each), display::count(fleet(a, f64::from(each)))];
    let mut retries = limit("retry_budget", t.retry_budget.min_retry_concurrency);
    if is_retrying(a) {
        let percent = display::quantity(t.retry_budget.budget_percent.0, "%");
        retries[1] = format!("{percent}, at least {}", retries[1]);
        retries[2] = format!("{} at once at least", retries[2]);
    } else {
        retries[1..].fill("off".to_owned());
    }
    [
        limit("max_requests", t.max_requests),
        limit("max_connections", t.max_connections),
        limit("max_pending_requests", t.max_pending_requests),
        retries,
    ]
}

/// What the healthy peak uses of each limit, and what each refuses.
fn uses(a: &Analysis, u: &UseAtPeak) -> [[String; 2]; 4] {
    let none = || "none".to_owned();
    [
        [display::number(u.max_requests.0), display::share(u.requests_refused)],
        [display::count(u.max_connections as f64), none()],
        [
            display::number(u.max_pending_requests),
            format!("{} while pools are cold", display::share(u.pending_refused_cold)),
        ],
        if is_retrying(a) {
            [display::number(u.retries), format!("{} of retries", display::share(u.retries_refused))]
        } else {
            [none(), none()]
        },
    ]
}

/// The ladder of clocks.
pub fn timeouts(a: &Analysis) -> Section {
    let t = &a.timeouts;
    // Beside it Envoy arms no route timeout.
    let longest = if a.scenario.protocol.streams() {
        "the longest life of a stream"
    } else {
        "everything, in place of the route timeout"
    };
    let rows = [
        ("`connect_timeout`", Some(t.connect_ms), "TCP and TLS"),
        ("`per_try_timeout`", t.per_try_ms, "one attempt, once it has a connection"),
        ("all attempts", Some(t.all_attempts_ms), "attempts and back-offs at their longest"),
        ("route `timeout`", Some(t.route_ms), "everything; 0 is off"),
        ("caller’s deadline", t.deadline_ms, "what the caller waits"),
        ("stream `idle_timeout`", t.stream_idle_ms, "a stream on which nothing moves"),
        ("`max_stream_duration`", t.max_stream_duration_ms, longest),
        ("`grpc_timeout_header_max`", t.grpc_timeout_header_max_ms, "what a caller may ask for"),
        ("pool `idle_timeout`", Some(t.pool_idle_ms), "a connection without a request"),
    ];
    let mut table = Table::new("Timeouts", &["clock", "#value", "bounds"]);
    for (clock, time, meaning) in rows {
        if let Some(time) = time {
            table.row([clock.to_owned(), display::millis(time), meaning.to_owned()]);
        }
    }
    let mut blocks = vec![charts::ladder(a), Block::Table(table)];
    let limit = count(a.window.chosen);
    let slots = display::number(a.forecast.stall_slots);
    blocks.push(Block::Text(match a.forecast.stall_fill_ms {
        Some(fill) => format!(
            "If every host stalls, the busiest proxy would need {slots} slots and fills its {limit} in {}; then it refuses at once.",
            display::millis(fill)
        ),
        None => format!(
            "If every host stalls, timeouts free slots faster than they fill: {slots} of {limit} are in use."
        ),
    }));
    Section { id: "timeouts", title: "Timeout ladder".to_owned(), blocks }
}

/// The retry policy.
pub fn retries(a: &Analysis) -> Section {
    let (retry, f) = (&a.retry, &a.forecast);
    let title = "Retries".to_owned();
    if !is_retrying(a) {
        let because = if a.scenario.retry_overhead > 0.0 {
            "a second attempt does not fit into the route timeout"
        } else {
            "they may add no load"
        };
        return Section { id: "retries", title, blocks: vec![Block::Text(format!("Off: {because}."))] };
    }
    let mut table = Table::new("Retry policy", &["", "value"]);
    table.row(["`retry_on`".to_owned(), format!("`{}`", retry.retry_on.join(","))]);
    table.row(["`num_retries`".to_owned(), count(retry.num_retries)]);
    let (base, most): (Millis, Millis) = (retry.backoff_base_ms, retry.backoff_max_ms);
    table.row([
        "back-off".to_owned(),
        format!("first up to {}, at most {}", display::millis(base), display::millis(most)),
    ]);
    table
        .row(["most attempts per request in an outage".to_owned(), display::factor(retry.amplification_cap)]);
    table.row([
        "the same through all layers that retry".to_owned(),
        display::factor(f.attempts_with_hops_capped),
    ]);
    table.row(["retries at once, whole fleet".to_owned(), display::count(f.fleet_retries as f64)]);
    let cuts = [
        ("good attempts cut by `per_try_timeout`", f.cut_by_per_try),
        ("the same in a slowdown", f.cut_by_per_try_at_slowdown),
    ];
    for (what, cut) in cuts {
        if let Some(cut) = cut {
            let cut: Share = cut;
            table.row([what.to_owned(), display::share(cut)]);
        }
    }
    Section { id: "retries", title, blocks: vec![Block::Table(table)] }
}

/// Outlier detection.
pub fn outlier(a: &Analysis) -> Section {
    let (e, title) = (&a.ejection, "Outlier detection".to_owned());
    let Some(detection) = &a.outlier else {
        let because = e.off_because.as_deref().unwrap_or("no host can be spared");
        return Section { id: "outlier", title, blocks: vec![Block::Text(format!("Off: {because}."))] };
    };
    let mut table = Table::new("Outlier detection", &["", "value"]);
    let hosts = format!(
        "{}%: {} of {} hosts",
        detection.max_ejection_percent,
        count(e.hosts),
        count(a.scenario.hosts)
    );
    table.row(["`max_ejection_percent`".to_owned(), hosts]);
    table.row(["`consecutive_gateway_failure`".to_owned(), count(detection.consecutive_gateway_failure)]);
    table.row(["`interval`".to_owned(), display::millis(detection.interval.0)]);
    table.row(["`base_ejection_time`".to_owned(), display::millis(detection.base_ejection_time.0)]);
    if let Some(time) = e.detection_ms {
        table.row(["time until a proxy ejects a dead host".to_owned(), display::duration(time)]);
    }
    if a.hanging_hosts_stay() {
        let why = "stays in: `max_stream_duration` ends its calls, which counts for no host";
        table.row(["a host that hangs".to_owned(), why.to_owned()]);
    }
    if let Some(n) = e.failures_until_all {
        table.row(["failures until every proxy has".to_owned(), display::number(n)]);
    }
    if let Some(n) = e.false_per_day {
        table.row(["false ejections per day, whole fleet".to_owned(), display::number(n)]);
    }
    Section { id: "outlier", title, blocks: vec![Block::Table(table)] }
}
