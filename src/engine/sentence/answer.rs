//! The sentence to read aloud: at most four strong numbers.

use super::Case;
use crate::engine::phrases;
use crate::engine::queueing::erlang_b::blocking;
use crate::engine::scenario::Scenario;
use crate::engine::sizing::{PrioritySizing, Sizing};
use crate::engine::units::{Share, display};

/// The sentence, strong parts between double asterisks.
pub fn sentence(s: &Scenario, z: &Sizing, case: &Case) -> String {
    match case {
        Case::TooSmall { survive } => too_small(s, z, *survive),
        Case::Shut => trap(s, z),
        Case::Tight | Case::Open => allow(s, z),
    }
}

fn allow(s: &Scenario, z: &Sizing) -> String {
    let (default, high) = (z.default_priority(), z.priorities.get(1));
    let proxy = if s.clients == 1 { "the proxy" } else { "each proxy" };
    let and_high = high.map_or_else(String::new, |high| {
        format!(", and **{}** of priority HIGH", display::count(f64::from(high.window.chosen)))
    });
    format!(
        "Allow {proxy} **{}** {}{and_high}. At peak it refuses **{}**{}",
        display::count(f64::from(default.window.chosen)),
        phrases::in_flight(s, f64::from(default.window.chosen)),
        phrases::refused(worst_refusal(z)),
        fleet(s, z),
    )
}

fn worst_refusal(z: &Sizing) -> Share {
    let refused = |p: &PrioritySizing| blocking(u64::from(p.window.chosen), p.offered).0;
    Share(z.priorities.iter().map(refused).fold(0.0, f64::max))
}

/// What the limits add up to over the fleet, beside what the hosts survive.
fn fleet(s: &Scenario, z: &Sizing) -> String {
    let sum = phrases::fleet_limit(s, z) as f64;
    let hosts = phrases::hosts_survive(s.hosts_left());
    let total = display::count(sum);
    let together = match s.clients {
        1 if z.priorities.len() == 1 => String::new(),
        1 => format!(", and can hold **{total}**"),
        2 => format!(", and both proxies together can hold **{total}**"),
        n => format!(", and all {} together can hold **{total}**", phrases::proxies(n)),
    };
    let survive = s.host_concurrency.map(|each| each * f64::from(s.hosts_left()));
    match (survive, together.is_empty()) {
        (None, _) => format!("{together}. What {hosts} is not known."),
        (Some(survive), true) => format!(". {} **{}**.", capital(&hosts), phrases::capacity(survive)),
        (Some(survive), false) if sum > survive => {
            format!("{together}, more than the {} that {hosts}.", phrases::capacity(survive))
        }
        (Some(survive), false) if sum >= survive.floor() => {
            format!("{} that {hosts}.", together.replacen("**", "all **", 1))
        }
        (Some(survive), false) => format!("{together} of the {} that {hosts}.", phrases::capacity(survive)),
    }
}

fn trap(s: &Scenario, z: &Sizing) -> String {
    let floors: Vec<u32> = z.priorities.iter().map(|p| p.window.floor).collect();
    let needed: Vec<String> =
        floors.iter().map(|floor| format!("**{}**", display::count(f64::from(*floor)))).collect();
    let needs = format!("the healthy peak needs {}", needed.join(" and "));
    let survive = s.host_concurrency.unwrap_or_default() * f64::from(s.hosts_left());
    let (hosts, survive) = (phrases::hosts_survive(s.hosts_left()), phrases::capacity(survive));
    if s.clients == 1 {
        return format!(
            "No limit both serves and protects: {needs} in flight in the proxy, but {hosts} **{survive}**."
        );
    }
    let sum = floors.iter().map(|floor| f64::from(*floor)).sum::<f64>() * f64::from(s.clients);
    format!(
        "No limit per proxy both serves and protects: {needs} in each of {}, **{}** in all, but {hosts} **{survive}**.",
        phrases::proxies(s.clients),
        display::count(sum),
    )
}

fn too_small(s: &Scenario, z: &Sizing, survive: f64) -> String {
    format!(
        "No limit helps: the healthy peak takes **{}** {}, but {} **{}**.",
        display::count(z.load.fleet_concurrency_at_peak.0.ceil()),
        phrases::in_flight(s, z.load.fleet_concurrency_at_peak.0.ceil()),
        phrases::hosts_survive(s.hosts_left()),
        phrases::capacity(survive),
    )
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| [first.to_ascii_uppercase()].into_iter().chain(chars).collect())
}
