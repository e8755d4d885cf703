//! A line a step of time, for a table or a plot.

use super::Answer;
use headroom::engine::sim::Bucket;

const HEAD: &str = "policy,seed,t_s,arrivals,served,refused_active,refused_pending,no_host,timed_out,\
                    per_try_timed_out,connect_failed,reset,upstream_error,abandoned,attempts,retries,\
                    retries_refused,in_flight,in_flight_max,pending,pending_max,connections,retries_active,p50_ms,\
                    p90_ms,p99_ms";

/// The whole answer.
pub fn document(answer: &Answer) -> String {
    let mut lines = vec![HEAD.to_owned()];
    for played in &answer.played {
        for report in &played.reports {
            let name = played.name.as_str();
            lines.extend(
                report.series.iter().map(|bucket| format!("{name},{},{}", report.seed, line(bucket))),
            );
        }
    }
    lines.join("\n") + "\n"
}

fn line(b: &Bucket) -> String {
    let o = &b.outcomes;
    let whole = [
        b.arrivals,
        o.served,
        o.refused_active,
        o.refused_pending,
        o.no_host,
        o.timed_out,
        o.per_try_timed_out,
        o.connect_failed,
        o.reset,
        o.upstream_error,
        o.abandoned,
        b.attempts,
        b.retries,
        b.retries_refused,
    ];
    let mut fields = vec![b.t_s.to_string()];
    fields.extend(whole.map(|n| n.to_string()));
    fields.extend([b.in_flight.to_string(), b.in_flight_max.to_string()]);
    fields.extend([b.pending.to_string(), b.pending_max.to_string()]);
    fields.extend([b.connections.to_string(), b.retries_active.to_string()]);
    // Nothing served is no time, not zero.
    let time = |ms: Option<f64>| ms.map(|ms| ms.to_string()).unwrap_or_default();
    fields.extend([time(b.p50_ms), time(b.p90_ms), time(b.p99_ms)]);
    fields.join(",")
}
