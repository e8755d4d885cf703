//! A run of a case against a real Envoy.

use super::case::{Arrivals, Case, Measure, Service};
use super::held_back::HeldBack;
use super::server::{Conduct, Hosts};
use super::yaml;
use crate::load::{self, Arrival, Outcome};
use crate::process::Envoy;
use crate::scenarios::Random;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// Callers at once; more than are ever in flight.
const N_SENDERS: usize = 240;

/// A run counts if 99 of 100 requests left this close to when they were due: a busy machine bends
/// the arrivals.
const MOST_LATE_MS: f64 = 5.0;
/// And all of them so close: a stall makes a burst of what was due meanwhile.
const LATEST_MS: f64 = 25.0;
/// A run counts if attempts took no longer at the hosts than asked for, on average, by this.
const MOST_SLOW_MS: f64 = 1.0;

/// What a run showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub seed: u64,
    /// Requests sent.
    pub requests: u64,
    pub served: u64,
    /// 503 with `x-envoy-overloaded`.
    pub refused: u64,
    /// 504.
    pub timed_out: u64,
    /// 503 of a host.
    pub upstream_error: u64,
    /// Attempts that arrived at the hosts.
    pub attempts: u64,
    /// 99 of 100 requests left no later after they were due.
    pub late_ms: f64,
    /// No request left later after it was due; `None`: not noted.
    pub latest_ms: Option<f64>,
    /// Mean time of an attempt at its host, as the host measured it.
    pub service_ms: f64,
    /// Mean time to set up a connection, as the proxy measured it, where that is held back.
    pub connect_ms: Option<f64>,
    /// Counters and gauges of the cluster that are not zero, and those that are compared.
    pub stats: BTreeMap<String, u64>,
}

impl Run {
    /// What it showed of a measure.
    pub fn value(&self, measure: Measure) -> f64 {
        let share = |count: u64| count as f64 / self.requests as f64;
        match measure {
            Measure::Served => share(self.served),
            Measure::Refused => share(self.refused),
            Measure::TimedOut => share(self.timed_out),
            Measure::UpstreamError => share(self.upstream_error),
            Measure::Amplification => share(self.attempts),
            Measure::Counter(name) => self.stats[name] as f64,
        }
    }

    fn is_in_time(&self, case: &Case) -> bool {
        let (Service::Constant(asked) | Service::Exponential(asked)) = case.service;
        // The sample of an exponential time has a spread of its own.
        let sampling = match case.service {
            Service::Constant(_) => 0.0,
            Service::Exponential(mean) => 4.0 * mean / (self.attempts.max(1) as f64).sqrt(),
        };
        let is_on_time = self.late_ms <= MOST_LATE_MS && self.latest_ms.is_none_or(|ms| ms <= LATEST_MS);
        is_on_time && self.service_ms <= asked + sampling + MOST_SLOW_MS
    }
}

/// Runs a case once; with the release of the proxy. Or says why the run does not count.
///
/// # Panics
/// When an answer is of no known kind.
pub fn run(case: &Case, seed: u64) -> Result<(Run, String), String> {
    let name = format!("{}-{seed}", case.id);
    let hosts = Hosts::start(case.hosts, Conduct { seed, service: case.service, failing: case.failing });
    let held = |ms: u32| HeldBack::start(&name, hosts.addresses(), Duration::from_millis(ms.into()));
    let held_back = case.connect.map(held);
    let addresses = held_back.as_ref().map_or(hosts.addresses(), HeldBack::addresses);
    let proxy = Envoy::start(&name, &yaml::bootstrap(case, addresses), case.workers);
    let outcomes = load::send(proxy.listeners()[0].1, &arrivals(case, seed), N_SENDERS);
    let run = read(case, seed, &outcomes, &hosts, &proxy);
    if run.is_in_time(case) {
        return Ok((run, proxy.version()));
    }
    let (late, latest, service) = (run.late_ms, run.latest_ms.unwrap_or_default(), run.service_ms);
    Err(format!(
        "{name}: the machine is too busy: a request left {latest:.1} ms late, 1 of 100 more than {late:.1} ms, attempts took {service:.1} ms at the hosts"
    ))
}

fn read(case: &Case, seed: u64, outcomes: &[Outcome], hosts: &Hosts, proxy: &Envoy) -> Run {
    let count = |is: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| is(outcome)).count() as u64;
    let ms = |span: Duration| span.as_secs_f64() * 1000.0;
    let mut late: Vec<Duration> = outcomes.iter().map(|outcome| outcome.late).collect();
    late.sort();
    let connect_ms = || proxy.merged_mean_time("upstream_cx_connect_ms", yaml::CLUSTER).map(ms);
    let stats = proxy.cluster_stats(yaml::CLUSTER);
    let run = Run {
        seed,
        requests: outcomes.len() as u64,
        served: count(|o| o.status == 200),
        refused: count(|o| o.status == 503 && o.is_overload),
        timed_out: count(|o| o.status == 504),
        upstream_error: count(|o| o.status == 503 && !o.is_overload),
        attempts: hosts.attempts(),
        late_ms: ms(late[late.len() * 99 / 100]),
        latest_ms: late.last().copied().map(ms),
        service_ms: hosts.mean_service_ms(),
        connect_ms: case.connect.and_then(|_| connect_ms()),
        stats: kept(stats, &case.measures),
    };
    let known = run.served + run.refused + run.timed_out + run.upstream_error;
    assert_eq!(known, run.requests, "{}: answers of no known kind", case.id);
    let overflow = ["upstream_rq_active_overflow", "upstream_rq_pending_overflow"]
        .iter()
        .filter_map(|name| run.stats.get(*name))
        .sum::<u64>();
    assert_eq!(run.refused, overflow, "{}: refusals are those that Envoy counts", case.id);
    run
}

/// Leaves out what no experiment is about.
fn kept(stats: BTreeMap<String, u64>, measures: &[Measure]) -> BTreeMap<String, u64> {
    const ABOUT: [&str; 3] = ["upstream_cx_", "upstream_rq_", "outlier_detection.ejections_"];
    let is_compared = |name: &str| measures.iter().any(|measure| measure.name() == name);
    for measure in measures {
        if let Measure::Counter(name) = measure {
            assert!(stats.contains_key(*name), "Envoy has no stat {name}");
        }
    }
    let is_about = |name: &str| ABOUT.iter().any(|start| name.starts_with(start)) && !name.contains("bytes");
    stats.into_iter().filter(|(name, n)| is_compared(name) || (is_about(name) && *n > 0)).collect()
}

fn arrivals(case: &Case, seed: u64) -> Vec<Arrival> {
    let load = case.load;
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut at = 0.5 / load.rate;
    if load.arrivals == Arrivals::Poisson {
        at = -random.unit().ln() / load.rate;
    }
    let mut arrivals = Vec::new();
    while at < load.seconds {
        arrivals.push(Arrival { at: Duration::from_secs_f64(at), service: Duration::ZERO });
        at += match load.arrivals {
            Arrivals::Poisson => -random.unit().ln() / load.rate,
            Arrivals::Paced => 1.0 / load.rate,
        };
    }
    arrivals
}
