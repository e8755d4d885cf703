//! Istio and Envoy Gateway: what is written fits the schemas, says what Envoy's text says, and is clean
//! by Headroom's own audit.

mod audited;
mod dangerous;
mod documents;
mod said;
#[path = "../envoy/scenarios.rs"]
mod scenarios;
mod schema;

use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::dialects::too_large;
use headroom::engine::export::Target;
use headroom::engine::scenario::{PRESETS, Preset, Protocol, Scenario};
use headroom::engine::units::{Millis, Rate, Share};

const DIALECTS: [Target; 2] = [Target::Istio, Target::EnvoyGateway];

#[track_caller]
fn answer(scenario: &Scenario) -> Analysis {
    analyze(scenario).unwrap_or_else(|problems| panic!("{}: {problems:?}", scenario.to_link()))
}

/// Answers in which something special has to be said.
fn special() -> Vec<Analysis> {
    let base = Preset::first_paint().scenario();
    let scenarios = [
        Scenario { high_priority_share: Share(0.2), ..base.clone() },
        Scenario { high_priority_share: Share(0.95), protocol: Protocol::Http1, ..base.clone() },
        Scenario { hosts: 1, hosts_lost: 0, ..base.clone() },
        // One host can be spared, and it is less than a hundredth of all.
        Scenario { rps: Rate(242_000.0), hosts: 450, clients: 10, ..base.clone() },
        // Enough volume for ejection by success rate.
        Scenario { rps: Rate(50_000.0), hosts: 40, clients: 4, host_concurrency: None, ..base.clone() },
        Scenario { clients: 400, ..base.clone() },
        Scenario { host_concurrency: None, ..base.clone() },
        Scenario { deadline_ms: Some(Millis(20.0)), ..base.clone() },
        Scenario { retry_overhead: 0.0, ..base.clone() },
        Scenario { retry_overhead: 0.5, idempotent: true, ..base.clone() },
        Scenario { deadline_ms: Some(Millis(900_000.0)), idempotent: true, ..base.clone() },
        Scenario { upstream_keepalive_s: Some(0.01), protocol: Protocol::Http1, ..base.clone() },
        Scenario { protocol: Protocol::Grpc, idempotent: true, ..base },
    ];
    scenarios.iter().map(answer).collect()
}

fn presets() -> Vec<Analysis> {
    PRESETS.iter().map(|preset| answer(&preset.scenario())).collect()
}

/// Random scenarios of every protocol, with names of every kind: the same ones in every run.
fn random(each: usize) -> Vec<Analysis> {
    let mut random = scenarios::Random::new(20_261_130);
    let protocols = [Protocol::Http1, Protocol::Http2, Protocol::Grpc, Protocol::GrpcStream];
    let all = protocols.into_iter().flat_map(|protocol| std::iter::repeat_n(protocol, each));
    all.map(|protocol| scenarios::analysis(&mut random, protocol)).collect()
}

/// All of them that every dialect holds.
fn all() -> Vec<Analysis> {
    let every = presets().into_iter().chain(special()).chain(random(110));
    every.filter(|analysis| DIALECTS.iter().all(|target| too_large(analysis, *target).is_empty())).collect()
}
