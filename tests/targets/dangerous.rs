//! Where a default of the program would turn the recommendation into something else, the value is written.

use super::documents::{documents, of_kind};
use super::{all, answer};
use headroom::engine::dialects::too_large;
use headroom::engine::export::{Target, export};
use headroom::engine::scenario::{Preset, Protocol, Scenario};
use headroom::engine::units::{Millis, Rate, Share};
use serde_json::Value;

fn istio(scenario: &Scenario) -> Vec<Value> {
    documents(&export(&answer(scenario), Target::Istio))
}

fn gateway(scenario: &Scenario) -> Value {
    documents(&export(&answer(scenario), Target::EnvoyGateway)).remove(0)
}

fn base() -> Scenario {
    Preset::first_paint().scenario()
}

#[test]
fn retries_that_are_off_are_written_as_off() {
    let off = Scenario { deadline_ms: Some(Millis(20.0)), ..base() };
    let documents = istio(&off);
    let retries = &of_kind(&documents, "VirtualService").expect("a route")["spec"]["http"][0]["retries"];
    assert_eq!(*retries, serde_json::json!({"attempts": 0}));
    // Envoy Gateway retries only where the block is.
    assert!(gateway(&off)["spec"].get("retry").is_none());
}

#[test]
fn a_timeout_that_is_off_is_left_out_in_istio_and_zero_in_envoy_gateway() {
    let streams = answer(&super::PRESETS.iter().find(|p| p.key == "streams").expect("a preset").scenario());
    let documents_of = documents(&export(&streams, Target::Istio));
    assert!(
        of_kind(&documents_of, "VirtualService").expect("a route")["spec"]["http"][0]
            .get("timeout")
            .is_none()
    );
    let patch = of_kind(&documents_of, "EnvoyFilter").expect("streams end by a patch");
    assert_eq!(patch["metadata"]["namespace"], "istio-system");
    let value = &patch["spec"]["configPatches"][0]["patch"]["value"]["route"];
    assert_eq!(value["max_stream_duration"]["max_stream_duration"], "2600s");
    let policy = documents(&export(&streams, Target::EnvoyGateway)).remove(0);
    let http = &policy["spec"]["timeout"]["http"];
    assert_eq!(
        (&http["requestTimeout"], &http["streamIdleTimeout"], &http["maxStreamDuration"]),
        (&"0s".into(), &"900s".into(), &"2600s".into())
    );
}

#[test]
fn no_limit_and_no_interval_is_left_to_a_default() {
    for analysis in all() {
        let documents_of = documents(&export(&analysis, Target::Istio));
        let policy = &of_kind(&documents_of, "DestinationRule").expect("a rule")["spec"]["trafficPolicy"];
        let pool = &policy["connectionPool"];
        for limit in [
            &pool["tcp"]["maxConnections"],
            &pool["http"]["http2MaxRequests"],
            &pool["http"]["http1MaxPendingRequests"],
            &policy["retryBudget"]["minRetryConcurrency"],
        ] {
            assert!(limit.as_u64().is_some_and(|n| n > 0), "0 is no limit in Istio: {pool}");
        }
        assert!(policy["retryBudget"]["percent"].is_number());
        assert!(pool["http"].get("maxRetries").is_none(), "the budget replaces it: {pool}");
        if let Some(outlier) = policy.get("outlierDetection") {
            assert_eq!(outlier["consecutive5xxErrors"], 0);
            assert_eq!(outlier["minHealthPercent"], 50);
            assert!(outlier["maxEjectionPercent"].as_u64().is_some_and(|n| n > 0));
            assert!(outlier["consecutiveGatewayErrors"].as_u64().is_some_and(|n| n > 0));
        }
        let policy = documents(&export(&analysis, Target::EnvoyGateway)).remove(0);
        let breaker = &policy["spec"]["circuitBreaker"];
        for key in ["maxConnections", "maxPendingRequests", "maxParallelRequests"] {
            assert!(breaker[key].is_u64(), "{key} would be 1,024: {breaker}");
        }
        assert!(breaker["retryBudget"]["minRetryConcurrency"].is_u64(), "the floor would be 3: {breaker}");
        assert!(breaker.get("maxParallelRetries").is_none(), "the budget replaces it: {breaker}");
        assert!(policy["spec"]["timeout"]["http"]["requestTimeout"].is_string(), "it would be 15 s");
        if let Some(passive) = policy["spec"]["healthCheck"].get("passive") {
            assert!(passive["interval"].is_string() && passive["maxEjectionPercent"].as_u64() > Some(0));
            assert_eq!(passive["consecutive5XxErrors"], 0);
        }
        if let Some(retry) = policy["spec"].get("retry") {
            let off = &retry["perRetry"]["backOff"];
            assert!(off["baseInterval"].is_string() && off["maxInterval"].is_string(), "{retry}");
            assert!(retry["retryOn"]["triggers"].as_array().is_some_and(|words| !words.is_empty()));
        }
    }
}

#[test]
fn a_percentage_that_would_become_ten_is_not_written() {
    // One host of 450 can be spared: less than 1%, which both read as 10%, 45 hosts.
    let s = Scenario { rps: Rate(242_000.0), hosts: 450, clients: 10, ..base() };
    assert_eq!(answer(&s).outlier.expect("Envoy ejects one").always_eject_one_host, Some(true));
    assert!(istio(&s)[0]["spec"]["trafficPolicy"].get("outlierDetection").is_none());
    assert!(gateway(&s)["spec"].get("healthCheck").is_none());
    for target in super::DIALECTS {
        let text = export(&answer(&s), target).replace("\n#  ", "");
        assert!(text.contains("0% is read as 10%, 45 hosts"), "{text}");
    }
}

#[test]
fn all_traffic_fits_where_no_route_can_be_high() {
    let s = Scenario { high_priority_share: Share(0.2), ..base() };
    // All traffic needs what the scenario without HIGH needs.
    let all = answer(&Scenario { high_priority_share: Share(0.0), ..s.clone() }).thresholds[0].max_requests;
    assert!(all > answer(&s).thresholds[0].max_requests);
    let pool = &istio(&s)[0]["spec"]["trafficPolicy"]["connectionPool"];
    assert_eq!(pool["http"]["http2MaxRequests"], all);
    assert_eq!(gateway(&s)["spec"]["circuitBreaker"]["maxParallelRequests"], all);
    for target in super::DIALECTS {
        let text = export(&answer(&s), target).replace("\n#  ", "");
        assert!(text.contains("5 DEFAULT and 3 HIGH"), "{text}");
    }
}

#[test]
fn servers_get_their_own_limit_where_that_of_a_caller_would_cut_them() {
    // 100 callers, 12 servers: 7 requests for each caller, but 500 × 1.5 × 39.5 ms = 29.6 erlangs at peak are
    // 29.6 × 2 × 1.25 / 11 = 6.73 in each server, which need 19 slots: B(18, 6.73) = 1.5e-4 is above the
    // 1e-4 that are tolerated, B(19, 6.73) = 5.3e-5 is not.
    let documents_of = istio(&base());
    let sidecar = of_kind(&documents_of, "Sidecar").expect("the servers' own limit");
    let http = &sidecar["spec"]["inboundConnectionPool"]["http"];
    assert_eq!(http["http2MaxRequests"], 64, "what a host survives");
    let unknown = Scenario { host_concurrency: None, ..base() };
    let documents_of = istio(&unknown);
    let sidecar = of_kind(&documents_of, "Sidecar").expect("the servers' own limit");
    assert_eq!(sidecar["spec"]["inboundConnectionPool"]["http"]["http2MaxRequests"], 19);
    // One caller: its limit is above what a server sees.
    let one = Scenario { clients: 1, ..base() };
    assert!(of_kind(&istio(&one), "Sidecar").is_none());
    // A host outside has no sidecar.
    let outside = Scenario { name: "api.example.com".to_owned(), ..base() };
    assert!(of_kind(&istio(&outside), "Sidecar").is_none());
}

#[test]
fn the_protocol_that_was_sized_for_is_asked_for() {
    for (protocol, word) in [(Protocol::Http1, "DO_NOT_UPGRADE"), (Protocol::Http2, "UPGRADE")] {
        let pool = &istio(&Scenario { protocol, ..base() })[0]["spec"]["trafficPolicy"]["connectionPool"];
        assert_eq!(pool["http"]["h2UpgradePolicy"], word);
    }
    let text = export(&answer(&base()), Target::EnvoyGateway);
    assert!(text.contains("kubernetes.io/h2c"), "{text}");
    assert_eq!(
        gateway(&Scenario { protocol: Protocol::Grpc, ..base() })["spec"]["targetRefs"][0]["kind"],
        "GRPCRoute"
    );
}

#[test]
fn hosts_take_turns_as_in_envoy() {
    // Left out, both pick by LEAST_REQUEST.
    for analysis in all() {
        let rule = documents(&export(&analysis, Target::Istio)).remove(0);
        let balancer = &rule["spec"]["trafficPolicy"]["loadBalancer"];
        assert_eq!(*balancer, serde_json::json!({"simple": "ROUND_ROBIN"}));
        let policy = documents(&export(&analysis, Target::EnvoyGateway)).remove(0);
        assert_eq!(policy["spec"]["loadBalancer"], serde_json::json!({"type": "RoundRobin"}));
    }
}

#[test]
fn a_silent_stream_ends_in_envoy_gateway_as_in_envoy() {
    // Envoy's own 300 s: a requestTimeout alone would make it an hour.
    let unary = gateway(&base());
    assert_eq!(unary["spec"]["timeout"]["http"]["streamIdleTimeout"], "300s");
    let text = export(&answer(&base()), Target::EnvoyGateway);
    assert!(!text.contains("the idle timeout of streams"), "{text}");
}

#[test]
fn a_connection_carries_what_envoy_lets_it_carry() {
    assert_eq!(gateway(&base())["spec"]["http2"]["maxConcurrentStreams"], 1_024, "left out it is 100");
    assert!(gateway(&Scenario { protocol: Protocol::Http1, ..base() })["spec"].get("http2").is_none());
}

#[test]
fn a_retry_looks_for_no_other_host_where_there_is_none() {
    let one = Scenario { hosts: 1, hosts_lost: 0, ..base() };
    let retries = |s: &Scenario| {
        let documents = istio(s);
        of_kind(&documents, "VirtualService").expect("a route")["spec"]["http"][0]["retries"].clone()
    };
    assert_eq!(retries(&one)["retryIgnorePreviousHosts"], false);
    assert!(retries(&base()).get("retryIgnorePreviousHosts").is_none(), "on by default");
    let text = export(&answer(&one), Target::EnvoyGateway);
    assert!(text.contains("retries that look for no other"), "{text}");
}

/// The header as one line.
fn header(scenario: &Scenario, target: Target) -> String {
    let text = export(&answer(scenario), target);
    let lines = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn envoy_gateways_own_name_of_a_cluster_is_its_route() {
    for (cluster, kind) in
        [("httproute/shop/cart/rule/0", "HTTPRoute"), ("grpcroute/shop/cart/rule/0", "GRPCRoute")]
    {
        let s = Scenario { name: cluster.to_owned(), ..base() };
        let policy = gateway(&s);
        assert_eq!(
            (&policy["metadata"]["name"], &policy["metadata"]["namespace"]),
            (&"cart".into(), &"shop".into())
        );
        let target = &policy["spec"]["targetRefs"][0];
        assert_eq!((&target["kind"], &target["name"]), (&kind.into(), &"cart".into()));
        let header = header(&s, Target::EnvoyGateway);
        assert!(header.contains("for all rules of the route, not for rule 0 alone"), "{header}");
    }
    // A route that does not bring HTTP/2 says so, whatever is sized for.
    let s = Scenario { name: "httproute/shop/cart/rule/0".to_owned(), protocol: Protocol::Grpc, ..base() };
    assert!(header(&s, Target::EnvoyGateway).contains("kubernetes.io/h2c"));
}

#[test]
fn port_and_subset_of_istios_name_are_not_dropped_in_silence() {
    let of = |name: &str| header(&Scenario { name: name.to_owned(), ..base() }, Target::Istio);
    let said = of("outbound|8080|v1|cart.shop.svc.cluster.local");
    assert!(said.contains("not for port 8080, subset v1 alone"), "{said}");
    assert!(said.contains("trafficPolicy under subsets"), "{said}");
    assert!(of("outbound|80||cart.shop.svc.cluster.local").contains("not for port 80 alone"));
    assert!(!of("cart.shop").contains("alone"));
}

#[test]
fn what_is_left_out_is_not_called_impossible() {
    let s = Scenario { high_priority_share: Share(0.2), ..base() };
    for (target, words) in [
        (Target::Istio, "not in Istio's own resources, so left out (an EnvoyFilter could say it):"),
        (
            Target::EnvoyGateway,
            "not in a BackendTrafficPolicy, so left out (an EnvoyPatchPolicy could say it):",
        ),
    ] {
        let header = header(&s, target);
        assert!(header.contains(words), "{header}");
        assert!(!header.contains("cannot say"), "{header}");
    }
}

#[test]
fn web_sockets_are_told_their_route() {
    let of = |protocol| export(&answer(&Scenario { protocol, ..base() }), Target::EnvoyGateway);
    assert!(of(Protocol::GrpcStream).contains("WebSockets"), "{}", of(Protocol::GrpcStream));
    assert!(!of(Protocol::Grpc).contains("WebSockets"));
}

#[test]
fn what_a_field_does_not_hold_is_refused_and_not_cut() {
    // p99 is 1e7 · e^(ln(1e5) / 1.2816 · (2.3263 − 1.2816)) = 1.19e11 ms; four times that is a deadline of
    // 130,000 hours, and the Gateway API has five digits. The idle timeout of streams is above it.
    let years = Scenario::from_link("#v=1&rps=0.001&p50=100&p90=10000000&mean=2000000");
    let years = years.expect("readable").expect("a scenario");
    let said = too_large(&answer(&years), Target::EnvoyGateway);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("Envoy Gateway holds at most 100,000\u{a0}h in requestTimeout"), "{said:?}");
    for target in [Target::Envoy, Target::EnvoyBootstrap, Target::Istio] {
        assert!(too_large(&answer(&years), target).is_empty());
    }
}
