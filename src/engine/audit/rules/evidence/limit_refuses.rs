//! `HR601 limit-refuses`: a proxy has refused requests.

use super::seen::{Seen, clusters, count};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::params::ParamId;
use crate::engine::read::config::Resource;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::{number, share};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR601",
        name: "limit-refuses",
        severity: Severity::Error,
        summary: "a proxy has refused requests, and its limits are reached at this moment too",
        rationale: "A request that `max_requests` or `max_pending_requests` has no room for gets a 503 at once, without a \
                    try. Up to Envoy 1.37 both are counted in `upstream_rq_pending_overflow`; from 1.38 on \
                    `upstream_rq_active_overflow` holds those of `max_requests`. The counter says that requests were \
                    refused, the gauges only what is taken at the moment of the scrape.",
        sources: &[
            "measured on Envoy 1.36 to 1.40: which counter a refusal goes to",
            "envoy: cluster stats, upstream_rq_pending_overflow",
        ],
    },
    check: Check::Whole(check),
};

/// Refusals that nobody notices; the default of `shed_target`.
const TOLERATED: f64 = 1e-4;

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    let refusing = clusters(cx).filter(|seen| seen.cluster.refused() > 0 && !flat(seen));
    refusing.filter_map(|seen| found(&seen, &RULE.meta)).collect()
}

/// Whether every gauge shows room: the limit is reached between scrapes only.
pub fn flat(seen: &Seen<'_>) -> bool {
    let states = [Resource::Pending, Resource::Requests]
        .map(|resource| seen.cluster.is_open(super::seen::PRIORITY, resource));
    states.iter().any(Option::is_some) && states.iter().all(|open| *open != Some(true))
}

/// The finding, of this rule or of the one for flat gauges.
pub fn found(seen: &Seen<'_>, meta: &RuleMeta) -> Option<Finding> {
    let (refused, requests) = (seen.cluster.refused(), seen.cluster.requests());
    let counters = ["upstream_rq_active_overflow", "upstream_rq_pending_overflow"];
    let counter = counters.iter().filter_map(|name| Some((*name, seen.cluster.stat(name)?)));
    let (_, stat) = counter.max_by_key(|(_, stat)| stat.value)?;
    let of = match (requests, seen.cluster.refused_share()) {
        (Some(requests), Some(part)) => format!(" of {} requests, {}", count(requests), share(part)),
        _ => " requests".to_owned(),
    };
    let tolerated = seen.traffic().map_or(TOLERATED, |t| t.scenario.shed_target.0);
    let much = seen.cluster.refused_share().is_some_and(|share| share.0 > tolerated);
    let finding = meta
        .found(
            &["max_requests", "max_pending_requests"],
            &stat.at,
            format!("{} refused {}{of}", seen.title(), count(refused)),
        )
        .severity(if much { Severity::Error } else { Severity::Warning })
        .consequence(format!("{}{}", which(seen), in_force(seen)))
        .help(help(seen));
    let finding = if seen.traffic().is_none() { finding.asks(ParamId::Rps) } else { finding };
    Some(seen.finish(finding))
}

/// Which limit it was, as far as the counters tell.
fn which(seen: &Seen<'_>) -> String {
    let active = seen.cluster.count("upstream_rq_active_overflow");
    let pending = seen.cluster.count("upstream_rq_pending_overflow");
    match (seen.counts_active_apart(), active, pending) {
        (false, ..) => format!(
            "`upstream_rq_pending_overflow` {}: up to Envoy 1.37 that is `max_pending_requests` or `max_requests`, and the \
             counter does not tell which",
            count(pending)
        ),
        (true, active, 0) => {
            format!("`upstream_rq_active_overflow` {}: `max_requests` refused them", count(active))
        }
        (true, 0, pending) => {
            format!("`upstream_rq_pending_overflow` {}: `max_pending_requests` refused them", count(pending))
        }
        (true, active, pending) => format!(
            "`max_requests` refused {} (`upstream_rq_active_overflow`), `max_pending_requests` {}",
            count(active),
            count(pending)
        ),
    }
}

/// The limits in force, and how much is taken.
fn in_force(seen: &Seen<'_>) -> String {
    let one = |resource: Resource| {
        let limit = seen.limit(resource)?;
        let used = limit.used.map(|used| format!(", {} in use", count(used))).unwrap_or_default();
        let value = if limit.exact { count(limit.value) } else { format!("at most {}", count(limit.value)) };
        Some(format!("`{}` {value}{used}", resource.field()))
    };
    let all: Vec<String> = Resource::ALL.into_iter().filter_map(one).collect();
    if all.is_empty() { String::new() } else { format!("; in force: {}", all.join("; ")) }
}

fn help(seen: &Seen<'_>) -> String {
    if let Some(traffic) = seen.fitting_traffic() {
        let limits = &traffic.sizing.default_priority().threshold;
        return format!(
            "set `max_requests` to {} and `max_pending_requests` to {}",
            limits.max_requests, limits.max_pending_requests
        );
    }
    let measured = seen.report.rate(seen.cluster).zip(mean(seen)).map(|(rate, mean)| {
        format!(
            " ({} req/s at {} ms keep {} in flight on average)",
            number(rate.0),
            number(mean),
            number(rate.0 * mean / 1000.0)
        )
    });
    format!(
        "size both limits for the peak in flight and not for its mean{}, or find what made the answers slow",
        measured.unwrap_or_default()
    )
}

fn mean(seen: &Seen<'_>) -> Option<f64> {
    seen.cluster.latency.as_ref()?.mean().map(|mean| mean.0)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn stats(more: &str) -> String {
        format!("cluster.a.upstream_rq_completed: 1000\ncluster.a.upstream_rq_active: 10\n{more}")
    }

    #[test]
    fn names_the_counter_and_the_limit() {
        let old = finding(&RULE, &stats("cluster.a.upstream_rq_pending_overflow: 20\n"), "");
        assert_eq!(old.message, "cluster a refused 20 of 1,000 requests, 2%");
        assert!(old.consequence.contains("up to Envoy 1.37"), "{}", old.consequence);
        assert_eq!((old.severity, old.at.line()), (Severity::Error, 3));
        let new = finding(
            &RULE,
            &stats("cluster.a.upstream_rq_active_overflow: 20\ncluster.a.upstream_rq_pending_overflow: 0\n"),
            "",
        );
        assert!(new.consequence.starts_with("`upstream_rq_active_overflow` 20: `max_requests` refused them"));
    }

    #[test]
    fn silent_without_refusals_and_with_flat_gauges() {
        assert!(!fires(&RULE, &stats("cluster.a.upstream_rq_pending_overflow: 0\n"), ""));
        let flat =
            "cluster.a.upstream_rq_pending_overflow: 20\ncluster.a.circuit_breakers.default.rq_open: 0\n";
        assert!(!fires(&RULE, &stats(flat), ""));
    }

    #[test]
    fn a_tolerated_share_is_a_warning() {
        let few = "cluster.a.upstream_rq_completed: 10000\ncluster.a.upstream_rq_pending_overflow: 1\n";
        assert_eq!(finding(&RULE, few, "").severity, Severity::Warning);
        assert_eq!(finding(&RULE, &few.replace("flow: 1", "flow: 2"), "").severity, Severity::Error);
    }
}
