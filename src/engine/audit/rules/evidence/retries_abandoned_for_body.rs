//! `HR608 retries-abandoned-for-body`: retries were given up because of the body.

use super::seen::{Seen, clusters, count, plural};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::Place;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::number;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR608",
        name: "retries-abandoned-for-body",
        severity: Severity::Warning,
        summary: "retries were given up because the request's body did not fit the buffer",
        rationale: "To send a request again Envoy must have kept its whole body. Beyond the buffer limit, 1 MiB by default \
                    and 32 KiB in Envoy Gateway, it gives up the retry and the shadow without a word but a counter, and \
                    the first answer goes to the client: downloads are retried and uploads never.",
        sources: &[
            "envoy: issue 29386; cluster stats, retry_or_shadow_abandoned",
            "measured on Envoy 1.40: a body of 1.5 MB: 503 after one attempt",
        ],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    clusters(cx).filter_map(|seen| of_cluster(&seen)).collect()
}

fn of_cluster(seen: &Seen<'_>) -> Option<Finding> {
    let given_up = seen.cluster.stat("retry_or_shadow_abandoned").filter(|given_up| given_up.value > 0)?;
    let limit = limit(seen);
    let finding = RULE
        .meta
        .found(
            &["request_body_buffer_limit", "per_connection_buffer_limit_bytes"],
            &given_up.at,
            format!(
                "{} gave up {}: the body did not fit the buffer",
                seen.title(),
                plural(given_up.value, "retry or shadow", "retries or shadows")
            ),
        )
        .consequence(match &limit {
            Some((bytes, _)) => format!("bodies above {bytes} are sent once, whatever `retry_on` says"),
            None => "bodies above the buffer limit are sent once, whatever `retry_on` says".to_owned(),
        })
        .help(
            "accept that large bodies are not retried, or raise `request_body_buffer_limit` on their route only: it is memory \
             for each request in flight",
        );
    let finding = match limit.and_then(|(_, at)| at) {
        Some(at) => finding.related("the limit", at),
        None => finding,
    };
    Some(seen.finish(finding))
}

/// The smallest buffer of the routes that lead there.
fn limit<'a>(seen: &Seen<'a>) -> Option<(String, Option<&'a Place>)> {
    let routes = &seen.config?.routes;
    let limit =
        routes.iter().map(|route| &route.effective.body_buffer_limit_bytes).min_by_key(|l| l.value)?;
    let default = if limit.is_default() { ", a default," } else { "" };
    Some((format!("{}{default}", bytes(limit.value)), limit.place()))
}

fn bytes(n: u64) -> String {
    const KIB: u64 = 1024;
    #[allow(clippy::cast_precision_loss, reason = "a size that is shown")]
    let in_units = |unit: u64| number(n as f64 / unit as f64);
    match n {
        0..KIB => format!("{} bytes", count(n)),
        KIB..1_048_576 => format!("{} KiB", in_units(KIB)),
        _ => format!("{} MiB", in_units(KIB * KIB)),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    #[test]
    fn fires_with_the_count() {
        let stats = "cluster.a.retry_or_shadow_abandoned: 412\ncluster.a.upstream_rq_retry: 3\n";
        let found = finding(&RULE, stats, "");
        assert_eq!(
            found.message,
            "cluster a gave up 412 retries or shadows: the body did not fit the buffer"
        );
        assert!(!fires(&RULE, &stats.replace("412", "0"), ""));
    }
}
