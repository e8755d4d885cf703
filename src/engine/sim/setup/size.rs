//! How large a run may be, and what is done about one that is larger.

use super::Plan;
use crate::engine::analysis::Analysis;
use crate::engine::scenario::Problem;
use crate::engine::sim::{Fault, FaultKind, Hosts, Nanos};
use crate::engine::units::{Millis, display};

/// Bounds of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Requests of one run.
    pub requests: f64,
    /// Proxies that are simulated one by one.
    pub clients: u32,
    /// Places that a proxy keeps for each worker and host, all simulated proxies together.
    pub places: f64,
    /// Requests in flight at once, all simulated proxies together: what a run keeps in memory.
    pub in_flight: f64,
    /// What raises the number of requests, in words; empty where nothing does.
    pub remedy: &'static str,
}

impl Bounds {
    /// Exact up to 200 proxies; 50 million requests are about half a minute of one core.
    pub const COMMAND_LINE: Self = Self {
        requests: 50e6,
        clients: 200,
        places: 4e6,
        in_flight: 4e6,
        remedy: ", or raise --max-requests",
    };

    /// A page must answer within seconds.
    pub const PAGE: Self = Self { requests: 5e6, clients: 200, places: 1e6, in_flight: 1e6, remedy: "" };
}

/// Steps of a series, at most; a longer run has wider ones.
const MAX_BUCKETS: u64 = 3_600;
/// Steps of all hosts together, at most.
const MAX_HOST_BUCKETS: u64 = 1_000_000;

/// What was decided.
pub struct Size {
    /// Proxies to simulate.
    pub simulated: u32,
    /// Requests to expect.
    pub requests: f64,
    /// Width of the steps.
    pub bucket: Nanos,
}

/// Fewer proxies until the run fits, or the field to change.
pub fn fit(analysis: &Analysis, faults: &[Fault], plan: &Plan) -> Result<Size, Vec<Problem>> {
    let scenario = &analysis.scenario;
    let each = analysis.load.client_rate.0 * seconds(faults, plan, scenario.clients);
    let places = scenario.n_pools() as f64;
    let mut problems = Vec::new();
    if each > plan.bounds.requests {
        problems.push(too_many(analysis, plan, each));
    }
    if places > plan.bounds.places {
        problems.push(too_wide(analysis, plan));
    }
    let held = held(analysis, each, plan);
    if problems.is_empty() && held > plan.bounds.in_flight {
        problems.push(too_deep(analysis, plan, held));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let bounds = &plan.bounds;
    let most = (bounds.requests / each).min(bounds.places / places).min(bounds.in_flight / held).max(1.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the fleet")]
    let most = most.min(f64::from(plan.bounds.clients)) as u32;
    let simulated = scenario.clients.min(most).max(1);
    Ok(Size {
        simulated,
        requests: each * f64::from(simulated),
        bucket: bucket(plan.duration, scenario.hosts),
    })
}

/// Requests that one proxy may have in flight when nothing is answered: until the caller gives up.
fn held(analysis: &Analysis, each: f64, plan: &Plan) -> f64 {
    let deadline = analysis.timeouts.deadline_ms.map_or(f64::INFINITY, Millis::as_secs);
    each * (deadline / plan.duration.as_secs()).min(1.0)
}

fn too_deep(analysis: &Analysis, plan: &Plan, held: f64) -> Problem {
    let s = &analysis.scenario;
    Problem {
        field: "rps".to_owned(),
        value: display::input(s.rps.0),
        message: format!(
            "In a stall one proxy would hold {} requests in flight. Up to {} can be played. Lower rps to {}, or \
             raise clients.",
            display::number(display::round_to(held, 3)),
            display::count(plan.bounds.in_flight),
            display::number(down(s.rps.0 * plan.bounds.in_flight / held)),
        ),
    }
}

/// Seconds of the run, those of a surge times its strength.
fn seconds(faults: &[Fault], plan: &Plan, clients: u32) -> f64 {
    let surges = faults.iter().filter(|f| f.kind == FaultKind::LoadSurge);
    let more: f64 = surges
        .map(|fault| {
            let span = fault.to.min(plan.duration).since(fault.from).as_secs();
            let n = match &fault.clients {
                Hosts::Count(n) => f64::from(*n),
                Hosts::These(list) => list.len() as f64,
            };
            span * (fault.strength - 1.0).max(0.0) * (n / f64::from(clients.max(1))).min(1.0)
        })
        .sum();
    plan.duration.as_secs() + more
}

/// A second, or as wide as it takes to keep the series small.
fn bucket(duration: Nanos, hosts: u32) -> Nanos {
    let steps = (MAX_HOST_BUCKETS / u64::from(hosts.max(1))).clamp(10, MAX_BUCKETS);
    let seconds = duration.0.div_ceil(Nanos::SECOND.0).div_ceil(steps);
    Nanos(seconds.max(1) * Nanos::SECOND.0)
}

fn too_many(analysis: &Analysis, plan: &Plan, each: f64) -> Problem {
    let shortest = plan.duration.as_secs() * plan.bounds.requests / each;
    Problem {
        field: "duration".to_owned(),
        value: format!("{}", plan.duration.as_secs()),
        message: format!(
            "One proxy alone sends {} requests in {}{}s at {}. Up to {} can be played. Lower duration to {}{}s{}.",
            display::number(display::round_to(each, 3)),
            display::number(plan.duration.as_secs()),
            display::NBSP,
            display::rate(analysis.load.client_rate),
            display::count(plan.bounds.requests),
            display::number(down(shortest)),
            display::NBSP,
            plan.bounds.remedy,
        ),
    }
}

/// Two digits, rounded down, so that what is named fits.
fn down(value: f64) -> f64 {
    let rounded = display::round_to(value, 2);
    // One step of the second digit, of a number that was rounded up.
    let step = libm::pow(10.0, libm::floor(libm::log10(value)) - 1.0);
    if rounded > value { display::round_to(rounded - step, 2) } else { rounded }
}

fn too_wide(analysis: &Analysis, plan: &Plan) -> Problem {
    let s = &analysis.scenario;
    let most = (plan.bounds.places / f64::from(s.workers)).floor();
    Problem {
        field: "hosts".to_owned(),
        value: s.hosts.to_string(),
        message: format!(
            "{} hosts times {} workers are {} pools in one proxy. Up to {} can be played. Lower hosts to {}, \
             or lower workers.",
            display::count(f64::from(s.hosts)),
            display::count(f64::from(s.workers)),
            display::count(s.n_pools() as f64),
            display::count(plan.bounds.places),
            display::count(most),
        ),
    }
}
