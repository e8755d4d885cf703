//! What a run assumes, in words.

use crate::engine::analysis::Analysis;
use crate::engine::sim::{Arrivals, Experiment, HostModel, ResponseShape};
use crate::engine::units::display::{self, NBSP};
use crate::engine::units::{Millis, Share};

/// Every assumption of a run, as sentences, weightiest first.
pub fn of(experiment: &Experiment, analysis: &Analysis) -> Vec<String> {
    let mut said = vec![arrivals(experiment, analysis)];
    said.extend(fleet(experiment));
    said.push(service(&experiment.hosts, analysis));
    said.push(response(&experiment.hosts).to_owned());
    said.push(overload(&experiment.hosts));
    said.push(
        "A host works on at what its proxy has given up, so it can hold more than the limits let all proxies have in \
         flight."
            .to_owned(),
    );
    said.push(failures(&experiment.hosts));
    said.push(caller(experiment, analysis));
    if experiment.policy.upstream.multiplexes {
        said.push(
            "The server tells no limit of streams: each connection carries as many as max_concurrent_streams \
             allows."
                .to_owned(),
        );
    }
    said.extend(start(experiment, analysis));
    said.extend(experiment.policy.not_simulated.iter().map(|note| sentence(note)));
    said
}

/// A note as a sentence; a name at its beginning keeps its spelling.
fn sentence(note: &str) -> String {
    let mut rest = note.chars();
    let word = note.split(' ').next().unwrap_or_default();
    let first = match rest.next() {
        Some(c) if word.chars().all(char::is_alphabetic) => c.to_uppercase().collect(),
        Some(c) => c.to_string(),
        None => String::new(),
    };
    format!("{first}{}.", rest.as_str())
}

fn arrivals(experiment: &Experiment, analysis: &Analysis) -> String {
    let s = &analysis.scenario;
    let n = display::number;
    let what = if s.protocol.streams() { "opens streams" } else { "sends requests" };
    let how = match experiment.load.arrivals {
        Arrivals::Poisson => "at random (Poisson)",
        Arrivals::Paced => "at equal gaps",
        Arrivals::Closed { callers, think } => {
            return format!(
                "Every proxy has {} (closed loop): each asks, waits for the answer, thinks for {} on average, and \
                 asks again. The scenario's rate plays no part. Requests go to a worker at random.",
                display::plural(f64::from(callers), "caller", "callers"),
                display::millis(think.as_millis()),
            );
        }
    };
    format!(
        "Every proxy {what} {how} at {}, the busiest proxy's rate in the worst second: {} × burst {} × skew {} / \
         {}. They go to a worker at random.",
        display::rate(analysis.load.client_rate),
        n(s.rps.0),
        n(s.burst),
        n(s.skew),
        display::plural(f64::from(s.clients), "proxy", "proxies"),
    )
}

fn fleet(experiment: &Experiment) -> Option<String> {
    let fleet = &experiment.fleet;
    (fleet.simulated < fleet.clients).then(|| {
        format!(
            "{} of {} proxies are simulated; each stands for {} at the hosts, and faults hit the same share of \
             them. Counters are those of the simulated ones.",
            display::count(f64::from(fleet.simulated)),
            display::count(f64::from(fleet.clients)),
            display::number(fleet.weight()),
        )
    })
}

fn service(hosts: &HostModel, analysis: &Analysis) -> String {
    let s = &analysis.scenario;
    let (what, given) = match (s.protocol.streams(), &s.stream_duration_s) {
        (true, Some(life)) => ("lives", u32::from(life.p99.is_some())),
        _ => ("takes", u32::try_from(s.latency_ms.percentiles().len()).unwrap_or(u32::MAX)),
    };
    let subject = if s.protocol.streams() { "A stream" } else { "An attempt alone at its host" };
    let mean = display::millis(analysis.latency.mean_ms);
    let shape = match given {
        0 => "log-normal with p99 three times p50, as only the mean is known",
        1 => "log-normal with p99 three times p50, as only one percentile is known",
        _ => "log-normal between the given percentiles and continued beyond the last",
    };
    let stretched = match &hosts.service {
        crate::engine::sim::Service::Percentiles { scale, .. } if (scale - 1.0).abs() > 1e-9 => format!(
            "; all times are {} times those of the percentiles, so that the mean is the given one",
            display::number(*scale)
        ),
        _ => String::new(),
    };
    format!("{subject} {what} {mean} on average, {shape}{stretched}.")
}

fn response(hosts: &HostModel) -> &'static str {
    match hosts.response {
        ResponseShape::AtOnce => "Headers and body come together at the end of that time.",
        ResponseShape::HeadersFirst => {
            "Headers come at once, so timeouts of an attempt and retries end there; the body lasts for the life of \
             the stream."
        }
    }
}

fn overload(hosts: &HostModel) -> String {
    hosts.knee.map_or_else(
        || {
            "Hosts do not slow down under load, as host_concurrency is not known: overload of the hosts is not \
             played."
                .to_owned()
        },
        |knee| {
            format!(
                "A host slows down beyond host_concurrency {}: with n in flight a request takes (n / {})² times as \
                 long. The exponent is our choice.",
                display::number(knee),
                display::number(knee),
            )
        },
    )
}

fn failures(hosts: &HostModel) -> String {
    let how = match (hosts.fails_as_grpc, hosts.response) {
        (true, _) => "with grpc-status 14 in the headers",
        (false, _) => "with 503",
    };
    format!(
        "On a good day {} of attempts fail {how}, each by itself.",
        display::share(Share(hosts.error_rate))
    )
}

fn caller(experiment: &Experiment, analysis: &Analysis) -> String {
    let given = analysis.scenario.deadline_ms.is_some();
    let deadline = experiment.load.caller.deadline.map_or_else(
        || "Callers wait for ever and".to_owned(),
        |deadline| {
            let why = if given { "" } else { " (derived, as none is given)" };
            format!("Callers give up after {}{why} and", display::millis(deadline.as_millis()))
        },
    );
    let hops = analysis.scenario.retrying_hops;
    let layers = if hops > 1 {
        format!(": of {hops} layers that retry, only this one is played")
    } else {
        String::new()
    };
    format!("{deadline} do not ask again{layers}.")
}

/// What a start from cold means for the figures.
fn start(experiment: &Experiment, analysis: &Analysis) -> Vec<String> {
    let run = &experiment.run;
    let mut said = Vec::new();
    if run.warm_up.0 == 0 {
        said.push("The run starts cold, without connections, and counts from its first request.".to_owned());
    } else {
        said.push(format!(
            "The run starts cold; what arrives in the first {}{NBSP}s is played and not counted.",
            display::number(run.warm_up.as_secs()),
        ));
    }
    let mean = analysis.latency.mean_ms;
    let run_ms = Millis(run.duration.as_millis().0);
    if mean * 3.0 > run_ms {
        let what = if analysis.scenario.protocol.streams() { "streams" } else { "requests" };
        said.push(format!(
            "The run is {} and {what} take {} on average: the number in flight is still rising at its end. Only a \
             longer run shows the steady state.",
            display::millis(run_ms),
            display::millis(mean),
        ));
    }
    said
}
