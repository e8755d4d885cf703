//! `HR430 grpc-trailers-unseen`: a gRPC error behind a message is a success.

use super::detection::Detection;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::read::config::UpstreamProtocol;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::scenario::Protocol;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR430",
        name: "grpc-trailers-unseen",
        severity: Severity::Info,
        summary: "gRPC errors in trailers count as success for outlier detection",
        rationale: "Outlier detection looks at the headers of an answer. A gRPC error without a message comes with its \
                    status there, and 14 counts as 503 and 4 as 504; an error after a message or in a stream comes in \
                    the trailers, behind headers that said 200, and is a success that sets the count to zero.",
        sources: &[
            "envoy: source/common/router/router.cc; measured on 1.40: status 14 and 4 in headers count",
        ],
    },
    check: Check::Cluster(check),
};

// No number: how many errors come in trailers is the service's own matter.
fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let spoken = cx.effective.protocol.value == UpstreamProtocol::Grpc;
    let grpc = cx.facts.protocol.map_or(spoken, Protocol::speaks_grpc);
    let counts = |d: &Detection<'_>| d.active().any(|a| !a.local);
    let Some(d) = Detection::of(cx).filter(|d| grpc && !cx.config.carries_tcp && counts(d)) else {
        return Vec::new();
    };
    let finding = RULE
        .meta
        .found(
            &["outlier_detection"],
            &d.text.block,
            "gRPC errors in trailers eject nobody: only a status in the headers counts",
        )
        .consequence(
            "a stream or an answer that fails after its first message is a success, and sets the count of failures to zero",
        )
        .help("check the hosts actively with `grpc_health_check`");
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::fires;

    const CLUSTER: &str = "name: a\nconnect_timeout: 1s\noutlier_detection: {}\n";

    #[test]
    fn fires_for_grpc_and_for_nothing_else() {
        assert!(fires(&RULE, CLUSTER, "protocol=grpc"));
        assert!(fires(&RULE, CLUSTER, "protocol=grpc_stream"));
        assert!(!fires(&RULE, CLUSTER, "protocol=http2"));
        assert!(!fires(&RULE, CLUSTER, ""));
        assert!(!fires(&RULE, "name: a\nconnect_timeout: 1s\n", "protocol=grpc"));
    }
}
