//! `HR207 keepalive-unknown`: the pool's idle timeout is a guess.

use super::{Context, Finding, Fix, Rule, RuleMeta, Severity};
use crate::engine::params::ParamId;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR207",
        name: "keepalive-unknown",
        severity: Severity::Info,
        summary: "the server's keep-alive is unknown, so the pool's idle timeout is assumed",
        rationale: "If the server closes idle connections before the proxy does, a request can meet the closing \
                    connection and ends in 503 UC. The pool's idle timeout must therefore be the shorter one; \
                    Envoy's own default is an hour.",
        sources: &[
            "envoy: common_http_protocol_options.idle_timeout, default 1 h",
            "our choice: 60 s, which most servers outlast",
        ],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    if cx.scenario.upstream_keepalive_s.is_some() {
        return Vec::new();
    }
    let message = format!(
        "server keep-alive is unknown, {} assumed for the pool",
        display::millis(cx.sizing.timeouts.pool_idle_ms)
    );
    let finding = RULE
        .meta
        .finding(&["upstream_keepalive_s", "idle_timeout"], message)
        .consequence("if the server closes earlier, requests on idle connections can end in 503 UC")
        .help("enter the keep-alive timeout of the server")
        .fix("Enter it", Fix::ask(ParamId::UpstreamKeepaliveS));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_nobody_says() {
        assert!(fires(&RULE, "upstream_keepalive_s="));
    }

    #[test]
    fn silent_when_it_is_known() {
        assert!(!fires(&RULE, "upstream_keepalive_s=5"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "upstream_keepalive_s=").message,
            "server keep-alive is unknown, 60\u{a0}s assumed for the pool"
        );
    }
}
