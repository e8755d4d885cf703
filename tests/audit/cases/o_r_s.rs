//! Kinds O, R and S: hedging, other data planes, bodies.

use crate::support::Case;

const CASE: Case = Case { id: "", texts: &[], asked: "", expects: &[], never: &[], silent: &[] };

const HEDGED: &str = "clusters:\n- name: reads\n  connect_timeout: 0.05s\nroutes:\n- match: {prefix: /}\n  route:\n    cluster: reads\n    timeout: 0.15s\n    hedge_policy: {hedge_on_per_try_timeout: true}\n    retry_policy: {retry_on: gateway-error, num_retries: 3, per_try_timeout: 0.05s}\n";

#[test]
fn o36_hedging_at_50_ms_within_150() {
    Case {
        id: "O-36, envoyproxy/envoy#12983, #12993",
        texts: &[HEDGED],
        asked: "rps=100 p50=20 p95=50 p99=100 idempotent=true",
        expects: &[(
            "HR140",
            &["up to 3 attempts", "at 0, 50–75 and 100–175 ms", "6% more requests at peak", "p95"],
        )],
        never: &["4 attempts of one request in flight"],
        silent: &["HR138", "HR139"],
    }
    .check();
}

#[test]
fn o36_hedging_without_a_retry_policy_does_nothing() {
    Case {
        id: "O-36, envoyproxy/envoy#12983",
        texts: &[
            "match: {prefix: /}\nroute:\n  cluster: reads\n  timeout: 0.15s\n  hedge_policy: {hedge_on_per_try_timeout: true}\n",
        ],
        expects: &[("HR138", &["a retry policy with conditions", "`per_try_timeout`", "1 attempt"])],
        silent: &["HR140"],
        ..CASE
    }
    .check();
    Case {
        id: "O-36, envoyproxy/envoy#5841: fields without code",
        texts: &["match: {prefix: /}\nroute: {cluster: reads, hedge_policy: {initial_requests: 2}}\n"],
        expects: &[("HR139", &["`initial_requests` 2 is not implemented", "sends 1 request"])],
        ..CASE
    }
    .check();
}

#[test]
fn o42_a_mesh_without_panic() {
    Case {
        id: "O-42, linkerd/linkerd2#11493",
        texts: &["apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations:\n    balancer.linkerd.io/failure-accrual: consecutive\nspec: {ports: [{port: 80}]}\n"],
        asked: "hosts=3",
        expects: &[("HR145", &["Linkerd has no panic mode", "0 usable endpoints", "504", "100% of its hosts"])],
        never: &["50%"],
        ..CASE
    }
    .check();
}

#[test]
fn o43_two_budgets_called_20_percent() {
    // One proxy with 1,000 req/s at 50 ms; a retry waits 12 ms in the mean and takes 50.
    Case {
        id: "O-43, kubernetes-sigs/gateway-api#3488",
        texts: &["apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: web.default.svc.cluster.local}\nspec:\n  retryBudget: {retryRatio: 0.2, minRetriesPerSecond: 10, ttl: 10s}\n"],
        asked: "rps=1000 mean=50 burst=1 skew=1 clients=1",
        expects: &[("HR144", &["210 retries a second", "10 at once", "about 160 a second", "convert it"])],
        ..CASE
    }
    .check();
    Case {
        id: "O-43, Istio's budget is Envoy's",
        texts: &["apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: r}\nspec: {host: web, trafficPolicy: {retryBudget: {percent: 20}}}\n"],
        silent: &["HR144"],
        ..CASE
    }
    .check();
}

const POSTS: &str = "match: {prefix: /, headers: [{name: \":method\", string_match: {exact: POST}}]}\nroute:\n  cluster: uploads\n  retry_policy: {retry_on: connect-failure, num_retries: 1}\n";

#[test]
fn o44_posts_are_never_retried() {
    Case {
        id: "O-44, envoyproxy/envoy#29386",
        texts: &[POSTS],
        expects: &[(
            "HR133",
            &["POST of more than 1 MiB", "retry_or_shadow_abandoned", "`request_body_buffer_limit`"],
        )],
        // The conditions are right as they are.
        never: &["`retry_on"],
        silent: &["HR104", "HR134"],
        ..CASE
    }
    .check();
    Case {
        id: "O-44, the limit raised: 4 MB for each of 500",
        texts: &[
            "match: {prefix: /}\nrequest_body_buffer_limit: 4000000\nroute:\n  cluster: uploads\n  retry_policy: {retry_on: connect-failure, num_retries: 1}\n",
        ],
        asked: "rps=10000 mean=50 burst=1 skew=1 clients=1",
        expects: &[("HR134", &["4 MB", "500 requests in flight", "2 GB"])],
        silent: &["HR133"],
        ..CASE
    }
    .check();
}
