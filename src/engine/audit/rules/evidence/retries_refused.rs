//! `HR605 retries-refused`: a limit of retries refuses them, by counters or by the flag UO.

use super::seen::{Seen, clusters, count, lines, logged, retry_limit};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::LogGroup;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR605",
        name: "retries-refused",
        severity: Severity::Warning,
        summary: "a proxy refuses retries: `max_retries` or the budget has no room for them",
        rationale: "`max_retries` and `retry_budget` limit the retries that are outstanding at one moment in the whole \
                    cluster, those in back-off included. A retry they refuse counts in `upstream_rq_retry_overflow`, the \
                    first answer goes to the client, and UO is added to its flags: UF,UO and UO with the details \
                    via_upstream are refused retries and no refused requests. URX says that a request used up its own.",
        sources: &[
            "envoy: issue 13170; cluster stats, upstream_rq_retry_overflow",
            "measured on Envoy 1.40: the flag UO is added when a retry is refused",
        ],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    clusters(cx).filter_map(|seen| of_cluster(&seen)).chain(of_logs(cx)).collect()
}

fn of_cluster(seen: &Seen<'_>) -> Option<Finding> {
    let refused = seen.cluster.stat("upstream_rq_retry_overflow").filter(|refused| refused.value > 0)?;
    let sent = seen.cluster.stat("upstream_rq_retry").map(|sent| sent.value);
    let of = sent.map_or_else(
        || " retries".to_owned(),
        |sent| {
            format!(" of {} retries, {} were sent", count(refused.value.saturating_add(sent)), count(sent))
        },
    );
    let finding = RULE
        .meta
        .found(
            &["max_retries", "retry_budget"],
            &refused.at,
            format!("{} refused {}{of}", seen.title(), count(refused.value)),
        )
        .consequence(format!(
            "the limit of retries at one moment is full{}: the first failure went to the client",
            seen.retry_limit().map(|limit| format!(" ({limit})")).unwrap_or_default()
        ))
        .help(help(seen));
    Some(seen.finish(finding))
}

fn help(seen: &Seen<'_>) -> String {
    let budget = seen.fitting_traffic().map(|t| t.sizing.default_priority().threshold.retry_budget);
    match budget {
        Some(budget) => format!(
            "set a `retry_budget` of {}% with `min_retry_concurrency` {}, and find what fails",
            budget.budget_percent.0, budget.min_retry_concurrency
        ),
        None => {
            "set a `retry_budget` with a floor for the failures of a good day, and find what fails".to_owned()
        }
    }
}

/// UO that came with an answer or with another failure.
fn is_refused_retry(group: &LogGroup) -> bool {
    group.has("UO") && (group.flags.len() > 1 || group.detailed("via_upstream"))
}

fn of_logs(cx: &WholeCx<'_>) -> Vec<Finding> {
    let found = |(groups, n, of): (Vec<&LogGroup>, u64, u64)| {
        let first = groups.first()?;
        let config = first.cluster.as_ref().and_then(|name| cx.reported(name));
        // Without a name in the log it can only be meant for the one that was pasted.
        let config = config.or_else(|| cx.clusters.first().filter(|_| cx.clusters.len() == 1));
        let limit = config.map(|c| format!(" ({})", retry_limit(c))).unwrap_or_default();
        let finding = RULE
            .meta
            .found(
                &["max_retries", "retry_budget"],
                first.places.first()?,
                format!(
                    "{} on {} of {}: the retry was refused, not the request",
                    first.flag_text(),
                    lines(n),
                    count(of)
                ),
            )
            .consequence(format!(
                "more retries were outstanding at that moment than the limit of retries allows{limit}; limits of requests \
                 have no part in it"
            ))
            .help("set a `retry_budget` with a floor, and find what fails first: the flag before UO says what");
        Some(Finding { cluster: config.map(|c| c.index), ..finding })
    };
    logged(cx, is_refused_retry).into_iter().filter_map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    #[test]
    fn counters() {
        let stats = "cluster.a.upstream_rq_retry: 3\ncluster.a.upstream_rq_retry_overflow: 58\n";
        let found = finding(&RULE, stats, "");
        assert_eq!(found.message, "cluster a refused 58 of 61 retries, 3 were sent");
        assert!(!fires(&RULE, &stats.replace(": 58", ": 0"), ""));
    }

    #[test]
    fn flags() {
        let line = |flags, more| {
            format!(
                "[t] \"GET / HTTP/1.1\" 503 {flags} {more}0 81 0 - \"-\" \"-\" \"-\" \"-\" \"h:1\" c - - - - -\n"
            )
        };
        let found = finding(&RULE, &line("UF,UO", ""), "");
        assert_eq!(found.message, "UF,UO on 1 line of 1: the retry was refused, not the request");
        assert!(fires(&RULE, &line("UO", "via_upstream - \"-\" "), ""));
        assert!(!fires(&RULE, &line("UO", "upstream_reset{overflow} - \"-\" "), ""));
        assert!(!fires(&RULE, &line("UF,URX", ""), ""));
    }
}
