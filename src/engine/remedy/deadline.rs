//! Deadlines that leave enough room for what must fit inside them.

use crate::engine::params::{Kind, ParamId, param};
use crate::engine::scenario::Scenario;
use crate::engine::sizing::Sizing;
use crate::engine::sizing::retry_policy;
use crate::engine::sizing::service_time::ServiceTime;
use crate::engine::sizing::timeouts::{self, Ladder};
use crate::engine::units::{Millis, Share, display};

/// Share of good requests that a timeout may cut before a finding says so.
///
/// Our choice: one in a thousand is what p99.9, the base of `per_try_timeout`, leaves by itself.
pub const TOLERATED_CUT: Share = Share(1e-3);

/// What may be cut in this scenario: whoever tolerates more refusals tolerates more cuts.
pub fn tolerated_cut(s: &Scenario) -> Share {
    Share(s.shed_target.0.max(TOLERATED_CUT.0))
}

/// The smallest readable deadline, above the present one, whose timeout ladder is as asked.
///
/// # Formula
///
/// The ladder is built again for each candidate, and a longer deadline only makes more room, so
/// halving finds the smallest whole number of milliseconds. It is then rounded up to two
/// significant digits if the ladder is as asked there too.
pub fn deadline_where(s: &Scenario, z: &Sizing, as_asked: impl Fn(&Ladder) -> bool) -> Option<Millis> {
    let Kind::Number(range) = param(ParamId::DeadlineMs).kind else { return None };
    let time = ServiceTime { model: z.model.clone(), summary: z.latency.clone() };
    let back_off = retry_policy::back_off(time.summary.p50_ms);
    let holds = |ms: f64| {
        let changed = Scenario { deadline_ms: Some(Millis(ms)), ..s.clone() };
        as_asked(&timeouts::ladder(&changed, &time, &back_off))
    };
    let now = z.timeouts.deadline_ms?.0.ceil().max(range.min);
    if !holds(range.max) {
        return None;
    }
    let (mut low, mut high) = (now, range.max);
    while high - low > 1.0 {
        let middle = (low + (high - low) / 2.0).floor();
        if holds(middle) { high = middle } else { low = middle }
    }
    let readable = round_up(high);
    Some(Millis(if readable <= range.max && holds(readable) { readable } else { high }))
}

/// The next number of two significant digits that is not below `value`.
fn round_up(value: f64) -> f64 {
    let near = display::round_to(value, 2);
    if near >= value {
        return near;
    }
    display::round_to(near + display::second_digit(value), 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::scenario::PRESETS;
    use crate::engine::sizing::size;

    #[test]
    fn the_deadline_gives_the_route_timeout_asked_for_and_little_more() {
        for preset in PRESETS.iter().filter(|p| p.key != "streams") {
            let s = preset.scenario();
            let z = size(&s).expect("a preset has an answer");
            for asked in [3000.0, 9_990.0, 1e6] {
                let found = deadline_where(&s, &z, |l| l.timeouts.route_ms.0 >= asked).expect("in range");
                assert!(found.0 * 0.95 >= asked && found.0 * 0.95 <= asked * 1.1, "{asked}: {found:?}");
            }
            assert_eq!(deadline_where(&s, &z, |l| l.timeouts.route_ms.0 >= 1e9), None);
        }
    }

    #[test]
    fn rounds_up_to_two_digits() {
        for (value, up) in [(950.0, 950.0), (951.0, 960.0), (0.123, 0.13), (99.1, 100.0), (101.0, 110.0)] {
            assert!((round_up(value) - up).abs() < 1e-9, "{value}: {}", round_up(value));
        }
    }
}
