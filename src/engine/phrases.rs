//! Turns of phrase that sentence, findings and ways out share, with the grammar of one and many.

use super::scenario::Scenario;
use super::sizing::Sizing;
use super::units::{Share, display};

/// Above this share a percentage is short enough; below it odds are easier to read.
const READABLE_PERCENT: f64 = 1e-3;

/// `1 proxy`, `100 proxies`.
pub fn proxies(n: u32) -> String {
    display::plural(f64::from(n), "proxy", "proxies")
}

/// `one host`, `eleven hosts`, `108 hosts`.
pub fn hosts(n: u32) -> String {
    format!("{} {}", display::words(n), if n == 1 { "host" } else { "hosts" })
}

/// `one host survives`, `eleven hosts survive`.
pub fn hosts_survive(n: u32) -> String {
    format!("{} {}", hosts(n), if n == 1 { "survives" } else { "survive" })
}

/// `twice as slow`, `three times as slow`, `1.5 times as slow`: completes "an upstream …".
pub fn as_slow(slowdown: f64) -> String {
    const WHOLE: [(f64, &str); 3] =
        [(1.0, "no slower"), (2.0, "twice as slow"), (3.0, "three times as slow")];
    let known = WHOLE.iter().find(|(value, _)| (slowdown - value).abs() < 1e-9);
    known.map_or_else(
        || format!("{} times as slow", display::number(slowdown)),
        |(_, words)| (*words).to_owned(),
    )
}

/// A refused share as a sentence has it: `0.19%`, and below 0.1% the odds, `1 in 30,000`.
pub fn refused(share: Share) -> String {
    if share.0 >= READABLE_PERCENT {
        return display::share(share);
    }
    // A loss system refuses something at any load; what underflows is not nothing.
    display::one_in(Share(share.0.max(f64::MIN_POSITIVE)))
}

/// A factor that was asked for, as typed: `×2`, `×1.5`.
pub fn times(factor: f64) -> String {
    format!("×{}", display::number(factor))
}

/// A ratio in words: `3.4 times`.
pub fn fold(ratio: f64) -> String {
    format!("{} times", display::significant(ratio, 2))
}

/// What can be relied on of a capacity: `704`, rounded down.
pub fn capacity(in_flight: f64) -> String {
    if in_flight < 1.0 { "less than one".to_owned() } else { display::count(in_flight.floor()) }
}

/// `the busiest proxy` of several, `the proxy` where there is one.
pub fn busiest_proxy(s: &Scenario) -> &'static str {
    if s.clients == 1 { "the proxy" } else { "the busiest proxy" }
}

/// ` with 25% retries on top`, or nothing where retries may add nothing.
pub fn with_retries(s: &Scenario) -> String {
    if s.retry_overhead > 0.0 {
        format!(" with {} retries on top", display::share(Share(s.retry_overhead)))
    } else {
        String::new()
    }
}

/// `requests in flight`, `open streams`, and their singular.
pub fn in_flight(s: &Scenario, n: f64) -> &'static str {
    match (s.protocol.streams(), n <= 1.0) {
        (true, true) => "open stream",
        (true, false) => "open streams",
        (false, true) => "request in flight",
        (false, false) => "requests in flight",
    }
}

/// Requests in flight that all proxies together allow, over both priorities.
pub fn fleet_limit(s: &Scenario, z: &Sizing) -> u64 {
    let each: u64 = z.priorities.iter().map(|p| u64::from(p.window.chosen)).sum();
    each * u64::from(s.clients)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many_agree_with_their_verbs() {
        assert_eq!((proxies(1).as_str(), proxies(100).as_str()), ("1 proxy", "100 proxies"));
        assert_eq!(hosts_survive(1), "one host survives");
        assert_eq!(hosts_survive(11), "eleven hosts survive");
        assert_eq!(hosts_survive(108), "108 hosts survive");
    }

    #[test]
    fn slowdowns_have_words() {
        for (slowdown, words) in [
            (1.0, "no slower"),
            (1.5, "1.5 times as slow"),
            (2.0, "twice as slow"),
            (3.0, "three times as slow"),
            (4.0, "4 times as slow"),
        ] {
            assert_eq!(as_slow(slowdown), words);
        }
    }

    #[test]
    fn small_refusals_are_odds_and_no_refusal_is_nothing() {
        assert_eq!(refused(Share(0.001)), "0.1%");
        assert_eq!(refused(Share(0.000_999)), "1 in 1,000");
        assert_eq!(refused(Share(1e-7)), "1 in 10 million");
        assert_eq!(refused(Share(0.0)), "fewer than 1 in a trillion");
    }
}
