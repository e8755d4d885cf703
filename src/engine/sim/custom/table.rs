//! The table of settings: key, label, unit, range, help.

use crate::engine::params::Unit;

/// A setting that can be changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knob {
    /// Envoy's name, as keys of links and flags spell it.
    pub key: &'static str,
    /// Label in the form.
    pub label: &'static str,
    /// Unit beside the input.
    pub unit_label: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it does, in a sentence.
    pub help: &'static str,
}

/// What a setting takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A whole number.
    Whole {
        /// Lowest.
        min: u32,
        /// Highest.
        max: u32,
    },
    /// A number with a fraction, in percent.
    Percent,
    /// A time.
    Time {
        /// How it is read: milliseconds or seconds.
        unit: Unit,
        /// Shortest, in milliseconds.
        min_ms: f64,
        /// Whether it can be switched off.
        can_be_off: bool,
    },
    /// On or off.
    Switch,
    /// One of a list of words.
    Choice(&'static [&'static str]),
    /// Several words of a list, with commas.
    Words(&'static [&'static str]),
    /// Status codes, with commas.
    Codes,
}

impl Knob {
    /// Whether it is a field of `outlier_detection`.
    pub fn is_of_outlier(&self) -> bool {
        const FIELDS: [&str; 7] = [
            "consecutive_5xx",
            "consecutive_gateway_failure",
            "interval",
            "base_ejection_time",
            "max_ejection_percent",
            "always_eject_one_host",
            "split_external_local_origin_errors",
        ];
        FIELDS.contains(&self.key)
    }
}

/// The longest time that is understood, in milliseconds: a year.
pub const LONGEST_MS: f64 = 365.0 * 86_400_000.0;

/// The words of `retry_on` that something in the simulator can fire.
pub const RETRY_ON: &[&str] = &[
    "5xx",
    "gateway-error",
    "reset",
    "reset-before-request",
    "connect-failure",
    "refused-stream",
    "retriable-status-codes",
    "cancelled",
    "deadline-exceeded",
    "resource-exhausted",
    "internal",
    "unavailable",
];

const ANY: Kind = Kind::Whole { min: 0, max: u32::MAX };
const SHARE: Kind = Kind::Whole { min: 0, max: 100 };
const SPAN: Kind = Kind::Time { unit: Unit::Ms, min_ms: 1.0, can_be_off: true };
const NEEDED: Kind = Kind::Time { unit: Unit::Ms, min_ms: 1.0, can_be_off: false };
const SECONDS: Kind = Kind::Time { unit: Unit::S, min_ms: 1.0, can_be_off: false };

const fn knob(
    key: &'static str,
    label: &'static str,
    unit_label: &'static str,
    kind: Kind,
    help: &'static str,
) -> Knob {
    Knob { key, label, unit_label, kind, help }
}

/// Every setting, in the order of the form.
pub const KNOBS: &[Knob] = &[
    knob(
        "max_requests",
        "Max requests",
        "",
        ANY,
        "Requests in flight in each proxy; further ones are refused. 0 refuses all.",
    ),
    knob(
        "max_connections",
        "Max connections",
        "",
        ANY,
        "Connections of each proxy; every pool may open one anyway.",
    ),
    knob(
        "max_pending_requests",
        "Max pending requests",
        "",
        ANY,
        "Requests of each proxy that wait for a connection; further ones are refused. 0 never opens a connection.",
    ),
    knob("max_retries", "Max retries", "", ANY, "Retries of each proxy at once; replaces the retry budget."),
    knob(
        "budget_percent",
        "Retry budget",
        "%",
        Kind::Percent,
        "Retries at once, in percent of the requests active and pending; replaces max_retries.",
    ),
    knob("min_retry_concurrency", "Budget floor", "", ANY, "Retries at once that the budget always allows."),
    knob(
        "retry_on",
        "Retry on",
        "",
        Kind::Words(RETRY_ON),
        "What is retried: Envoy's words with commas, or off.",
    ),
    knob(
        "num_retries",
        "Retries",
        "",
        Kind::Whole { min: 0, max: 100 },
        "Retries of a request after its first attempt.",
    ),
    knob(
        "retriable_status_codes",
        "Status codes",
        "",
        Kind::Codes,
        "Codes that retriable-status-codes retries, with commas.",
    ),
    knob(
        "per_try_timeout",
        "Per-try timeout",
        "ms",
        SPAN,
        "Time of an attempt until its response begins, once it has a connection.",
    ),
    knob(
        "hedge_on_per_try_timeout",
        "Hedge on per-try timeout",
        "",
        Kind::Switch,
        "At the per-try timeout another attempt starts and the first one goes on.",
    ),
    knob(
        "timeout",
        "Route timeout",
        "ms",
        SPAN,
        "Time of a request from its arrival to the end of the answer, retries included.",
    ),
    knob("connect_timeout", "Connect timeout", "ms", NEEDED, "Time to set up a connection."),
    knob(
        "idle_timeout",
        "Pool idle timeout",
        "s",
        Kind::Time { unit: Unit::S, min_ms: 1.0, can_be_off: true },
        "Connections without a request are closed after this.",
    ),
    knob("outlier_detection", "Outlier detection", "", Kind::Switch, "Whether hosts are ejected at all."),
    knob(
        "consecutive_5xx",
        "Consecutive 5xx",
        "",
        ANY,
        "5xx in a row after which a proxy ejects a host; 0 is off.",
    ),
    knob(
        "consecutive_gateway_failure",
        "Consecutive gateway failures",
        "",
        ANY,
        "502, 503, 504, resets and timeouts in a row after which a proxy ejects a host, enforced; 0 is off.",
    ),
    knob(
        "interval",
        "Interval",
        "s",
        SECONDS,
        "Ejected hosts return at these ticks; success rates are judged at them.",
    ),
    knob(
        "base_ejection_time",
        "Base ejection time",
        "s",
        SECONDS,
        "Time of the first ejection; each further one is longer.",
    ),
    knob(
        "max_ejection_percent",
        "Max ejection",
        "%",
        SHARE,
        "Share of the hosts that a proxy may have ejected at once.",
    ),
    knob(
        "always_eject_one_host",
        "Always eject one host",
        "",
        Kind::Switch,
        "The first ejection is allowed whatever the share.",
    ),
    knob(
        "split_external_local_origin_errors",
        "Split local-origin errors",
        "",
        Kind::Switch,
        "Timeouts, resets and failed connects are counted apart from status codes.",
    ),
    knob(
        "healthy_panic_threshold",
        "Panic threshold",
        "%",
        Kind::Percent,
        "Below this share of available hosts all get traffic; 0 is off.",
    ),
    knob(
        "lb_policy",
        "Load balancing",
        "",
        Kind::Choice(&["ROUND_ROBIN", "LEAST_REQUEST", "RANDOM"]),
        "How a proxy picks the host.",
    ),
];
