//! From a scenario to an experiment: who asks, who answers, for how long, and what was assumed.
//!
//! The size of a run is bounded. What is too large is played by fewer proxies, each of which stands
//! for several at the hosts; where one proxy alone is too large, the run is refused with the field to
//! change. Either is said: nothing is cut in silence.

mod assumptions;
mod size;

pub use size::Bounds;

use super::{
    Arrivals, Caller, Experiment, Fault, Fleet, HostModel, Hosts, Load, Nanos, Policy, ResponseShape, Run,
    Service,
};
use crate::engine::analysis::Analysis;
use crate::engine::scenario::Problem;
use crate::engine::sizing::service_time;
use crate::engine::units::{Millis, display};

/// What a person chooses about a run, besides scenario, policy and faults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Arrivals end here.
    pub duration: Nanos,
    /// What arrives before this is not counted.
    pub warm_up: Nanos,
    /// The seed of the first run.
    pub seed: u64,
    /// How arrivals come.
    pub arrivals: Arrivals,
    /// How large a run may be.
    pub bounds: Bounds,
}

impl Plan {
    /// A minute from cold, Poisson arrivals, seed 42.
    pub const DEFAULT: Self = Self {
        duration: Nanos(60 * Nanos::SECOND.0),
        warm_up: Nanos::ZERO,
        seed: 42,
        arrivals: Arrivals::Poisson,
        bounds: Bounds::COMMAND_LINE,
    };

    /// The longest run.
    pub const LONGEST: Nanos = Nanos(86_400 * Nanos::SECOND.0);
}

/// An experiment, and what was assumed to make it one.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The experiment.
    pub experiment: Experiment,
    /// Every assumption, as sentences.
    pub assumptions: Vec<String>,
    /// Requests that it will take, about.
    pub requests: f64,
}

/// The experiment of a scenario under a policy and faults.
///
/// Faults count the proxies of the whole fleet; where fewer are simulated, they hit the same share of
/// those.
///
/// # Errors
///
/// One [`Problem`] for each field that makes the run too large, or the plan impossible.
pub fn prepare(
    analysis: &Analysis,
    policy: &Policy,
    faults: &[Fault],
    plan: &Plan,
) -> Result<Prepared, Vec<Problem>> {
    let scenario = &analysis.scenario;
    let mut problems = check(plan);
    let size = match size::fit(analysis, faults, plan) {
        Ok(size) => size,
        Err(more) => {
            problems.extend(more);
            return Err(problems);
        }
    };
    let Some(service) = service(analysis) else {
        problems.push(no_service());
        return Err(problems);
    };
    if !problems.is_empty() {
        return Err(problems);
    }
    let fleet = Fleet {
        simulated: size.simulated,
        clients: scenario.clients,
        workers: scenario.workers,
        envoy_minor: scenario.envoy_version.minor,
    };
    let experiment = Experiment {
        load: Load {
            rate_per_client: analysis.load.client_rate.0,
            arrivals: plan.arrivals,
            patterns: Vec::new(),
            high_priority_share: scenario.high_priority_share.0,
            caller: Caller { deadline: analysis.timeouts.deadline_ms.map(Nanos::of), retries: 0 },
        },
        fleet,
        hosts: hosts(analysis, service),
        policy: policy.clone(),
        faults: faults.iter().map(|fault| sampled(fault, &fleet)).collect(),
        run: Run { duration: plan.duration, warm_up: plan.warm_up, seed: plan.seed, bucket: size.bucket },
    };
    let mut requests = size.requests;
    if let Arrivals::Closed { .. } = plan.arrivals {
        // Callers of a closed loop ask as fast as they are answered, whatever the rate.
        requests = experiment.expected_requests();
        if requests > plan.bounds.requests {
            return Err(vec![too_many_callers(requests, plan)]);
        }
    }
    let assumptions = assumptions::of(&experiment, analysis);
    Ok(Prepared { experiment, assumptions, requests })
}

fn too_many_callers(requests: f64, plan: &Plan) -> Problem {
    let callers = if let Arrivals::Closed { callers, .. } = plan.arrivals { callers } else { 0 };
    Problem {
        field: "callers".to_owned(),
        value: callers.to_string(),
        message: format!(
            "So many callers ask about {} times in the run. Up to {} can be played. Lower callers, raise their \
             think time{}.",
            display::number(display::round_to(requests, 2)),
            display::count(plan.bounds.requests),
            plan.bounds.remedy,
        ),
    }
}

/// What is wrong with a plan as such.
fn check(plan: &Plan) -> Vec<Problem> {
    let mut problems = Vec::new();
    if plan.duration == Nanos::ZERO || plan.duration > Plan::LONGEST {
        problems.push(Problem {
            field: "duration".to_owned(),
            value: format!("{}", plan.duration.as_secs()),
            message: "The duration is out of range. Allowed: above 0 and up to 86,400 s.".to_owned(),
        });
    } else if plan.warm_up >= plan.duration {
        problems.push(Problem {
            field: "warm_up".to_owned(),
            value: format!("{}", plan.warm_up.as_secs()),
            message: "The warm-up is not shorter than the run, so nothing would be counted. Shorten it, or \
                      raise the duration."
                .to_owned(),
        });
    }
    problems
}

/// The time in service: percentiles, stretched so that their mean is the one that the analysis uses.
fn service(analysis: &Analysis) -> Option<Service> {
    let model = service_time::distribution(&analysis.scenario).ok()?;
    let scale = analysis.latency.mean_ms.0 / model.mean().0;
    (scale.is_finite() && scale > 0.0).then_some(Service::Percentiles { model, scale })
}

fn no_service() -> Problem {
    Problem {
        field: "latency_ms".to_owned(),
        value: String::new(),
        message: "The percentiles give no distribution that can be drawn from. Correct them.".to_owned(),
    }
}

fn hosts(analysis: &Analysis, service: Service) -> HostModel {
    let scenario = &analysis.scenario;
    HostModel {
        count: scenario.hosts,
        service,
        response: if scenario.protocol.streams() {
            ResponseShape::HeadersFirst
        } else {
            ResponseShape::AtOnce
        },
        error_rate: scenario.error_rate.0,
        fails_as_grpc: scenario.protocol.speaks_grpc(),
        slots: None,
        knee: scenario.host_concurrency,
        connect: Nanos::of(scenario.connect_ms),
        peer_max_concurrent_streams: None,
        keepalive: scenario.upstream_keepalive_s.map(|s| Nanos::of(Millis::from_secs(s))),
    }
}

/// The fault for the proxies that are simulated: the same share of them, at least one.
fn sampled(fault: &Fault, fleet: &Fleet) -> Fault {
    if fleet.simulated == fleet.clients {
        return fault.clone();
    }
    let n = match &fault.clients {
        Hosts::Count(n) => f64::from(*n),
        Hosts::These(list) => list.len() as f64,
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the fleet")]
    let of_sample = libm::round(n / fleet.weight()) as u32;
    Fault { clients: Hosts::Count(of_sample.clamp(1, fleet.simulated)), ..fault.clone() }
}
