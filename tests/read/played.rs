//! Configurations as policies of the simulator.

use crate::support::config;
use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::export::{Target, export};
use headroom::engine::scenario::{PRESETS, Preset, Protocol, Scenario};
use headroom::engine::sim::{Balancing, Nanos, Pasted, Policy, RetryLimit};
use headroom::engine::units::Millis;

fn mesh(change: impl FnOnce(&mut Scenario)) -> Analysis {
    let mut scenario = Preset::scenario(&PRESETS[1]);
    assert_eq!(scenario.name, "checkout");
    change(&mut scenario);
    analyze(&scenario).unwrap()
}

fn play(text: &str) -> Pasted {
    Policy::from_configuration(&config(text), &mesh(|_| {})).unwrap()
}

#[test]
fn our_own_yaml_is_played_as_the_recommendation() {
    let presets = PRESETS.iter().map(Preset::scenario);
    let more = [Protocol::Http1, Protocol::Http2, Protocol::Grpc].into_iter().flat_map(|protocol| {
        [true, false].map(|idempotent| {
            mesh(|s| {
                (s.protocol, s.idempotent) = (protocol, idempotent);
                s.high_priority_share.0 = 0.3;
                s.deadline_ms = Some(Millis(733.0));
            })
            .scenario
        })
    });
    for scenario in presets.chain(more) {
        let analysis = analyze(&scenario).unwrap();
        for target in [Target::Envoy, Target::EnvoyBootstrap] {
            let read = config(&export(&analysis, target));
            let pasted = Policy::from_configuration(&read, &analysis).unwrap();
            assert_eq!(pasted.policy, Policy::recommended(&analysis), "{} {target:?}", scenario.name);
            assert_eq!(pasted.cluster, scenario.name);
            assert!(pasted.route.is_some());
        }
    }
}

#[test]
fn an_empty_cluster_is_played_with_envoys_defaults() {
    let text = "clusters:\n- name: checkout\n  http2_protocol_options: {}\n";
    let pasted = play(text);
    let mut policy = pasted.policy;
    assert_eq!(
        policy.not_simulated,
        ["no route of the text leads to “checkout”: a route with defaults only is played"]
    );
    policy.not_simulated.clear();
    assert_eq!(policy, Policy::envoy_defaults(&mesh(|_| {}).scenario));
}

const TWO: &str = "
static_resources:
  listeners:
  - name: l
    address: {socket_address: {address: 127.0.0.1, port_value: 1}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          '@type': type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: a
          stream_idle_timeout: 100s
          route_config:
            virtual_hosts:
            - name: all
              domains: ['*']
              routes:
              - match: {prefix: /slow}
                route: {cluster: checkout, timeout: 9s}
              - match: {prefix: /}
                route:
                  cluster: checkout
                  timeout: 1s
                  retry_policy: {retry_on: '5xx', num_retries: 4, per_try_timeout: 2s}
              - match: {prefix: /other}
                route: {cluster: payments, timeout: 0s}
  clusters:
  - {name: payments, circuit_breakers: {thresholds: [{max_requests: 7}]}}
  - name: checkout
    lb_policy: RING_HASH
    health_checks: [{timeout: 1s, interval: 1s}]
    circuit_breakers: {thresholds: [{max_requests: 9, retry_budget: {}}]}
";

#[test]
fn the_first_route_to_the_cluster_of_that_name_is_played() {
    let pasted = play(TWO);
    let policy = &pasted.policy;
    assert_eq!(pasted.cluster, "checkout");
    assert_eq!(policy.limits[0].max_requests, 9);
    let RetryLimit::Budget(budget) = policy.limits[0].retry_limit else { panic!("an empty budget is on") };
    assert_eq!((budget.budget_percent.to_bits(), budget.min_retry_concurrency), (20.0_f64.to_bits(), 3));
    assert_eq!(policy.limits[1].max_requests, 1024);
    assert_eq!(policy.route.timeout, Some(Nanos::from_secs(9.0)));
    assert_eq!(policy.route.idle_timeout, Some(Nanos::from_secs(100.0)));
    assert_eq!(policy.balancing, Balancing::Random);
    assert!(!policy.upstream.multiplexes);
    assert_eq!(
        policy.not_simulated,
        [
            "1 other route has different settings: only “prefix /slow” is played",
            "the text speaks HTTP/1.1 to the hosts and the scenario HTTP/2: the text is played",
            "lb_policy RING_HASH is not played: hosts picked at random are played instead",
            "active health checks are not played",
        ]
    );
}

#[test]
fn a_name_that_is_not_there_is_said() {
    let text = TWO.replace("checkout", "basket");
    let pasted = play(&text);
    // The first cluster with a route.
    assert_eq!(pasted.cluster, "payments");
    assert_eq!(pasted.policy.route.timeout, None);
    let note = "no cluster of the text is named “checkout”: “payments” is played, one of 2";
    assert_eq!(pasted.policy.not_simulated[0], note);
}

#[test]
fn what_envoy_ignores_does_not_act() {
    let text = TWO.replace(
        "match: {prefix: /slow}",
        "match: {prefix: /slow, headers: [{name: a, present_match: true}]}",
    );
    let text = text.replace("timeout: 9s", "timeout: 9s, max_stream_duration: {}");
    // With the block no route timeout is armed.
    assert_eq!(play(&text).policy.route.timeout, None);
    let first =
        "              - match: {prefix: /slow}\n                route: {cluster: checkout, timeout: 9s}\n";
    let only = TWO.replace(first, "");
    let policy = play(&only).policy;
    assert_eq!(policy.route.timeout, Some(Nanos::SECOND));
    let retry = policy.route.retry.unwrap();
    assert_eq!((retry.num_retries, retry.per_try_timeout), (4, None));
}

#[test]
fn the_defaults_of_istio_are_played_for_its_texts() {
    let text = "
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: checkout, namespace: shop}
spec:
  host: checkout.shop.svc.cluster.local
  trafficPolicy:
    connectionPool: {http: {http2MaxRequests: 50}}
    outlierDetection: {consecutive5xxErrors: 3}
";
    let pasted = play(text);
    let policy = pasted.policy;
    assert_eq!(pasted.cluster, "checkout.shop.svc.cluster.local");
    assert_eq!(policy.limits[0].max_requests, 50);
    assert_eq!(policy.limits[0].max_connections, u32::MAX);
    assert_eq!(policy.balancing, Balancing::LeastRequest { choices: 2 });
    assert_eq!(policy.route.timeout, None);
    let retry = policy.route.retry.unwrap();
    assert_eq!(retry.num_retries, 2);
    assert!(retry.retry_on.connect_failure && retry.retry_on.refused_stream && retry.retry_on.unavailable);
    assert!(policy.healthy_panic_threshold.abs() < f64::EPSILON);
    let outlier = policy.outlier.unwrap();
    assert_eq!((outlier.consecutive_5xx, outlier.enforcing_success_rate), (3, 0));
    assert_eq!(
        policy.not_simulated,
        [
            "no route of the text leads to “checkout.shop.svc.cluster.local”: a route with defaults only is played",
            "the text leaves open what is spoken to the hosts: HTTP/2 is played, as the scenario says",
        ]
    );
}

#[test]
fn a_route_alone_has_a_cluster_of_defaults() {
    let pasted = play("- match: {prefix: /}\n  route: {cluster: checkout, timeout: 2s}\n");
    assert_eq!(pasted.policy.route.timeout, Some(Nanos::from_secs(2.0)));
    assert_eq!(pasted.policy.limits[0].max_requests, 1024);
    assert_eq!(
        pasted.policy.not_simulated[0],
        "the text has no cluster: limits and connections are the program's defaults"
    );
}

#[test]
fn the_deadline_of_grpc_callers_counts_where_the_route_lets_it() {
    let grpc = mesh(|s| {
        s.protocol = Protocol::Grpc;
        s.deadline_ms = Some(Millis(2000.0));
    });
    let text = |block: &str| {
        config(&format!(
            "- match: {{prefix: /}}\n  route: {{cluster: checkout, max_stream_duration: {block}}}\n"
        ))
    };
    let duration = |block: &str| {
        Policy::from_configuration(&text(block), &grpc).unwrap().policy.route.max_stream_duration
    };
    // Measured on Envoy 1.40: header 2 s, maximum 0.5 s, offset 0.1 s gives 0.4 s.
    let block = "{grpc_timeout_header_max: 0.5s, grpc_timeout_header_offset: 0.1s, max_stream_duration: 9s}";
    assert_eq!(duration(block), Some(Nanos::from_secs(0.4)));
    assert_eq!(duration("{grpc_timeout_header_max: 0s}"), Some(Nanos::from_secs(2.0)));
    assert_eq!(duration("{max_stream_duration: 9s}"), Some(Nanos::from_secs(9.0)));
    let http = Policy::from_configuration(&text(block), &mesh(|_| {})).unwrap().policy;
    assert_eq!(http.route.max_stream_duration, Some(Nanos::from_secs(9.0)));
}

#[test]
fn a_text_without_anything_to_play_is_a_problem() {
    for text in ["", "hello: 1", "[1, 2"] {
        let problems = Policy::from_configuration(&config(text), &mesh(|_| {})).unwrap_err();
        assert_eq!(problems.len(), 1, "{text}");
        assert_eq!(problems[0].field, "config");
    }
}
