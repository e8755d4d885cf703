//! The status line: good, with a reservation, or not at all.

use super::{Case, Status};
use crate::engine::phrases;
use crate::engine::queueing::erlang_b::offered_for;
use crate::engine::rules::{Finding, RULES, Severity};
use crate::engine::scenario::Scenario;
use crate::engine::sizing::Sizing;

/// Below this multiple of today's latency nothing of a slowdown is left worth the word.
const SOME_ROOM: f64 = 1.1;

/// The status and its words.
pub fn status(s: &Scenario, z: &Sizing, case: &Case, findings: &[Finding]) -> (Status, String) {
    let broken = findings.iter().find(|f| f.severity == Severity::Error);
    let (status, text) = match case {
        Case::TooSmall { .. } => (Status::Danger, "Too small: the hosts cannot carry the peak".to_owned()),
        Case::Shut => (Status::Danger, "No limit fits: the distributed-limit trap".to_owned()),
        _ if broken.is_some() => (Status::Danger, format!("Broken: {}", broken.map_or("", summary))),
        Case::Tight if slowdown_left(s, z) < SOME_ROOM => {
            (Status::Caution, "Caution: no room to slow down".to_owned())
        }
        Case::Tight => (Status::Caution, "Caution: less room to slow down than asked".to_owned()),
        Case::Open => open(s, z),
    };
    (status, text)
}

fn open(s: &Scenario, z: &Sizing) -> (Status, String) {
    let Some(each) = s.host_concurrency else {
        return (Status::Ok, "Fits the peak: what the hosts survive is unknown".to_owned());
    };
    if phrases::fleet_limit(s, z) as f64 > each * f64::from(s.hosts_left()) {
        return (Status::Caution, "Caution: both priorities together overrun the hosts".to_owned());
    }
    (Status::Ok, "Fits: the window is open".to_owned())
}

/// The slowdown that the limits still ride out with the retries that may come on top.
fn slowdown_left(s: &Scenario, z: &Sizing) -> f64 {
    let left = |p: &crate::engine::sizing::PrioritySizing| {
        offered_for(u64::from(p.window.chosen), s.shed_target).0 / (p.offered.0 * (1.0 + s.retry_overhead))
    };
    z.priorities.iter().map(left).fold(f64::INFINITY, f64::min)
}

/// The bad thing in a clause, from the rule that found it.
fn summary(finding: &Finding) -> &'static str {
    RULES.iter().find(|rule| rule.meta.code == finding.code).map_or("", |rule| rule.meta.summary)
}
