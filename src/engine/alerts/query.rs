//! Queries about one cluster, in Prometheus' language.

use crate::engine::analysis::Priority;
use crate::engine::scenario::{EnvoyVersion, Scenario};
use crate::engine::units::{Share, display};

/// A counter or gauge of a cluster that Envoy was seen to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are Envoy's")]
pub enum Metric {
    UpstreamRqTotal,
    UpstreamRqActiveOverflow,
    UpstreamRqPendingOverflow,
    UpstreamCxOverflow,
    UpstreamRqRetry,
    UpstreamRqRetryOverflow,
    UpstreamRqTimeout,
    UpstreamRqPerTryTimeout,
    RemainingRq(Priority),
    EjectionsActive,
    EjectionsOverflow,
    LbHealthyPanic,
}

impl Metric {
    /// The name at Envoy's `/stats/prometheus`; the priority is part of it, not a label.
    pub fn name(self) -> &'static str {
        match self {
            Self::UpstreamRqTotal => "envoy_cluster_upstream_rq_total",
            Self::UpstreamRqActiveOverflow => "envoy_cluster_upstream_rq_active_overflow",
            Self::UpstreamRqPendingOverflow => "envoy_cluster_upstream_rq_pending_overflow",
            Self::UpstreamCxOverflow => "envoy_cluster_upstream_cx_overflow",
            Self::UpstreamRqRetry => "envoy_cluster_upstream_rq_retry",
            Self::UpstreamRqRetryOverflow => "envoy_cluster_upstream_rq_retry_overflow",
            Self::UpstreamRqTimeout => "envoy_cluster_upstream_rq_timeout",
            Self::UpstreamRqPerTryTimeout => "envoy_cluster_upstream_rq_per_try_timeout",
            Self::RemainingRq(Priority::Default) => "envoy_cluster_circuit_breakers_default_remaining_rq",
            Self::RemainingRq(Priority::High) => "envoy_cluster_circuit_breakers_high_remaining_rq",
            Self::EjectionsActive => "envoy_cluster_outlier_detection_ejections_active",
            Self::EjectionsOverflow => "envoy_cluster_outlier_detection_ejections_overflow",
            Self::LbHealthyPanic => "envoy_cluster_lb_healthy_panic",
        }
    }
}

/// The release that counts refusals of `max_requests` on their own; before, they count as pending
/// overflow (measured on 1.36 to 1.40).
const ACTIVE_OVERFLOW: EnvoyVersion = EnvoyVersion::minor(38);

/// Queries about the cluster of a scenario.
#[derive(Clone, Debug)]
pub struct Query {
    selector: String,
    version: EnvoyVersion,
}

impl Query {
    /// Those of a scenario.
    pub fn of(s: &Scenario) -> Self {
        // Envoy puts an underscore for each colon into the names of its stats.
        let name = s.name.replace(':', "_").replace('\\', "\\\\").replace('"', "\\\"");
        Self { selector: format!("{{envoy_cluster_name=\"{name}\"}}"), version: s.envoy_version }
    }

    /// Whether refusals of `max_requests` have a counter of their own.
    pub fn tells_active_overflow(&self) -> bool {
        self.version >= ACTIVE_OVERFLOW
    }

    /// The counter of refusals of `max_requests`.
    pub fn refusals(&self) -> Metric {
        if self.tells_active_overflow() {
            Metric::UpstreamRqActiveOverflow
        } else {
            Metric::UpstreamRqPendingOverflow
        }
    }

    /// A metric of the cluster, one series a proxy.
    pub fn each(&self, metric: Metric) -> String {
        format!("{}{}", metric.name(), self.selector)
    }

    /// How often per second, in the whole fleet.
    pub fn rate(&self, metric: Metric) -> String {
        format!("sum(rate({}[5m]))", self.each(metric))
    }

    /// How often in ten minutes, in the whole fleet.
    pub fn increase(&self, metric: Metric) -> String {
        format!("sum(increase({}[10m]))", self.each(metric))
    }

    /// That `part` is more than a share of `part` and `rest`: what was refused is in no other count.
    pub fn share_above(&self, part: Metric, rest: Metric, share: Share) -> String {
        let (part, rest) = (self.rate(part), self.rate(rest));
        format!("{part} / ({part} + {rest}) > {}", number(share.0))
    }

    /// That `part` is more than a share of `whole`, which holds it.
    pub fn share_of_above(&self, part: Metric, whole: Metric, share: Share) -> String {
        format!("{} / {} > {}", self.rate(part), self.rate(whole), number(share.0))
    }
}

/// A threshold, three significant digits.
pub fn number(value: f64) -> String {
    // By way of the text, so that 0.0001 is not a digit in the seventeenth place away from it.
    display::input(format!("{value:.2e}").parse().unwrap_or(value))
}

/// A text as Prometheus' templates leave it: two braces would begin an action.
pub fn literal(text: &str) -> String {
    text.replace("{{", "{{ \"{{\" }}")
}

/// The names of metrics in a query.
pub fn metrics_of(expr: &str) -> Vec<String> {
    let mut names = Vec::new();
    for part in expr.split("envoy_cluster_").skip(1) {
        let name: String = part.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        // The label is called so too.
        if name != "name" {
            names.push(format!("envoy_cluster_{name}"));
        }
    }
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::scenario::Preset;

    #[test]
    fn names_cannot_leave_their_quotes() {
        let s = Scenario { name: "a\"} or b:\\".to_owned(), ..Preset::first_paint().scenario() };
        let each = Query::of(&s).each(Metric::UpstreamRqTotal);
        assert_eq!(each, r#"envoy_cluster_upstream_rq_total{envoy_cluster_name="a\"} or b_\\"}"#);
    }

    #[test]
    fn texts_of_people_are_no_templates() {
        assert_eq!(literal("{{ .Labels }}"), "{{ \"{{\" }} .Labels }}");
        assert_eq!(literal("checkout {1}"), "checkout {1}");
    }
}
