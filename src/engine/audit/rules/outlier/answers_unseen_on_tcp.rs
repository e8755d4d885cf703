//! `HR429 answers-unseen-on-tcp`: a TCP cluster ejects for failed connects only.

use super::detection::Detection;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::read::config::UpstreamProtocol;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::count;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR429",
        name: "answers-unseen-on-tcp",
        severity: Severity::Info,
        summary: "on TCP outlier detection sees failed connects and no errors behind them",
        rationale: "A TCP proxy does not know what it carries: a connection that is established is a success, whatever \
                    the protocol in it answers, and only connects that fail or time out count as failures. A database \
                    that accepts connections and answers errors stays in.",
        sources: &["envoy: outlier detection of TCP connections, arch overview"],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let tcp = cx.effective.protocol.value == UpstreamProtocol::Tcp || cx.config.carries_tcp;
    let Some(d) = Detection::of(cx).filter(|d| tcp && d.active().next().is_some()) else { return Vec::new() };
    let run = d.active().filter(|a| a.in_a_row).filter_map(|a| a.threshold).map(|t| t.value).min();
    let message = match run {
        Some(run) => {
            format!("a host of this TCP cluster leaves after {} failed connects only", count(f64::from(run)))
        }
        None => "a host of this TCP cluster leaves for failed connects only".to_owned(),
    };
    let finding = RULE
        .meta
        .found(&["outlier_detection"], &d.text.block, message)
        .consequence("an established connection is a success, whatever is answered in it")
        .help("check the hosts actively in their own protocol (`health_checks`) if errors behind the connect matter");
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const TCP: &str = "listeners:\n- name: in\n  filter_chains:\n  - filters:\n    - name: envoy.filters.network.tcp_proxy\n      \
                       typed_config:\n        \"@type\": type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy\n        \
                       stat_prefix: in\n        cluster: db\nclusters:\n- name: db\n  connect_timeout: 1s\n  \
                       outlier_detection: {consecutive_5xx: 3}\n";

    #[test]
    fn fires_behind_a_tcp_proxy() {
        assert_eq!(
            finding(&RULE, TCP, "").message,
            "a host of this TCP cluster leaves after 3 failed connects only"
        );
    }

    #[test]
    fn silent_for_http() {
        assert!(!fires(&RULE, "name: a\nconnect_timeout: 1s\noutlier_detection: {}\n", ""));
    }
}
