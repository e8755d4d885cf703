//! The rungs: what runs when, in the worst case.

use super::{Clock, Mark, Rung, Subject, is_on, spare};
use crate::chart::scale::At;
use crate::chart::text::{Anchor, Label};
use crate::engine::units::{Millis, display};

/// More attempts than this are not drawn one by one.
const MOST_DRAWN: u32 = 4;

/// Rungs of a request that is answered once.
pub(super) fn request(subject: &Subject<'_>, clock: &Clock) -> Vec<Rung> {
    let mut rungs = vec![response("Response", subject, clock)];
    rungs.extend(attempts(subject, clock));
    if let Some(route) = is_on(subject.timeouts.route_ms) {
        rungs.push(limit("Route timeout", "then Envoy answers 504", route, clock));
    } else {
        rungs.push(off("Route timeout", "nothing cuts the request"));
    }
    rungs.extend(deadline(subject, clock));
    rungs
}

/// Rungs of a long-lived stream.
pub(super) fn stream(subject: &Subject<'_>, clock: &Clock) -> Vec<Rung> {
    let t = subject.timeouts;
    let clocks = [
        ("Idle timeout", "no byte either way", t.stream_idle_ms),
        ("Longest stream", "max_stream_duration", t.max_stream_duration_ms),
    ];
    let mut rungs = vec![
        response("Stream life", subject, clock),
        Rung {
            name: "Connect".to_owned(),
            note: "before the first byte".to_owned(),
            marks: vec![Mark::Wait(At::START, clock.at(t.connect_ms))],
            value: display::millis(t.connect_ms),
        },
    ];
    if is_on(t.route_ms).is_none() {
        rungs.push(off("Route timeout", "it would cut every stream"));
    }
    for (name, note, time) in clocks {
        match time.and_then(is_on) {
            Some(time) => rungs.push(limit(name, note, time, clock)),
            None => rungs.push(off(name, note)),
        }
    }
    rungs.extend(deadline(subject, clock));
    rungs
}

/// Percentiles of good responses; those beyond the axis are named at its end.
fn response(name: &str, subject: &Subject<'_>, clock: &Clock) -> Rung {
    let latency = subject.latency;
    let points = [("p50", latency.p50_ms), ("p99", latency.p99_ms), ("p99.9", latency.p999_ms)];
    let note: Vec<String> = points.iter().map(|(name, at)| format!("{name} {}", clock.brief(*at))).collect();
    let mut marks = vec![Mark::Line(At::START, clock.at(latency.p999_ms))];
    let (shown, beyond): (Vec<_>, Vec<_>) = points.iter().partition(|(_, at)| *at <= clock.end);
    marks.extend(shown.iter().map(|(_, at)| Mark::Dot(clock.at(*at))));
    if let Some((name, _)) = beyond.first() {
        let label = Label::new(format!("{name} →"), At::END, 0.0);
        marks.push(Mark::Text(label.hang(Anchor::End, 0.0)));
    }
    Rung { name: name.to_owned(), note: note.join(", "), marks, value: clock.full(latency.p999_ms) }
}

/// Attempts and the back-offs between them, one after another.
fn attempts(subject: &Subject<'_>, clock: &Clock) -> Vec<Rung> {
    let t = subject.timeouts;
    let n = subject.retry.num_retries.saturating_add(1);
    let route = is_on(t.route_ms);
    let cut = |time: Millis| route.map_or(time, |route| time.min(route));
    // Without a clock of its own an attempt runs until the route timeout; the next one then
    // exists only because connecting failed.
    let per_try = t.per_try_ms.filter(|per_try| route.is_none_or(|route| *per_try < route));
    let mut rungs = Vec::new();
    let mut start = Millis(0.0);
    for k in 1..=n.min(MOST_DRAWN) {
        let connected = start + t.connect_ms;
        let end = cut(per_try.map_or(route.unwrap_or(t.all_attempts_ms), |per_try| connected + per_try));
        let mut marks = Vec::new();
        if cut(start) < cut(connected) {
            marks.push(Mark::Wait(clock.at(start), clock.at(cut(connected))));
        }
        if cut(connected) < end {
            marks.push(Mark::Try(clock.at(cut(connected)), clock.at(end)));
        }
        if let (true, Some(_), Some(route)) = (k == n, per_try, route) {
            marks.extend(spare(end, route, clock));
        }
        let name = if n == 1 { "Attempt".to_owned() } else { format!("Attempt {k}") };
        rungs.push(Rung { name, note: note(k, per_try, subject, clock), marks, value: clock.full(end) });
        if k == n {
            break;
        }
        let failed = per_try.map_or(connected, |_| end);
        let pause = backoff(subject, k);
        rungs.push(Rung {
            name: if n == 2 { "Back-off".to_owned() } else { format!("Back-off {k}") },
            note: format!("random, 0 to {}", clock.brief(pause)),
            marks: vec![Mark::Pause(clock.at(cut(failed)), clock.at(cut(failed + pause)))],
            value: clock.full(cut(failed + pause)),
        });
        start = failed + pause;
    }
    if n > MOST_DRAWN {
        rungs.push(Rung {
            name: format!("Attempts {} to {}", MOST_DRAWN + 1, display::count(f64::from(n))),
            note: "not drawn".to_owned(),
            marks: Vec::new(),
            value: clock.full(cut(t.all_attempts_ms)),
        });
    }
    rungs
}

fn note(k: u32, per_try: Option<Millis>, subject: &Subject<'_>, clock: &Clock) -> String {
    let connect = clock.brief(subject.timeouts.connect_ms);
    match per_try {
        Some(per_try) => format!("connect ≤ {connect}, then per_try {}", clock.brief(per_try)),
        None if k > 1 => "only after a failed connect".to_owned(),
        None => format!("connect ≤ {connect}, then no clock of its own"),
    }
}

/// Longest back-off before retry `n`: it doubles until half the maximum, then is the maximum.
///
/// # Source
///
/// Envoy 1.40, `source/common/common/backoff_strategy.cc`; measured.
fn backoff(subject: &Subject<'_>, n: u32) -> Millis {
    let max = subject.retry.backoff_max_ms;
    let mut bound = subject.retry.backoff_base_ms;
    for _ in 1..n {
        bound = if bound < max * 0.5 { bound * 2.0 } else { max };
    }
    bound
}

fn deadline(subject: &Subject<'_>, clock: &Clock) -> Option<Rung> {
    let deadline = subject.timeouts.deadline_ms?;
    let note = if subject.deadline_is_given {
        "given".to_owned()
    } else {
        format!("not given, {} assumed", clock.brief(deadline))
    };
    Some(limit("Caller’s deadline", &note, deadline, clock))
}

fn limit(name: &str, note: &str, time: Millis, clock: &Clock) -> Rung {
    Rung {
        name: name.to_owned(),
        note: note.to_owned(),
        marks: vec![Mark::Limit(At::START, clock.at(time))],
        value: clock.full(time),
    }
}

fn off(name: &str, note: &str) -> Rung {
    Rung { name: name.to_owned(), note: note.to_owned(), marks: Vec::new(), value: "off".to_owned() }
}
