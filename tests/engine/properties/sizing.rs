//! Laws that every valid scenario keeps.

use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::params::{Kind, PARAMS, Param, ParamId, Range};
use headroom::engine::retry::backoff::BackOff;
use headroom::engine::scenario::{Draft, Scenario};
use headroom::engine::units::Rate;
use proptest::prelude::*;
use proptest::strategy::Union;

/// A text for an input, from its row in the table: often empty, sometimes an end of the range.
fn text_for(p: &'static Param) -> BoxedStrategy<String> {
    let typed = match p.kind {
        Kind::Number(range) => number_in(range).prop_map(|n| n.to_string()).boxed(),
        Kind::Whole(range) => number_in(range).prop_map(|n| n.floor().max(1.0).to_string()).boxed(),
        Kind::Choice(words) => proptest::sample::select(words).prop_map(str::to_owned).boxed(),
        Kind::Flag => any::<bool>().prop_map(|flag| flag.to_string()).boxed(),
        Kind::Text { .. } => "[ -~äöü€]{0,40}".boxed(),
    };
    prop_oneof![Just(String::new()), typed].boxed()
}

/// Log-uniform within the range, so that small values are as likely as large ones.
fn number_in(range: Range) -> BoxedStrategy<f64> {
    let low = if range.min > 0.0 { range.min } else { range.max * 1e-9 };
    let inside = (low.ln()..range.max.ln()).prop_map(f64::exp);
    Union::new_weighted(vec![
        (8, inside.boxed()),
        (1, Just(range.max).boxed()),
        (1, Just(if range.above_min { low } else { range.min }).boxed()),
    ])
    .boxed()
}

/// Any draft, valid or not.
fn any_draft() -> impl Strategy<Value = Draft> {
    PARAMS.iter().map(text_for).collect::<Vec<_>>().prop_map(|texts| {
        let mut draft = Draft::default();
        for (p, text) in PARAMS.iter().zip(texts) {
            draft.set(p.id, text);
        }
        draft
    })
}

/// A valid scenario of moderate size: contradictions are mended the way a person would.
pub fn scenario() -> impl Strategy<Value = Scenario> {
    (any_draft(), 0.0f64..6.0, -0.5f64..3.5, 1.0f64..6.0).prop_filter_map(
        "the draft must be valid",
        |(mut draft, log_rate, log_p50, spread)| {
            draft.set(ParamId::Rps, 10f64.powf(log_rate).to_string());
            let p50 = 10f64.powf(log_p50);
            for id in
                [ParamId::P75, ParamId::P90, ParamId::P95, ParamId::P999, ParamId::Mean, ParamId::StreamMean]
            {
                draft.set(id, "");
            }
            draft.set(ParamId::P50, p50.to_string());
            draft.set(ParamId::P99, (p50 * spread).to_string());
            draft.set(ParamId::StreamP99, (p50 * spread).to_string());
            if draft.check().is_err() {
                draft.set(ParamId::HostsLost, "");
            }
            draft.check().ok()
        },
    )
}

fn back_offs(a: &Analysis) -> f64 {
    BackOff { base: a.retry.backoff_base_ms, max: a.retry.backoff_max_ms }.total_bound(a.retry.num_retries).0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_draft_is_answered(draft in any_draft()) {
        if let Ok(scenario) = draft.check() {
            // An answer or a problem; the call must return.
            let _: Result<Analysis, _> = analyze(&scenario);
        }
    }

    #[test]
    fn any_text_in_any_field_is_answered(text in "\\PC{0,30}", at in 0..PARAMS.len()) {
        let mut draft = Draft::default();
        draft.set(ParamId::Rps, "500");
        draft.set(ParamId::P50, "35");
        draft.set(PARAMS[at].id, text.clone());
        match draft.check() {
            Ok(scenario) => prop_assert!(Scenario::from_link(&scenario.to_link()) == Ok(Some(scenario))),
            Err(problems) => prop_assert!(problems.iter().all(|p| !p.message.is_empty())),
        }
        let _: Result<Scenario, _> = Scenario::from_json(&text);
        let _: Result<Option<Scenario>, _> = Scenario::from_link(&text);
    }

    #[test]
    fn a_scenario_survives_json_and_link(s in scenario()) {
        let json = serde_json::to_string(&s).expect("plain data serializes");
        prop_assert_eq!(Scenario::from_json(&json), Ok(s.clone()));
        prop_assert_eq!(Scenario::from_link(&s.to_link()), Ok(Some(s)));
    }

    #[test]
    fn the_window_keeps_its_order(s in scenario()) {
        let Ok(a) = analyze(&s) else { return Ok(()) };
        let w = &a.window;
        prop_assert!(w.floor >= 1 && w.floor <= w.recommended, "{:?}", w);
        prop_assert!(w.chosen >= w.floor && w.chosen <= w.recommended, "{:?}", w);
        prop_assert!(a.forecast.refused_at_peak.0 <= s.shed_target.0);
        if let Some(ceiling) = w.ceiling {
            prop_assert!(w.chosen <= ceiling.max(w.floor), "{:?}", w);
        }
        if !w.is_tight() && !w.is_shut() {
            prop_assert!(a.forecast.refused_at_slowdown.0 <= s.shed_target.0);
        }
        for t in &a.thresholds {
            prop_assert!(t.max_requests >= 1 && t.max_pending_requests >= 1, "{:?}", t);
            prop_assert!(u64::from(t.max_connections) >= s.n_pools(), "{:?}", t);
            let retries = s.retry_overhead > 0.0;
            prop_assert_eq!(t.retry_budget.min_retry_concurrency >= 1, retries, "{:?}", t);
            prop_assert!(t.max_retries >= t.retry_budget.min_retry_concurrency, "{:?}", t);
        }
        // Both priorities lead to the same hosts; nobody may miss that their sum is too much.
        if let Some(survive) = a.forecast.hosts_survive {
            let sum: f64 = a.thresholds.iter().map(|t| f64::from(t.max_requests)).sum();
            let said = a.findings.iter().any(|f| matches!(f.code, "HR501" | "HR503"));
            prop_assert!(w.is_shut() || sum * f64::from(s.clients) <= survive * (1.0 + 1e-9));
            prop_assert!(said || sum * f64::from(s.clients) <= survive * (1.0 + 1e-9));
        }
    }

    #[test]
    fn the_ladder_keeps_its_order(s in scenario()) {
        let Ok(a) = analyze(&s) else { return Ok(()) };
        let t = &a.timeouts;
        prop_assert!(t.connect_ms.0 >= 1.0, "{:?}", t);
        prop_assert!(t.pool_idle_ms.0 > 0.0);
        if let Some(keepalive) = s.upstream_keepalive_s {
            prop_assert!(t.pool_idle_ms.as_secs() < keepalive);
        }
        if s.protocol.streams() {
            prop_assert!(t.route_ms.0 == 0.0 && t.per_try_ms.is_none());
            let (life, idle) = (t.max_stream_duration_ms.expect("a stream has one"), t.stream_idle_ms);
            prop_assert!(idle.is_some_and(|idle| idle <= life), "{:?}", t);
            prop_assert!(s.deadline_ms.is_none_or(|deadline| life < deadline), "{:?}", t);
            return Ok(());
        }
        prop_assert!(t.route_ms.0 > 0.0 && t.route_ms.0 < t.deadline_ms.expect("unary calls have one").0);
        prop_assert!(t.connect_ms.0 < t.per_try_ms.unwrap_or(t.route_ms).0, "{:?}", t);
        if let Some(per_try) = t.per_try_ms {
            let n = f64::from(a.retry.num_retries + 1);
            let all = n * (per_try.0 + t.connect_ms.0) + back_offs(&a);
            prop_assert!(s.idempotent && a.retry.num_retries >= 1);
            prop_assert!(all <= t.route_ms.0 * (1.0 + 1e-12), "{all} in {:?}", t);
            prop_assert!(per_try.0 >= a.latency.p999_ms.0 * 1.25 * (1.0 - 1e-9), "{:?}", t);
        }
        if let Some(idle) = t.stream_idle_ms {
            prop_assert!(idle.0 > t.route_ms.0);
        }
    }

    #[test]
    fn more_load_never_needs_fewer_slots(s in scenario(), factor in 1.0f64..4.0) {
        let mut more = s.clone();
        more.rps = Rate(s.rps.0 * factor);
        let (Ok(a), Ok(b)) = (analyze(&s), analyze(&more)) else { return Ok(()) };
        prop_assert!(a.window.floor <= b.window.floor && a.window.recommended <= b.window.recommended);
        // With two priorities the one that grows more may take room from the other.
        if a.thresholds.len() == 1 {
            prop_assert_eq!(a.window.ceiling, b.window.ceiling);
            prop_assert!(a.window.chosen <= b.window.chosen);
        }
        let (a, b) = (a.default_threshold(), b.default_threshold());
        prop_assert!(a.max_connections <= b.max_connections);
        prop_assert!(a.max_retries <= b.max_retries);
    }

    #[test]
    fn slower_never_needs_fewer_slots(s in scenario(), factor in 1.0f64..4.0) {
        let mut slower = s.clone();
        for at in [&mut slower.latency_ms.p50, &mut slower.latency_ms.p99].into_iter().flatten() {
            *at = *at * factor;
        }
        if let Some(p99) = slower.stream_duration_s.as_mut().and_then(|life| life.p99.as_mut()) {
            *p99 *= factor;
        }
        let (Ok(a), Ok(b)) = (analyze(&s), analyze(&slower)) else { return Ok(()) };
        prop_assert!(a.window.floor <= b.window.floor && a.window.recommended <= b.window.recommended);
        prop_assert!(a.default_threshold().max_connections <= b.default_threshold().max_connections);
    }

    #[test]
    fn more_proxies_never_need_more_slots_each(s in scenario(), more in 1u32..50) {
        let mut wider = s.clone();
        wider.clients = s.clients.saturating_mul(more).min(1_000_000);
        let (Ok(a), Ok(b)) = (analyze(&s), analyze(&wider)) else { return Ok(()) };
        prop_assert!(a.window.floor >= b.window.floor && a.window.recommended >= b.window.recommended);
        prop_assert!(a.thresholds.len() > 1 || a.window.ceiling >= b.window.ceiling);
    }

    #[test]
    fn ejection_leaves_the_pool_whole(s in scenario()) {
        let Ok(a) = analyze(&s) else { return Ok(()) };
        let Some(outlier) = &a.outlier else {
            prop_assert!(a.ejection.off_because.is_some());
            return Ok(());
        };
        let ejectable = (1..=s.hosts)
            .take_while(|n| 100.0 * f64::from(*n) / f64::from(s.hosts) <= f64::from(outlier.max_ejection_percent))
            .count();
        let ejectable = ejectable.max(usize::from(outlier.always_eject_one_host == Some(true)));
        prop_assert_eq!(u32::try_from(ejectable).expect("at most the hosts"), a.ejection.hosts);
        prop_assert!(ejectable >= 1 && 2 * a.ejection.hosts <= s.hosts);
        if let Some(each) = s.host_concurrency {
            let left = f64::from(s.hosts - a.ejection.hosts) * each;
            let needed = s.rps.0 * s.burst * a.latency.mean_ms.as_secs() * s.slowdown;
            prop_assert!(left >= needed * (1.0 - 1e-9), "{left} for {needed}");
        }
    }

    #[test]
    fn every_number_is_accounted_for(s in scenario()) {
        let Ok(a) = analyze(&s) else { return Ok(()) };
        for n in &a.numbers {
            let substituted = n.substituted.to_string();
            prop_assert!(!n.formula.is_empty() && !substituted.is_empty() && !n.source.is_empty(), "{}", n.id);
            prop_assert!(n.value.is_none_or(|v| !v.is_nan()), "{}", n.id);
            for text in [n.formula, &substituted] {
                prop_assert!(!["NaN", "inf", "{}"].iter().any(|wrong| text.contains(wrong)), "{}: {text}", n.id);
            }
        }
        let t = a.default_threshold();
        for (id, value) in [
            ("default.max_requests.chosen", t.max_requests),
            ("default.max_connections.chosen", t.max_connections),
            ("default.max_pending_requests.chosen", t.max_pending_requests),
            ("default.min_retry_concurrency.chosen", t.retry_budget.min_retry_concurrency),
            ("default.max_retries.chosen", t.max_retries),
        ] {
            prop_assert_eq!(a.number(id).and_then(|n| n.value), Some(f64::from(value)), "{}", id);
        }
    }
}
