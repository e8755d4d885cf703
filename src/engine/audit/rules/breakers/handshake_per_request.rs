//! `HR317 handshake-per-request`: connections are thrown away after a few requests.

use super::{Limit, Wire, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting, Traffic};
use crate::engine::read::config::RoutingPriority;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::{millis, number, share};
use crate::engine::units::{Millis, Share};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR317",
        name: "handshake-per-request",
        severity: Severity::Warning,
        summary: "`max_requests_per_connection` makes connections wear out faster than is good",
        rationale: "A connection that has carried its number of requests is drained, and the next request waits for a \
                    new one: TCP, TLS and a place in the pending queue. With 1 there is no keep-alive at all, on \
                    HTTP/2 no multiplexing either, and `max_pending_requests` becomes the limit on handshakes at \
                    once. Rejected callers come back at once, so the share of 503s says nothing about capacity.",
        sources: &[
            "envoy: HttpProtocolOptions.common_http_protocol_options.max_requests_per_connection; measured on 1.40",
            "mosip/mosip-infra#1892: 19,437 sockets instead of 10",
        ],
    },
    check: Check::Cluster(check),
};

/// A tenth of the time in service spent on handshakes is too much: our choice.
const TOO_MUCH: f64 = 0.1;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let each = &cx.effective.max_requests_per_connection;
    let at = each.place().filter(|_| each.value > 0 && is_judged(cx) && wire(cx) != Some(Wire::Tcp))?;
    let limits = cx.effective.limits(RoutingPriority::Default);
    let (severity, consequence) = match cx.traffic() {
        Some(traffic) => with_traffic(cx, traffic, limits, each.value)?,
        None if each.value == 1 => alone(limits),
        None => return None,
    };
    let message = format!("`max_requests_per_connection` {} throws connections away", whole(each.value));
    let fix = Fix::new("Leave it out", Change::Clear(Setting::MaxRequestsPerConnection));
    let finding = RULE
        .meta
        .found(&["max_requests_per_connection"], at, message)
        .severity(severity)
        .consequence(consequence);
    Some(finding.help("leave it out, so that connections are used again").fix(fix))
}

fn with_traffic(
    cx: &ClusterCx<'_>,
    traffic: &Traffic,
    limits: &EffectivePriority,
    each: u32,
) -> Option<(Severity, String)> {
    let sizing = cx.sizing(RoutingPriority::Default)?;
    let each = f64::from(each);
    let (connect, mean) = (traffic.scenario.connect_ms, traffic.sizing.latency.mean_ms);
    let opened = sizing.client_rate * (1.0 / each);
    let (at_once, cost) = (opened.arrivals_in(connect), Millis(connect.0 / each));
    let pending = f64::from(limits.max_pending_requests.value);
    let overflows = at_once > pending;
    let costly = cost.0 >= TOO_MUCH * mean.0;
    if !overflows && !costly && each > 1.0 {
        return None;
    }
    let queue = if overflows {
        format!(
            "; {} handshakes at once need a place to wait, and `max_pending_requests` has {}",
            number(at_once),
            number(pending)
        )
    } else {
        String::new()
    };
    let text = format!(
        "{} new connections a second, {} of set-up in each request, {} of its time in service{queue}",
        number(opened.0),
        millis(cost),
        share(Share(cost.0 / mean.0)),
    );
    Some((if overflows || costly { Severity::Warning } else { Severity::Info }, text))
}

/// What follows from a 1 without any traffic.
fn alone(limits: &EffectivePriority) -> (Severity, String) {
    let [connections, pending, _] = Limit::ALL.map(|limit| limit.of(limits));
    let text = "every request pays for a new connection and waits in the pending queue meanwhile";
    if pending.is_default() || pending.value >= connections.value {
        return (Severity::Info, text.to_owned());
    }
    let few =
        format!("{text}: `max_pending_requests` {} is the limit on handshakes at once", whole(pending.value));
    (Severity::Warning, few)
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(each: u32, pending: u32) -> String {
        format!(
            "name: shop\nmax_requests_per_connection: {each}\ncircuit_breakers:\n  thresholds:\n  - {{max_connections: 5, max_pending_requests: {pending}}}\n"
        )
    }

    #[test]
    fn counts_the_handshakes() {
        // 1,000 a second, 5 ms each: five at once.
        let inputs = "protocol=http1 rps=1000 mean=10 p50=8 connect_ms=5 clients=1 burst=1 skew=1";
        let found = finding(&RULE, &cluster(1, 2), inputs);
        assert_eq!(found.message, "`max_requests_per_connection` 1 throws connections away");
        assert_eq!(
            found.consequence,
            "1,000 new connections a second, 5\u{a0}ms of set-up in each request, 50% of its time in service; 5 handshakes at once need a place to wait, and `max_pending_requests` has 2"
        );
        // One in five: 1 ms is a tenth of 10 ms. One in six is less.
        assert!(fires(&RULE, &cluster(5, 5), inputs));
        assert!(!fires(&RULE, &cluster(6, 5), inputs));
    }

    #[test]
    fn without_traffic_only_one_speaks_for_itself() {
        let found = finding(&RULE, &cluster(1, 2), "");
        assert_eq!(found.severity, Severity::Warning);
        assert!(
            found.consequence.ends_with("`max_pending_requests` 2 is the limit on handshakes at once"),
            "{}",
            found.consequence
        );
        assert_eq!(finding(&RULE, &cluster(1, 5), "").severity, Severity::Info);
        assert!(!fires(&RULE, &cluster(2, 2), ""));
        assert!(!fires(&RULE, &cluster(0, 2), ""));
    }
}
