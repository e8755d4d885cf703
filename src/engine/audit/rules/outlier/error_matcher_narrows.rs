//! `HR427 error-matcher-narrows`: only matching answers count as errors.

use super::detection::Detection;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::read::Place;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR427",
        name: "error-matcher-narrows",
        severity: Severity::Warning,
        summary: "an error matcher replaces the errors of outlier detection, 5xx included",
        rationale: "With an `error_matcher`, which Istio makes of `outlierDetectionHttpErrorCodes`, an answer is an error \
                    only if it matches: 503 and its like are successes then unless they are listed too, and set the \
                    count of failures to zero.",
        sources: &[
            "measured on Envoy 1.40: matcher 429: three 503 are 0 detections, two 429 eject",
            "istio: outlierDetectionHttpErrorCodes",
        ],
    },
    check: Check::Cluster(check),
};

/// What gateways and overloaded hosts answer.
const GATEWAY: [u32; 3] = [502, 503, 504];

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let d = Detection::of(cx)?;
    if let Some(codes) = d.text.error_codes.as_ref().filter(|codes| !codes.value.is_empty()) {
        let missing: Vec<u32> = GATEWAY.into_iter().filter(|code| !codes.value.contains(code)).collect();
        let listed = list(&codes.value);
        return (!missing.is_empty()).then(|| {
            found(&codes.at, format!("only answers with {listed} count as errors, not {}", list(&missing)))
                .help(format!("list {} too, or leave the list out", list(&missing)))
        });
    }
    let matcher = d.text.error_matcher.as_ref()?;
    let finding = found(matcher, "only what `error_matcher` matches counts as an error".to_owned())
        .severity(Severity::Info)
        .help("check that it matches 502, 503 and 504 too");
    Some(finding)
}

fn found(at: &Place, message: String) -> Finding {
    RULE.meta.found(&["error_matcher"], at, message).consequence(
        "every other answer is a success and sets the count of failures to zero, a 503 that is not matched included",
    )
}

fn list(codes: &[u32]) -> String {
    match codes {
        [] => String::new(),
        [one] => one.to_string(),
        [most @ .., last] => {
            let most: Vec<String> = most.iter().map(u32::to_string).collect();
            format!("{} and {last}", most.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn rule(codes: &str) -> String {
        format!(
            "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {{name: a}}\nspec:\n  host: a\n  \
             trafficPolicy:\n    outlierDetection: {{consecutive5xxErrors: 5, outlierDetectionHttpErrorCodes: [{codes}]}}\n"
        )
    }

    #[test]
    fn names_what_no_longer_counts() {
        let found = finding(&RULE, &rule("429"), "");
        assert_eq!(found.message, "only answers with 429 count as errors, not 502, 503 and 504");
        assert_eq!(found.severity, Severity::Warning);
        assert!(!fires(&RULE, &rule("429, 502, 503, 504"), ""));
        assert!(!fires(&RULE, &rule(""), ""));
    }

    #[test]
    fn a_matcher_is_a_note() {
        let text = "name: a\nconnect_timeout: 1s\noutlier_detection: {}\ntyped_extension_protocol_options:\n  \
                    envoy.extensions.upstreams.http.v3.HttpProtocolOptions:\n    \
                    \"@type\": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions\n    \
                    explicit_http_config: {http_protocol_options: {}}\n    \
                    outlier_detection: {error_matcher: {http_response_headers_match: {headers: []}}}\n";
        assert_eq!(finding(&RULE, text, "").severity, Severity::Info);
    }
}
