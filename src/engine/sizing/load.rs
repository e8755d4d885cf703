//! Offered load: Little's law for the fleet and for its busiest proxy.

use super::ledger::{Ledger, derived};
use crate::engine::analysis::Load;
use crate::engine::filled::filled;
use crate::engine::scenario::Scenario;
use crate::engine::units::{Erlangs, Millis};

const LITTLE: &str = "J. D. C. Little, A Proof for the Queuing Formula L = λW, Operations Research 9 (1961)";

/// The load of all priorities together.
///
/// # Formula
///
/// `fleet_concurrency = rps · mean`; `client_rate = rps · burst · skew / clients`, the rate of the
/// busiest proxy in the worst second; `offered = client_rate · mean`, in erlangs.
///
/// # Assumptions
///
/// The mean time in service holds in the worst second too; the busiest proxy is also the one that
/// sees the burst.
pub fn offered(s: &Scenario, mean: Millis, ledger: &mut Ledger) -> Load {
    let client_rate = s.rps * s.burst * s.skew * (1.0 / f64::from(s.clients));
    let load = Load {
        fleet_concurrency: Erlangs::of(s.rps, mean),
        fleet_concurrency_at_peak: Erlangs::of(s.rps * s.burst, mean),
        client_rate,
        offered: Erlangs::of(client_rate, mean),
    };
    ledger.add(
        "load.fleet_concurrency",
        load.fleet_concurrency.0,
        "requests in flight",
        derived(LITTLE),
        "rps · mean",
        filled("{} × {} ms", [s.rps.0, mean.0]),
    );
    ledger.add(
        "load.client_rate",
        client_rate.0,
        "req/s",
        derived("the busiest proxy in the worst second"),
        "rps · burst · skew / clients",
        filled("{} × {} × {} / {}", [s.rps.0, s.burst, s.skew, f64::from(s.clients)]),
    );
    ledger.add(
        "load.offered",
        load.offered.0,
        "erlangs",
        derived(LITTLE),
        "client_rate · mean",
        filled("{} req/s × {} ms", [client_rate.0, mean.0]),
    );
    load
}
