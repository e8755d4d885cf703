//! `HR108 retries-do-not-fit-deadline`: the deadline leaves no room for the attempts wanted.

use super::{Context, Finding, Rule, RuleMeta, Severity, fixes};
use crate::engine::remedy::deadline_where;
use crate::engine::sizing::retry_policy;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR108",
        name: "retries-do-not-fit-deadline",
        severity: Severity::Warning,
        summary: "the deadline leaves no room for the attempts wanted",
        rationale: "Attempts, connects and back-offs all run on the route's one clock. An attempt that the route \
                    timeout cuts is never repeated, so retries that do not fit only look like a safety net. \
                    Without a per-try timeout one slow attempt uses up the whole route timeout.",
        sources: &[
            "envoy: the route timeout covers queueing, connects, all attempts and back-offs",
            "our rule: three attempts where a request may run twice, two where it never reached a host",
        ],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let (s, t) = (cx.scenario, &cx.sizing.timeouts);
    let wanted = 1 + retry_policy::wanted_retries(s);
    let fit = 1 + cx.sizing.retry.num_retries;
    let no_per_try = retry_policy::retries_after_sending(s) && t.per_try_ms.is_none();
    if fit >= wanted && !no_per_try {
        return Vec::new();
    }
    let route = display::millis(t.route_ms);
    let message = if no_per_try {
        format!("no `per_try_timeout` fits twice into the route timeout of {route}")
    } else {
        format!("{fit} of {wanted} attempts fit into the route timeout of {route}")
    };
    let enough = deadline_where(s, cx.sizing, |l| {
        l.attempts >= wanted && (!no_per_try || l.timeouts.per_try_ms.is_some())
    });
    let mut finding = RULE
        .meta
        .finding(&["deadline_ms", "idempotent", "num_retries", "per_try_timeout"], message)
        .consequence(consequence(fit, no_per_try))
        .help(if fit < wanted {
            "give the call a longer deadline, or live with fewer attempts"
        } else {
            "give the call a longer deadline"
        })
        .maybe_fix(enough.and_then(fixes::deadline));
    if fit > 1 && !no_per_try {
        // One retry fewer than wanted is a choice, not a danger.
        finding.severity = Severity::Info;
    }
    vec![finding]
}

fn consequence(fit: u32, no_per_try: bool) -> String {
    if no_per_try {
        "a stuck attempt holds the request until the route timeout, and a timeout is never retried".to_owned()
    } else if fit == 1 {
        "`num_retries` is 0: every failure reaches the caller".to_owned()
    } else {
        format!("`num_retries` is {}", fit - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_three_attempts_miss_by_a_millisecond() {
        assert!(fires(&RULE, "deadline_ms=1926"));
    }

    #[test]
    fn fires_when_not_even_two_fit() {
        assert!(fires(&RULE, "idempotent=false deadline_ms=159"));
    }

    #[test]
    fn silent_when_three_attempts_just_fit() {
        assert!(!fires(&RULE, "deadline_ms=1927"));
    }

    #[test]
    fn silent_when_two_just_fit() {
        assert!(!fires(&RULE, "idempotent=false deadline_ms=160"));
    }

    #[test]
    fn speaks_of_fewer_attempts_only_where_some_are_cut() {
        let cut = finding(&RULE, "deadline_ms=1926");
        assert_eq!(cut.help, "give the call a longer deadline, or live with fewer attempts");
        let whole = finding(&RULE, "deadline_ms=500");
        assert!(whole.message.starts_with("no `per_try_timeout` fits"), "{}", whole.message);
        assert_eq!(whole.help, "give the call a longer deadline");
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "deadline_ms=1000").message,
            "2 of 3 attempts fit into the route timeout of 950\u{a0}ms"
        );
    }
}
