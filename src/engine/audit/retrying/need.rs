//! How many retries a good day needs at once.

use super::Retried;
use crate::engine::queueing::poisson;
use crate::engine::sizing::retry_budget::FLOOR_TAIL;
use crate::engine::units::{Millis, Rate, Share, display};

/// Retries that are outstanding while all goes as it does on a good day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Need {
    /// Requests of the busiest proxy in the worst second.
    pub rate: Rate,
    /// Share of attempts that fail.
    pub failing: Share,
    /// Time that a retry holds its slot: back-off and time to the headers.
    pub hold: Millis,
}

impl Need {
    /// Mean retries outstanding, by Little's law.
    pub fn outstanding(&self) -> f64 {
        self.rate.arrivals_in(self.hold) * self.failing.0
    }

    /// Retries outstanding that one moment in a thousand exceeds.
    pub fn at_once(&self) -> u64 {
        poisson::quantile(self.outstanding(), FLOOR_TAIL)
    }

    /// `2,000 req/s × 10% failing × 60 ms each`
    pub fn product(&self) -> String {
        format!(
            "{} × {} failing × {} of back-off and answer",
            display::rate(self.rate),
            display::share(self.failing),
            display::millis(self.hold)
        )
    }
}

impl Retried<'_> {
    /// Retries that a good day needs.
    pub fn need(&self) -> Option<Need> {
        let (traffic, sizing) = self.known()?;
        let s = &traffic.scenario;
        let to_headers = if s.protocol.streams() { s.connect_ms } else { traffic.sizing.latency.mean_ms };
        let hold = self.back_off.map_or(sizing.retry_hold, |back_off| back_off.mean(1) + to_headers);
        Some(Need { rate: sizing.client_rate, failing: s.error_rate, hold })
    }
}
