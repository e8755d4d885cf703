//! Outlier detection that can act and cannot cascade.
//!
//! Each proxy judges alone, from what it sends to a host itself. It must be able to eject at least
//! one host, must leave enough hosts to carry the peak, and must not bring the pool under Envoy's
//! panic threshold.

use super::ledger::{Ledger, derived, not, rule};
use crate::engine::analysis::Ejection;
use crate::engine::envoy::defaults;
use crate::engine::envoy::model::{Duration, OutlierDetection};
use crate::engine::filled::{Filled, filled};
use crate::engine::scenario::{EnvoyVersion, Scenario};
use crate::engine::units::{Millis, Rate, display};

/// One zone of three may go.
const EJECTABLE_SHARE: f64 = 0.3;
/// Fewer in a row is a blip: one request and its retry.
const MIN_CONSECUTIVE: u32 = 3;
/// More in a row takes too long to see a dead host.
const MAX_CONSECUTIVE: u32 = 20;
/// One false ejection a month in the whole fleet is what a team does not notice.
const FALSE_PER_DAY: f64 = 1.0 / 30.0;
const SECONDS_PER_DAY: f64 = 86_400.0;
const INTERVAL: Millis = Millis(10_000.0);
const BASE_EJECTION_TIME: Millis = Millis(30_000.0);

/// The settings, if a host can be spared, and what they can do.
pub fn detection(s: &Scenario, mean: Millis) -> (Option<OutlierDetection>, Ejection) {
    let hosts = ejectable(s, mean);
    let share = percent_for(hosts, s.hosts, most_ejectable(s, mean));
    let one_of_many = share.is_none() && hosts > 0 && s.envoy_version >= EnvoyVersion::minor(31);
    // Whole percentages cannot express one host of several hundred.
    let percent = share.or(one_of_many.then_some(0));
    let rate_per_host = s.rps * (1.0 / f64::from(s.clients) / f64::from(s.hosts));
    let Some(percent) = percent else {
        return (None, off(s, rate_per_host));
    };
    let consecutive = consecutive(s);
    let ejection = Ejection {
        hosts: if one_of_many { 1 } else { allowed_by(percent, s.hosts) },
        rate_per_host,
        detection_ms: Some(Millis::from_secs(f64::from(consecutive) / rate_per_host.0)),
        failures_until_all: Some(f64::from(s.clients) * f64::from(consecutive)),
        false_per_day: Some(false_per_day(s, consecutive)),
        off_because: None,
    };
    let detection = OutlierDetection {
        consecutive_gateway_failure: consecutive,
        enforcing_consecutive_gateway_failure: 100,
        enforcing_consecutive_5xx: 0,
        enforcing_success_rate: if success_rate_sees_enough(s, rate_per_host) { 100 } else { 0 },
        interval: Duration(INTERVAL),
        base_ejection_time: Duration(BASE_EJECTION_TIME),
        max_ejection_percent: percent,
        always_eject_one_host: one_of_many.then_some(true),
        split_external_local_origin_errors: false,
    };
    (Some(detection), ejection)
}

fn off(s: &Scenario, rate_per_host: Rate) -> Ejection {
    let because = if s.hosts == 1 {
        "there is one host, and ejecting it leaves none".to_owned()
    } else {
        format!(
            "none of {} hosts can be spared: the rest could not carry the peak in a slowdown",
            display::count(f64::from(s.hosts))
        )
    };
    Ejection {
        hosts: 0,
        rate_per_host,
        detection_ms: None,
        failures_until_all: None,
        false_per_day: None,
        off_because: Some(because),
    }
}

/// Hosts that may be ejected at once.
///
/// # Formula
///
/// `⌊0.3 · hosts⌋`, at least `max(1, hosts_lost)`, at most half, at most what leaves
/// `(hosts − k) · host_concurrency ≥ rps · burst · mean · slowdown`.
pub fn ejectable(s: &Scenario, mean: Millis) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "hosts is at most 100,000")]
    let zone = (EJECTABLE_SHARE * f64::from(s.hosts)).floor() as u32;
    zone.max(1).max(s.hosts_lost).min(most_ejectable(s, mean))
}

/// Never more than half, or than the peak in a slowdown can do without.
fn most_ejectable(s: &Scenario, mean: Millis) -> u32 {
    (s.hosts / 2).min(spare(s, mean))
}

/// Hosts that the peak in a slowdown can do without; all of them when nobody knows what one survives.
fn spare(s: &Scenario, mean: Millis) -> u32 {
    let Some(each) = s.host_concurrency else { return s.hosts };
    let needed = (needed_in_flight(s, mean) / each).ceil();
    let spare = f64::from(s.hosts) - needed;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0 … hosts")]
    {
        spare.clamp(0.0, f64::from(s.hosts)) as u32
    }
}

fn needed_in_flight(s: &Scenario, mean: Millis) -> f64 {
    s.rps.0 * s.burst * mean.as_secs() * s.slowdown
}

/// The whole percentage that lets `ejectable` hosts go; where none does exactly, the next above if
/// that stays within `most`, else the next below; `None` when that is no host at all.
fn percent_for(ejectable: u32, hosts: u32, most: u32) -> Option<u32> {
    let above = (100 * u64::from(ejectable)).div_ceil(u64::from(hosts));
    let above = u32::try_from(above).unwrap_or(100);
    let percent = if allowed_by(above, hosts) > most { above - 1 } else { above };
    (ejectable > 0 && allowed_by(percent, hosts) > 0).then_some(percent)
}

/// Hosts that Envoy lets go at a percentage: `100 · (ejected + 1) / hosts ≤ percent`.
fn allowed_by(percent: u32, hosts: u32) -> u32 {
    u32::try_from(u64::from(percent) * u64::from(hosts) / 100).unwrap_or(hosts)
}

/// Failures in a row that eject a host: the fewest, from 3 on, that a good day almost never shows.
fn consecutive(s: &Scenario) -> u32 {
    (MIN_CONSECUTIVE..MAX_CONSECUTIVE)
        .find(|k| false_per_day(s, *k) <= FALSE_PER_DAY)
        .unwrap_or(MAX_CONSECUTIVE)
}

/// False ejections per day in the whole fleet: every request may start a run of `k` failures. A
/// host that is out cannot be ejected again, which bounds the number.
pub fn false_per_day(s: &Scenario, k: u32) -> f64 {
    let runs = s.rps.0 / f64::from(s.hosts) * s.error_rate.0.powi(i32::try_from(k).unwrap_or(i32::MAX));
    let most = f64::from(s.hosts) / BASE_EJECTION_TIME.as_secs();
    runs.min(most) * SECONDS_PER_DAY
}

/// Success rate needs 100 requests per interval on at least 5 hosts, in every proxy.
pub fn success_rate_sees_enough(s: &Scenario, rate_per_host: Rate) -> bool {
    s.hosts >= defaults::SUCCESS_RATE_MINIMUM_HOSTS
        && rate_per_host.arrivals_in(INTERVAL) >= defaults::SUCCESS_RATE_REQUEST_VOLUME
}

/// Writes the settings into the account.
pub fn explain(
    s: &Scenario,
    mean: Millis,
    settings: Option<&OutlierDetection>,
    e: &Ejection,
    ledger: &mut Ledger,
) {
    let n = display::number;
    let hosts = f64::from(s.hosts);
    ledger.add(
        "outlier.max_ejection_percent.hosts",
        f64::from(e.hosts),
        "hosts",
        rule("our choice: one zone of three; never so many that the rest cannot carry the peak, or that panic sets in"),
        "⌊0.3 · hosts⌋, at least max(1, hosts_lost), at most half, leaving (hosts − k) · host_concurrency ≥ rps · burst · mean · slowdown",
        ejectable_text(s, mean),
    );
    let Some(settings) = settings else { return };
    ledger
        .add(
            "outlier.max_ejection_percent.chosen",
            f64::from(settings.max_ejection_percent),
            "%",
            derived("envoy ejects while 100 · (ejected + 1) / hosts ≤ max_ejection_percent"),
            "the whole percentage nearest to 100 · k / hosts within those bounds",
            filled(
                "{}: lets {} of {} go",
                [f64::from(settings.max_ejection_percent), f64::from(e.hosts), hosts],
            ),
        )
        .extend((s.hosts < 10).then(|| {
            not(
                "Not 10, Envoy's default",
                format!("10% of {} hosts is less than one: nothing would ever be ejected.", n(hosts)),
            )
        }));
    explain_consecutive(s, settings.consecutive_gateway_failure, e, ledger);
}

fn ejectable_text(s: &Scenario, mean: Millis) -> Filled {
    let hosts = f64::from(s.hosts);
    let bounds = [hosts, f64::from(s.hosts_lost.max(1)), f64::from(s.hosts / 2)];
    let Some(each) = s.host_concurrency else {
        return filled("⌊0.3 × {}⌋, at least {}, at most {}", bounds);
    };
    let leaving = [hosts, each, needed_in_flight(s, mean)];
    let text = "⌊0.3 × {}⌋, at least {}, at most {}, leaving ({} − k) × {} ≥ {}";
    filled(text, [bounds, leaving].concat())
}

fn explain_consecutive(s: &Scenario, k: u32, e: &Ejection, ledger: &mut Ledger) {
    let n = display::number;
    ledger.add(
        "outlier.consecutive_gateway_failure.false_per_day",
        e.false_per_day,
        "per day",
        derived("every request to a host may begin a run of k failures"),
        "rps / hosts · error_rate^k · 86,400 s",
        filled("{} / {} × {}^{} × 86,400", [s.rps.0, f64::from(s.hosts), s.error_rate.0, f64::from(k)]),
    );
    ledger.add(
        "outlier.consecutive_gateway_failure.detection",
        e.detection_ms.map(|ms| ms.0),
        "ms",
        derived("each proxy judges alone, from the requests it sends to the host itself"),
        "k / (rps / clients / hosts)",
        filled("{} / {} req/s", [f64::from(k), e.rate_per_host.0]),
    );
    ledger
        .add(
            "outlier.consecutive_gateway_failure.chosen",
            f64::from(k),
            "failures in a row",
            rule("our rule: the fewest, 3 to 20, with at most one false ejection a month in the whole fleet"),
            "min k ≥ 3: rps / hosts · error_rate^k · 86,400 ≤ 1/30",
            filled("{}: {} per day", [f64::from(k), e.false_per_day.unwrap_or_default()]),
        )
        .push(not(
            format!("Not {}", k + 2),
            format!(
                "every proxy would need {} more failures per dead host; the fleet as a whole {} more.",
                2,
                n(2.0 * f64::from(s.clients))
            ),
        ));
}
