//! The checklist of the roll-out: back up, validate, one proxy, watch, roll back when.

use super::settings::is_retrying;
use crate::engine::analysis::Analysis;
use crate::engine::export::Target;
use crate::engine::queueing::poisson;
use crate::engine::units::{Share, display};
use crate::review::document::{Block, Section, Task};

/// How long one proxy is watched before the rest follows, in minutes.
const WATCH_MIN: f64 = 10.0;

/// A count that a healthy proxy exceeds less often than this says that it is not healthy.
const RARE: Share = Share(1e-3);

/// Minor release, 1.38, from which refusals of `max_requests` have a counter of their own.
const ACTIVE_OVERFLOW_SINCE: u8 = 38;

/// The checklist.
pub fn sign_off(a: &Analysis, target: Target) -> Section {
    let task = |what: &str, command: Option<&str>, points: Vec<String>| Task {
        what: what.to_owned(),
        command: command.map(str::to_owned),
        points,
    };
    let tasks = vec![
        task(
            "Back up what is in force, and the file that it comes from.",
            Some("curl -s localhost:9901/config_dump > before.json\ncp envoy.yaml envoy.before.yaml"),
            Vec::new(),
        ),
        task(
            "Put cluster and route into the configuration, and validate it with the Envoy that runs it.",
            Some("envoy --mode validate -c envoy.yaml"),
            Vec::new(),
        ),
        task(
            &format!(
                "Roll out to one proxy, at peak, and watch it for {} minutes.",
                display::number(WATCH_MIN)
            ),
            None,
            Vec::new(),
        ),
        task("Watch these counters of the cluster.", Some(WATCH), watch(a, target)),
        task("Roll back (the file of the first step) when one of these holds.", None, roll_back(a)),
        task(
            "Roll out to the rest in steps, each as long as the first, with the same counters summed over the fleet.",
            None,
            Vec::new(),
        ),
        task("Answer the open questions, or accept them in writing.", None, Vec::new()),
    ];
    Section { id: "sign-off", title: "Sign-off checklist".to_owned(), blocks: vec![Block::Steps(tasks)] }
}

/// Without the name of the cluster: a name is no pattern.
const WATCH: &str = "curl -s 'localhost:9901/stats?filter=upstream_rq_|upstream_cx_overflow|circuit_breakers|outlier_detection|lb_healthy_panic'";

/// The counter of refusals by `max_requests`.
fn overflow(a: &Analysis) -> &'static str {
    if a.scenario.envoy_version.minor >= ACTIVE_OVERFLOW_SINCE {
        "upstream_rq_active_overflow"
    } else {
        "upstream_rq_pending_overflow"
    }
}

/// What tells how full `max_requests` is.
fn in_flight(target: Target) -> &'static str {
    match target {
        #[cfg(feature = "cli")]
        Target::EnvoyGateway => "`upstream_rq_active`: in flight, as there is no gauge of free slots, of",
        _ => "`circuit_breakers.default.remaining_rq`: free slots of",
    }
}

fn watch(a: &Analysis, target: Target) -> Vec<String> {
    let f = &a.forecast;
    let u = &f.use_at_peak;
    let limit = display::count(f64::from(a.window.chosen));
    let mut points = vec![
        format!(
            "`{}`: refused by `max_requests` {limit}; {} expected at peak.",
            overflow(a),
            display::one_in(f.refused_at_peak)
        ),
        format!(
            "{} {limit}; the peak uses {} on average.",
            in_flight(target),
            display::number(u.max_requests.0)
        ),
        format!(
            "`upstream_rq_pending_overflow`: refused by `max_pending_requests`; {} while pools are cold, none later.",
            display::share(u.pending_refused_cold)
        ),
        "`upstream_cx_overflow`: tries to open a connection beyond `max_connections`; tries, not requests."
            .to_owned(),
        format!(
            "`upstream_rq_timeout`{}: cut by a timeout.",
            if a.timeouts.per_try_ms.is_some() { " and `upstream_rq_per_try_timeout`" } else { "" }
        ),
        "`upstream_cx_connect_timeout`: connections not set up in time.".to_owned(),
    ];
    if is_retrying(a) {
        points.push("`upstream_rq_retry` and `upstream_rq_retry_overflow`: retries sent, and refused by budget and floor.".to_owned());
    }
    if a.outlier.is_some() {
        points.push(format!(
            "`outlier_detection.ejections_active` and `outlier_detection.ejections_overflow`: hosts ejected now, up to {}, and ejections that were not allowed.",
            display::count(f64::from(a.ejection.hosts))
        ));
        points.push("`lb_healthy_panic`: traffic to all hosts, because too few are left.".to_owned());
    }
    points
}

/// Counts that a proxy within what was promised exceeds once in a thousand spans of ten minutes.
fn roll_back(a: &Analysis) -> Vec<String> {
    let s = &a.scenario;
    let f = &a.forecast;
    let minutes = display::number(WATCH_MIN);
    let requests = a.load.client_rate.0 * 60.0 * WATCH_MIN;
    let what = if s.protocol.streams() { "streams" } else { "requests" };
    let target = s.shed_target.0.max(f.refused_at_peak.0);
    let most = poisson::quantile(requests * target, RARE);
    let span = format!("{minutes} minutes");
    let mut points = vec![
        format!(
            "`{}` {} in {span}: with {} of at most {} {what} refused, that comes once in 1,000 such spans.",
            overflow(a),
            rises(most),
            display::share(Share(target)),
            display::count(requests.ceil()),
        ),
        "`upstream_rq_pending_overflow` or `upstream_cx_overflow` still rises after the first minute."
            .to_owned(),
    ];
    if let (Some(cut), Some(per_try)) = (f.cut_by_per_try, a.timeouts.per_try_ms) {
        let most = poisson::quantile(requests * cut.0, RARE);
        points.push(format!(
            "`upstream_rq_per_try_timeout` {} in {span}: {} of good attempts take longer than {}.",
            rises(most),
            display::share(cut),
            display::millis(per_try),
        ));
    }
    if is_retrying(a) {
        let most = poisson::quantile(requests * s.error_rate.0, RARE);
        points.push(format!(
            "`upstream_rq_retry` {} in {span}: {} of attempts fail on a good day.",
            rises(most),
            display::share(s.error_rate)
        ));
    }
    if let Some(n) = a.ejection.false_per_day.filter(|_| a.outlier.is_some()) {
        let most = poisson::quantile(n / 1440.0 * WATCH_MIN, RARE);
        points.push(format!(
            "`outlier_detection.ejections_enforced_total` of all proxies {} in {span} while the hosts report no errors: {} false ejections are expected a day.",
            rises(most),
            display::number(n)
        ));
    }
    if !s.protocol.streams() {
        points.push(format!(
            "The p99 of callers is above {} for {span}: p99 is {} today, and ×{} is what the limits ride out.",
            display::millis(a.latency.p99_ms * s.slowdown),
            display::millis(a.latency.p99_ms),
            display::number(s.slowdown)
        ));
    }
    points
}

fn rises(most: u64) -> String {
    if most == 0 {
        "rises at all".to_owned()
    } else {
        format!("rises by more than {}", display::count(most as f64))
    }
}
