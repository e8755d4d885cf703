//! What is in force, setting by setting: everything that a policy holds.

use super::Differing;
use crate::engine::sim::custom::{KNOBS, texts};
use crate::engine::sim::{Balancing, Limits, Nanos, Outlier, Policy, Retry, RetryLimit};
use crate::engine::units::display;

/// What a setting belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Group {
    Limits,
    Timeouts,
    Retries,
    Outlier,
    Balancing,
}

impl Group {
    /// Its word in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Limits => "limits",
            Self::Timeouts => "timeouts",
            Self::Retries => "retries",
            Self::Outlier => "outlier detection",
            Self::Balancing => "load balancing",
        }
    }

    fn of(key: &str) -> Self {
        match key {
            "max_requests" | "max_connections" | "max_pending_requests" => Self::Limits,
            "timeout" | "connect_timeout" | "idle_timeout" | "per_try_timeout" => Self::Timeouts,
            "healthy_panic_threshold" | "lb_policy" => Self::Balancing,
            "outlier_detection" => Self::Outlier,
            _ if KNOBS.iter().any(|knob| knob.key == key && knob.is_of_outlier()) => Self::Outlier,
            _ => Self::Retries,
        }
    }
}

/// A setting with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// What it belongs to.
    pub group: Group,
    /// Envoy's name.
    pub name: String,
    /// Its value; empty where it is not set.
    pub text: String,
}

/// Everything that a policy holds, in the order of Envoy's blocks.
pub fn settings(policy: &Policy) -> Vec<Setting> {
    let known = KNOBS.iter().zip(texts(policy)).map(|(knob, (key, text))| {
        let is_number = text.bytes().any(|b| b.is_ascii_digit()) && !knob.unit_label.is_empty();
        let text = if is_number { format!("{text} {}", knob.unit_label) } else { text };
        Setting { group: Group::of(key), name: key.to_owned(), text }
    });
    let mut all: Vec<Setting> = known.collect();
    let mut add = |group: Group, name: &str, text: String| {
        all.push(Setting { group, name: name.to_owned(), text });
    };
    limits(policy, &mut add);
    route(policy, &mut add);
    if let Some(outlier) = &policy.outlier {
        detectors(outlier, &mut add);
    }
    balancing(policy, &mut add);
    all.sort_by_key(|setting| setting.group as usize);
    all
}

type Add<'a> = dyn FnMut(Group, &str, String) + 'a;

fn limits(policy: &Policy, add: &mut Add<'_>) {
    let [default, high] = &policy.limits;
    more_limits(default, "", add);
    for (name, n) in [
        ("HIGH: max_requests", high.max_requests),
        ("HIGH: max_connections", high.max_connections),
        ("HIGH: max_pending_requests", high.max_pending_requests),
    ] {
        add(Group::Limits, name, n.to_string());
    }
    let retries = match high.retry_limit {
        RetryLimit::MaxRetries(n) => format!("max_retries {n}"),
        RetryLimit::Budget(b) => {
            format!("budget {} %, at least {}", display::input(b.budget_percent), b.min_retry_concurrency)
        }
    };
    add(Group::Retries, "HIGH: retry limit", retries);
    more_limits(high, "HIGH: ", add);
}

fn more_limits(limits: &Limits, priority: &str, add: &mut Add<'_>) {
    add(Group::Limits, &format!("{priority}max_connection_pools"), whole(limits.max_connection_pools));
    add(
        Group::Limits,
        &format!("{priority}per_host max_connections"),
        whole(limits.max_connections_per_host),
    );
    if let RetryLimit::Budget(b) = limits.retry_limit {
        add(Group::Retries, &format!("{priority}budget_interval"), time(Some(b.budget_interval)));
    }
}

fn route(policy: &Policy, add: &mut Add<'_>) {
    let (r, u) = (&policy.route, &policy.upstream);
    add(Group::Timeouts, "stream idle_timeout", time(r.idle_timeout));
    add(Group::Timeouts, "max_stream_duration", time(r.max_stream_duration));
    add(Group::Timeouts, "cluster max_stream_duration", time(u.max_stream_duration));
    add(Group::Limits, "max_concurrent_streams", u.max_concurrent_streams.to_string());
    add(Group::Limits, "max_requests_per_connection", whole(u.max_requests_per_connection));
    add(Group::Limits, "per_upstream_preconnect_ratio", display::input(u.preconnect_ratio));
    add(Group::Limits, "protocol", if u.multiplexes { "HTTP/2" } else { "HTTP/1.1" }.to_owned());
    if let Some(retry) = &r.retry {
        retries(retry, add);
    }
}

fn retries(r: &Retry, add: &mut Add<'_>) {
    add(Group::Timeouts, "per_try_idle_timeout", time(r.per_try_idle_timeout));
    add(Group::Retries, "base_interval", time(Some(r.base_interval)));
    add(Group::Retries, "max_interval", time(Some(r.max_interval)));
    add(Group::Retries, "previous_hosts", switch(r.previous_hosts));
    add(Group::Retries, "host_selection_retry_max_attempts", r.host_selection_retry_max_attempts.to_string());
}

fn detectors(o: &Outlier, add: &mut Add<'_>) {
    let numbers = [
        ("consecutive_local_origin_failure", o.consecutive_local_origin_failure),
        ("enforcing_consecutive_5xx", o.enforcing_consecutive_5xx),
        ("enforcing_consecutive_gateway_failure", o.enforcing_consecutive_gateway_failure),
        ("enforcing_consecutive_local_origin_failure", o.enforcing_consecutive_local_origin_failure),
        ("enforcing_success_rate", o.enforcing_success_rate),
        ("enforcing_local_origin_success_rate", o.enforcing_local_origin_success_rate),
        ("enforcing_failure_percentage", o.enforcing_failure_percentage),
        ("enforcing_failure_percentage_local_origin", o.enforcing_failure_percentage_local_origin),
        ("success_rate_minimum_hosts", o.success_rate_minimum_hosts),
        ("success_rate_request_volume", o.success_rate_request_volume),
        ("success_rate_stdev_factor", o.success_rate_stdev_factor),
        ("failure_percentage_threshold", o.failure_percentage_threshold),
        ("failure_percentage_minimum_hosts", o.failure_percentage_minimum_hosts),
        ("failure_percentage_request_volume", o.failure_percentage_request_volume),
        ("consecutive_5xx (detected)", o.consecutive_5xx),
        ("consecutive_gateway_failure (detected)", o.consecutive_gateway_failure),
    ];
    for (name, n) in numbers {
        add(Group::Outlier, name, n.to_string());
    }
    add(Group::Outlier, "max_ejection_time", time(Some(o.max_ejection_time)));
    add(Group::Outlier, "max_ejection_time_jitter", time(Some(o.max_ejection_time_jitter)));
    add(Group::Outlier, "split_external_local_origin_errors", switch(o.split_external_local_origin_errors));
}

fn balancing(policy: &Policy, add: &mut Add<'_>) {
    let choices = match policy.balancing {
        Balancing::LeastRequest { choices } => choices.to_string(),
        _ => String::new(),
    };
    add(Group::Balancing, "choice_count", choices);
    add(Group::Balancing, "fail_traffic_on_panic", switch(policy.fail_traffic_on_panic));
    add(Group::Balancing, "update_merge_window", time(Some(policy.update_merge_window)));
}

fn whole(n: Option<u32>) -> String {
    n.map_or_else(|| "no limit".to_owned(), |n| n.to_string())
}

fn time(span: Option<Nanos>) -> String {
    match span {
        None => "off".to_owned(),
        Some(span) => format!("{} ms", display::input(span.as_millis().0)),
    }
}

fn switch(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

/// The settings that differ.
pub fn differences(a: &Policy, b: &Policy) -> Vec<Differing> {
    let (a, b) = (settings(a), settings(b));
    let find = |all: &[Setting], name: &str| {
        let text = all.iter().find(|s| s.name == name).map_or("", |s| s.text.as_str());
        if text.is_empty() { "not set".to_owned() } else { text.to_owned() }
    };
    let names = a.iter().chain(b.iter().filter(|s| !a.iter().any(|other| other.name == s.name)));
    let mut differing: Vec<(Group, Differing)> = names
        .map(|s| {
            let (a, b) = (find(&a, &s.name), find(&b, &s.name));
            (s.group, Differing { group: s.group.as_str(), name: s.name.clone(), a, b })
        })
        .filter(|(_, d)| d.a != d.b)
        .collect();
    // A detector that is off differs as a whole.
    let turned = differing.iter().any(|(_, d)| d.name == "outlier_detection");
    differing.retain(|(group, d)| {
        !turned
            || *group != Group::Outlier
            || d.name == "outlier_detection"
            || KNOBS.iter().any(|k| k.key == d.name)
    });
    differing.sort_by_key(|(group, _)| *group as usize);
    differing.into_iter().map(|(_, d)| d).collect()
}

/// Everything in force, one setting a line.
pub fn text(policy: &Policy) -> String {
    let all = settings(policy);
    let lines = all.iter().filter(|s| !s.text.is_empty()).map(|s| format!("{}: {}\n", s.name, s.text));
    lines.collect()
}
