//! The rate: requests over a time that is known.

use super::Case;
use super::counters::{Counters, Span};
use super::field::{Field, count};
use super::logged;
use super::sources::page;
use crate::engine::params::ParamId;
use crate::engine::read::Place;
use crate::engine::units::{Millis, display};

/// A rate of one proxy, and how it came about.
pub struct Measured {
    pub per_second: f64,
    pub formula: String,
    pub substituted: String,
    pub places: Vec<Place>,
    /// What it is an average of.
    pub over: &'static str,
}

/// The rate of the fleet: that of the proxy, as often as there are proxies.
pub fn rate(case: &Case<'_>) -> Field {
    let of_counters = case.counters.iter().find_map(of_counters);
    let measured = of_counters.or_else(|| of_hosts(case)).or_else(|| logged::rate(case));
    let Some(m) = measured else { return Field::missing(ParamId::Rps, why_not(case)) };
    let is_fleet = case.is_given(ParamId::Clients);
    let clients = if is_fleet { f64::from(case.given.clients) } else { 1.0 };
    let (mut formula, mut substituted) = (m.formula, m.substituted);
    if is_fleet {
        formula += " × clients";
        substituted = format!("{substituted} × {}", display::count(clients));
    }
    let whose =
        if is_fleet { "as if every proxy had the same" } else { "of this proxy alone: give --clients" };
    let note = format!("{}, {whose}; no peak: give --rps if you know it", m.over);
    Field::derived(ParamId::Rps, m.per_second * clients, &formula, substituted, m.places).noting(note)
}

fn of_counters(counters: &Counters<'_>) -> Option<Measured> {
    let requests = counters.requests().filter(|requests| requests.n > 0)?;
    let length = counters.span.length()?;
    let places = requests.places.into_iter().chain(counters.span.places()).collect();
    let difference = matches!(counters.span, Span::Between(..));
    let word = if difference { format!("difference of {}", requests.word) } else { requests.word.to_owned() };
    Some(Measured {
        per_second: requests.n as f64 / length.as_secs(),
        formula: format!("{word} / {}", counters.span.word()),
        substituted: format!("{} / {}", requests.numbers, seconds(length)),
        places,
        over: if difference {
            "average between two moments, if both are of one proxy"
        } else {
            "average since the start"
        },
    })
}

/// Attempts by host, of `/clusters`, over an uptime that another text tells.
fn of_hosts(case: &Case<'_>) -> Option<Measured> {
    let found = case.sources.reports.iter().rev().find_map(|(report, cluster)| {
        let totals = cluster.hosts.iter().filter_map(|host| host.rq_total);
        Some((totals.reduce(u64::saturating_add)?, case.sources.uptime(report)?, &cluster.hosts))
    });
    let (attempts, uptime, hosts) = found.filter(|(n, uptime, _)| *n > 0 && uptime.is_enough())?;
    let mut places: Vec<Place> = hosts.first().map(|host| host.at.clone()).into_iter().collect();
    places.push(uptime.length.at.clone());
    Some(Measured {
        per_second: attempts as f64 / uptime.length.value.as_secs(),
        formula: format!("sum of rq_total of its hosts / {}", uptime.word()),
        substituted: format!("{} / {}", count(attempts), seconds(uptime.length.value)),
        places,
        over: "average since the start, retries included, of hosts that are still there",
    })
}

/// A length in whole seconds where it has no others.
pub fn seconds(length: Millis) -> String {
    format!("{}\u{a0}s", display::significant(length.as_secs(), 6))
}

fn why_not(case: &Case<'_>) -> String {
    for counters in case.counters {
        let Some(requests) = counters.requests().map(|requests| requests.n) else { continue };
        if requests == 0 {
            return format!("{} counts no request of it", page(counters.page));
        }
        return match &counters.span {
            Span::SinceStart(uptime) => format!(
                "{} requests in {} by {}: a rate needs {} or more{}",
                count(requests),
                seconds(uptime.length.value),
                uptime.word(),
                seconds(uptime.shortest()),
                if uptime.is_live {
                    ""
                } else {
                    ", since Envoy renews that gauge every few seconds only; or add /server_info"
                }
            ),
            _ => format!(
                "{} requests, but over what time? Add the line server.uptime, /server_info, or the same page of another moment",
                count(requests)
            ),
        };
    }
    if let Some(why) = logged::why_no_rate(case) {
        return why;
    }
    if case.sources.reports.iter().any(|(_, cluster)| !cluster.hosts.is_empty()) {
        return "/clusters counts requests without a time: add /stats or /server_info of the same proxy and moment"
            .to_owned();
    }
    "no text counts requests: add /stats".to_owned()
}
