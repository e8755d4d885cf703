//! Scenarios about which the rules have something to say, and some about which they have not.

use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::params::by_key;
use headroom::engine::scenario::{Draft, PRESETS, Scenario};
use proptest::prelude::*;

/// The inputs of each case, `key=value`.
const CASES: &[&str] = &[
    // Calm: nothing to say.
    "rps=600 p50=100 p99=200 clients=2 hosts=8 host_concurrency=400 idempotent=true deadline_ms=2500 upstream_keepalive_s=75",
    // The window of one value, and the trap.
    "rps=500 p50=35 p99=110 clients=100 hosts=10 host_concurrency=64",
    "rps=500 p50=35 p99=110 clients=130 hosts=11 host_concurrency=64",
    "rps=500 p50=35 p99=110 clients=100 hosts=11 host_concurrency=64 high_priority_share=0.6",
    "rps=1 p50=100 clients=1000000 hosts=8 host_concurrency=400",
    // Hosts that cannot carry the peak, or cannot spare one of them.
    "rps=600 p50=100 p99=200 clients=2 hosts=8 host_concurrency=13",
    "rps=600 p50=100 p99=200 clients=2 hosts=8 host_concurrency=26",
    "rps=600 p50=100 p99=200 hosts=1 host_concurrency=50",
    "rps=600 p50=100 p99=200 hosts=3 hosts_lost=2 host_concurrency=150",
    // Deadlines too short for this or that.
    "rps=600 p50=100 p99=200 clients=2 deadline_ms=100",
    "rps=600 p50=100 p99=200 clients=2 deadline_ms=240 connect_ms=100",
    "rps=600 p50=100 p99=200 clients=2 deadline_ms=300 connect_ms=150",
    "rps=600 p50=100 p99=200 clients=2 deadline_ms=1000 idempotent=true",
    "rps=600 p50=100 p99=200 clients=2 deadline_ms=500 idempotent=true",
    "rps=600 p50=100 p99=200 clients=2 deadline_ms=318 idempotent=true",
    "rps=3000 p50=4 p99=18 p999=40 clients=40 hosts=8 host_concurrency=100 deadline_ms=150 connect_ms=2 protocol=grpc",
    // Failures and retries.
    "rps=600 p50=100 p99=200 clients=2 hosts=8 error_rate=0.1 idempotent=true",
    "rps=600 p50=100 p99=200 clients=2 hosts=8 error_rate=0.6",
    "rps=600 p50=100 p99=200 clients=2 hosts=8 retrying_hops=3 idempotent=true",
    // What was measured.
    "rps=600 p99=200",
    "rps=600 mean=100",
    "rps=600 p50=100 p99=200 mean=200",
    // Measured, but not used by the protocol.
    "rps=600 p50=100 p99=200 stream_mean=300",
    "protocol=grpc_stream rps=5 stream_mean=300 p50=100 p99=200",
    // Streams.
    "protocol=grpc_stream rps=5 stream_mean=300",
    "protocol=grpc_stream rps=5 stream_p99=300 clients=4 hosts=6 host_concurrency=400",
];

/// A scenario from its inputs.
#[track_caller]
pub fn scenario(inputs: &str) -> Scenario {
    let mut draft = Draft::default();
    for pair in inputs.split_whitespace() {
        let (key, value) = pair.split_once('=').expect("an input is key=value");
        draft.set(by_key(key).expect("an input of the table").id, value);
    }
    draft.check().unwrap_or_else(|problems| panic!("{inputs}: {problems:?}"))
}

/// The analysis of a scenario.
#[track_caller]
pub fn answer(s: &Scenario) -> Analysis {
    analyze(s).unwrap_or_else(|problems| panic!("{s:?}: {problems:?}"))
}

/// Every case and every preset.
pub fn all() -> Vec<Scenario> {
    let presets = PRESETS.iter().map(headroom::engine::scenario::Preset::scenario);
    CASES.iter().map(|inputs| scenario(inputs)).chain(presets).collect()
}

/// Scenarios of every size, many of them in trouble.
pub fn any_scenario() -> impl Strategy<Value = Scenario> {
    let log = |low: f64, high: f64| (low.ln()..high.ln()).prop_map(f64::exp);
    let load = (log(0.1, 1e5), log(1.0, 2000.0), 1.0f64..8.0, log(1.0, 3000.0), log(1.0, 300.0));
    let hosts = (proptest::option::of(log(0.5, 3000.0)), log(21.0, 20_000.0), log(0.5, 500.0));
    let rest = (any::<bool>(), log(1e-4, 0.5), 0.0f64..1.0, proptest::option::of(0.01f64..0.95), 1.0f64..4.0);
    let few =
        (proptest::sample::select(vec!["http1", "http2", "grpc", "grpc_stream"]), 1u32..4, any::<bool>());
    (load, hosts, rest, few).prop_filter_map("an answer within Envoy's limits", |(load, hosts, rest, few)| {
        let mut inputs = format!(
            "rps={} p50={} p99={} clients={} hosts={} deadline_ms={} connect_ms={} idempotent={} error_rate={} retry_overhead={} slowdown={} protocol={} retrying_hops={} stream_mean={}",
            load.0, load.1, load.1 * load.2, load.3.floor(), load.4.floor(), hosts.1, hosts.2, rest.0, rest.1,
            rest.2, rest.4, few.0, few.1, load.1 / 10.0
        );
        if let Some(each) = hosts.0 {
            inputs = format!("{inputs} host_concurrency={each}");
        }
        if let (Some(high), true) = (rest.3, few.2) {
            inputs = format!("{inputs} high_priority_share={high}");
        }
        let s = scenario(&inputs);
        analyze(&s).is_ok().then_some(s)
    })
}
