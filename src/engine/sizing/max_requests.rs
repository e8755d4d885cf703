//! `max_requests`: how many requests one proxy may have in flight.
//!
//! A limit without a queue is an Erlang loss system: requests that find it full are refused at
//! once. The refused share depends on the mean time in service only, not on its shape, and a real
//! Envoy agrees with the formula. The limit counts in one process, so the fleet as a whole may put
//! `clients` times as much in flight; the ceiling keeps that sum below what the hosts survive.

use super::demand::Demand;
use super::ledger::{Ledger, derived, not, rule};
use super::limit::{TooLarge, as_limit};
use crate::engine::analysis::Window;
use crate::engine::envoy::defaults;
use crate::engine::filled::{Filled, filled};
use crate::engine::phrases;
use crate::engine::queueing::erlang_b;
use crate::engine::scenario::Scenario;
use crate::engine::units::{Share, display};

const ERLANG: &str = "A. K. Erlang (1917), loss formula; insensitive to the distribution of the service time; measured on Envoy 1.40.0";

/// Floor, recommendation, ceiling and choice for each priority.
///
/// # Formula
///
/// ```text
/// floor       = min c: B(c, offered) ≤ shed_target
/// recommended = min c: B(c, offered · slowdown · (1 + retry_overhead)) ≤ shed_target
/// ceiling     = ⌊(hosts − hosts_lost) · host_concurrency / clients⌋ − floor of the other priority
/// chosen      = clamp(recommended, floor, max(floor, ceiling))
/// ```
///
/// Both priorities lead to the same hosts. Where their recommendations together exceed the ceiling,
/// what it leaves above the floors is dealt out in proportion to what each asks for above its floor,
/// so that the limits together stay within the ceiling; with one priority that is the clamp.
///
/// # Errors
///
/// [`TooLarge`] when an answer exceeds the field of Envoy.
pub fn windows(s: &Scenario, demands: &[Demand]) -> Result<Vec<Window>, TooLarge> {
    let mut windows = Vec::new();
    for demand in demands {
        let floor = as_limit("max_requests", servers(demand.offered.0, s.shed_target)?)?;
        let recommended = as_limit("max_requests", servers(demand.offered_at_slowdown.0, s.shed_target)?)?;
        windows.push(Window { floor, recommended, ceiling: ceiling(s), chosen: recommended });
    }
    if let Some(ceiling) = ceiling(s) {
        deal(&mut windows, ceiling);
    }
    Ok(windows)
}

/// Deals out what the ceiling leaves above the floors.
fn deal(windows: &mut [Window], ceiling: u32) {
    let floors: u64 = windows.iter().map(|w| u64::from(w.floor)).sum();
    let asked: u64 = windows.iter().map(|w| u64::from(w.recommended - w.floor)).sum();
    let spare = u64::from(ceiling).saturating_sub(floors);
    for w in windows.iter_mut() {
        let others = u32::try_from(floors - u64::from(w.floor)).unwrap_or(u32::MAX);
        w.ceiling = Some(ceiling.saturating_sub(others));
    }
    if asked <= spare {
        return;
    }
    for w in windows {
        let part = u128::from(w.recommended - w.floor) * u128::from(spare) / u128::from(asked);
        w.chosen = w.floor + u32::try_from(part).expect("at most what was asked, since spare < asked");
    }
}

/// The number of slots that keeps refusals at the target, unless it is out of Envoy's reach.
fn servers(offered: f64, target: Share) -> Result<u64, TooLarge> {
    // More erlangs than the field holds need more slots than it holds: no need to count them.
    if offered > f64::from(u32::MAX) {
        return Err(TooLarge { setting: "max_requests", needed: offered });
    }
    Ok(erlang_b::servers_for(crate::engine::units::Erlangs(offered), target))
}

/// What each proxy may put in flight so that the fleet stays within what the hosts survive.
pub fn ceiling(s: &Scenario) -> Option<u32> {
    let survive = f64::from(s.hosts_left()) * s.host_concurrency?;
    let each = (survive / f64::from(s.clients)).floor();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range of u32")]
    Some(each.clamp(0.0, f64::from(u32::MAX)) as u32)
}

/// Writes the window into the account.
pub fn explain(s: &Scenario, demand: &Demand, window: &Window, ledger: &mut Ledger) {
    let (offered, target) = (demand.offered.0, s.shed_target.0);
    let id = |part: &str| format!("{}.max_requests.{part}", demand.key());
    ledger.add(
        id("offered"),
        demand.offered.0,
        "erlangs",
        derived("Little's law, for this priority's share of the traffic"),
        "client_rate · share · mean",
        demand.offered_text(),
    );
    ledger.add(
        id("floor"),
        f64::from(window.floor),
        "requests in flight",
        rule(ERLANG),
        "min c: B(c, offered) ≤ shed_target",
        filled("min c: B(c, {}) ≤ {}", [offered, target]),
    );
    ledger.add(
        id("recommended"),
        f64::from(window.recommended),
        "requests in flight",
        rule(ERLANG),
        "min c: B(c, offered · slowdown · (1 + retry_overhead)) ≤ shed_target",
        filled("min c: B(c, {} × {} × {}) ≤ {}", [offered, s.slowdown, 1.0 + s.retry_overhead, target]),
    );
    ledger.add(
        id("ceiling"),
        window.ceiling.map(f64::from),
        "requests in flight",
        derived("the limits of all proxies together stay within what the hosts survive"),
        if s.high_priority_share.0 > 0.0 {
            "⌊(hosts − hosts_lost) · host_concurrency / clients⌋ − floor of the other priority"
        } else {
            "⌊(hosts − hosts_lost) · host_concurrency / clients⌋"
        },
        ceiling_text(s, window),
    );
    let highest = window.ceiling.map_or(f64::INFINITY, |ceiling| f64::from(ceiling.max(window.floor)));
    let chosen =
        filled("clamp({}, {}, {})", [f64::from(window.recommended), f64::from(window.floor), highest]);
    let alternatives = ledger.add(
        id("chosen"),
        f64::from(window.chosen),
        "requests in flight",
        rule("our rule: serve first, then ride out the slowdown, never above the ceiling"),
        "clamp(recommended, floor, max(floor, ceiling))",
        chosen,
    );
    alternatives.extend(others(s, demand, window));
}

fn ceiling_text(s: &Scenario, window: &Window) -> Filled {
    let Some(each) = s.host_concurrency else {
        return "unknown without host_concurrency".into();
    };
    let others = ceiling(s).unwrap_or_default().saturating_sub(window.ceiling.unwrap_or_default());
    let mine = [f64::from(s.hosts), f64::from(s.hosts_lost), each, f64::from(s.clients)];
    if others == 0 {
        return filled("⌊({} − {}) × {} / {}⌋", mine);
    }
    filled("⌊({} − {}) × {} / {}⌋ − {}", [&mine[..], &[f64::from(others)]].concat())
}

fn others(s: &Scenario, demand: &Demand, window: &Window) -> Vec<crate::engine::analysis::Alternative> {
    let n = |value: u32| display::number(f64::from(value));
    let clients = f64::from(s.clients);
    let mut out = Vec::new();
    if window.floor > 1 {
        let below = window.floor - 1;
        let refused = erlang_b::blocking(u64::from(below), demand.offered);
        out.push(not(format!("Not {}", n(below)), below_floor(refused, s.shed_target)));
    }
    if let (true, Some(each)) = (window.recommended > window.chosen, s.host_concurrency) {
        out.push(not(
            format!("Not {}", n(window.recommended)),
            format!(
                "{} × {} is {} in flight; {}{} {}.",
                n(window.recommended),
                display::plural(clients, "proxy", "proxies"),
                display::count(f64::from(window.recommended) * clients),
                if demand.share.0 < 1.0 { "with those of the other priority that is too much: " } else { "" },
                phrases::hosts_survive(s.hosts_left()),
                phrases::capacity(f64::from(s.hosts_left()) * each)
            ),
        ));
    }
    if window.chosen != defaults::MAX_REQUESTS {
        out.push(not(
            format!("Not {}, Envoy's default", n(defaults::MAX_REQUESTS)),
            default_text(s, demand, window),
        ));
    }
    out.push(not("Not known", "arrivals burstier than Poisson inside the worst second."));
    out
}

/// What is wrong with the number below the floor.
fn below_floor(refused: Share, tolerated: Share) -> String {
    let times = refused.0 / tolerated.0;
    if times < 1.1 {
        return format!(
            "the busiest proxy would refuse just more than the {} you tolerate.",
            display::share(tolerated)
        );
    }
    format!(
        "the busiest proxy would refuse {} at peak, {} times what you tolerate.",
        display::share(refused),
        display::significant(times, 2)
    )
}

fn default_text(s: &Scenario, demand: &Demand, window: &Window) -> String {
    if window.floor > defaults::MAX_REQUESTS {
        let refused = erlang_b::blocking(u64::from(defaults::MAX_REQUESTS), demand.offered);
        return format!("the busiest proxy would refuse {} at peak.", display::share(refused));
    }
    let fleet = display::count(f64::from(defaults::MAX_REQUESTS) * f64::from(s.clients));
    match s.host_concurrency {
        Some(each) => format!(
            "the fleet could put {fleet} in flight; the hosts left survive {}.",
            display::number(f64::from(s.hosts_left()) * each)
        ),
        None => format!("the fleet could put {fleet} in flight, whatever the hosts survive."),
    }
}
