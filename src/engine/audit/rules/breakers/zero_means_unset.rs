//! `HR311 zero-means-unset`: a limit written as 0 is not set.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix};
use crate::engine::read::Spanned;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR311",
        name: "zero-means-unset",
        severity: Severity::Warning,
        summary: "a limit written as 0 counts as not set, which is no limit at all",
        rationale: "Istio cannot tell a 0 in a connection pool from a field that is left out, and fills in the largest \
                    number there is. Who writes 0 to forbid waiting or retrying gets the opposite: no limit. A \
                    real zero needs an EnvoyFilter.",
        sources: &["istio: connectionPool, unset and 0 become 4294967295"],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    cx.config.thresholds.iter().flat_map(|entry| &entry.unset_zeros).map(of_field).collect()
}

fn of_field(zero: &Spanned<String>) -> Finding {
    let (name, field, lowest) = match zero.value.as_str() {
        "maxConnections" => ("maxConnections", "max_connections", "the lowest limit is 1"),
        "http1MaxPendingRequests" => {
            ("http1MaxPendingRequests", "max_pending_requests", "the lowest limit is 1")
        }
        "http2MaxRequests" => ("http2MaxRequests", "max_requests", "the lowest limit is 1"),
        _ => {
            ("maxRetries", "max_retries", "to switch retries off, set `attempts` to 0 in the VirtualService")
        }
    };
    RULE.meta
        .found(&[field], &zero.at, format!("`{name}` 0 counts as not set"))
        .consequence(format!("`{field}` is 4,294,967,295, no limit, instead of 0"))
        .help(format!("leave it out if no limit is meant; {lowest}"))
        .fix(Fix::new("Leave it out", Change::Remove(zero.at.clone())))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, findings, fires};

    fn rule(pool: &str) -> String {
        format!(
            "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nspec:\n  host: shop\n  trafficPolicy:\n    connectionPool: {{{pool}}}\n"
        )
    }

    #[test]
    fn fires_for_each_limit_that_is_zero() {
        let found = finding(&RULE, &rule("http: {http1MaxPendingRequests: 0}"), "");
        assert_eq!(found.message, "`http1MaxPendingRequests` 0 counts as not set");
        assert_eq!(found.consequence, "`max_pending_requests` is 4,294,967,295, no limit, instead of 0");
        assert_eq!(found.at.line(), 6);
        assert_eq!(
            findings(
                &RULE,
                &rule("tcp: {maxConnections: 0}, http: {maxRetries: 0, http2MaxRequests: 0}"),
                ""
            )
            .len(),
            3
        );
    }

    #[test]
    fn silent_where_zero_is_what_it_looks_like() {
        assert!(!fires(&RULE, &rule("tcp: {maxConnections: 1}, http: {maxRequestsPerConnection: 0}"), ""));
        assert!(!fires(&RULE, "name: shop\ncircuit_breakers: {thresholds: [{max_requests: 0}]}\n", ""));
    }
}
