//! `HR140 hedging-adds-load`: what hedging sends on top, and when the upstream slows down.

use crate::engine::audit::retrying::{Need, Retrying};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Traffic, Value};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR140",
        name: "hedging-adds-load",
        severity: Severity::Warning,
        summary: "hedging sends more requests the slower the upstream gets",
        rationale: "A hedge starts when an attempt has lasted as long as `per_try_timeout`, and that attempt goes on. On \
                    a good day few do. When the upstream slows down more of them do, so it gets more requests because \
                    it is slow. Hedges take slots of the retry limit and of `max_requests`, and each soft timeout is \
                    charged to outlier detection.",
        sources: &[
            "envoy: config.route.v3.HedgePolicy.hedge_on_per_try_timeout; measured on 1.40: the first attempt goes on",
            "envoyproxy/envoy#12993: hedges and the route timeout",
            "our choice: more than a tenth on a good day, or half in a slowdown, is likely harm",
        ],
    },
    check: Check::Route(check),
};

const MUCH: Share = Share(0.1);
const MUCH_WHEN_SLOW: Share = Share(0.5);

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

/// When the hedges of a request start, the earliest and the latest of each.
#[derive(Clone, Debug)]
struct Hedges {
    per_try: Millis,
    starts: Vec<(Millis, Millis)>,
}

impl Hedges {
    fn of(cx: &RouteCx<'_>, retrying: Retrying<'_>, per_try: Millis) -> Self {
        /// More than that nobody hedges; a number of retries may be anything.
        const MOST: u32 = 64;
        let route = cx.effective.timeout.value;
        let back_off = retrying.back_off();
        let start = |k: u32| (per_try * f64::from(k), per_try * f64::from(k) + back_off.total_bound(k));
        // One that cannot start before the route timeout is over does not.
        let in_time = |earliest: Millis| route.0 <= 0.0 || earliest < route;
        let starts =
            (1..=retrying.count().min(MOST)).map(start).take_while(|(earliest, _)| in_time(*earliest));
        Self { per_try, starts: starts.collect() }
    }

    fn most_in_flight(&self) -> usize {
        1 + self.starts.len()
    }

    /// `at 0, 50–75 and 100–175 ms`
    fn times(&self) -> String {
        const SHOWN: usize = 4;
        let n = |t: Millis| display::number(t.0);
        let mut times = vec!["0".to_owned()];
        times.extend(self.starts.iter().take(SHOWN).map(|(from, to)| format!("{}–{}", n(*from), n(*to))));
        let rest = if self.starts.len() > SHOWN { " and so on" } else { "" };
        let last = times.pop().unwrap_or_default();
        format!("at {} and {last}{}ms{rest}", times.join(", "), display::NBSP)
    }

    /// Hedges per request: attempts that last as long as one, two, … per-try timeouts.
    fn extra(&self, traffic: &Traffic, slowdown: f64) -> Share {
        let longer = |k: u32| traffic.sizing.model.exceedance(self.per_try * (f64::from(k) / slowdown)).0;
        Share((1..).zip(&self.starts).map(|(k, _)| longer(k)).sum())
    }
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let hedge = &cx.effective.hedge_on_per_try_timeout;
    let retrying = cx.retrying().filter(|_| hedge.value)?;
    let hedges = Hedges::of(cx, retrying, cx.effective.per_try_timeout()?);
    let n = hedges.most_in_flight();
    let finding = RULE
        .meta
        .found(
            &["hedge_on_per_try_timeout", "per_try_timeout", "num_retries"],
            hedge.place().unwrap_or_else(|| cx.retry_place()),
            format!(
                "`hedge_on_per_try_timeout` has up to {n} attempts of one request in flight, started {}",
                hedges.times()
            ),
        )
        .fix(Fix::set("Turn hedging off", Setting::HedgeOnPerTryTimeout, Value::Flag(false)));
    Some(match cx.traffic() {
        Some(traffic) => with_traffic(cx, traffic, &hedges, finding),
        None => finding
            .consequence("an attempt that outlasts `per_try_timeout` goes on beside the next: the slower the upstream, the more requests it gets")
            .help("set `per_try_timeout` between p95 and p98, and allow 1 or 2 retries")
            .severity(Severity::Info)
            .asks(ParamId::Rps),
    })
}

fn with_traffic(cx: &RouteCx<'_>, traffic: &Traffic, hedges: &Hedges, finding: Finding) -> Finding {
    let s = &traffic.scenario;
    let (extra, slow) = (hedges.extra(traffic, 1.0), hedges.extra(traffic, s.slowdown));
    let refused = refused(cx, extra);
    let much = extra > MUCH || slow > MUCH_WHEN_SLOW || refused.is_some();
    let p95 = display::millis(traffic.sizing.model.quantile(0.95));
    finding
        .consequence(format!(
            "{} more requests at peak, {} more once the upstream is {}{}",
            display::share(extra),
            display::share(slow),
            phrases::as_slow(s.slowdown),
            refused.unwrap_or_default()
        ))
        .help(format!(
            "set `per_try_timeout` to p95, {p95}, or later, allow 1 or 2 retries, and give the budget {} and some margin",
            display::share(extra)
        ))
        .severity(if much { Severity::Warning } else { Severity::Info })
}

/// What the limit on retries does to the hedges of a good day.
fn refused(cx: &RouteCx<'_>, extra: Share) -> Option<String> {
    let retried = cx.cluster?.retried();
    let r = retried.iter().find(|r| r.priority == cx.effective.priority.value)?;
    let outstanding = Need { failing: extra, ..r.need()? }.outstanding();
    let allowed = r.allowed_at_peak()?;
    (outstanding > allowed as f64).then(|| {
        format!(
            "; that is {} hedges outstanding, and the limit on retries allows {}",
            display::number(outstanding),
            display::count(allowed as f64)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn shop(timeout: &str, retries: u32) -> String {
        format!(
            "clusters: [{{name: shop, connect_timeout: 1s}}]\nroutes:\n- match: {{prefix: /}}\n  route:\n    cluster: shop\n    timeout: {timeout}\n    \
             hedge_policy: {{hedge_on_per_try_timeout: true}}\n    \
             retry_policy: {{retry_on: reset, num_retries: {retries}, per_try_timeout: 0.05s}}\n"
        )
    }

    #[test]
    fn a_third_hedge_cannot_start_before_150_ms() {
        let found = finding(&RULE, &shop("0.15s", 3), "");
        assert!(
            found.message.ends_with(
                "up to 3 attempts of one request in flight, started at 0, 50–75 and 100–175\u{a0}ms"
            ),
            "{}",
            found.message
        );
        assert_eq!(found.severity, Severity::Info);
        // Three hedges at 50, 100 and 150 ms.
        assert!(finding(&RULE, &shop("0.151s", 3), "").message.contains("up to 4 attempts"));
        assert!(finding(&RULE, &shop("0s", 3), "").message.contains("up to 4 attempts"));
    }

    #[test]
    fn five_percent_and_one_percent_make_six() {
        let found = finding(&RULE, &shop("0.15s", 3), "rps=100 p50=20 p95=50 p99=100 idempotent=true");
        assert!(found.consequence.starts_with("6% more requests at peak, "), "{}", found.consequence);
    }

    #[test]
    fn says_when_the_limit_on_retries_refuses_them() {
        // 1,000 × 6% × (12 + 27 ms or so) are more than 2 and less than 3; 2,000 are more than 3.
        let at =
            |rps: u32| format!("rps={rps} p50=20 p95=50 p99=100 burst=1 skew=1 clients=1 idempotent=true");
        assert!(!finding(&RULE, &shop("0.15s", 3), &at(1000)).consequence.contains("outstanding"));
        let found = finding(&RULE, &shop("0.15s", 3), &at(2000));
        assert!(found.consequence.ends_with("the limit on retries allows 3"), "{}", found.consequence);
    }

    #[test]
    fn silent_without_hedging() {
        assert!(!fires(&RULE, &shop("0.15s", 3).replace("true", "false"), ""));
    }
}
