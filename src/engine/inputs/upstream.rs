//! Protocol, hosts, time to connect and failures of the upstream.

use super::Case;
use super::counters::Counters;
use super::field::{Field, count};
use super::latency::{Counted, Distribution, counted, size};
use super::missing::GOOD_DAY;
use super::sources::Sources;
use crate::engine::params::ParamId;
use crate::engine::read::config::{AdminPage, ClusterReport, UpstreamProtocol};
use crate::engine::read::{Place, Spanned};
use crate::engine::scenario::Protocol;
use crate::engine::units::{Share, display};
use std::fmt::Write as _;

/// Fewest requests that a share is made of.
const FEWEST: u64 = 100;

const LOOKS_ALIKE: &str = "gRPC looks the same here: give --protocol grpc or grpc_stream if it is";

/// What is spoken: by the connections that were opened, else by what is configured.
pub fn protocol(sources: &Sources<'_>, counters: &[Counters<'_>]) -> Field {
    const ID: ParamId = ParamId::Protocol;
    const OPENED: [&str; 3] =
        ["upstream_cx_http1_total", "upstream_cx_http2_total", "upstream_cx_http3_total"];
    let configured = sources.cluster.and_then(|(_, cluster)| cluster.facts().protocol);
    let opened = counters.iter().map(|c| c.whole).find(|c| OPENED.iter().any(|name| c.count(name) > 0));
    let Some(cluster) = opened else { return of_config(sources) };
    let stats = || OPENED.iter().filter_map(|name| cluster.stat(name).map(|stat| (*name, stat)));
    let said =
        stats().map(|(name, stat)| format!("{name} {}", count(stat.value))).collect::<Vec<_>>().join(", ");
    let places: Vec<Place> = stats().filter(|(_, s)| s.value > 0).map(|(_, s)| s.at.clone()).collect();
    match OPENED.map(|name| cluster.count(name) > 0) {
        [true, false, false] => Field::concluded(ID, "http1", said, places),
        [false, true, false] if configured == Some(Protocol::Grpc) => {
            Field::concluded(ID, "grpc", said, places)
                .noting("HTTP/2 by its connections, gRPC by its configuration")
        }
        [false, true, false] => Field::concluded(ID, "http2", said, places).noting(LOOKS_ALIKE),
        [false, false, true] => {
            Field::missing(ID, "HTTP/3 is none of the protocols that are sized").standing(places)
        }
        _ => Field::missing(ID, format!("more than one is spoken: {said}")).standing(places),
    }
}

fn of_config(sources: &Sources<'_>) -> Field {
    const ID: ParamId = ParamId::Protocol;
    let Some((_, cluster)) = sources.cluster else {
        return Field::missing(ID, "no text has upstream_cx_http1_total or the options of the cluster");
    };
    match (&cluster.protocol, cluster.facts().protocol) {
        (Some(written), Some(protocol)) => {
            let note = if written.value == UpstreamProtocol::Http2 { LOOKS_ALIKE } else { "" };
            Field::read(ID, protocol.as_str(), "protocol options of the cluster", &written.at).noting(note)
        }
        (Some(written), None) => {
            let why = match written.value {
                UpstreamProtocol::Auto => "chosen for each connection by ALPN: give --protocol",
                UpstreamProtocol::Downstream => "whatever the client speaks: give --protocol",
                UpstreamProtocol::Http3 => "HTTP/3 is none of the protocols that are sized",
                _ => "the cluster carries TCP",
            };
            Field::missing(ID, why).standing(vec![written.at.clone()])
        }
        (None, Some(protocol)) => {
            let source = "no protocol options in the cluster: Envoy then speaks HTTP/1.1";
            Field::concluded(ID, protocol.as_str(), source, vec![cluster.origin.block.clone()])
        }
        (None, None) => Field::missing(ID, "the configuration of the cluster does not tell"),
    }
}

/// Hosts, ejected ones and unhealthy ones too.
pub fn hosts(case: &Case<'_>) -> Field {
    const ID: ParamId = ParamId::Hosts;
    let listed = case.sources.reports.iter().rev().find(|(_, cluster)| !cluster.hosts.is_empty());
    if let Some((_, cluster)) = listed {
        let (all, healthy) = cluster.hosts().unwrap_or_default();
        let places = cluster.hosts.iter().map(|host| host.at.clone()).collect();
        let note =
            format!("{} of them healthy", if healthy == all { "all".to_owned() } else { count(healthy) });
        return Field::derived(ID, all as f64, "hosts that /clusters lists", count(all), places).noting(note);
    }
    let stat = |name: &str| case.counters.iter().find_map(|c| c.whole.stat(name).cloned());
    let (total, healthy) = (stat("membership_total"), stat("membership_healthy"));
    match (total, healthy) {
        (Some(total), healthy) => {
            let note = healthy.map_or_else(String::new, |h| format!("{} of them healthy", count(h.value)));
            Field::read(ID, total.value.to_string(), "membership_total", &total.at).noting(note)
        }
        (None, Some(healthy)) => {
            let note = "healthy hosts only: membership_total is not in the text";
            Field::read(ID, healthy.value.to_string(), "membership_healthy", &healthy.at).noting(note)
        }
        (None, None) => of_endpoints(case),
    }
}

fn of_endpoints(case: &Case<'_>) -> Field {
    const ID: ParamId = ParamId::Hosts;
    let Some((_, cluster)) = case.sources.cluster else {
        return Field::missing(ID, "no text lists hosts: add /clusters or /stats");
    };
    match (cluster.hosts(), &cluster.endpoints) {
        (Some(hosts), Some(endpoints)) => {
            Field::read(ID, hosts.to_string(), "endpoints of the cluster", &endpoints.at)
        }
        _ => Field::missing(ID, "the configuration does not list addresses: add /clusters or /stats"),
    }
}

/// Time to open a connection: the median, since limits follow what is usual.
pub fn connect(case: &Case<'_>) -> Field {
    const ID: ParamId = ParamId::ConnectMs;
    let found = case.counters.iter().find_map(|counters| {
        let counted = counted(counters.page, false);
        let is_counted = counted == Counted::Buckets;
        let of = if is_counted { counters.cluster.connect.as_ref() } else { counters.whole.connect.as_ref() };
        let histogram = of.filter(|h| size(h) != Some(0))?;
        let opened = counters.whole.stat("upstream_cx_total").map(|stat| stat.value);
        let n = if is_counted { size(histogram) } else { opened };
        Some(Distribution { histogram, counted, n, name: "upstream_cx_connect_ms".to_owned() })
    });
    let Some(d) = found else {
        return Field::missing(ID, "no text has upstream_cx_connect_ms with values");
    };
    let field = d.percentile(ID, 0.5);
    let slow = d.histogram.quantile(Share(0.99)).filter(|_| field.value.is_some());
    match slow {
        Some(slow) => field.noting(format!("P99 {}", display::millis(slow))),
        None => field,
    }
}

/// The failed share of attempts: of counters, of hosts, of a log.
pub fn error_rate(case: &Case<'_>) -> Field {
    const ID: ParamId = ParamId::ErrorRate;
    if case.protocol.is_some_and(Protocol::speaks_grpc) {
        return Field::missing(ID, "failures of gRPC have status 200: counters of statuses do not show them");
    }
    let caution = |field: Field| match (case.may_be_grpc(), field.value.is_some()) {
        (true, true) => {
            let note =
                format!("{}; if this is gRPC, its failures have status 200 and are not in it", field.note);
            field.noting(note)
        }
        _ => field,
    };
    let of_counters = case.counters.iter().find_map(of_counters).map(caution);
    // Hosts count a failure of gRPC as one.
    let of_hosts = || {
        let hosts =
            case.sources.reports.iter().rev().filter(|(report, _)| report.page == AdminPage::Clusters);
        hosts.into_iter().find_map(|(_, cluster)| of_hosts(cluster))
    };
    let of_log = || super::logged::error_rate(case).map(caution);
    let found = of_counters.or_else(of_hosts).or_else(of_log);
    found.unwrap_or_else(|| Field::missing(ID, why_no_fives(case)))
}

/// Failed attempts of all attempts.
///
/// # Formula
///
/// (5xx − refused + retries) / (requests − refused + retries). What a limit refuses is answered with
/// 503 and was never tried; every retry follows an attempt that failed and is not among the answers.
fn of_counters(counters: &Counters<'_>) -> Option<Field> {
    const ID: ParamId = ParamId::ErrorRate;
    let cluster = &counters.cluster;
    let requests = counters.requests().filter(|requests| requests.are_answers)?.n;
    let (failed, mut places) = fives(cluster)?;
    let (refused, retries) = (cluster.refused(), cluster.count("upstream_rq_retry"));
    if refused > failed {
        let why = format!("{} refusals, but {} answers with 5xx: gRPC?", count(refused), count(failed));
        return Some(Field::missing(ID, why).standing(places));
    }
    let attempts = requests.saturating_sub(refused).saturating_add(retries);
    if attempts < FEWEST {
        let why = format!("{} attempts: a share needs {FEWEST} or more", count(attempts));
        return Some(Field::missing(ID, why));
    }
    let of = ["upstream_rq_pending_overflow", "upstream_rq_active_overflow", "upstream_rq_retry"];
    places.extend(
        of.iter().filter_map(|name| cluster.stat(name)).filter(|s| s.value > 0).map(|s| s.at.clone()),
    );
    let (mut terms, mut numbers) = (String::new(), String::new());
    for (word, sign, n) in [("refused", "−", refused), ("retries", "+", retries)] {
        if n > 0 {
            let _ = write!(terms, " {sign} {word}");
            let _ = write!(numbers, " {sign} {}", count(n));
        }
    }
    let (formula, substituted) = if terms.is_empty() {
        ("5xx / requests".to_owned(), format!("{} / {}", count(failed), count(requests)))
    } else {
        let substituted = format!("({}{numbers}) / ({}{numbers})", count(failed), count(requests));
        (format!("(5xx{terms}) / (requests{terms})"), substituted)
    };
    let share = (failed - refused).saturating_add(retries) as f64 / attempts as f64;
    Some(Field::derived(ID, share, &formula, substituted, places).noting(GOOD_DAY))
}

/// Answers with 5xx: their class, else their statuses. Envoy makes either counter with its first
/// answer, so one that is not there is zero, unless a filter took it out of the text: the others
/// must then add up to all answers, but for those that came in while the page was written.
fn fives(cluster: &ClusterReport) -> Option<(u64, Vec<Place>)> {
    /// One of so many answers may be late.
    const LATE: u64 = 1_000;
    if let Some(class) = cluster.stat("upstream_rq_5xx") {
        return Some((class.value, vec![class.at.clone()]));
    }
    let of_status = |status: u32| cluster.stat(&format!("upstream_rq_{status}"));
    let of_class = |class: u32| cluster.stat(&format!("upstream_rq_{class}xx"));
    let sum = |stats: &mut dyn Iterator<Item = &Spanned<u64>>| {
        stats.fold(0, |sum: u64, stat| sum.saturating_add(stat.value))
    };
    let statuses = sum(&mut (100..600).filter_map(of_status));
    let classes = sum(&mut (1..5).filter_map(of_class));
    let completed = cluster.stat("upstream_rq_completed")?.value;
    let unseen = completed.saturating_sub(statuses);
    // Statuses tell how many failed if they are all there; classes that are all there leave none.
    if unseen <= completed / LATE {
        let fives = || (500..600).filter_map(of_status);
        return Some((sum(&mut fives()), fives().map(|stat| stat.at.clone()).collect()));
    }
    let is_all = completed.saturating_sub(classes) <= completed / LATE;
    is_all.then(|| (0, Vec::new()))
}

/// Why counters of answers tell no failures.
fn why_no_fives(case: &Case<'_>) -> &'static str {
    let is_counted = |c: &Counters<'_>| c.requests().is_some_and(|requests| requests.are_answers);
    if case.counters.iter().any(is_counted) {
        return "the text has no upstream_rq_5xx, and the statuses in it are not all answers: was it filtered?";
    }
    "no text counts answers by status"
}

/// Attempts by host.
fn of_hosts(cluster: &ClusterReport) -> Option<Field> {
    let sum = |of: fn(&crate::engine::read::config::HostReport) -> Option<u64>| {
        cluster.hosts.iter().filter_map(of).reduce(u64::saturating_add)
    };
    let (failed, fine) = (sum(|host| host.rq_error)?, sum(|host| host.rq_success)?);
    let all = failed.saturating_add(fine);
    if all < FEWEST {
        let why = format!("{} attempts: a share needs {FEWEST} or more", count(all));
        return Some(Field::missing(ParamId::ErrorRate, why));
    }
    let places = cluster.hosts.iter().map(|host| host.at.clone()).collect();
    let formula = "rq_error / (rq_error + rq_success), summed over hosts";
    let substituted = format!("{} / {}", count(failed), count(all));
    let share = failed as f64 / all as f64;
    Some(Field::derived(ParamId::ErrorRate, share, formula, substituted, places).noting(GOOD_DAY))
}
