//! `HR620 failures-of-no-limit`: failures in a log that look like a circuit breaker and are none.

use super::seen::{count, lines};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::{AccessLog, LogGroup};
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR620",
        name: "failures-of-no-limit",
        severity: Severity::Info,
        summary: "failures that look like a refusal, and that no limit of the cluster makes",
        rationale: "Only the flag UO is a limit of the circuit breakers. A 503 without a flag came from the service itself, or \
                    from a proxy before it; NR and NC mean that no route or no cluster was found; RL is the rate \
                    limiter; DC is a client that left; UR is a stream that the server reset. Larger limits change none \
                    of them.",
        sources: &["envoy: access log, response flags", "measured on Envoy 1.40: response_code_details"],
    },
    check: Check::Whole(check),
};

/// A failure, and who made it.
struct Kind {
    is: fn(&LogGroup) -> bool,
    what: &'static str,
}

const KINDS: [Kind; 7] = [
    Kind {
        is: |g| g.flags.is_empty() && g.status == 503 && !g.detailed("overflow"),
        what: "503 without a flag: the service answered so itself, or a proxy behind this one",
    },
    Kind { is: |g| g.has("NC"), what: "NC: the route leads to a cluster that does not exist" },
    Kind { is: |g| g.has("NR"), what: "NR: no route matches" },
    Kind { is: |g| g.has("RL") || g.has("RLSE"), what: "RL: the rate limiter refused it" },
    Kind { is: |g| g.has("DC"), what: "DC: the client left before the answer" },
    Kind { is: |g| g.has("UR"), what: "UR: the server reset the stream" },
    Kind {
        is: |g| g.has("UAEX") || g.has("FI") || g.has("DI"),
        what: "a filter answered: authorization or fault injection",
    },
];

// No fix: nothing of it is a setting of the clusters.
fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    cx.configuration.evidence.logs.iter().filter_map(of_log).collect()
}

fn of_log(log: &AccessLog) -> Option<Finding> {
    let mut said = Vec::new();
    let (mut together, mut first) = (0u64, None);
    for kind in &KINDS {
        let groups: Vec<&LogGroup> = log.groups.iter().filter(|g| !g.tcp && (kind.is)(g)).collect();
        let n = groups.iter().fold(0, |sum: u64, g| sum.saturating_add(g.count));
        if n > 0 {
            said.push(format!("{} {}", lines(n), kind.what));
            together = together.saturating_add(n);
            first = first.or_else(|| groups.first().and_then(|g| g.places.first()));
        }
    }
    let message = format!("no limit made the failures on {} of {}", lines(together), count(log.parsed));
    let finding = RULE
        .meta
        .found(&["response_flags"], first?, message)
        .consequence(said.join("; "))
        .help("leave the limits alone for these: only UO is a circuit breaker");
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn line(status: u32, flags: &str, details: &str) -> String {
        format!(
            "[t] \"GET /e HTTP/1.1\" {status} {flags} {details} - \"-\" 0 24 3 - \"-\" \"curl\" \"5\" \"api\" \"-\" outbound|80||api - a:1 b:2 - default\n"
        )
    }

    #[test]
    fn each_with_its_maker() {
        let text = [
            line(503, "-", "via_upstream"),
            line(503, "NC", "cluster_not_found"),
            line(200, "-", "via_upstream"),
        ];
        let found = finding(&RULE, &text.concat(), "");
        assert_eq!(found.message, "no limit made the failures on 2 lines of 3");
        assert!(found.consequence.starts_with("1 line 503 without a flag"), "{}", found.consequence);
        assert!(found.consequence.contains("1 line NC: the route leads to a cluster that does not exist"));
    }

    #[test]
    fn silent_for_refusals_and_successes() {
        for text in
            [line(503, "UO", "overflow"), line(200, "-", "via_upstream"), line(500, "-", "via_upstream")]
        {
            assert!(!fires(&RULE, &text, ""), "{text}");
        }
    }
}
