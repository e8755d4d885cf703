//! What the resources of neither program can say, with what that means.

use super::notes::retries;
use crate::engine::analysis::Analysis;
use crate::engine::envoy::model::OutlierDetection;
use crate::engine::envoy::{defaults, emit};
use crate::engine::mapping::HOST_SELECTION_RETRY_MAX_ATTEMPTS;
use crate::engine::units::{Share, display};

/// Picks of another host before a retry: fixed in both programs.
const PICKS: u32 = 5;

/// Outlier detection, where its percentage can be said.
///
/// Both programs take 0% for "not set", which is 10% of the hosts: where one host is less than a
/// hundredth, the only safe thing to say is nothing.
pub fn sayable(analysis: &Analysis) -> Option<&OutlierDetection> {
    analysis.outlier.as_ref().filter(|detection| detection.max_ejection_percent > 0)
}

/// What is lost in both, a line each; `asked` is the answer with its priorities, `one` that for all
/// traffic together.
pub fn in_both(asked: &Analysis, one: &Analysis) -> Vec<String> {
    let lines = [priorities(asked, one), one_of_many(one), late_calls(one), picks(one)];
    lines.into_iter().flatten().collect()
}

/// The header lines of what is left out; none where nothing is. A `patch` is the resource with which
/// the program lets Envoy's own configuration be changed: it could say all of this.
pub fn header(own: &str, patch: &str, lost: &[String]) -> Vec<String> {
    const INDENT: usize = 2;
    if lost.is_empty() {
        return Vec::new();
    }
    let mut lines = emit::paragraph(&format!("not in {own}, so left out ({patch} could say it):"), 0);
    for item in lost {
        let wrapped = emit::paragraph(item, INDENT).into_iter().enumerate();
        lines.extend(wrapped.map(|(at, line)| format!("{}{line}", if at == 0 { "- " } else { "  " })));
    }
    lines
}

fn priorities(asked: &Analysis, one: &Analysis) -> Option<String> {
    let [default, high] = asked.thresholds.as_slice() else { return None };
    let n = |limit: u32| display::count(f64::from(limit));
    Some(format!(
        "HIGH priority: these resources mark no route, so {} of the traffic has no slots of its own; all of it shares {} requests, where Envoy has {} DEFAULT and {} HIGH",
        display::share(asked.scenario.high_priority_share),
        n(one.default_threshold().max_requests),
        n(default.max_requests),
        n(high.max_requests),
    ))
}

fn one_of_many(analysis: &Analysis) -> Option<String> {
    if analysis.outlier.is_none() || sayable(analysis).is_some() {
        return None;
    }
    let hosts = f64::from(analysis.scenario.hosts);
    let by_default = (hosts * f64::from(defaults::MAX_EJECTION_PERCENT) / 100.0).floor();
    Some(format!(
        "outlier detection of one host in {}: that is less than 1%, and 0% is read as {}%, {}; so there is none, and a dead host keeps {} of the requests",
        display::count(hosts),
        defaults::MAX_EJECTION_PERCENT,
        display::plural(by_default, "host", "hosts"),
        display::share(Share(1.0 / hosts)),
    ))
}

/// A route timeout of gRPC ends with another status than `max_stream_duration`; measured on 1.40.
fn late_calls(analysis: &Analysis) -> Option<String> {
    analysis.timeouts.grpc_timeout_header_max_ms?;
    Some("the status of a late call: it ends with UNAVAILABLE (14), not DEADLINE_EXCEEDED (4)".to_owned())
}

fn picks(analysis: &Analysis) -> Option<String> {
    (retries(analysis) && analysis.retry.previous_hosts).then(|| {
        format!(
            "picks of a host not tried yet before a retry: {PICKS}, not {HOST_SELECTION_RETRY_MAX_ATTEMPTS}"
        )
    })
}
