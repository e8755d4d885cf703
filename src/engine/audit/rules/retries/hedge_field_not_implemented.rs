//! `HR139 hedge-field-not-implemented`: a field of the hedge policy that Envoy has never implemented.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx};
use crate::engine::read::Place;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR139",
        name: "hedge-field-not-implemented",
        severity: Severity::Warning,
        summary: "`initial_requests` and `additional_request_chance` are not implemented",
        rationale: "The API has had both fields from the start and its documentation says that they are not implemented; \
                    Envoy accepts them and sends one request. Whoever counts on two parallel requests for the tail of \
                    the latency does not have them. Only hedge_on_per_try_timeout works.",
        sources: &[
            "envoy: config.route.v3.HedgePolicy; measured on 1.40: initial_requests sends one request",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    let Some(hedge) = &cx.config.hedge_policy else { return Vec::new() };
    let initial = hedge.initial_requests.as_ref().filter(|n| n.value > 1).map(|n| {
        found(
            "initial_requests",
            &n.at,
            format!("`initial_requests` {} is not implemented", n.value),
            "Envoy accepts it and sends 1 request",
        )
    });
    let chance = hedge.additional_request_chance.as_ref().map(|at| {
        found(
            "additional_request_chance",
            at,
            "`additional_request_chance` is not implemented".to_owned(),
            "Envoy accepts it and sends no additional request, whatever the chance",
        )
    });
    initial.into_iter().chain(chance).collect()
}

// The chance has no number that matters: whatever it is, no request is added.
fn found(field: &'static str, at: &Place, message: String, consequence: &str) -> Finding {
    RULE.meta
        .found(&[field], at, message)
        .consequence(consequence)
        .help("leave it out; `hedge_on_per_try_timeout` with a `per_try_timeout` is what works")
        .fix(Fix::new("Leave it out", Change::Remove(at.clone())))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, findings, fires};

    fn route(hedge: &str) -> String {
        format!("match: {{prefix: /}}\nroute: {{cluster: shop, hedge_policy: {{{hedge}}}}}\n")
    }

    #[test]
    fn two_requests_stay_one() {
        assert_eq!(
            finding(&RULE, &route("initial_requests: 2"), "").message,
            "`initial_requests` 2 is not implemented"
        );
        assert!(!fires(&RULE, &route("initial_requests: 1"), ""));
        assert!(!fires(&RULE, &route("hedge_on_per_try_timeout: true"), ""));
    }

    #[test]
    fn a_chance_is_none() {
        let both = "initial_requests: 3, additional_request_chance: {numerator: 5}";
        assert_eq!(findings(&RULE, &route(both), "").len(), 2);
    }
}
