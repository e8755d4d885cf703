//! From what a run has kept to its report.

use super::Nanos;
use super::histogram::Histogram;
use super::outlier::Detector;
use super::record::{Record, Slot};
use super::report::{Before, Bucket, HostBucket, HostSeries, Latency, Report, Shares, Window};
use super::world::{Client, World};
use std::collections::BTreeMap;

const PARTS: [Before; 3] = [Before::Before, Before::During, Before::After];

/// The report of a run as it stands.
pub fn report(world: &World) -> Report {
    let record = &world.record;
    let mut outcomes = Shares::default();
    let (mut served, mut all) = (Histogram::default(), Histogram::default());
    let (mut reached, mut attempts) = (0, 0);
    for tally in &record.tallies {
        outcomes = sum(outcomes, tally.ends.shares());
        served.merge(&tally.served);
        all.merge(&tally.others);
        reached += tally.reached;
        attempts += tally.attempts;
    }
    all.merge(&served);
    let total = outcomes.total();
    let experiment = &world.config.experiment;
    Report {
        seed: experiment.run.seed,
        now_s: Nanos(world.now).as_secs(),
        done: world.done,
        events: world.events,
        requests: record.ended,
        counters: counters(world),
        latency_ms: Latency { served: served.quantiles(), all: all.quantiles() },
        goodput: share(outcomes.served, total),
        refused: share(outcomes.refused(), total),
        outcomes,
        amplification: ratio(attempts, reached),
        series: series(world),
        hosts: hosts(world),
        windows: windows(record),
        recovery: match (&record.steps, &record.parts) {
            (Some(steps), Some(parts)) if world.done => Some(steps.recovery(parts)),
            _ => None,
        },
        host_in_flight_max: record.host_in_flight_max,
        weight: experiment.fleet.weight(),
    }
}

/// A share of all; of nothing it is none.
fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// Attempts a request; 1 before there is one.
fn ratio(attempts: u64, reached: u64) -> f64 {
    if reached == 0 { 1.0 } else { attempts as f64 / reached as f64 }
}

fn sum(a: Shares, b: Shares) -> Shares {
    Shares {
        served: a.served + b.served,
        refused_active: a.refused_active + b.refused_active,
        refused_pending: a.refused_pending + b.refused_pending,
        no_host: a.no_host + b.no_host,
        timed_out: a.timed_out + b.timed_out,
        per_try_timed_out: a.per_try_timed_out + b.per_try_timed_out,
        connect_failed: a.connect_failed + b.connect_failed,
        reset: a.reset + b.reset,
        upstream_error: a.upstream_error + b.upstream_error,
        abandoned: a.abandoned + b.abandoned,
    }
}

/// Envoy's counters since the warm-up, and its gauges.
fn counters(world: &World) -> BTreeMap<&'static str, u64> {
    let start = world.at_warm_up.unwrap_or(world.counters);
    let mut counters: BTreeMap<_, _> = world.counters.since(&start).collect();
    let gauge = |of: fn(&Client) -> u64| world.clients.iter().map(of).sum::<u64>();
    let both = |client: &Client, of: fn(&super::world::Level) -> u32| {
        client.levels.iter().map(|level| u64::from(of(level))).sum::<u64>()
    };
    counters.insert("upstream_rq_active", gauge(|client| u64::from(client.active())));
    counters.insert("upstream_rq_pending_active", gauge(|client| u64::from(client.pending())));
    counters.insert(
        "upstream_cx_active",
        world.clients.iter().map(|client| both(client, |level| level.connections)).sum(),
    );
    for (name, n) in world.clients.iter().filter_map(|c| c.detector.as_ref()).flat_map(Detector::counters) {
        *counters.entry(name).or_default() += n;
    }
    counters
}

fn series(world: &World) -> Vec<Bucket> {
    let record = &world.record;
    let last = record.slots.len() - 1;
    let proxies = f64::from(world.config.clients.max(1));
    let bucket = |(nth, slot): (usize, &Slot)| {
        let start = nth as u64 * record.width;
        let (areas, span) = if nth < last {
            ([slot.in_flight, slot.pending, slot.connections, slot.retries_active], record.width)
        } else {
            let gauges = [&record.in_flight, &record.pending, &record.connections, &record.retries_active];
            (gauges.map(|gauge| gauge.area(world.now)), world.now.saturating_sub(start))
        };
        let [in_flight, pending, connections, retries_active] =
            areas.map(|area| if span == 0 { 0.0 } else { area / span as f64 / proxies });
        let at = |q| slot.served.quantile(q).map(|t: Nanos| t.as_millis().0);
        Bucket {
            t_s: Nanos(start).as_secs(),
            outcomes: slot.ends.shares(),
            arrivals: slot.arrivals,
            attempts: slot.attempts,
            retries: slot.retries,
            retries_refused: slot.retries_refused,
            in_flight,
            in_flight_max: slot.in_flight_max,
            pending,
            pending_max: slot.pending_max,
            connections,
            retries_active,
            p50_ms: at(0.5),
            p90_ms: at(0.9),
            p99_ms: at(0.99),
        }
    };
    // A run that ends with a step of time has no further one.
    let unused = world.done && world.now == last as u64 * record.width && last > 0;
    record.slots[..=last - usize::from(unused)].iter().enumerate().map(bucket).collect()
}

fn hosts(world: &World) -> Vec<HostSeries> {
    let record = &world.record;
    let proxies = f64::from(world.config.clients.max(1));
    let weight = world.config.experiment.fleet.weight();
    let last = record.host_slots.len() as u64;
    let now = world.now.saturating_sub(last * record.width);
    (0..record.hosts.len())
        .map(|host| {
            let full = record.host_slots.iter().map(|row| (row[host], record.width));
            let current = &record.hosts[host];
            let mut rest = current.slot;
            rest.in_flight = current.in_flight.area(world.now);
            rest.ejected = current.ejected.area(world.now);
            let rest = (!world.done || now > 0).then_some((rest, now));
            let buckets = full.chain(rest).map(|(slot, span)| {
                let mean = |area: f64| if span == 0 { 0.0 } else { area / span as f64 };
                HostBucket {
                    ejected: mean(slot.ejected) / proxies,
                    attempts: slot.attempts,
                    failures: slot.failures,
                    in_flight: mean(slot.in_flight) * weight,
                }
            });
            HostSeries { host: u32::try_from(host).unwrap_or(u32::MAX), buckets: buckets.collect() }
        })
        .collect()
}

fn windows(record: &Record) -> Vec<Window> {
    let Some(parts) = &record.parts else { return Vec::new() };
    let window = |(part, tally): (Before, &super::record::Tally)| {
        let (from, to) = parts.bounds(part);
        Window {
            part,
            from_s: from.as_secs(),
            to_s: to.as_secs(),
            outcomes: tally.ends.shares(),
            latency_ms: tally.served.quantiles(),
            amplification: ratio(tally.attempts, tally.reached),
        }
    };
    PARTS.into_iter().zip(&record.tallies).map(window).collect()
}
