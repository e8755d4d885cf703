//! Predictions meet a real Envoy under load.
//!
//! The proxy runs the emitted bootstrap with the endpoints swapped in; a second Envoy is the
//! upstream; the load is open-loop Poisson at the rate of the busiest proxy in the worst second.

use crate::load::{self, Arrival, Outcome};
use crate::process::{self, Envoy};
use crate::upstream::Upstream;
use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::envoy::emit::to_yaml;
use headroom::engine::envoy::model::{
    Address, Bootstrap, ClusterLoadAssignment, DiscoveryType, Endpoint, LbEndpoint, LocalityEndpoints,
};
use headroom::engine::export::{Target, export};
use headroom::engine::queueing::erlang_b;
use headroom::engine::scenario::Scenario;
use headroom::engine::units::{Erlangs, Millis, Rate};
use std::time::Duration;

/// Senders; far more than are ever in flight.
const N_SENDERS: usize = 150;

/// A run counts if 99 of 100 requests left this close to when they were due: a busy machine bends
/// a Poisson process.
pub const MOST_LATE: Duration = Duration::from_millis(10);
pub const MOST_RUNS: u32 = 3;

const P50_MS: f64 = 35.0;
const P99_MS: f64 = 110.0;

/// One proxy, so that its rate is the fleet's.
fn scenario(protocol: &str, rps: f64) -> Scenario {
    let json = format!(
        r#"{{"name": "service", "protocol": "{protocol}", "rps": {rps}, "latency_ms": {{"p50": {P50_MS}, "p99": {P99_MS}}},
            "clients": 1, "hosts": 3, "skew": 1}}"#
    );
    Scenario::from_json(&json).expect("a valid scenario")
}

/// The emitted bootstrap on ports of its own, with the upstream's hosts.
pub fn bootstrap(analysis: &Analysis, upstream: &Upstream) -> Bootstrap {
    let text = export(analysis, Target::EnvoyBootstrap);
    let mut bootstrap: Bootstrap = serde_saphyr::from_str(&text).expect("what is emitted can be read");
    let resources = &mut bootstrap.static_resources;
    bootstrap.admin.address = Address::tcp("127.0.0.1", 0);
    resources.listeners[0].address = Address::tcp("127.0.0.1", 0);
    let cluster = &mut resources.clusters[0];
    cluster.discovery = Some(DiscoveryType::Static);
    let endpoint = |host: &std::net::SocketAddr| LbEndpoint {
        endpoint: Endpoint { address: Address::tcp(&host.ip().to_string(), host.port()) },
    };
    cluster.load_assignment = Some(ClusterLoadAssignment {
        cluster_name: cluster.name.clone(),
        endpoints: vec![LocalityEndpoints { lb_endpoints: upstream.hosts.iter().map(endpoint).collect() }],
    });
    bootstrap
}

/// What a run showed.
struct Run {
    arrivals: Vec<Arrival>,
    outcomes: Vec<Outcome>,
    /// Refusals by Envoy's own counters.
    overflow: u64,
    /// Mean time that an admitted request held its slot, by Envoy's own clock: what was asked of
    /// the upstream, and what timers and a busy machine added.
    held: Duration,
}

impl Run {
    fn refused(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.status == 503).count()
    }

    fn share(&self) -> f64 {
        self.refused() as f64 / self.outcomes.len() as f64
    }

    /// Erlangs really offered.
    fn offered(&self, duration: Duration) -> Erlangs {
        let rate = Rate(self.arrivals.len() as f64 / duration.as_secs_f64());
        Erlangs::of(rate, Millis::from_secs(self.held.as_secs_f64()))
    }

    /// Standard error of the refused share. Refusals come in bursts, so it is taken from means of
    /// batches that are much longer than a burst.
    fn standard_error(&self) -> f64 {
        const N_BATCHES: usize = 20;
        let batches = self.outcomes.chunks(self.outcomes.len().div_ceil(N_BATCHES));
        let means: Vec<f64> = batches
            .map(|batch| batch.iter().filter(|o| o.status == 503).count() as f64 / batch.len() as f64)
            .collect();
        let n = means.len() as f64;
        let mean = means.iter().sum::<f64>() / n;
        let variance = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (variance / n).sqrt()
    }

    fn latest_of_a_hundred(&self) -> Duration {
        let mut late: Vec<Duration> = self.outcomes.iter().map(|outcome| outcome.late).collect();
        late.sort();
        late[late.len() * 99 / 100]
    }
}

/// Starts proxy and upstream, sends the load, reads the counters; again if the machine was too busy
/// to send it in time.
fn run(
    name: &str,
    analysis: &Analysis,
    change: impl Fn(&mut Bootstrap),
    seed: u64,
    duration: Duration,
) -> Run {
    let _machine = process::machine();
    let rate = analysis.load.client_rate.per_second();
    let arrivals = load::poisson(seed, rate, (P50_MS, P99_MS), duration);
    let mut latest = Vec::new();
    for _ in 0..MOST_RUNS {
        let upstream = Upstream::start(name, analysis.scenario.hosts);
        let mut bootstrap = bootstrap(analysis, &upstream);
        change(&mut bootstrap);
        let proxy = Envoy::start(name, &to_yaml(&bootstrap, &[], &[]), analysis.scenario.workers);
        let address = proxy.listeners()[0].1;
        let outcomes = load::send(address, &arrivals, N_SENDERS);
        let overflow = ["upstream_rq_active_overflow", "upstream_rq_pending_overflow"]
            .iter()
            .map(|counter| proxy.counter(&format!("cluster.service.{counter}")))
            .sum();
        let held = proxy.mean_upstream_time("service");
        let run = Run { arrivals: arrivals.clone(), outcomes, overflow, held };
        latest.push(run.latest_of_a_hundred());
        if run.latest_of_a_hundred() <= MOST_LATE {
            return run;
        }
    }
    panic!("the machine is too busy to send {rate} requests per second in time: {latest:?}");
}

#[track_caller]
fn assert_only_refusals(run: &Run) {
    let others: Vec<u16> =
        run.outcomes.iter().map(|o| o.status).filter(|status| ![200, 503].contains(status)).collect();
    assert!(others.is_empty(), "answers that are neither served nor refused: {others:?}");
    assert_eq!(run.refused() as u64, run.overflow, "every 503 is a refusal that Envoy counts");
}

/// The chosen limits refuse no more of the healthy peak than is tolerated.
#[track_caller]
fn check_healthy_peak(protocol: &str) {
    const DURATION: Duration = Duration::from_secs(15);
    let analysis = analyze(&scenario(protocol, 330.0)).expect("an answer");
    let run = run(&format!("healthy-{protocol}"), &analysis, |_| {}, 11, DURATION);
    assert_only_refusals(&run);
    let n = run.outcomes.len() as f64;
    let expected = n * analysis.scenario.shed_target.fraction();
    // Three standard deviations of a Poisson count.
    let most = expected + 3.0 * expected.sqrt();
    println!("{protocol}: {} of {n} refused, {expected:.1} tolerated", run.refused());
    assert!(run.refused() as f64 <= most, "{} of {n} refused, more than {most:.1}", run.refused());
}

#[test]
fn the_healthy_peak_is_served_over_http1() {
    check_healthy_peak("http1");
}

#[test]
fn the_healthy_peak_is_served_over_http2() {
    check_healthy_peak("http2");
}

/// A lowered limit refuses the share that Erlang's loss formula says.
#[test]
fn a_lowered_limit_refuses_what_erlang_b_says() {
    const DURATION: Duration = Duration::from_secs(16);
    let analysis = analyze(&scenario("http2", 330.0)).expect("an answer");
    for (seed, limit) in [(21, 15u32), (22, 20), (23, 25)] {
        let lower = |bootstrap: &mut Bootstrap| {
            let breakers = bootstrap.static_resources.clusters[0].circuit_breakers.as_mut();
            breakers.expect("limits are emitted").thresholds[0].max_requests = limit;
        };
        let run = run("erlang", &analysis, lower, seed, DURATION);
        assert_only_refusals(&run);
        let offered = run.offered(DURATION);
        let expected = erlang_b::blocking(u64::from(limit), offered).fraction();
        let error = (run.share() - expected).abs();
        println!(
            "max_requests {limit}, {:.1} ms asked, {:.1} ms held, {:.2} erlangs: {:.2}% refused, Erlang B {:.2}%, standard error {:.2}%",
            load::mean_service(&run.arrivals).as_secs_f64() * 1000.0,
            run.held.as_secs_f64() * 1000.0,
            offered.in_flight(),
            run.share() * 100.0,
            expected * 100.0,
            run.standard_error() * 100.0
        );
        let tolerance = (0.1 * expected).max(2.0 * run.standard_error());
        assert!(error <= tolerance, "max_requests {limit}: {} refused, expected {expected}", run.share());
    }
}
