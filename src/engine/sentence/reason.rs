//! The reason under the sentence: why this number and not the one next to it.

use super::Case;
use crate::engine::phrases;
use crate::engine::queueing::erlang_b::blocking;
use crate::engine::scenario::Scenario;
use crate::engine::sizing::{PrioritySizing, Sizing};
use crate::engine::units::{Share, display};

/// The reason, strong parts between double asterisks.
pub fn reason(s: &Scenario, z: &Sizing, case: &Case) -> String {
    let shut = || z.priorities.iter().find(|p| p.window.is_shut());
    let tight = || z.priorities.iter().find(|p| p.window.is_tight());
    match case {
        Case::TooSmall { survive } => too_small(s, z, *survive),
        Case::Shut => shut().map_or_else(String::new, |p| trap(s, p)),
        Case::Tight => tight().map_or_else(String::new, |p| cut(s, p)),
        Case::Open => open(s, z.default_priority()),
    }
}

/// `5 is floor and ceiling at once. Riding out an upstream twice as slow takes 7, …`
fn cut(s: &Scenario, p: &PrioritySizing) -> String {
    let w = &p.window;
    let n = |value: u32| display::count(f64::from(value));
    let what = if w.floor == w.chosen { "floor and ceiling at once" } else { "the ceiling, and it cuts" };
    let sum = if s.clients == 1 {
        String::new()
    } else {
        format!(
            ", and {} × {} is {} {}",
            n(w.recommended),
            n(s.clients),
            display::count(f64::from(w.recommended) * f64::from(s.clients)),
            if s.protocol.streams() { "open streams" } else { "in flight" }
        )
    };
    format!(
        "**{} is {what}.** Riding out {} takes {}{sum}. At {} it refuses {} then.",
        n(w.chosen),
        bad_day(s),
        n(w.recommended),
        n(w.chosen),
        phrases::refused(blocking(u64::from(w.chosen), p.offered_at_slowdown)),
    )
}

/// `7 rides out an upstream twice as slow with 25% retries on top; …`
fn open(s: &Scenario, p: &PrioritySizing) -> String {
    let w = &p.window;
    let n = |value: u32| display::count(f64::from(value));
    let window = match w.ceiling {
        Some(ceiling) if ceiling == w.floor => format!("The window is {} alone.", n(ceiling)),
        Some(ceiling) => format!("The window is {} to {}.", n(w.floor), n(ceiling)),
        None => format!("The floor is {}; no ceiling is known.", n(w.floor)),
    };
    if s.slowdown <= 1.0 && s.retry_overhead <= 0.0 {
        return format!("**{} carries the peak**, and no slowdown was asked for. {window}", n(w.chosen));
    }
    let refused = phrases::refused(blocking(u64::from(w.chosen), p.offered_at_slowdown));
    if s.slowdown <= 1.0 {
        return format!(
            "**{} carries the peak**{}; it refuses {refused} then. {window}",
            n(w.chosen),
            phrases::with_retries(s)
        );
    }
    format!(
        "**{} rides out an upstream {}**{}; it refuses {refused} then. {window}",
        n(w.chosen),
        phrases::as_slow(s.slowdown),
        phrases::with_retries(s),
    )
}

/// What has to be ridden out.
fn bad_day(s: &Scenario) -> String {
    if s.slowdown > 1.0 {
        format!("an upstream {}", phrases::as_slow(s.slowdown))
    } else {
        format!("{} retries", display::share(Share(s.retry_overhead)))
    }
}

/// What the floor and what the ceiling would do, and where a limit belongs instead.
fn trap(s: &Scenario, p: &PrioritySizing) -> String {
    let (floor, ceiling) = (p.window.floor, p.window.ceiling.unwrap_or_default());
    let n = |value: u32| display::count(f64::from(value));
    let refusal = if ceiling == 0 {
        "a limit of 0 refuses everything".to_owned()
    } else {
        let refused = phrases::refused(blocking(u64::from(ceiling), p.offered));
        format!("{} refuses {refused} of the healthy peak", n(ceiling))
    };
    let place = if s.clients == 1 {
        "More hosts are the way out."
    } else {
        "The limit belongs where the traffic meets, at the hosts."
    };
    format!(
        "**{} lets the fleet overrun the hosts, and {refusal}.** {place} The output has {}, the floor.",
        n(floor),
        n(floor)
    )
}

fn too_small(s: &Scenario, z: &Sizing, survive: f64) -> String {
    let share = Share(1.0 - survive / z.load.fleet_concurrency_at_peak.0);
    let hosts = if s.hosts_lost == 0 {
        String::new()
    } else {
        format!(" with {} down", phrases::hosts(s.hosts_lost))
    };
    format!(
        "**At least {} of the worst second cannot be served{hosts}.** A limit only chooses which requests are refused; the hosts need more room first.",
        display::share(share)
    )
}
