//! Kinds E to G: `max_retries` and retry budgets, amplification over layers, conditions and idempotency.

use crate::support::Case;

/// A cluster with limits and a route to it with a retry policy.
macro_rules! shop {
    ($limits:literal, $policy:literal) => {
        concat!(
            "clusters:\n- name: shop\n  circuit_breakers: {thresholds: [{",
            $limits,
            "}]}\nroutes:\n- match: {prefix: /}\n  route:\n    cluster: shop\n    retry_policy: {",
            $policy,
            "}\n"
        )
    };
}

const CASE: Case = Case { id: "", texts: &[], asked: "", expects: &[], never: &["NaN", "inf "], silent: &[] };

#[test]
fn o11_a_default_of_three_during_a_rollout() {
    // A retry is outstanding for 60 ms: Envoy's default back-off waits 12 ms in the mean, the answer takes 48.
    Case {
        id: "O-11, envoyproxy/gateway#2754, istio/istio#10566",
        texts: &[shop!("", "retry_on: connect-failure, num_retries: 1")],
        asked: "rps=2000 mean=48 burst=1 skew=1 clients=1 error_rate=0.1",
        expects: &[(
            "HR101",
            &["`max_retries` 3, a default", "12 retries", "10% failing × 60 ms", "`retry_budget`"],
        )],
        never: &["raise `num_retries`"],
        silent: &["HR102", "HR103", "HR110"],
    }
    .check();
}

#[test]
fn o11_what_others_chose_instead() {
    // Unlimited, the first way out, and 1024, Envoy Gateway's default.
    Case {
        id: "O-11, istio/istio#7665: 2^32-1",
        texts: &[shop!("max_retries: 4294967295", "retry_on: connect-failure, num_retries: 2")],
        asked: "rps=2000 mean=48 burst=1 skew=1 clients=1 error_rate=0.1",
        expects: &[("HR112", &["4,294,967,295", "1 + 2 = 3 attempts"])],
        silent: &["HR101", "HR103"],
        ..CASE
    }
    .check();
    Case {
        id: "O-11, envoyproxy/gateway#2773: 1024",
        texts: &[
            "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: a}\nspec:\n  targetRefs: [{kind: HTTPRoute, name: a}]\n  retry: {numRetries: 2, retryOn: {triggers: [connect-failure]}}\n",
        ],
        asked: "rps=2000 mean=48 burst=1 skew=1 clients=1 error_rate=0.1",
        expects: &[("HR103", &["1,024, a default", "against 96 requests in flight", "×3"])],
        silent: &["HR101", "HR112"],
        ..CASE
    }
    .check();
    // A budget of 20% and a floor of 12 or more is what helps.
    Case {
        id: "O-11, the fix",
        texts: &[shop!(
            "retry_budget: {budget_percent: {value: 20}, min_retry_concurrency: 24}",
            "retry_on: connect-failure, num_retries: 1"
        )],
        asked: "rps=2000 mean=48 burst=1 skew=1 clients=1 error_rate=0.1",
        silent: &["HR101", "HR103", "HR110", "HR112", "HR113", "HR114", "HR116"],
        ..CASE
    }
    .check();
}

#[test]
fn o12_a_budget_of_all_still_refuses() {
    Case {
        id: "O-12, envoyproxy/envoy#30205",
        texts: &[shop!(
            "retry_budget: {budget_percent: {value: 100}, min_retry_concurrency: 0}",
            "retry_on: reset"
        )],
        expects: &[
            (
                "HR113",
                &[
                    "100%",
                    "back-off count as outstanding",
                    "0 of 1",
                    "never set `min_retry_concurrency` to 0",
                ],
            ),
            ("HR116", &["`budget_percent` 100 caps nothing"]),
        ],
        never: &["of requests per second", "rounded up"],
        silent: &["HR111"],
        ..CASE
    }
    .check();
}

#[test]
fn o12_the_worked_figures() {
    // 20% and a floor of 3 allow 5 of 25 in flight, 4 of 24, 3 of 2; without the floor, none of 4 or fewer.
    const NO_FLOOR: &[&str] = &[shop!(
        "retry_budget: {budget_percent: {value: 20}, min_retry_concurrency: 0}",
        "retry_on: connect-failure"
    )];
    const ID: &str = "O-12, envoyproxy/envoy#9069";
    Case {
        id: ID,
        texts: NO_FLOOR,
        asked: "rps=25 mean=1000 burst=1 skew=1 error_rate=0.1",
        expects: &[("HR113", &["at peak 25 in flight allow 5 retries"])],
        ..CASE
    }
    .check();
    Case {
        id: ID,
        texts: NO_FLOOR,
        asked: "rps=24 mean=1000 burst=1 skew=1 error_rate=0.1",
        expects: &[("HR113", &["at peak 24 in flight allow 4 retries"])],
        ..CASE
    }
    .check();
    Case {
        id: ID,
        texts: NO_FLOOR,
        asked: "rps=2 mean=1000 burst=1 skew=1 error_rate=0.1",
        expects: &[("HR113", &["at peak 2 in flight allow 0 retries", "below 5 requests in flight"])],
        ..CASE
    }
    .check();
}

#[test]
fn o13_two_threes() {
    Case {
        id: "O-13, envoyproxy/envoy#29762",
        texts: &[shop!("max_retries: 3", "retry_on: connect-failure, num_retries: 3")],
        expects: &[(
            "HR102",
            &["`max_retries` 3", "`num_retries` 3", "of 4 that fail at the same moment 3 are retried", "UO"],
        )],
        never: &["all is well"],
        silent: &["HR101", "HR103"],
        ..CASE
    }
    .check();
}

#[test]
fn o14_two_layers_of_four() {
    Case {
        id: "O-14, cilium/cilium#21814",
        texts: &[shop!("max_requests: 1024", "retry_on: 5xx, num_retries: 3")],
        asked: "retrying_hops=2",
        expects: &[
            ("HR118", &["two layers with 4 attempts", "up to 16 of one request", "retry in one layer only"]),
            ("HR104", &["`retry_on: 5xx`", "up to 4 times"]),
        ],
        never: &["raise `max_requests`"],
        ..CASE
    }
    .check();
    Case {
        id: "O-14, known to be safe to repeat",
        texts: &[shop!("max_requests: 1024", "retry_on: 5xx, num_retries: 3")],
        asked: "retrying_hops=2 idempotent=true",
        expects: &[("HR120", &["every failure of the service", "500", "`gateway-error`"])],
        silent: &["HR104"],
        ..CASE
    }
    .check();
}

#[test]
fn o15_a_failing_job_runs_four_times() {
    Case {
        id: "O-15, knative/serving#6549",
        texts: &[shop!("", "retry_on: 5xx, num_retries: 3")],
        asked: "idempotent=false",
        expects: &[("HR104", &["up to 4 times", "1 + 3 = 4 times"])],
        never: &["3 times"],
        ..CASE
    }
    .check();
    Case {
        id: "O-15, on 503 only, by a default of two retries",
        texts: &[shop!(
            "",
            "retry_on: retriable-status-codes, retriable_status_codes: [503], num_retries: 2"
        )],
        asked: "idempotent=false",
        expects: &[("HR104", &["(503)", "1 + 2 = 3 times"])],
        never: &["2 times"],
        ..CASE
    }
    .check();
}

#[test]
fn o16_a_payout_sent_twice() {
    Case {
        id: "O-16, istio/istio#50506",
        texts: &["apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: payouts}\nspec:\n  hosts: [payouts]\n  http:\n  - match: [{method: {exact: POST}}]\n    route: [{destination: {host: payouts}}]\n"],
        asked: "idempotent=false",
        expects: &[("HR121", &["no retries block for POST", "1 + 2 = 3 executions", "before mid-2024 any 503", "attempts: 0"])],
        never: &["no retries apply", "0 retries"],
        ..CASE
    }
    .check();
    Case {
        id: "O-16, what the old default became in Envoy",
        texts: &[include_str!("../../samples/a04-config-dump.json")],
        asked: "idempotent=false",
        expects: &[("HR104", &["retriable-status-codes", "(503)", "1 + 2 = 3 times"])],
        ..CASE
    }
    .check();
}

#[test]
fn o17_only_the_get_rule_was_meant_to_retry() {
    Case {
        id: "O-17, istio/istio#17145",
        texts: &["apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: a}\nspec:\n  hosts: [a]\n  http:\n  - match: [{method: {exact: GET}}]\n    retries: {attempts: 5, perTryTimeout: 1s}\n    route: [{destination: {host: a}}]\n  - route: [{destination: {host: a}}]\n"],
        expects: &[
            ("HR121", &["default of 2 retries", "= 3 executions"]),
            ("HR146", &["`num_retries` 5", "6 attempts"]),
        ],
        silent: &["HR104", "HR125"],
        ..CASE
    }
    .check();
}

#[test]
fn o18_a_code_without_its_condition() {
    Case {
        id: "O-18, istio/istio#34825",
        texts: &[shop!("", "retry_on: connect-failure, retriable_status_codes: [503], num_retries: 2")],
        expects: &[("HR122", &["503", "0 retries on these codes", "add retriable-status-codes"])],
        ..CASE
    }
    .check();
    Case {
        id: "O-18, istio/api#2083: the comma is harmless",
        texts: &[shop!("", "retry_on: \",retriable-status-codes\", retriable_status_codes: [503]")],
        silent: &["HR122", "HR124", "HR125"],
        ..CASE
    }
    .check();
    Case {
        id: "O-18, a bare code among the words",
        texts: &[shop!("", "retry_on: \"503\", num_retries: 2")],
        expects: &[("HR124", &["`503`", "list 503 in `retriable_status_codes`", "0 failures are retried"])],
        silent: &["HR125"],
        ..CASE
    }
    .check();
}

#[test]
fn y05_budgets_in_four_shapes() {
    Case {
        id: "y05",
        texts: &[include_str!("../../samples/y05-retry-budget-shapes.yaml")],
        expects: &[
            ("HR115", &["`max_retries` 3 is ignored", "25%", "at least 5"]),
            ("HR115", &["`max_retries` 12 is ignored", "20%", "at least 3, both defaults"]),
            ("HR147", &["the empty `retry_budget` is active: 20%"]),
            ("HR117", &["remaining_retries 0"]),
        ],
        never: &["12 applies", "12 retries"],
        silent: &["HR101", "HR103", "HR113"],
        ..CASE
    }
    .check();
}

#[test]
fn y06_a_zero_among_anchors() {
    Case {
        id: "y06",
        texts: &[include_str!("../../samples/y06-anchors-and-merge-keys.yaml")],
        expects: &[("HR111", &["`max_retries` 0 refuses every retry", "up to 1 of a request"])],
        silent: &["HR101", "HR102", "HR103", "HR104"],
        ..CASE
    }
    .check();
}

#[test]
fn y07_subsets_and_a_rule_without_retries() {
    Case {
        id: "y07",
        texts: &[include_str!("../../samples/y07-istio-dr-vs-multidoc.yaml")],
        expects: &[
            ("HR104", &["5xx,reset", "up to 4 times"]),
            ("HR112", &["4,294,967,295, a default", "1 + 3 = 4 attempts"]),
            ("HR121", &["default of 2 retries", "= 3 executions"]),
            ("HR128", &["409"]),
        ],
        silent: &["HR101", "HR125", "HR135"],
        ..CASE
    }
    .check();
}

#[test]
fn y08_retries_in_two_places() {
    Case {
        id: "y08",
        texts: &[include_str!("../../samples/y08-istio-unknown-keys.yaml")],
        expects: &[("HR104", &["up to 6 times"]), ("HR146", &["`num_retries` 5", "6 attempts"])],
        silent: &["HR121", "HR122"],
        ..CASE
    }
    .check();
}

#[test]
fn y09_envoy_gateway_with_its_own_defaults() {
    Case {
        id: "y09",
        texts: &[include_str!("../../samples/y09-envoy-gateway-btp.yaml")],
        expects: &[
            ("HR103", &["1,024, a default", "the 600 requests", "up to 5 attempts"]),
            ("HR104", &["(429, 503)"]),
            ("HR129", &["4 retries take up to 1,500 ms", "`timeout` is 1,000 ms"]),
            ("HR132", &["429"]),
            ("HR133", &["32 KiB, a default"]),
        ],
        silent: &["HR101", "HR122", "HR124", "HR125"],
        ..CASE
    }
    .check();
}

#[test]
fn y10_codes_that_contour_does_not_read() {
    Case {
        id: "y10",
        texts: &[include_str!("../../samples/y10-contour-httpproxy.yaml")],
        expects: &[
            ("HR101", &["default 3", "when 4 requests fail", "`max_retries`"]),
            ("HR122", &["502, 503, 504", "0 retries on these codes", "only `5xx`"]),
        ],
        // Contour has no field for a budget.
        never: &["`retry_budget`"],
        silent: &["HR129"],
        ..CASE
    }
    .check();
}

#[test]
fn y11_eleven_attempts_at_a_grpc_service() {
    Case {
        id: "y11",
        texts: &[include_str!("../../samples/y11-emissary-mapping.yaml")],
        expects: &[
            ("HR127", &["`retry_on: 5xx`", "HTTP status 200"]),
            ("HR146", &["`num_retries` 10", "11 attempts"]),
            ("HR101", &["`num_retries` is 10", "default 3"]),
        ],
        never: &["`retry_budget`"],
        ..CASE
    }
    .check();
}

#[test]
fn y15_policies_of_host_and_route() {
    Case {
        id: "y15",
        texts: &[include_str!("../../samples/y15-hedge-and-route-priority.yaml")],
        expects: &[
            ("HR126", &["drops 4 of its virtual host", "`per_try_timeout`", "up to 1 retry"]),
            ("HR140", &["3 attempts", "at 0, 80–85 and 160–175 ms"]),
            ("HR148", &["80 ms with 2 retries and hedging"]),
        ],
        silent: &["HR125", "HR136", "HR138"],
        ..CASE
    }
    .check();
}

#[test]
fn y16_defaults_of_kuma() {
    Case {
        id: "y16",
        texts: &[include_str!("../../samples/y16-kuma-policies.yaml")],
        expects: &[("HR102", &["`max_retries` 3", "`num_retries` 5"]), ("HR146", &["6 attempts", "625 ms"])],
        never: &["775 ms", "`retry_budget`"],
        silent: &["HR124"],
        ..CASE
    }
    .check();
}

#[test]
fn y19_a_budget_that_is_never_read() {
    Case {
        id: "y19",
        texts: &[include_str!("../../samples/y19-istio-envoyfilter-budget.yaml")],
        expects: &[("HR112", &["4,294,967,295, a default, is no limit", "1 + 2 = 3 attempts"])],
        silent: &["HR113", "HR114", "HR115", "HR116", "HR117", "HR147"],
        ..CASE
    }
    .check();
}
