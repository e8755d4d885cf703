//! What was lost, and what the counters prove to be the reason.

use super::status::{Course, Status, seconds, status};
use super::{Reason, Side, together};
use crate::engine::sim::{Before, Experiment, Fault, FaultKind, Outlier, ResponseShape, RetryLimit, Shares};
use crate::engine::units::Share;
use crate::engine::units::display;

/// What the fault cost a policy, and why.
pub fn reason(experiment: &Experiment, side: &Side<'_>, course: &Course) -> Option<Reason> {
    let lost = together(side.reports, Some(Before::During));
    let bad = lost.refused() + lost.failed();
    if lost.total() == 0 || bad == 0 {
        return None;
    }
    let lead = match status(course) {
        Status::RecoversDuring => format!("What those {} cost", seconds(course.within_s)),
        Status::StaysDown => format!("What {} loses", side.name.subject()),
        _ => format!("What the fault costs {}", side.name.subject()),
    };
    let noun = match experiment.hosts.response {
        ResponseShape::AtOnce => "requests",
        ResponseShape::HeadersFirst => "streams",
    };
    let cost = format!(
        "{} of {noun} during the fault, {}.",
        display::share(Share(bad as f64 / lost.total() as f64)),
        parts(&lost, side),
    );
    let why = [ejections(side, experiment), retries(side)].into_iter().flatten();
    let words = [vec![cost], why.collect()].concat().join(" ");
    Some(Reason { lead, words })
}

/// The largest kinds of loss, at most two, with who caused them.
fn parts(lost: &Shares, side: &Side<'_>) -> String {
    let limits = &side.policy.limits[0];
    let n = |n: u32| display::count(f64::from(n));
    let per_try = side.policy.route.retry.as_ref().and_then(|r| r.per_try_timeout);
    let span = |span: Option<crate::engine::sim::Nanos>| {
        span.map(|s| format!(" of {}", display::millis(s.as_millis()))).unwrap_or_default()
    };
    let mut kinds = [
        (lost.refused_active, format!("refused by max_requests {}", n(limits.max_requests))),
        (lost.refused_pending, format!("refused by max_pending_requests {}", n(limits.max_pending_requests))),
        (lost.no_host, "with no host to pick".to_owned()),
        (lost.timed_out, format!("cut by the route timeout{}", span(side.policy.route.timeout))),
        (lost.per_try_timed_out, format!("cut by the per-try timeout{}", span(per_try))),
        (lost.connect_failed, "without a connection".to_owned()),
        (lost.reset, "reset".to_owned()),
        (lost.upstream_error, "failed by the hosts".to_owned()),
        (lost.abandoned, "given up by their callers".to_owned()),
    ];
    kinds.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let bad = (lost.refused() + lost.failed()) as f64;
    let worth = |count: u64| count as f64 >= 0.2 * bad && count > 0;
    let told: Vec<&str> =
        kinds.iter().filter(|(count, _)| worth(*count)).take(2).map(|(_, words)| words.as_str()).collect();
    let is_most = kinds.first().is_some_and(|(count, _)| *count as f64 >= 0.999 * bad);
    match told.as_slice() {
        [only] if is_most => (*only).to_owned(),
        [only] => format!("most {only}"),
        [first, second] => format!("{first} or {second}"),
        _ => "for several reasons".to_owned(),
    }
}

fn counter(side: &Side<'_>, name: &str) -> u64 {
    side.reports.iter().map(|r| r.counters.get(name).copied().unwrap_or(0)).sum()
}

/// Why no ejection ended it, or what it took until one did; only of faults that some hosts have and
/// others have not.
fn ejections(side: &Side<'_>, experiment: &Experiment) -> Option<String> {
    let hosts = experiment.hosts.count;
    let some = |fault: &Fault| (0..hosts).any(|host| !fault.hosts.has(host));
    let of_hosts = |kind: FaultKind| {
        use FaultKind::{Host5xx, Latency, Partition, SlowHost, ZoneLoss};
        matches!(kind, Host5xx | Latency | Partition | SlowHost | ZoneLoss)
    };
    let apart = experiment.faults.iter().any(|fault| of_hosts(fault.kind) && some(fault));
    let failed = together(side.reports, Some(Before::During)).failed();
    if !apart || failed == 0 {
        return None;
    }
    let Some(outlier) = &side.policy.outlier else {
        return Some("Nothing is ever ejected: it has no outlier detection.".to_owned());
    };
    let ejected = counter(side, "outlier_detection.ejections_enforced_total");
    let blocked = counter(side, "outlier_detection.ejections_overflow");
    let percent = outlier.max_ejection_percent;
    match (ejected, blocked) {
        (0, 0) => None,
        (0, _) => {
            let all = display::plural(f64::from(hosts), "host", "hosts");
            Some(format!("max_ejection_percent {percent} of {all} lets none go."))
        }
        (_, 0) => in_a_row(side, outlier, experiment),
        _ => Some(format!("max_ejection_percent {percent} held further ejections back.")),
    }
}

/// What every proxy must see by itself before it ejects a host.
fn in_a_row(side: &Side<'_>, outlier: &Outlier, experiment: &Experiment) -> Option<String> {
    let enforced = |kind: &str| counter(side, &format!("outlier_detection.ejections_enforced_{kind}"));
    let (n, what) = if enforced("consecutive_gateway_failure") > 0 {
        (outlier.consecutive_gateway_failure, "gateway failures")
    } else if enforced("consecutive_5xx") > 0 {
        (outlier.consecutive_5xx, "5xx")
    } else {
        return None;
    };
    let clients = display::count(f64::from(experiment.fleet.clients));
    let who = if experiment.fleet.clients == 1 {
        "The proxy".to_owned()
    } else {
        format!("Each of {clients} proxies")
    };
    Some(format!("{who} must see {} {what} of a host in a row before it ejects it.", display::words(n)))
}

/// Retries that were wanted and not sent.
fn retries(side: &Side<'_>) -> Option<String> {
    let refused = counter(side, "upstream_rq_retry_overflow");
    if refused == 0 {
        let lost = together(side.reports, Some(Before::During));
        let failed = lost.upstream_error + lost.reset + lost.connect_failed;
        let none = side.policy.route.retry.as_ref().is_none_or(|r| r.num_retries == 0);
        return (none && failed > 0).then(|| "Nothing is retried.".to_owned());
    }
    let sent = counter(side, "upstream_rq_retry");
    let share = display::share(Share(refused as f64 / (refused + sent) as f64));
    let limit = match side.policy.limits[0].retry_limit {
        RetryLimit::MaxRetries(n) => format!("max_retries {}", display::count(f64::from(n))),
        RetryLimit::Budget(_) => "the retry budget".to_owned(),
    };
    Some(format!("{} refused {share} of the retries.", capital_unless_name(&limit)))
}

/// A name of Envoy keeps its spelling at the start of a sentence.
fn capital_unless_name(text: &str) -> String {
    text.strip_prefix("the ").map_or_else(|| text.to_owned(), |rest| format!("The {rest}"))
}
