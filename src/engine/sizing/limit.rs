//! What Envoy's fields hold: an answer beyond is an error of the scenario, never clamped.

use crate::engine::analysis::Timeouts;
use crate::engine::params::{ParamId, param};
use crate::engine::scenario::{Problem, Scenario};
use crate::engine::units::{Millis, display};

/// An answer that Envoy's field cannot hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooLarge {
    /// Envoy's name of the setting.
    pub setting: &'static str,
    /// What it would have to be, at least.
    pub needed: f64,
}

/// The number as Envoy's field takes it.
///
/// # Errors
///
/// [`TooLarge`] above 4,294,967,295.
pub fn as_limit(setting: &'static str, needed: u64) -> Result<u32, TooLarge> {
    u32::try_from(needed).map_err(|_| TooLarge { setting, needed: needed as f64 })
}

impl TooLarge {
    /// The problem as the person sees it: the rate is the input that every limit grows with.
    pub fn problem(self, s: &Scenario) -> Problem {
        let message = format!(
            "{} would have to be {} or more in each proxy, and Envoy's field ends at {}. Lower {}, or raise {} so that each proxy carries less.",
            self.setting,
            display::count(self.needed),
            display::count(f64::from(u32::MAX)),
            param(ParamId::Rps).label.to_ascii_lowercase(),
            param(ParamId::Clients).label.to_ascii_lowercase(),
        );
        Problem::new(ParamId::Rps, &display::input(s.rps.0), message)
    }
}

/// Longest duration Envoy takes: it counts nanoseconds in a signed number of 64 bits.
///
/// # Source
///
/// Measured on Envoy 1.40.0: one second more is "Duration out-of-range".
const LONGEST: Millis = Millis(9_223_372_036_000.0);

/// A timeout that Envoy cannot count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooLong {
    /// The longest timeout of the ladder.
    pub needed: Millis,
}

/// Fails when a timeout is beyond Envoy's durations, as latencies of years lead to.
///
/// # Errors
///
/// [`TooLong`] with the longest timeout.
pub fn check_durations(timeouts: &Timeouts) -> Result<(), TooLong> {
    let optional = [
        timeouts.per_try_ms,
        timeouts.stream_idle_ms,
        timeouts.max_stream_duration_ms,
        timeouts.grpc_timeout_header_max_ms,
    ];
    let longest = optional.into_iter().flatten().fold(timeouts.route_ms, Millis::max);
    if longest.0 <= LONGEST.0 { Ok(()) } else { Err(TooLong { needed: longest }) }
}

impl TooLong {
    /// The problem as the person sees it: the time in service that the ladder is built on.
    pub fn problem(self, s: &Scenario) -> Problem {
        let (id, value) = slowest(s);
        let years = |duration: Millis| display::number(duration.as_secs() / (365.25 * 86_400.0));
        let message = format!(
            "With this time in service a timeout would be {} years, and Envoy's durations end at {}. Correct {}.",
            years(self.needed),
            years(LONGEST),
            param(id).label,
        );
        Problem::new(id, &display::input(value), message)
    }
}

/// The input that says most about the slowest requests.
fn slowest(s: &Scenario) -> (ParamId, f64) {
    let (latency, stream) = (&s.latency_ms, s.stream_duration_s.as_ref());
    let ms = |at: Option<Millis>| at.map(|at| at.0);
    let candidates = [
        (ParamId::StreamP99, stream.and_then(|life| life.p99)),
        (ParamId::StreamMean, stream.and_then(|life| life.mean)),
        (ParamId::P999, ms(latency.p999)),
        (ParamId::P99, ms(latency.p99)),
        (ParamId::P95, ms(latency.p95)),
        (ParamId::P90, ms(latency.p90)),
        (ParamId::P75, ms(latency.p75)),
        (ParamId::P50, ms(latency.p50)),
        (ParamId::Mean, ms(latency.mean)),
    ];
    let is_stream = |id| matches!(id, ParamId::StreamP99 | ParamId::StreamMean);
    let mut given = candidates.into_iter().filter(|(id, _)| is_stream(*id) == s.protocol.streams());
    given
        .find_map(|(id, value)| value.map(|value| (id, value)))
        .expect("a valid scenario has a time in service")
}

#[cfg(test)]
mod tests {
    use crate::engine::analyze;
    use crate::engine::scenario::Scenario;

    #[test]
    fn years_of_latency_name_the_percentile_to_correct() {
        let json = r#"{"rps": 0.001, "latency_ms": {"p50": 0.1, "p75": 1e8}}"#;
        let scenario = Scenario::from_json(json).expect("each input is in range");
        let problems = analyze(&scenario).expect_err("its p99.9 is beyond Envoy's durations");
        assert_eq!(problems[0].field, "p75", "{problems:?}");
        assert!(problems[0].message.ends_with("end at 292. Correct Latency p75."), "{problems:?}");
    }
}
