//! `HR327 runtime-key-without-cluster`: a runtime key names no cluster, but nearly one.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::nearest::nearest;
use crate::engine::read::config::RuntimeOverride;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::{echo, number};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR327",
        name: "runtime-key-without-cluster",
        severity: Severity::Warning,
        summary: "a runtime key for a limit names a cluster that is not there, but nearly",
        rationale: "The name of the cluster is a part of the runtime key of its limits, and Envoy never complains about \
                    a key that nobody asks for. A slip in the name leaves the cluster at what its own text says, and \
                    nothing shows that the override does not act.",
        sources: &["envoy: runtime keys circuit_breakers.CLUSTER.PRIORITY.FIELD"],
    },
    check: Check::Whole(check),
};

/// Clusters whose names are compared, and keys: more are no hand-written text.
const MAX_NAMES: usize = 200;
const MAX_KEYS: usize = 50;

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    let names =
        || cx.clusters.iter().map(|c| c.effective.name.as_str()).filter(|n| !n.is_empty()).take(MAX_NAMES);
    let slip = |key: &RuntimeOverride| {
        let exact = cx.clusters.iter().any(|c| c.effective.name == key.cluster);
        nearest(&key.cluster, names()).filter(|_| !exact).map(|name| of_key(key, name))
    };
    cx.configuration.runtime.iter().take(MAX_KEYS).filter_map(slip).collect()
}

fn of_key(key: &RuntimeOverride, name: &str) -> Finding {
    let (cluster, name) = (echo(&key.cluster), echo(name));
    RULE.meta
        .found(
            &["layered_runtime"],
            &key.key.at,
            format!("the runtime key for {cluster} acts on no cluster here"),
        )
        .consequence(format!("`{}` {} is in force for nobody", key.field, number(key.value.value)))
        .help(format!("write {name} in the key, if that is meant"))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn bootstrap(name: &str) -> String {
        format!(
            "layered_runtime: {{layers: [{{name: base, static_layer: {{circuit_breakers.{name}.default.max_requests: 10}}}}]}}\n\
             static_resources: {{clusters: [{{name: checkout, connect_timeout: 1s}}]}}\n"
        )
    }

    #[test]
    fn fires_for_a_slip_and_stays_silent_otherwise() {
        let found = finding(&RULE, &bootstrap("chekout"), "");
        assert_eq!(found.message, "the runtime key for chekout acts on no cluster here");
        assert_eq!(found.consequence, "`max_requests` 10 is in force for nobody");
        assert_eq!(found.help, "write checkout in the key, if that is meant");
        assert!(!fires(&RULE, &bootstrap("checkout"), ""));
        // A cluster of another file.
        assert!(!fires(&RULE, &bootstrap("ledger"), ""));
    }
}
