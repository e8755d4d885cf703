//! `HR235 expected-timeout-stripped`: the header to respect is removed before it is looked at.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::ManagerConfig;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::scenario::EnvoyVersion;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR235",
        name: "expected-timeout-stripped",
        severity: Severity::Warning,
        summary: "`respect_expected_rq_timeout` respects a header that is stripped from every request",
        rationale: "Envoy removes x-envoy-expected-rq-timeout-ms from requests that are not internal, before the \
                    router looks at it. Since 1.33 private addresses no longer count as internal by themselves: \
                    without internal_address_config no request is internal, and the deadline of the calling proxy \
                    never arrives.",
        sources: &[
            "measured on 1.40: header 700 ms, route 5 s: 504 after 5 s, with the caller's range in internal_address_config after 0.7 s",
            "envoy 1.33: no address is internal unless internal_address_config says so",
        ],
    },
    check: Check::Whole(check),
};

/// Before, private addresses were internal.
const NOTHING_INTERNAL: EnvoyVersion = EnvoyVersion::minor(33);

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    if cx.facts.envoy_version < NOTHING_INTERNAL {
        return Vec::new();
    }
    cx.configuration.managers.iter().filter_map(of_manager).collect()
}

fn of_manager(manager: &ManagerConfig) -> Option<Finding> {
    let respects = manager.respect_expected_rq_timeout.as_ref().filter(|r| r.value)?;
    // A patch shows only a part of the manager.
    if manager.internal_address_config.is_some() || manager.origin.patch.is_some() {
        return None;
    }
    // There is no number in it: the header is either looked at or not.
    let finding = RULE
        .meta
        .found(
            &["respect_expected_rq_timeout", "internal_address_config"],
            &respects.at,
            "`respect_expected_rq_timeout` has no effect without `internal_address_config`",
        )
        .consequence("Envoy strips the expected timeout from every request that is not internal, and none is: the route timeout holds instead")
        .help("set `internal_address_config` of the connection manager to the ranges of the calling proxies, and `use_remote_address: true`");
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn manager(respect: bool, internal: &str) -> String {
        format!(
            "stat_prefix: in\n{internal}route_config: {{virtual_hosts: []}}\nhttp_filters:\n- name: router\n  typed_config:\n    \
             \"@type\": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router\n    respect_expected_rq_timeout: {respect}\n"
        )
    }

    #[test]
    fn fires_where_nothing_is_internal() {
        let found = finding(&RULE, &manager(true, ""), "");
        assert_eq!(
            found.message,
            "`respect_expected_rq_timeout` has no effect without `internal_address_config`"
        );
        assert_eq!(found.at.line(), 7);
        assert!(fires(&RULE, &manager(true, ""), "envoy_version=1.33"));
        assert!(!fires(&RULE, &manager(true, ""), "envoy_version=1.32"));
    }

    #[test]
    fn silent_where_callers_are_internal_or_nothing_is_respected() {
        let internal =
            "internal_address_config: {cidr_ranges: [{address_prefix: 10.0.0.0, prefix_len: 8}]}\n";
        assert!(!fires(&RULE, &manager(true, internal), ""));
        assert!(!fires(&RULE, &manager(false, ""), ""));
    }
}
