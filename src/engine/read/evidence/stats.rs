//! The text of `/stats`: `name: value`, histograms as `P50(interval,cumulative)`.

use super::gather::{Gathered, count, millis};
use super::{LeftOut, Page, names};
use crate::engine::read::config::{AdminPage, Quantile, Report};
use crate::engine::units::Share;

/// Whether a line is one of this page.
pub fn is_line(line: &str) -> bool {
    const STARTS: [&str; 7] =
        ["cluster.", "http.", "listener.", "server.", "cluster_manager.", "listener_manager.", "runtime."];
    STARTS.iter().any(|start| line.starts_with(start)) && line.contains(": ") && !line.ends_with(':')
}

/// Reads the page.
pub fn read(page: Page<'_>, left_out: &mut Vec<LeftOut>) -> Report {
    let mut gathered = Gathered::new(AdminPage::Stats, page);
    let mut buckets = None;
    for line in page.lines() {
        let at = page.place(&line);
        if line.text.trim_start().starts_with("totals=") {
            buckets.get_or_insert_with(|| at.clone());
        }
        let Some((name, value)) = line.text.split_once(": ") else { continue };
        if let Some(of_server) = name.strip_prefix("server.") {
            if let Some(value) = count(value) {
                gathered.server(of_server, value, &at);
            }
        } else if let Some((cluster, stat)) = names::split(name) {
            if let Some(value) = count(value) {
                gathered.stat(cluster, stat, value, &at);
            } else {
                if are_buckets(value) {
                    buckets.get_or_insert_with(|| at.clone());
                }
                let quantiles = value.split_whitespace().filter_map(quantile).collect();
                gathered.quantiles(cluster, stat, quantiles, &at);
            }
        }
    }
    left_out.extend(buckets.map(LeftOut::Buckets));
    gathered.end(left_out)
}

/// `B0.5(0,0) B1(5,10)`, of `histogram_buckets=cumulative` and `disjoint`; `detailed` has lines of
/// its own, the first of which starts with `totals=`.
fn are_buckets(value: &str) -> bool {
    value.strip_prefix('B').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// `P99.5(nan,14)`: of the last interval, and since the start.
fn quantile(text: &str) -> Option<Quantile> {
    let (percent, times) = text.strip_prefix('P')?.strip_suffix(')')?.split_once('(')?;
    let percent: f64 = percent.parse().ok().filter(|p| (0.0..=100.0).contains(p))?;
    let (last, since_start) = times.split_once(',')?;
    Some(Quantile { at: Share(percent / 100.0), time: millis(since_start)?, last: millis(last) })
}
