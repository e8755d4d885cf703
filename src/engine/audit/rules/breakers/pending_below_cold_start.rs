//! `HR315 pending-below-cold-start`: a cold or growing pool refuses what waits for its connections.

use super::{Limit, Wire, all_limits, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::phrases;
use crate::engine::queueing::poisson;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::{millis, number, share};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR315",
        name: "pending-below-cold-start",
        severity: Severity::Warning,
        summary: "`max_pending_requests` is below what arrives while a connection is set up",
        rationale: "Whatever finds no connection ready waits for one, and `max_pending_requests` limits that too: in a \
                    fresh proxy, after a deploy, and on HTTP/1.1 whenever a pool grows. A limit that looks generous \
                    against the steady load, or against `max_connections`, refuses the first burst. HTTP/2 is no \
                    exception: until the first connection is up every request waits.",
        sources: &[
            "measured on Envoy 1.40: limit 3, 8 at once into a cold pool, 5 refused",
            "our rule: Poisson quantile of the arrivals while one connection is opened",
        ],
    },
    check: Check::Cluster(check),
};

/// Fewer cold starts than one in a hundred are no harm under load: our choice.
const OFTEN: f64 = 0.01;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    all_limits(cx).filter(|_| is_judged(cx)).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (traffic, sizing) = (cx.traffic()?, cx.sizing(limits.priority)?);
    let (of, pending) = (Limit::Pending, limits.max_pending_requests.value);
    let to = sizing.threshold.max_pending_requests;
    // What a zero does is said by `zero-limit`.
    if pending == 0 || pending >= to {
        return None;
    }
    let connect = traffic.scenario.connect_ms;
    let arrivals = sizing.client_rate.arrivals_in(connect);
    let (limit, window, arrive) = (f64::from(pending), millis(connect), number(arrivals));
    let (stated, proxy) = (of.stated(limits), phrases::busiest_proxy(&traffic.scenario));
    let tail = poisson::tail(arrivals, u64::from(pending));
    let (message, consequence) = if arrivals > limit {
        let refused = number(arrivals - limit);
        (
            format!("{stated} is below the {arrive} that reach {proxy} while a connection is set up"),
            format!("a cold start refuses {refused} of {arrive} in its first {window}"),
        )
    } else {
        let (needed, rare) = (whole(to), share(tail));
        (
            format!("{stated} is below the {needed} that a cold start of {proxy} needs"),
            format!(
                "{arrive} arrive in the {window} that a connection takes, and more than {} in {rare} of cold starts",
                whole(pending)
            ),
        )
    };
    let finding = RULE
        .meta
        .found(&["max_pending_requests"], of.place(cx, limits), message)
        .consequence(format!("{consequence}{}", no_help(cx, limits)))
        .help(of.advice(cx, to));
    let finding = finding.fix(of.fix(limits, to));
    Some(if arrivals > limit || tail.0 >= OFTEN { finding } else { finding.severity(Severity::Info) })
}

/// That many connections are allowed is what makes the small queue look harmless.
fn no_help(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> String {
    let connections = limits.max_connections.value;
    if wire(cx) == Some(Wire::Http1) && connections > limits.max_pending_requests.value {
        return format!("; that `max_connections` allows {} does not help", whole(connections));
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    // 400 a second, fifteen times that when traffic is switched: 300 in the 50 ms of a connection.
    const SWITCHED: &str =
        "protocol=http1 rps=400 mean=50 p50=45 burst=15 skew=1 clients=1 connect_ms=50 deadline_ms=3000";

    fn cluster(pending: u32) -> String {
        format!(
            "name: shop\ncircuit_breakers:\n  thresholds:\n  - {{max_connections: 200, max_pending_requests: {pending}}}\n"
        )
    }

    #[test]
    fn counts_what_is_refused() {
        let found = finding(&RULE, &cluster(50), SWITCHED);
        assert_eq!(
            found.message,
            "`max_pending_requests` 50 is below the 300 that reach the proxy while a connection is set up"
        );
        assert_eq!(
            found.consequence,
            "a cold start refuses 250 of 300 in its first 50\u{a0}ms; that `max_connections` allows 200 does not help"
        );
    }

    #[test]
    fn silent_at_the_quantile_and_fires_one_below() {
        // P(Poisson(300) > 367) is 8.1e-5, of 366 it is 1.002e-4, at a tolerated 1e-4.
        assert!(!fires(&RULE, &cluster(367), SWITCHED));
        let found = finding(&RULE, &cluster(366), SWITCHED);
        assert!(
            found.message.ends_with("is below the 367 that a cold start of the proxy needs"),
            "{}",
            found.message
        );
        assert!(found.consequence.contains("more than 366 in 0.01% of cold starts"), "{}", found.consequence);
        // P(Poisson(300) > 340) is 1.07%, of 341 it is 0.9%.
        assert_eq!(found.severity, Severity::Info);
        assert_eq!(finding(&RULE, &cluster(340), SWITCHED).severity, Severity::Warning);
        assert_eq!(finding(&RULE, &cluster(341), SWITCHED).severity, Severity::Info);
    }

    #[test]
    fn silent_without_traffic_and_at_zero() {
        assert!(!fires(&RULE, &cluster(1), "connect_ms=50"));
        assert!(!fires(&RULE, &cluster(0), SWITCHED));
    }
}
