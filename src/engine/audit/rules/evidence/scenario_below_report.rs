//! `HR617 scenario-below-report`: a proxy serves more than the inputs say.

use super::seen::{Seen, clusters};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::params::ParamId;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::rate;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR617",
        name: "scenario-below-report",
        severity: Severity::Warning,
        summary: "a proxy reports more requests per second than the inputs give its busiest second",
        rationale: "Limits are sized for the busiest second of the busiest proxy. A proxy whose mean since its start is \
                    above that already serves more than was asked about: fewer proxies than thought, an uneven split, or \
                    a rate from another service. What is recommended for the inputs would refuse its traffic.",
        sources: &["our rule: requests since the start / server.uptime ≤ rps / clients × burst × skew"],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    clusters(cx).filter_map(|seen| of_cluster(&seen)).collect()
}

fn of_cluster(seen: &Seen<'_>) -> Option<Finding> {
    let traffic = seen.traffic()?;
    let (reported, asked) = (seen.report.rate(seen.cluster)?, traffic.sizing.load.client_rate);
    if reported.0 <= asked.0 {
        return None;
    }
    let at = ["upstream_rq_completed", "upstream_rq_total"].iter().find_map(|name| seen.cluster.stat(name));
    let finding = RULE
        .meta
        .found(
            &["rps", "clients", "burst", "skew"],
            at.map_or(&seen.cluster.at, |stat| &stat.at),
            format!(
                "{} serves {} in the mean, and the inputs give its busiest second {}",
                seen.title(),
                rate(reported),
                rate(asked)
            ),
        )
        .consequence("limits for these inputs would refuse traffic that the proxy serves today")
        .help("correct the rate, the number of proxies or their uneven share")
        .asks(ParamId::Rps);
    Some(seen.finish(finding))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const STATS: &str = "cluster.a.upstream_rq_completed: 10000\nserver.uptime: 1000\n";

    #[test]
    fn both_sides_of_what_was_asked() {
        // 10 a second; 1,000 / 100 × 1 × 1.
        let asked = "mean=40 clients=100 burst=1 skew=1 rps=";
        assert!(!fires(&RULE, STATS, &format!("{asked}1000")));
        let found = finding(&RULE, STATS, &format!("{asked}900"));
        assert_eq!(
            found.message,
            "cluster a serves 10\u{a0}req/s in the mean, and the inputs give its busiest second 9\u{a0}req/s"
        );
        assert!(!fires(&RULE, STATS, ""));
    }

    #[test]
    fn what_was_asked_is_about_the_cluster_it_names() {
        let two = format!("{STATS}cluster.b.upstream_rq_completed: 10\n");
        assert!(!fires(&RULE, &two, "name=b mean=40 clients=100 burst=1 skew=1 rps=900"));
    }
}
