//! `HR606 refused-in-log`: an access log has requests that a limit refused.

use super::seen::{count, lines, logged};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::LogGroup;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR606",
        name: "refused-in-log",
        severity: Severity::Warning,
        summary: "the flag UO alone: a limit refused the request or the connection",
        rationale: "A refused request is logged with the flag UO and the details \
                    upstream_reset_before_response_started{overflow}. If it has an upstream host, `max_requests` refused \
                    it on its way to a connection; without one `max_pending_requests` had no room to wait. On TCP it is \
                    `max_connections` or `max_pending_requests`. Envoy never tries it again by itself.",
        sources: &[
            "measured on Envoy 1.40: the upstream host is `-` for a pending refusal and filled for max_requests",
        ],
    },
    check: Check::Whole(check),
};

/// Refusals that a limit is known for.
struct Kind {
    is: fn(&LogGroup) -> bool,
    fields: &'static [&'static str],
    which: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind {
        is: |g| is_refused(g) && !g.tcp && !g.host,
        fields: &["max_pending_requests"],
        which: "no host was picked for them: `max_pending_requests` had no room to wait",
    },
    Kind {
        is: |g| is_refused(g) && !g.tcp && g.host,
        fields: &["max_requests"],
        which: "a host was picked for them: `max_requests` had no slot left",
    },
    Kind {
        is: |g| is_refused(g) && g.tcp,
        fields: &["max_connections", "max_pending_requests"],
        which: "they are connections and no requests: `max_connections` or `max_pending_requests` had no room",
    },
];

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    KINDS.iter().flat_map(|kind| kind.findings(cx)).collect()
}

fn is_refused(group: &LogGroup) -> bool {
    group.has_only("UO") && !group.detailed("via_upstream")
}

impl Kind {
    fn findings(&self, cx: &WholeCx<'_>) -> Vec<Finding> {
        let found = |(groups, n, of): (Vec<&LogGroup>, u64, u64)| {
            let first = groups.first()?;
            let what = if first.tcp { "connections" } else { "requests" };
            let config = first.cluster.as_ref().and_then(|name| cx.reported(name));
            let finding = RULE
            .meta
            .found(
                self.fields,
                first.places.first()?,
                format!("{what} were refused on {} of {} (UO)", lines(n), count(of)),
            )
            .consequence(self.which)
            .help("compare the limit with the peak in flight, and count `upstream_rq_…_overflow`: a log may be a sample");
            Some(Finding { cluster: config.map(|c| c.index), ..finding })
        };
        logged(cx, self.is).into_iter().filter_map(found).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn line(request: &str, flags: &str, host: &str) -> String {
        format!("[t] \"{request}\" 503 {flags} 0 81 0 - \"-\" \"-\" \"-\" \"-\" \"{host}\"\n")
    }

    #[test]
    fn the_host_tells_which_limit() {
        let pending = finding(&RULE, &line("GET / HTTP/1.1", "UO", "-"), "");
        assert_eq!(pending.message, "requests were refused on 1 line of 1 (UO)");
        assert_eq!(pending.fields, ["max_pending_requests"]);
        assert_eq!(finding(&RULE, &line("GET / HTTP/1.1", "UO", "h:1"), "").fields, ["max_requests"]);
        let tcp = finding(&RULE, &line("- - -", "UO", "-").replace(" 503 ", " 0 "), "");
        assert!(tcp.message.starts_with("connections were refused"), "{}", tcp.message);
    }

    #[test]
    fn silent_for_other_flags() {
        assert!(!fires(&RULE, &line("GET / HTTP/1.1", "UF,UO", "h:1"), ""));
        assert!(!fires(&RULE, &line("GET / HTTP/1.1", "UH", "-"), ""));
    }
}
