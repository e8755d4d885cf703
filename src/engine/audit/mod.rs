//! The audit: a pasted configuration in, findings with line and number out.
//!
//! Everything that is in force is judged, written or not: the reader fills in the defaults of the
//! program that the text is for. What is known of the traffic turns into numbers; what is not known
//! is asked for, and meanwhile the rules say what follows from the text alone.

mod change;
pub mod clocks;
#[cfg(feature = "read")]
pub mod edit;
mod facts;
mod finding;
mod in_force;
pub mod retrying;
pub mod rules;
mod subject;

pub use change::{Change, Fix, Setting, Value};
pub(crate) use facts::same_service;
pub use facts::{Asked, Facts, Traffic};
pub use finding::{Finding, Related};
pub use in_force::{InForce, Row, in_force, leaf, unit};
pub use subject::{ClusterCx, RouteCx, RouteView, WholeCx};

use crate::engine::read::config::Configuration;
use std::collections::BTreeMap;

/// Everything that an audit says.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// What was read, with the problems of the text itself.
    pub configuration: Configuration,
    /// What is known about each cluster, in the order of [`Configuration::clusters`].
    pub facts: Vec<Facts>,
    /// What is wrong or worth knowing, worst first, then in the order of the text.
    pub findings: Vec<Finding>,
}

/// Judges what was read.
pub fn audit(configuration: Configuration, asked: &Asked) -> Audit {
    let facts: Vec<Facts> =
        configuration.clusters.iter().map(|c| asked.facts(&configuration, Some(c))).collect();
    let mut findings = rules::check_all(&configuration, &facts, &asked.facts(&configuration, None));
    findings.sort_by(|a, b| a.order().cmp(&b.order()).then_with(|| a.message.cmp(&b.message)));
    findings.dedup_by(|again, first| {
        let is_same = again.code == first.code && again.message == first.message && again.at == first.at;
        if is_same {
            first.also.push((again.cluster, again.route));
        }
        is_same
    });
    same_for_subsets(&configuration, &mut findings);
    Audit { configuration, facts, findings }
}

/// A host of a mesh and its subsets and ports are clusters that share most of what is in force: what
/// holds for all of them in the same words is said once.
fn same_for_subsets(configuration: &Configuration, findings: &mut Vec<Finding>) {
    let family = |f: &Finding| {
        let cluster = configuration.clusters.get(f.cluster.filter(|_| f.route.is_none())?)?;
        let origin = &cluster.origin;
        (origin.kind == "DestinationRule").then_some((origin.block.file, origin.document))
    };
    let mut first: BTreeMap<_, usize> = BTreeMap::new();
    let mut kept: Vec<Finding> = Vec::new();
    for finding in std::mem::take(findings) {
        let key = family(&finding)
            .map(|of| (of, finding.code, finding.message.clone(), finding.consequence.clone()));
        let known = key.as_ref().and_then(|key| first.get(key)).and_then(|at| kept.get_mut(*at));
        if let Some(first) = known {
            first.also.push((finding.cluster, finding.route));
            first.related.push(Related { message: "here too".to_owned(), at: finding.at });
            continue;
        }
        if let Some(key) = key {
            first.insert(key, kept.len());
        }
        kept.push(finding);
    }
    *findings = kept;
}

#[cfg(test)]
mod tests {
    use super::rules::tests::judge;

    #[test]
    fn what_was_asked_is_about_callers_and_not_about_the_limit_in_front_of_a_server() {
        let sidecar = "apiVersion: networking.istio.io/v1\nkind: Sidecar\nmetadata: {name: shop}\nspec: {inboundConnectionPool: {http: {http2MaxRequests: 64}}}\n";
        let rule = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: shop}\nspec: {host: shop, trafficPolicy: {connectionPool: {http: {http2MaxRequests: 64}}}}\n";
        // 64 in each of 100 callers are 6,400, and 12 servers survive 64 each.
        let asked = "name=shop rps=500 p50=35 p99=110 clients=100 hosts=12 host_concurrency=64";
        let warned = |text: &str| judge(text, asked).findings.iter().any(|f| f.code == "HR312");
        assert!(warned(rule) && !warned(sidecar));
    }

    #[test]
    fn a_patch_that_a_rule_has_taken_in_is_judged_with_it_and_not_again() {
        let rule = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: a}\nspec: {host: a, trafficPolicy: {outlierDetection: {consecutiveGatewayErrors: 3, consecutive5xxErrors: 0, maxEjectionPercent: 30}}}\n";
        let patch = "---\napiVersion: networking.istio.io/v1alpha3\nkind: EnvoyFilter\nmetadata: {name: f}\nspec: {configPatches: [{applyTo: CLUSTER, match: {cluster: {service: a}}, patch: {operation: MERGE, value: {outlier_detection: {enforcing_success_rate: 100}}}}]}\n";
        let asked = "rps=800 mean=250 hosts=7";
        let never = |text: &str| judge(text, asked).findings.iter().any(|f| f.code == "HR401");
        // By itself the patch has the default of 10%, less than one of seven hosts; with the rule, 30%.
        assert!(never(&patch["---\n".len()..]) && !never(&format!("{rule}{patch}")));
    }

    #[test]
    fn what_holds_for_a_host_and_its_subsets_is_said_once() {
        let rule = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: a}\nspec:\n  host: a\n  trafficPolicy: {tls: {mode: ISTIO_MUTUAL}}\n  subsets:\n  - name: v1\n    trafficPolicy: {connectionPool: {tcp: {connectTimeout: 20s}}}\n  - name: v2\n";
        let found = judge(rule, "rps=800 mean=250 deadline_ms=3000").findings;
        let of = |code: &str| found.iter().filter(|f| f.code == code).collect::<Vec<_>>();
        // No limit on retries: the host and both subsets.
        assert_eq!(of("HR112").len(), 1, "{found:#?}");
        assert_eq!(of("HR112")[0].also.len(), 2);
        // 10 s and 20 s are two matters.
        assert_eq!(of("HR203").len(), 2);
    }
}
