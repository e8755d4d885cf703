//! The top of every text: where it comes from, and how to get back there.

use crate::engine::envoy::emit;
use crate::engine::scenario::{RULES_VERSION, Scenario};
use crate::engine::units::{Millis, Share, display};

/// Comment lines: name, version of the rules, inputs in words, and the link that leads back.
///
/// The link has a line of its own, however long: torn over lines nobody can click it.
pub fn header(scenario: &Scenario, link: &str) -> Vec<String> {
    let sentences = [
        format!("{}, sized by Headroom (rules {RULES_VERSION})", scenario.name),
        format!("for Envoy {} from {}", scenario.envoy_version, inputs(scenario).join(", ")),
        margins(scenario).join(", "),
    ];
    let words = sentences.iter().flat_map(|sentence| emit::paragraph(sentence, 0));
    words.chain([link.to_owned()]).collect()
}

/// What was measured, in words.
pub fn inputs(s: &Scenario) -> Vec<String> {
    let mut parts = vec![rate(s)];
    parts.extend(service_time(s));
    parts.push(s.protocol.title().to_owned());
    parts.push(format!(
        "{} × {}",
        display::plural(f64::from(s.clients), "proxy", "proxies"),
        display::plural(f64::from(s.workers), "worker", "workers"),
    ));
    parts.push(hosts(s));
    parts
}

/// What was asked for on top of it, in words.
pub fn margins(s: &Scenario) -> Vec<String> {
    let times = |factor| format!("×{}", display::number(factor));
    let mut parts = vec![
        format!("worst second {}", times(s.burst)),
        format!("busiest proxy {}", times(s.skew)),
        format!("ride out {} latency", times(s.slowdown)),
        format!("tolerate {} refused", display::share(s.shed_target)),
    ];
    if s.high_priority_share.0 > 0.0 {
        parts.push(format!("{} HIGH priority", display::share(s.high_priority_share)));
    }
    parts.push(if s.retry_overhead > 0.0 {
        format!("retries add {} at most", display::share(Share(s.retry_overhead)))
    } else {
        "no retries".to_owned()
    });
    parts
}

fn rate(s: &Scenario) -> String {
    if s.protocol.streams() {
        display::plural(s.rps.0, "new stream/s", "new streams/s").replace(' ', NBSP)
    } else {
        display::rate(s.rps)
    }
}

const NBSP: &str = "\u{a0}";

fn service_time(s: &Scenario) -> Vec<String> {
    let named = |name: &str, at: Millis| format!("{name}{NBSP}{}", display::millis(at));
    if let (true, Some(life)) = (s.protocol.streams(), s.stream_duration_s.as_ref()) {
        let points = [("life mean", life.mean), ("life p99", life.p99)];
        let given = points.iter().filter_map(|(name, at)| at.map(|secs| (name, Millis::from_secs(secs))));
        return given.map(|(name, at)| named(name, at)).collect();
    }
    let percentiles = s.latency_ms.percentiles();
    let points = percentiles.iter().map(|(_, name, at)| named(name, *at));
    points.chain(s.latency_ms.mean.map(|mean| named("mean", mean))).collect()
}

fn hosts(s: &Scenario) -> String {
    let hosts = display::plural(f64::from(s.hosts), "host", "hosts");
    let each = s.host_concurrency.map_or_else(String::new, |each| format!(" × {}", display::number(each)));
    let lost = match s.hosts_lost {
        0 => String::new(),
        lost => format!(" with {} down", display::count(f64::from(lost))),
    };
    format!("{hosts}{each}{lost}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::scenario::Preset;

    #[test]
    fn the_link_is_one_line_that_can_be_clicked() {
        for name in ["checkout", &"ü".repeat(120)] {
            let scenario = Scenario { name: name.to_owned(), ..Preset::first_paint().scenario() };
            let link = format!("https://headroom.example/#{}", scenario.to_link());
            let lines = header(&scenario, &link);
            assert_eq!(lines.last(), Some(&link));
            assert_eq!(Scenario::from_link(&link), Ok(Some(scenario)));
        }
    }

    #[test]
    fn the_header_says_what_was_asked() {
        let text = header(&Preset::first_paint().scenario(), "#v=1").join(" ");
        for part in ["checkout, sized by Headroom (rules 20", "500 req/s", "p99 110 ms", "12 hosts × 64"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
