//! `HR611 hosts-out-now`: hosts are ejected or failed their health check at this moment.

use super::seen::{Seen, clusters, count, plural};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::envoy::defaults;
use crate::engine::read::config::HostReport;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::{echo, number, share};
use crate::engine::units::{Percent, Share};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR611",
        name: "hosts-out-now",
        severity: Severity::Warning,
        summary: "hosts are out at this moment, and panic may give them traffic all the same",
        rationale: "`/clusters` marks a host that outlier detection ejected with failed_outlier_check, and one that fails \
                    its active check with failed_active_hc. Whether that keeps traffic away depends on the panic \
                    threshold: below it all hosts are served, marked or not. The error share of a host against the others \
                    tells whether it was rightly ejected.",
        sources: &["envoy: /clusters, health_flags", "envoy: issues 2671 and 10770"],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    clusters(cx).filter_map(|seen| of_cluster(&seen)).collect()
}

fn of_cluster(seen: &Seen<'_>) -> Option<Finding> {
    let (hosts, healthy) = seen.cluster.hosts().filter(|(hosts, healthy)| healthy < hosts)?;
    let out = seen.cluster.hosts.iter().find(|host| !host.health_flags.is_empty());
    let at = out.map(|host| &host.at).or_else(|| seen.cluster.stat("membership_healthy").map(|s| &s.at))?;
    let why = out.map_or_else(String::new, |host| format!(" ({})", echo(&host.health_flags.join(", "))));
    let (state, harm) = state(seen, hosts, healthy);
    let (failed, others) = errors(&seen.cluster.hosts);
    let finding = RULE
        .meta
        .found(
            &["outlier_detection", "healthy_panic_threshold"],
            at,
            format!(
                "{}: {} of {} {} out{why}",
                seen.title(),
                count(hosts - healthy),
                plural(hosts, "host", "hosts"),
                if hosts - healthy == 1 { "is" } else { "are" },
            ),
        )
        .severity(if harm { Severity::Warning } else { Severity::Info })
        .consequence(format!("{state}{}", compared(failed, others)))
        .help(help(hosts, healthy));
    Some(seen.finish(finding))
}

fn help(hosts: u64, healthy: u64) -> &'static str {
    if hosts - healthy == 1 {
        "look at the errors of that host before its neighbors are blamed for the load they took over"
    } else if 2 * healthy >= hosts {
        "look at the errors of these hosts before the others are blamed for the load they took over"
    } else {
        "look for what they share, such as a release, a dependency or the health check itself: so many do not fail by chance"
    }
}

/// What follows for the traffic, and whether that is harm.
fn state(seen: &Seen<'_>, hosts: u64, healthy: u64) -> (String, bool) {
    let threshold = seen.config.map_or(Percent(defaults::HEALTHY_PANIC_THRESHOLD), |config| {
        config.effective.healthy_panic_threshold.value
    });
    #[allow(clippy::cast_precision_loss, reason = "counts of hosts")]
    let percent = 100.0 * healthy as f64 / hosts as f64;
    let panic = percent < threshold.0;
    let state = if panic {
        format!(
            "{}% healthy is below `healthy_panic_threshold` {}%: all hosts get traffic, those that are out too",
            number(percent),
            number(threshold.0)
        )
    } else if healthy == 0 {
        "no host is left and panic is off: every request gets a 503 with the flag UH".to_owned()
    } else {
        format!("the other {} the traffic", plural(healthy, "host carries", "hosts carry"))
    };
    (state, panic || healthy == 0)
}

/// Error shares of the hosts that are out and of the others.
fn errors(hosts: &[HostReport]) -> (Option<Share>, Option<Share>) {
    let of = |out: bool| {
        let known = hosts.iter().filter(|host| host.health_flags.is_empty() != out);
        let (errors, all) = known.fold((0u64, 0u64), |(errors, all), host| {
            let add = |sum: u64, n: Option<u64>| sum.saturating_add(n.unwrap_or(0));
            (add(errors, host.rq_error), add(all, host.rq_total))
        });
        #[allow(clippy::cast_precision_loss, reason = "counts of requests")]
        (all > 0).then(|| Share(errors as f64 / all as f64))
    };
    (of(true), of(false))
}

fn compared(failed: Option<Share>, others: Option<Share>) -> String {
    match (failed, others) {
        (Some(failed), Some(others)) => {
            format!("; it failed {} of its requests, the others {}", share(failed), share(others))
        }
        (Some(failed), None) => format!("; it failed {} of its requests", share(failed)),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn host(address: &str, flags: &str, errors: u32) -> String {
        format!(
            "a::{address}:80::rq_error::{errors}\na::{address}:80::rq_total::1000\na::{address}:80::health_flags::{flags}\n"
        )
    }

    #[test]
    fn one_of_three() {
        let text = [
            host("10.0.0.1", "healthy", 1),
            host("10.0.0.2", "/failed_outlier_check", 100),
            host("10.0.0.3", "healthy", 1),
        ];
        let found = finding(&RULE, &text.concat(), "");
        assert_eq!(found.message, "cluster a: 1 of 3 hosts is out (failed_outlier_check)");
        assert!(found.consequence.contains("it failed 10% of its requests, the others 0.1%"));
        assert_eq!(found.severity, Severity::Info);
    }

    #[test]
    fn a_single_host_in_panic() {
        let found = finding(&RULE, &host("10.0.0.1", "/failed_outlier_check", 100), "");
        assert!(found.consequence.starts_with("0% healthy is below `healthy_panic_threshold` 50%"));
        assert_eq!(found.severity, Severity::Warning);
        assert!(!fires(&RULE, &host("10.0.0.1", "healthy", 100), ""));
    }

    #[test]
    fn stats_know_how_many() {
        let found = finding(&RULE, "cluster.a.membership_total: 4\ncluster.a.membership_healthy: 1\n", "");
        assert_eq!(found.message, "cluster a: 3 of 4 hosts are out");
        assert!(found.consequence.starts_with("25% healthy is below"), "{}", found.consequence);
        assert!(found.help.starts_with("look for what they share"), "{}", found.help);
        let half = finding(&RULE, "cluster.a.membership_total: 4\ncluster.a.membership_healthy: 2\n", "");
        assert!(half.help.starts_with("look at the errors of these hosts"), "{}", half.help);
    }

    #[test]
    fn half_is_no_panic() {
        let text =
            [host("[::1]", "healthy", 1), host("[::2]", "/failed_active_hc/failed_outlier_check", 100)];
        assert_eq!(finding(&RULE, &text.concat(), "").severity, Severity::Info);
    }
}
