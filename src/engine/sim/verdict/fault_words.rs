//! What goes wrong, in a sentence.

use crate::engine::sim::{Experiment, Fault, FaultKind, Hosts};
use crate::engine::units::Share;
use crate::engine::units::display::{self, NBSP};

/// What goes wrong in an experiment, as a sentence with its full stop.
pub fn fault(experiment: &Experiment) -> String {
    match experiment.faults.as_slice() {
        [] => String::new(),
        [only] => format!("{}.", one(only, experiment)),
        several => {
            let n = display::words(u32::try_from(several.len()).unwrap_or(u32::MAX));
            format!("{} faults are at work.", capital(&n))
        }
    }
}

fn one(fault: &Fault, experiment: &Experiment) -> String {
    let hosts = count(&fault.hosts).min(experiment.hosts.count);
    let is_all = hosts == experiment.hosts.count && hosts > 1;
    let noun =
        |n: u32, one: &str, many: &str| format!("{} {}", display::words(n), if n == 1 { one } else { many });
    let who = if is_all { "all hosts".to_owned() } else { noun(hosts, "host", "hosts") };
    let verb = |one: &'static str, many: &'static str| if hosts == 1 { one } else { many };
    let times = display::number(fault.strength);
    let share = display::share(Share(fault.share));
    let text = match fault.kind {
        FaultKind::Host5xx if fault.share < 1.0 => {
            format!("{who} {} 503 to {share} of requests", verb("answers", "answer"))
        }
        FaultKind::Host5xx => format!("{who} {} 503", verb("answers", "answer")),
        FaultKind::ConnectionReset => format!("connections of {who} break under {share} of requests"),
        FaultKind::Latency | FaultKind::SlowHost if fault.share < 1.0 => {
            format!("{who} {} slow for {share} of requests", verb("turns", "turn"))
        }
        FaultKind::Latency | FaultKind::SlowHost => format!("{who} {} slow", verb("turns", "turn")),
        FaultKind::Partition => {
            let weight = experiment.fleet.weight();
            let clients = f64::from(count(&fault.clients).min(experiment.fleet.simulated)) * weight;
            let proxies = display::plural(libm::round(clients), "proxy", "proxies");
            format!("{proxies} cannot reach {who}")
        }
        FaultKind::BreakerOverflow => "every host turns slow".to_owned(),
        FaultKind::RetryBudgetExhaustion => format!("{share} of all attempts fail"),
        FaultKind::ZoneLoss => format!("{who} {}", verb("vanishes", "vanish")),
        FaultKind::RollingDeploy if is_all => {
            format!("host after host restarts and is down for {times}{NBSP}s")
        }
        FaultKind::RollingDeploy => {
            format!("{who} {} one by one, {times}{NBSP}s each", verb("restarts", "restart"))
        }
        FaultKind::LoadSurge => format!("the rate is {times} times as high"),
    };
    capital(&text)
}

fn count(hosts: &Hosts) -> u32 {
    match hosts {
        Hosts::Count(n) => *n,
        Hosts::These(list) => u32::try_from(list.len()).unwrap_or(u32::MAX),
    }
}

/// With a capital letter at the start.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |c| format!("{}{}", c.to_uppercase(), letters.as_str()))
}
