//! `HR321 limit-far-above-load`: a limit that may protect nothing.

use super::{Limit, Wire, all_limits, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::number;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR321",
        name: "limit-far-above-load",
        severity: Severity::Info,
        summary: "`max_requests` is many times what the load needs and may protect nothing",
        rationale: "A limit is there to refuse before the hosts collapse. One that is ten times what a slow day needs, \
                    times all proxies, is reached only when the upstream hangs; whether the hosts are still alive \
                    then depends on what each survives, which nobody has said. Istio sets no limit at all unless told.",
        sources: &["our rule: ten times the recommendation", "envoy: circuit breakers count in each process"],
    },
    check: Check::Cluster(check),
};

/// So many times the recommendation is no margin any more: our choice.
const FAR: f64 = 10.0;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    // With the hosts' capacity known, `limit-above-ceiling` decides.
    let open = is_judged(cx) && wire(cx) != Some(Wire::Tcp) && cx.facts.host_concurrency.is_none();
    all_limits(cx).filter(|_| open).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (traffic, sizing) = (cx.traffic()?, cx.sizing(limits.priority)?);
    let (of, chosen) = (Limit::Requests, sizing.window.chosen);
    let times = f64::from(limits.max_requests.value) / f64::from(chosen);
    if times < FAR {
        return None;
    }
    let clients = traffic.scenario.clients;
    let peak = number(traffic.sizing.load.fleet_concurrency_at_peak.0);
    let fleet = if clients > 1 { format!(", over {} proxies", whole(clients)) } else { String::new() };
    let (message, consequence) = if limits.max_requests.value == u32::MAX {
        let text = format!(
            "nothing is refused however slow the upstream gets; {peak} are in flight at the peak{fleet}"
        );
        (format!("{} is no limit; a slow day needs {}", of.stated(limits), whole(chosen)), text)
    } else {
        let sum = whole(f64::from(limits.max_requests.value) * f64::from(clients));
        let text = format!(
            "{} may put {sum} in flight, against {peak} at the peak; nobody has said that the hosts survive it",
            phrases::proxies(clients)
        );
        let far = phrases::fold(times);
        (format!("{} is {far} the {} that a slow day needs", of.stated(limits), whole(chosen)), text)
    };
    let finding = RULE
        .meta
        .found(&["max_requests"], of.place(cx, limits), message)
        .consequence(consequence)
        .help(of.advice(cx, chosen))
        .fix(of.fix(limits, chosen));
    Some(finding.asks(ParamId::HostConcurrency))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    // 20 erlangs, 77 recommended (Erlang B at 50 erlangs).
    const KNOWN: &str = "protocol=http2 rps=500 mean=40 p50=35 burst=1 skew=1 clients=1";

    fn cluster(limit: u32) -> String {
        format!("name: shop\ncircuit_breakers: {{thresholds: [{{max_requests: {limit}}}]}}\n")
    }

    #[test]
    fn fires_at_ten_times_the_recommendation() {
        let found = finding(&RULE, &cluster(770), KNOWN);
        assert_eq!(found.message, "`max_requests` 770 is 10 times the 77 that a slow day needs");
        assert!(
            found.consequence.starts_with("1 proxy may put 770 in flight, against 20 at the peak"),
            "{}",
            found.consequence
        );
        assert!(!fires(&RULE, &cluster(769), KNOWN));
    }

    #[test]
    fn silent_once_it_is_known_what_a_host_survives() {
        assert!(!fires(&RULE, &cluster(5000), &format!("{KNOWN} host_concurrency=64")));
        assert!(!fires(&RULE, &cluster(5000), "clients=10"));
    }
}
