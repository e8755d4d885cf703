//! A configuration in a few lines, for tests to look at.

use headroom::engine::read::config::{Configuration, RoutingPriority};
use headroom::engine::read::effective::{EffectiveRetryLimit, effective_cluster, effective_route};
use headroom::engine::scenario::EnvoyVersion;
use std::fmt::Write as _;

/// Everything in force, one line a thing.
pub fn show(config: &Configuration) -> String {
    let mut out = String::new();
    for (at, cluster) in config.clusters.iter().enumerate() {
        let e = effective_cluster(config, cluster, EnvoyVersion::NEWEST);
        let subset = cluster.subset.as_ref().map(|s| format!("[{}]", s.value)).unwrap_or_default();
        let port = cluster.port.as_ref().map(|p| format!(":{}", p.value)).unwrap_or_default();
        let _ = write!(
            out,
            "cluster {at} {}{subset}{port} {:?} line {} hosts {:?} proto {:?} connect {}",
            e.name,
            cluster.origin.dialect,
            cluster.origin.block.line(),
            cluster.hosts(),
            e.protocol.value,
            e.connect_timeout.value.0
        );
        for priority in RoutingPriority::ALL {
            let l = e.limits(priority);
            let retry = match &l.retry_limit {
                EffectiveRetryLimit::MaxRetries(n) => n.value.to_string(),
                EffectiveRetryLimit::Budget(b) => {
                    format!("{}%/{}", b.budget_percent.value.0, b.min_retry_concurrency.value)
                }
            };
            let _ = write!(
                out,
                " | {} {}/{}/{}/{retry}",
                priority.as_str(),
                l.max_connections.value,
                l.max_pending_requests.value,
                l.max_requests.value
            );
        }
        let _ = write!(out, " | idle {} panic {}", e.idle_timeout.value.0, e.healthy_panic_threshold.value.0);
        if let Some(o) = &e.outlier_detection {
            let _ = write!(
                out,
                " | outlier 5xx {}@{} gw {}@{} interval {} base {} max% {}",
                o.consecutive_5xx.value,
                o.enforcing_consecutive_5xx.value,
                o.consecutive_gateway_failure.value,
                o.enforcing_consecutive_gateway_failure.value,
                o.interval.value.0,
                o.base_ejection_time.value.0,
                o.max_ejection_percent.value
            );
        }
        out.push('\n');
    }
    routes(config, &mut out);
    for p in &config.problems {
        let _ = writeln!(
            out,
            "{:?} {}:{} {:?} {} -- {}",
            p.effect,
            p.at.line(),
            p.at.column(),
            p.kind,
            p.message,
            p.help
        );
    }
    for n in &config.notes {
        let _ = writeln!(out, "note {} {}", n.at.line(), n.message);
    }
    out
}

fn routes(config: &Configuration, out: &mut String) {
    for (at, route) in config.routes.iter().enumerate() {
        let to: Vec<usize> = config.pairs.iter().filter(|p| p.route == at).map(|p| p.cluster).collect();
        let e = effective_route(config, route, None, EnvoyVersion::NEWEST);
        let targets: Vec<String> = route
            .targets
            .iter()
            .map(|t| {
                format!(
                    "{}{}",
                    t.cluster.value,
                    t.weight.as_ref().map_or(String::new(), |w| format!("*{}", w.value))
                )
            })
            .collect();
        let _ = write!(
            out,
            "route {at} line {} {:?} {:?} -> {} {to:?} {} timeout {} idle {}",
            route.origin.block.line(),
            route.kind,
            route.matches.as_ref().map(|m| m.value.text.clone()).unwrap_or_default(),
            targets.join(","),
            e.priority.value.as_str(),
            e.timeout.value.0,
            e.idle_timeout.value.0
        );
        if let Some(r) = &e.retry {
            let _ = write!(
                out,
                " | retry {}x{} per_try {} (acts {:?}) backoff {}..{} codes {:?} hedge {}",
                r.num_retries.value,
                r.retry_on.value.join("+"),
                r.per_try_timeout.value.0,
                e.per_try_timeout().map(|t| t.0),
                r.back_off.base_interval.value.0,
                r.back_off.max_interval.value.0,
                r.retriable_status_codes.value,
                e.hedge_on_per_try_timeout.value
            );
        }
        out.push('\n');
    }
}
