//! Texts in and out of a policy.

use super::table::{Kind, Knob, LONGEST_MS, RETRY_ON};
use crate::engine::nearest::nearest;
use crate::engine::params::Unit;
use crate::engine::sim::policies::{default_outlier, default_retry};
use crate::engine::sim::{Balancing, Budget, Limits, Nanos, Outlier, Policy, Retry, RetryLimit, RetryOn};
use crate::engine::units::display::{self, echo};
use crate::engine::units::parse;

const OFF: &str = "off";

/// A policy that is being changed.
pub struct Target {
    /// So far.
    pub policy: Policy,
    /// Whether outlier detection was switched off.
    pub ejects_nobody: bool,
    per_try: Option<Nanos>,
}

/// What a text says, for the kind of its setting.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Whole(u32),
    Percent(f64),
    Time(Option<Nanos>),
    Switch(bool),
    Word(&'static str),
    Words(Vec<&'static str>),
    Codes(Vec<u16>),
}

impl Target {
    pub fn new(policy: &Policy) -> Self {
        let per_try = policy.route.retry.as_ref().and_then(|r| r.per_try_timeout);
        Self { policy: policy.clone(), ejects_nobody: false, per_try }
    }

    /// Sets what a text says; the error is the message.
    pub fn set(&mut self, knob: &Knob, text: &str) -> Result<(), String> {
        let value = read(knob, text)?;
        self.put(knob.key, value);
        Ok(())
    }

    fn put(&mut self, key: &str, value: Value) {
        match value {
            Value::Whole(n) => self.whole(key, n),
            Value::Percent(p) => self.percent(key, p),
            Value::Time(span) => self.time(key, span),
            Value::Switch(on) => self.switch(key, on),
            Value::Word(word) => self.policy.balancing = balancing(word),
            Value::Words(words) => {
                if !words.is_empty() || self.policy.route.retry.is_some() {
                    self.retry().retry_on = RetryOn::from_words(words);
                }
            }
            Value::Codes(codes) => self.retry().retriable_status_codes = codes,
        }
    }

    /// Limits are those of both priorities: a person who changes one means what is in force.
    fn limits(&mut self, set: impl Fn(&mut Limits)) {
        self.policy.limits.iter_mut().for_each(set);
    }

    fn retry(&mut self) -> &mut Retry {
        self.policy.route.retry.get_or_insert_with(default_retry)
    }

    fn outlier(&mut self) -> &mut Outlier {
        self.policy.outlier.get_or_insert_with(default_outlier)
    }

    fn whole(&mut self, key: &str, n: u32) {
        match key {
            "max_requests" => self.limits(|l| l.max_requests = n),
            "max_connections" => self.limits(|l| l.max_connections = n),
            "max_pending_requests" => self.limits(|l| l.max_pending_requests = n),
            "max_retries" => self.limits(|l| l.retry_limit = RetryLimit::MaxRetries(n)),
            "min_retry_concurrency" => self.limits(|l| {
                l.retry_limit =
                    RetryLimit::Budget(Budget { min_retry_concurrency: n, ..budget(l.retry_limit) });
            }),
            "num_retries" => self.retry().num_retries = n,
            "consecutive_5xx" => {
                let outlier = self.outlier();
                (outlier.consecutive_5xx, outlier.enforcing_consecutive_5xx) = (n, 100);
            }
            "consecutive_gateway_failure" => {
                let outlier = self.outlier();
                (outlier.consecutive_gateway_failure, outlier.enforcing_consecutive_gateway_failure) =
                    (n, 100);
            }
            _ => self.outlier().max_ejection_percent = n,
        }
    }

    fn percent(&mut self, key: &str, percent: f64) {
        if key == "healthy_panic_threshold" {
            self.policy.healthy_panic_threshold = percent;
        } else {
            self.limits(|l| {
                l.retry_limit =
                    RetryLimit::Budget(Budget { budget_percent: percent, ..budget(l.retry_limit) });
            });
        }
    }

    fn time(&mut self, key: &str, span: Option<Nanos>) {
        match (key, span) {
            ("per_try_timeout", _) => {
                self.per_try = span;
                // Without a retry policy it works too: it cuts.
                if span.is_some() || self.policy.route.retry.is_some() {
                    self.retry().per_try_timeout = span;
                }
            }
            ("timeout", _) => self.policy.route.timeout = span,
            ("idle_timeout", _) => self.policy.upstream.idle_timeout = span,
            ("connect_timeout", Some(span)) => self.policy.upstream.connect_timeout = span,
            ("interval", Some(span)) => self.outlier().interval = span,
            ("base_ejection_time", Some(span)) => {
                let outlier = self.outlier();
                outlier.base_ejection_time = span;
                outlier.max_ejection_time = outlier.max_ejection_time.max(span);
            }
            _ => {}
        }
    }

    fn switch(&mut self, key: &str, on: bool) {
        match (key, on) {
            ("outlier_detection", true) => drop(self.outlier()),
            ("outlier_detection", false) => (self.policy.outlier, self.ejects_nobody) = (None, true),
            ("always_eject_one_host", _) => self.outlier().always_eject_one_host = on,
            ("split_external_local_origin_errors", _) => {
                self.outlier().split_external_local_origin_errors = on;
            }
            _ => self.policy.route.hedge_on_per_try_timeout = on,
        }
    }

    /// The policy as Envoy takes it: a per-try timeout that is not below the route timeout is
    /// ignored, and that is said.
    pub fn finish(mut self) -> Policy {
        let timeout = self.policy.route.timeout;
        let late = self.per_try.zip(timeout).filter(|(per_try, timeout)| per_try >= timeout);
        if let Some((per_try, timeout)) = late {
            self.retry().per_try_timeout = None;
            self.policy.not_simulated.push(format!(
                "per_try_timeout {} is not below timeout {}: Envoy ignores it",
                display::millis(per_try.as_millis()),
                display::millis(timeout.as_millis()),
            ));
        }
        self.policy
    }
}

fn budget(limit: RetryLimit) -> Budget {
    match limit {
        RetryLimit::Budget(budget) => budget,
        RetryLimit::MaxRetries(_) => Budget {
            budget_percent: crate::engine::envoy::defaults::BUDGET_PERCENT.0,
            min_retry_concurrency: crate::engine::envoy::defaults::MIN_RETRY_CONCURRENCY,
            budget_interval: Nanos::ZERO,
        },
    }
}

fn balancing(word: &str) -> Balancing {
    match word {
        "LEAST_REQUEST" => Balancing::LeastRequest { choices: 2 },
        "RANDOM" => Balancing::Random,
        _ => Balancing::RoundRobin,
    }
}

/// What a text says, or what is wrong with it, what is allowed and what to do.
fn read(knob: &Knob, text: &str) -> Result<Value, String> {
    let shown = echo(text);
    let allowed = allowed(knob.kind);
    if text.is_empty() {
        return Err(format!("No value is given. Enter {allowed}, or leave the setting out."));
    }
    let is_off = is_off(text);
    let number = |unit| {
        parse::number(text, unit).map_err(|_| format!("“{shown}” is not understood. Enter {allowed}."))
    };
    let within =
        |ok: bool| if ok { Ok(()) } else { Err(format!("{shown} is out of range. Allowed: {allowed}.")) };
    match knob.kind {
        Kind::Whole { min, max } => {
            let n = number(Unit::Count)?;
            within(n >= f64::from(min) && n <= f64::from(max))?;
            if n.fract() != 0.0 {
                return Err(format!("{shown} is not a whole number. Allowed: {allowed}."));
            }
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a whole number in range"
            )]
            Ok(Value::Whole(n as u32))
        }
        Kind::Percent => {
            let bare = text.trim_end_matches('%');
            let n = parse::number(bare, Unit::None)
                .map_err(|_| format!("“{shown}” is not understood. Enter {allowed}."))?;
            within((0.0..=100.0).contains(&n)).map(|()| Value::Percent(n))
        }
        Kind::Time { can_be_off: true, .. } if is_off => Ok(Value::Time(None)),
        Kind::Time { unit, min_ms, can_be_off } => {
            let n = number(unit)? * if unit == Unit::S { 1000.0 } else { 1.0 };
            if n == 0.0 && can_be_off {
                return Ok(Value::Time(None));
            }
            within((min_ms..=LONGEST_MS).contains(&n))?;
            Ok(Value::Time(Some(Nanos::rounded(n * 1e6))))
        }
        Kind::Switch => match text {
            "on" | "true" | "yes" => Ok(Value::Switch(true)),
            _ if is_off => Ok(Value::Switch(false)),
            _ => Err(format!("“{shown}” is not understood. Enter {allowed}.")),
        },
        Kind::Choice(_) | Kind::Words(_) | Kind::Codes => listed(knob.kind, text),
    }
}

/// Words and codes.
fn listed(kind: Kind, text: &str) -> Result<Value, String> {
    match kind {
        Kind::Choice(words) => {
            let found = words.iter().find(|w| w.eq_ignore_ascii_case(&text.replace('-', "_")));
            let unknown = || format!("“{}” is not known. {}", echo(text), meant(text, words));
            found.map(|w| Value::Word(w)).ok_or_else(unknown)
        }
        Kind::Words(_) if is_off(text) => Ok(Value::Words(Vec::new())),
        Kind::Words(words) => {
            let parts = text.split(',').map(str::trim).filter(|w| !w.is_empty());
            let each = parts.map(|part| {
                let found = words.iter().copied().find(|w| *w == part);
                found.ok_or_else(|| format!("“{}” is not known. {}", echo(part), meant(part, words)))
            });
            each.collect::<Result<_, _>>().map(Value::Words)
        }
        _ => {
            let codes = text.split(',').map(|code| {
                let code = code.trim();
                let read = code.parse().ok().filter(|code| (100..600).contains(code));
                read.ok_or_else(|| {
                    format!("“{}” is no status code. Enter {}.", echo(code), allowed(Kind::Codes))
                })
            });
            codes.collect::<Result<_, _>>().map(Value::Codes)
        }
    }
}

fn is_off(text: &str) -> bool {
    matches!(text, "off" | "none" | "false" | "no")
}

fn meant(text: &str, words: &[&'static str]) -> String {
    match nearest(text, words.iter().copied()) {
        Some(near) => format!("Did you mean {near}?"),
        None => format!("Choose one of {}.", words.join(", ")),
    }
}

/// What a kind takes, in words.
fn allowed(kind: Kind) -> String {
    match kind {
        Kind::Whole { min, max } => {
            format!("whole numbers {} to {}", display::count(f64::from(min)), display::count(f64::from(max)))
        }
        Kind::Percent => "a percentage, 0 to 100".to_owned(),
        Kind::Time { unit, can_be_off, .. } => {
            let unit = if unit == Unit::S { "seconds" } else { "milliseconds" };
            let off = if can_be_off { ", or off" } else { "" };
            format!("{unit} from 1{}ms to a year{off}", display::NBSP)
        }
        Kind::Switch => "on or off".to_owned(),
        Kind::Choice(words) => format!("one of {}", words.join(", ")),
        Kind::Words(words) => format!("words out of {} with commas, or off", words.join(", ")),
        Kind::Codes => "status codes 100 to 599 with commas".to_owned(),
    }
}

/// The text of a setting of a policy, DEFAULT priority.
pub fn text(policy: &Policy, knob: &Knob) -> String {
    let limits = &policy.limits[0];
    let (route, retry) = (&policy.route, policy.route.retry.as_ref());
    let whole = |n: Option<u32>| n.map(|n| n.to_string()).unwrap_or_default();
    let millis =
        |span: Option<Nanos>| span.map_or_else(|| OFF.to_owned(), |s| display::input(s.as_millis().0));
    let budget = match limits.retry_limit {
        RetryLimit::Budget(budget) => Some(budget),
        RetryLimit::MaxRetries(_) => None,
    };
    match knob.key {
        "max_requests" => limits.max_requests.to_string(),
        "max_connections" => limits.max_connections.to_string(),
        "max_pending_requests" => limits.max_pending_requests.to_string(),
        "max_retries" => match limits.retry_limit {
            RetryLimit::MaxRetries(n) => n.to_string(),
            RetryLimit::Budget(_) => String::new(),
        },
        "budget_percent" => budget.map(|b| display::input(b.budget_percent)).unwrap_or_default(),
        "min_retry_concurrency" => whole(budget.map(|b| b.min_retry_concurrency)),
        "retry_on" => retry.map_or_else(|| OFF.to_owned(), |r| words(r.retry_on)),
        "num_retries" => whole(retry.map(|r| r.num_retries)),
        "retriable_status_codes" => {
            let codes = retry.map(|r| r.retriable_status_codes.as_slice()).unwrap_or_default();
            codes.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
        }
        "per_try_timeout" => millis(retry.and_then(|r| r.per_try_timeout)),
        "hedge_on_per_try_timeout" => switch(route.hedge_on_per_try_timeout),
        "timeout" => millis(route.timeout),
        "connect_timeout" => millis(Some(policy.upstream.connect_timeout)),
        "idle_timeout" => seconds(policy.upstream.idle_timeout),
        "outlier_detection" => switch(policy.outlier.is_some()),
        "healthy_panic_threshold" => display::input(policy.healthy_panic_threshold),
        "lb_policy" => match policy.balancing {
            Balancing::RoundRobin => "ROUND_ROBIN",
            Balancing::LeastRequest { .. } => "LEAST_REQUEST",
            Balancing::Random => "RANDOM",
        }
        .to_owned(),
        key => policy.outlier.as_ref().map(|o| of_outlier(o, key)).unwrap_or_default(),
    }
}

/// The text of a field of `outlier_detection`; what is not enforced ejects nobody and reads 0.
fn of_outlier(o: &Outlier, key: &str) -> String {
    let enforced = |n: u32, enforcing: u32| if enforcing == 0 { 0 } else { n }.to_string();
    match key {
        "consecutive_5xx" => enforced(o.consecutive_5xx, o.enforcing_consecutive_5xx),
        "consecutive_gateway_failure" => {
            enforced(o.consecutive_gateway_failure, o.enforcing_consecutive_gateway_failure)
        }
        "interval" => seconds(Some(o.interval)),
        "base_ejection_time" => seconds(Some(o.base_ejection_time)),
        "max_ejection_percent" => o.max_ejection_percent.to_string(),
        "always_eject_one_host" => switch(o.always_eject_one_host),
        _ => switch(o.split_external_local_origin_errors),
    }
}

fn switch(on: bool) -> String {
    if on { "on" } else { OFF }.to_owned()
}

fn seconds(span: Option<Nanos>) -> String {
    span.map_or_else(|| OFF.to_owned(), |s| display::input(s.as_secs()))
}

/// Envoy's words for what is retried; `off` for nothing.
fn words(on: RetryOn) -> String {
    let set = [
        on.server_error_5xx,
        on.gateway_error,
        on.reset,
        on.reset_before_request,
        on.connect_failure,
        on.refused_stream,
        on.retriable_status_codes,
        on.cancelled,
        on.deadline_exceeded,
        on.resource_exhausted,
        on.internal,
        on.unavailable,
    ];
    let words: Vec<&str> = RETRY_ON.iter().zip(set).filter(|(_, set)| *set).map(|(word, _)| *word).collect();
    if words.is_empty() { OFF.to_owned() } else { words.join(",") }
}
