//! What access logs tell of rate and failures.

use super::Case;
use super::counters::SHORTEST;
use super::field::{Field, count};
use super::rate::{Measured, seconds};
use crate::engine::params::ParamId;
use crate::engine::read::config::LogTraffic;
use crate::engine::units::Millis;

/// Fewest requests that a rate or a share is made of: of a hundred, chance moves a rate by a tenth.
const FEWEST: u64 = 100;

/// Requests, and the time from the first to the last.
fn covered(case: &Case<'_>) -> Option<(u64, Option<Millis>)> {
    let traffic = || case.sources.logs.iter().map(|(_, traffic)| *traffic);
    let requests = traffic().map(|t| t.requests).reduce(u64::saturating_add)?;
    let first = traffic().filter_map(|t| t.first).reduce(Millis::min);
    let last = traffic().filter_map(|t| t.last).reduce(Millis::max);
    Some((requests, last.zip(first).map(|(last, first)| Millis(last.0 - first.0))))
}

/// A time without a request that dwarfs the rest, with the rest: a line with a wrong clock, or logs
/// of different days. The range from the first to the last is then no time that requests came in.
fn apart(case: &Case<'_>) -> Option<[Millis; 2]> {
    let mut parts: Vec<[Millis; 2]> = Vec::new();
    for (_, traffic) in &case.sources.logs {
        let (Some(first), Some(last)) = (traffic.first, traffic.last) else { continue };
        match traffic.gap {
            Some([from, to]) => parts.extend([[first, from], [to, last]]),
            None => parts.push([first, last]),
        }
    }
    parts.sort_by(|a, b| a[0].0.total_cmp(&b[0].0));
    let first = parts.first()?[0];
    let (mut end, mut longest) = (first, 0.0_f64);
    for [from, to] in parts {
        longest = longest.max(from.0 - end.0);
        end = end.max(to);
    }
    let rest = end.0 - first.0 - longest;
    (longest > 0.0 && longest >= LogTraffic::ALONE * rest).then_some([Millis(longest), Millis(rest)])
}

/// Requests a second: between n requests there are n − 1 gaps.
pub fn rate(case: &Case<'_>) -> Option<Measured> {
    let (requests, length) = covered(case)?;
    let is_enough = |length: &Millis| *length >= SHORTEST && requests >= FEWEST && apart(case).is_none();
    let length = length.filter(is_enough)?;
    Some(Measured {
        per_second: (requests - 1) as f64 / length.as_secs(),
        formula: "(requests − 1) / (start of the last − start of the first)".to_owned(),
        substituted: format!("{} / {}", count(requests - 1), seconds(length)),
        places: case.sources.logs.iter().map(|(_, t)| t.at.clone()).collect(),
        over: "average over the log, if it has every request",
    })
}

/// Why a log gives no rate.
pub fn why_no_rate(case: &Case<'_>) -> Option<String> {
    let (requests, length) = covered(case)?;
    let enough = length.filter(|length| *length >= SHORTEST && requests >= FEWEST);
    if let Some([gap, rest]) = enough.and_then(|_| apart(case)) {
        return Some(format!(
            "for {} no request of the log starts, and all start within {} before and after: a line with a wrong clock, or logs of different times",
            seconds(gap),
            seconds(rest)
        ));
    }
    Some(match length {
        None => format!("{} of the log, but no time that can be read", of_requests(requests)),
        Some(length) => format!(
            "{} within {} of the log: a rate needs {FEWEST} requests and 10\u{a0}s",
            of_requests(requests),
            seconds(length)
        ),
    })
}

fn of_requests(n: u64) -> String {
    if n == 1 { "one request".to_owned() } else { format!("{} requests", count(n)) }
}

/// The failed share of what a host was picked for.
pub fn error_rate(case: &Case<'_>) -> Option<Field> {
    let traffic = || case.sources.logs.iter().map(|(_, traffic)| *traffic);
    let attempted = traffic().map(|t| t.attempted).reduce(u64::saturating_add)?;
    let failed = traffic().map(|t| t.failed).fold(0, u64::saturating_add);
    if attempted < FEWEST {
        let why =
            format!("{} of the log reached a host: a share needs {FEWEST} or more", of_requests(attempted));
        return Some(Field::missing(ParamId::ErrorRate, why));
    }
    let places = traffic().map(|t| t.at.clone()).collect();
    let substituted = format!("{} / {}", count(failed), count(attempted));
    let formula = "answers with 5xx / answers of requests that reached a host";
    let value = failed as f64 / attempted as f64;
    Some(
        Field::derived(ParamId::ErrorRate, value, formula, substituted, places)
            .noting(super::missing::GOOD_DAY),
    )
}
