//! What the outlier detection of a cluster can do: what the rules of this folder share.

use crate::engine::audit::{Change, ClusterCx, Fix, Setting, Value};
use crate::engine::envoy::model;
use crate::engine::read::Place;
use crate::engine::read::config::{Dialect, OutlierDetection};
use crate::engine::read::effective::{Effective, EffectiveOutlier};
use crate::engine::scenario::EnvoyVersion;
use crate::engine::units::display;

/// From here on `max_ejection_percent` holds after the ejection and not before it.
pub const COUNTS_AFTER: EnvoyVersion = EnvoyVersion::minor(27);
/// From here on it holds for the first host too.
pub const COUNTS_FIRST: EnvoyVersion = EnvoyVersion::minor(28);
/// `always_eject_one_host` exists.
const ALWAYS_ONE: EnvoyVersion = EnvoyVersion::minor(31);

/// Outlier detection of a cluster that runs on Envoy.
#[derive(Clone, Copy)]
pub struct Detection<'a> {
    pub cx: &'a ClusterCx<'a>,
    /// What is in force.
    pub set: &'a EffectiveOutlier,
    /// What is written.
    pub text: &'a OutlierDetection,
}

/// A way to find a failing host.
#[derive(Clone, Copy)]
pub struct Detector<'a> {
    /// The field that says when, and how a fix names it.
    pub field: &'static str,
    pub setting: Option<Setting>,
    /// `None`: it compares hosts and has no threshold of its own.
    pub threshold: Option<&'a Effective<u32>>,
    pub enforcing_field: &'static str,
    pub enforcing_setting: Option<Setting>,
    pub enforcing: &'a Effective<u32>,
    /// Only with `split_external_local_origin_errors`.
    pub local: bool,
    /// Zero switches it off.
    pub in_a_row: bool,
}

/// Too few to compare.
#[derive(Clone, Copy)]
pub enum TooLittle {
    /// Hosts of the cluster.
    Hosts(u32),
    /// Requests that a proxy sends to a host in an interval.
    Requests(f64),
}

impl TooLittle {
    /// `it compares 3 hosts and needs 5`.
    pub fn words(self, hosts_needed: u32, volume: u32) -> String {
        /// Below a hundredth the digits say nothing more.
        const LEAST: f64 = 0.01;
        match self {
            Self::Hosts(hosts) => {
                format!("it needs {hosts_needed} hosts and has {}", display::count(f64::from(hosts)))
            }
            Self::Requests(seen) => format!(
                "it needs {} requests per host and interval, and a proxy sends {}",
                display::count(f64::from(volume)),
                if seen < LEAST {
                    format!("fewer than {}", display::number(LEAST))
                } else {
                    display::number(seen)
                },
            ),
        }
    }
}

impl<'a> Detection<'a> {
    /// The detection of a cluster, if it has one that Envoy's rules govern.
    pub fn of(cx: &'a ClusterCx<'a>) -> Option<Self> {
        let (set, text) = (cx.effective.outlier_detection.as_ref()?, cx.config.outlier_detection.as_ref()?);
        cx.dialect().runs_envoy().then_some(Self { cx, set, text })
    }

    /// Where a field stands; the block if it is not written.
    pub fn place<T>(&self, field: &'a Effective<T>) -> &'a Place {
        field.place().unwrap_or(&self.text.block)
    }

    /// All detectors.
    pub fn detectors(&self) -> impl Iterator<Item = Detector<'a>> + use<'a> {
        self.in_a_row().into_iter().chain(self.compared())
    }

    /// Those that count failures one after another.
    fn in_a_row(&self) -> [Detector<'a>; 3] {
        use Setting as S;
        let s = self.set;
        let row = |(field, setting, threshold), (enforcing_field, enforcing_setting, enforcing)| Detector {
            field,
            setting: Some(setting),
            threshold: Some(threshold),
            enforcing_field,
            enforcing_setting: Some(enforcing_setting),
            enforcing,
            local: field == "consecutive_local_origin_failure",
            in_a_row: true,
        };
        let [all, gateway, local] = [
            ("enforcing_consecutive_5xx", S::EnforcingConsecutive5xx, &s.enforcing_consecutive_5xx),
            (
                "enforcing_consecutive_gateway_failure",
                S::EnforcingConsecutiveGatewayFailure,
                &s.enforcing_consecutive_gateway_failure,
            ),
            (
                "enforcing_consecutive_local_origin_failure",
                S::EnforcingConsecutiveLocalOriginFailure,
                &s.enforcing_consecutive_local_origin_failure,
            ),
        ];
        let [run, gateways, locals] =
            [&s.consecutive_5xx, &s.consecutive_gateway_failure, &s.consecutive_local_origin_failure];
        [
            row(("consecutive_5xx", S::Consecutive5xx, run), all),
            row(("consecutive_gateway_failure", S::ConsecutiveGatewayFailure, gateways), gateway),
            row(("consecutive_local_origin_failure", S::ConsecutiveLocalOriginFailure, locals), local),
        ]
    }

    /// Those that look at the hosts of an interval.
    fn compared(&self) -> [Detector<'a>; 4] {
        use Setting as S;
        let s = self.set;
        let part = Some(&s.failure_percentage_threshold);
        let one = |field, enforcing_field, enforcing_setting, enforcing, threshold| Detector {
            field,
            setting: None,
            threshold,
            enforcing_field,
            enforcing_setting,
            enforcing,
            local: enforcing_field.contains("local_origin"),
            in_a_row: false,
        };
        let [rate, local_rate] = ["enforcing_success_rate", "enforcing_local_origin_success_rate"];
        let [percent, local_percent] =
            ["enforcing_failure_percentage", "enforcing_failure_percentage_local_origin"];
        let local = Some(S::EnforcingLocalOriginSuccessRate);
        let of_part = "failure_percentage_threshold";
        [
            one("success_rate", rate, Some(S::EnforcingSuccessRate), &s.enforcing_success_rate, None),
            one("success_rate", local_rate, local, &s.enforcing_local_origin_success_rate, None),
            one(of_part, percent, Some(S::EnforcingFailurePercentage), &s.enforcing_failure_percentage, part),
            one(of_part, local_percent, None, &s.enforcing_failure_percentage_local_origin, part),
        ]
    }

    /// The detectors that can eject.
    pub fn active(&self) -> impl Iterator<Item = Detector<'a>> + use<'a> {
        let split = self.set.split_external_local_origin_errors.value;
        self.detectors().filter(move |d| d.acts(split))
    }

    /// Whether a detector can eject.
    pub fn is_active(&self, enforcing_field: &str) -> bool {
        self.active().any(|d| d.enforcing_field == enforcing_field)
    }

    /// The shortest run of failures that ejects a host, of the detectors that count answers.
    pub fn shortest_run(&self) -> Option<Detector<'a>> {
        self.active().filter(|d| d.in_a_row && !d.local).min_by_key(|d| d.threshold.map(|t| t.value))
    }

    /// Hosts that `max_ejection_percent` lets go at once.
    pub fn ejectable(&self, hosts: u32) -> u32 {
        let version = self.cx.facts.envoy_version;
        let one = self.set.always_eject_one_host.value && version >= ALWAYS_ONE;
        let least = u32::from(one && hosts > 0);
        ejectable(self.set.max_ejection_percent.value, hosts, version).max(least)
    }

    /// Whether so many ejections set in panic.
    pub fn panics(&self, ejected: u32, hosts: u32) -> bool {
        healthy_percent(ejected, hosts) < self.panic_percent()
    }

    /// The panic threshold in percent; zero is off.
    pub fn panic_percent(&self) -> f64 {
        self.cx.effective.healthy_panic_threshold.value.0
    }

    /// The first number of ejections that sets in panic, within what the cap allows.
    pub fn first_panic(&self, hosts: u32) -> Option<u32> {
        (1..=self.ejectable(hosts)).find(|&k| self.panics(k, hosts))
    }

    /// Most hosts that are out at once: what the cap allows, and no panic undoes.
    pub fn most_out(&self, hosts: u32) -> u32 {
        self.first_panic(hosts).map_or_else(|| self.ejectable(hosts), |k| k - 1)
    }

    /// Why a detector that compares hosts never does, where what is known decides it.
    pub fn too_little(&self, hosts_needed: u32, volume: u32) -> Option<TooLittle> {
        if let Some(hosts) = self.cx.facts.hosts.filter(|hosts| *hosts < hosts_needed) {
            return Some(TooLittle::Hosts(hosts));
        }
        let traffic = self.cx.traffic()?;
        let seen = traffic.sizing.ejection.rate_per_host.arrivals_in(self.set.interval.value);
        (seen < f64::from(volume)).then_some(TooLittle::Requests(seen))
    }

    /// What Headroom would set, where the traffic is known and a host can be spared.
    pub fn recommended(&self) -> Option<&'a model::OutlierDetection> {
        self.cx.traffic()?.sizing.outlier.as_ref()
    }

    /// The cap that Headroom would set; leaves detection out where it would set none.
    pub fn recommended_cap(&self) -> Option<Fix> {
        let shown = |percent: u32| format!("{} → {percent}", self.set.max_ejection_percent.value);
        let Some(r) = self.recommended() else {
            return self.cx.traffic().map(|_| leave_out());
        };
        let set =
            |percent| Fix::set(shown(percent), Setting::MaxEjectionPercent, Value::Count(u64::from(percent)));
        match (r.always_eject_one_host, self.cx.dialect()) {
            (Some(true), Dialect::Envoy) => Some(
                set(r.max_ejection_percent).and(Change::Set(Setting::AlwaysEjectOneHost, Value::Flag(true))),
            ),
            // Zero counts as not set there, or one host cannot be said otherwise.
            (Some(true), _) => None,
            _ => Some(set(r.max_ejection_percent)),
        }
    }
}

impl Detector<'_> {
    fn acts(&self, split: bool) -> bool {
        let off = self.in_a_row && self.threshold.is_some_and(|t| t.value == 0);
        self.enforcing.value > 0 && !off && (split || !self.local)
    }
}

/// Hosts that a cap in percent lets go, by the rule of a release:
/// from 1.28 on `100 · (ejected + 1) / hosts ≤ percent`; in 1.27 the first host goes in any case;
/// before, `100 · ejected / hosts < percent` and the first host in any case.
pub fn ejectable(percent: u32, hosts: u32, version: EnvoyVersion) -> u32 {
    let whole = u64::from(percent) * u64::from(hosts);
    let (down, up) = (whole / 100, whole.div_ceil(100));
    let first = u64::from(hosts > 0);
    let allowed = if version >= COUNTS_FIRST {
        down
    } else if version >= COUNTS_AFTER {
        down.max(first)
    } else {
        up.max(first)
    };
    u32::try_from(allowed).unwrap_or(hosts).min(hosts)
}

/// Hosts from which on a cap lets one go: `⌈100 / percent⌉`.
pub fn hosts_needed(percent: u32) -> Option<u32> {
    (percent > 0).then(|| 100u32.div_ceil(percent))
}

/// Healthy hosts in percent when so many are out.
pub fn healthy_percent(ejected: u32, hosts: u32) -> f64 {
    100.0 * f64::from(hosts.saturating_sub(ejected)) / f64::from(hosts.max(1))
}

/// `, a default,` behind a value that nobody wrote.
pub fn default_mark<T>(value: &Effective<T>) -> &'static str {
    if value.is_default() { ", a default," } else { "" }
}

/// `, a default` at the end of a clause.
pub fn default_end<T>(value: &Effective<T>) -> &'static str {
    if value.is_default() { ", a default" } else { "" }
}

/// Removes the whole block: with it nothing is ever ejected.
pub fn leave_out() -> Fix {
    Fix::new("Leave it out", Change::Clear(Setting::OutlierDetection))
}

/// The panic threshold by the name that the program's users write.
pub fn panic_name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Istio => "`minHealthPercent`",
        Dialect::EnvoyGateway => "`panicThreshold`",
        _ => "`healthy_panic_threshold`",
    }
}

/// A percentage as it is shown: `33%`.
pub fn percent(value: f64) -> String {
    format!("{}%", display::significant(value, 2))
}

#[cfg(test)]
mod tests {
    use super::{ejectable, healthy_percent, hosts_needed};
    use crate::engine::scenario::EnvoyVersion;

    #[test]
    fn caps_by_release() {
        // Public cases and measurements: hosts, percent, then 1.26, 1.27 and 1.28.
        for (hosts, percent, expected) in [
            (3, 50, [2, 1, 1]),
            (3, 10, [1, 1, 0]),
            (10, 10, [1, 1, 1]),
            (9, 10, [1, 1, 0]),
            (2, 50, [1, 1, 1]),
            (2, 49, [1, 1, 0]),
            (4, 100, [4, 4, 4]),
        ] {
            let got = [26, 27, 28].map(|v| ejectable(percent, hosts, EnvoyVersion::minor(v)));
            assert_eq!(got, expected, "{hosts} hosts at {percent}%");
        }
    }

    #[test]
    fn hosts_that_a_cap_needs() {
        assert_eq!([100, 50, 34, 33, 10, 1].map(hosts_needed), [1, 2, 3, 4, 10, 100].map(Some));
        assert_eq!(hosts_needed(0), None);
        assert!((healthy_percent(2, 3) - 33.333).abs() < 0.001);
    }
}
