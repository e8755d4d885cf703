//! `HR134 retry-buffers-fill-memory`: kept bodies of all requests in flight fill the memory.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::envoy::defaults;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR134",
        name: "retry-buffers-fill-memory",
        severity: Severity::Warning,
        summary: "bodies kept for a retry can fill the memory of the proxy",
        rationale: "A body is kept until its response begins, for every request that could be retried or mirrored, \
                    whether it fails or not. The worst case is the buffer limit times the requests in flight. When a \
                    slow upstream keeps more of them in flight, the proxy needs most memory in the outage itself.",
        sources: &[
            "envoy: config.route.v3.Route.request_body_buffer_limit",
            "envoyproxy/envoy#29386: a limit raised to 4 MB",
            "our choice: from 1 GiB on it is worth a finding",
        ],
    },
    check: Check::Route(check),
};

const WORTH_A_WORD: f64 = 1_073_741_824.0;

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

// There is no fix: how large bodies must be to be retried, nobody has said.
fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let limit = &cx.effective.body_buffer_limit_bytes;
    // Only who chose more than the default has decided to spend memory.
    let at = limit.place().filter(|_| limit.value > u64::from(defaults::BUFFER_LIMIT_BYTES))?;
    let keeps = cx.retrying().is_some() || !cx.config.mirrors.is_empty();
    let (in_flight, whose) = in_flight(cx)?;
    let worst = limit.value as f64 * in_flight;
    if !keeps || worst < WORTH_A_WORD {
        return None;
    }
    let size = display::bytes(limit.value as f64);
    let finding = RULE
        .meta
        .found(
            &["request_body_buffer_limit"],
            at,
            format!(
                "{size} kept for each of {} requests in flight is {} in one proxy",
                display::count(in_flight),
                display::bytes(worst)
            ),
        )
        .consequence(format!("{whose}; a body is kept until its response begins, whether it fails or not"))
        .help("raise the limit on the routes that need it only, or accept that large bodies are not retried")
        .severity(if cx.traffic().is_some() { Severity::Warning } else { Severity::Info });
    Some(finding)
}

/// Requests that one proxy has in flight: at peak, or as many as its limit allows.
fn in_flight(cx: &RouteCx<'_>) -> Option<(f64, String)> {
    if let Some(traffic) = cx.traffic() {
        let offered = traffic.sizing.load.offered.0.ceil();
        let whose = crate::engine::phrases::busiest_proxy(&traffic.scenario);
        return Some((offered, format!("{whose} has that many in flight at peak")));
    }
    let limits = cx.cluster?.effective.limits(cx.effective.priority.value);
    let slots = Some(limits.max_requests.value).filter(|slots| *slots < u32::MAX)?;
    Some((f64::from(slots), format!("`max_requests` allows {}", display::count(slots.into()))))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn shop(bytes: u64) -> String {
        format!(
            "clusters: [{{name: shop, connect_timeout: 1s}}]\nroutes:\n- match: {{prefix: /}}\n  request_body_buffer_limit: {bytes}\n  \
             route: {{cluster: shop, retry_policy: {{retry_on: reset}}}}\n"
        )
    }

    #[test]
    fn four_megabytes_of_five_hundred_posts() {
        let found = finding(&RULE, &shop(4_000_000), "rps=10000 mean=50 burst=1 skew=1 clients=1");
        assert_eq!(
            found.message,
            "4\u{a0}MB kept for each of 500 requests in flight is 2\u{a0}GB in one proxy"
        );
    }

    #[test]
    fn without_traffic_the_limit_on_requests_counts() {
        // 1,024 × 2 MiB = 2 GiB; nobody chose a limit of 1 MiB to keep bodies.
        assert!(finding(&RULE, &shop(2_097_152), "").message.contains("is 2\u{a0}GiB in one proxy"));
        assert!(!fires(&RULE, &shop(1_048_576), ""));
    }

    #[test]
    fn from_a_gibibyte_on() {
        let busy = |rps: u32| format!("rps={rps} mean=100 burst=1 skew=1 clients=1");
        assert!(fires(&RULE, &shop(2_097_152), &busy(5_120)));
        assert!(!fires(&RULE, &shop(2_097_152), &busy(5_110)));
    }
}
