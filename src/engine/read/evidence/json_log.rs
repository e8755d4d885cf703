//! Access logs of a JSON object a line, with the fields that Envoy's examples and Istio use.

use super::access_log::{Entry, flags, given, status};
use super::gather::millis;
use super::time;
use crate::engine::read::build::Builder;
use crate::engine::read::json::Json;
use crate::engine::read::source::Budget;
use crate::engine::read::tree::Node;

/// Longest line that is looked at: a dump on one line is no log.
const MAX_LINE: usize = 64 * 1024;

/// Whether a line is one of a log.
pub fn is_line(line: &str) -> bool {
    line.len() <= MAX_LINE && line.contains("flags\"") && entry(line).is_some()
}

/// What a line says.
pub fn entry(line: &str) -> Option<Entry> {
    let mut budget = Budget::default();
    let mut tree = Builder::new(&mut budget);
    Json::new(line, 0).value(&mut tree).ok()?;
    let root = tree.end()?;
    root.entries()?;
    let text = |names: &[&str]| names.iter().find_map(|name| root.text_of(name)).unwrap_or_default();
    let flags_of = ["response_flags", "flags"].iter().find_map(|name| root.text_of(name))?;
    let status_of = ["response_code", "status"].iter().find_map(|name| root.text_of(name))?;
    let status = status(status_of)?;
    Some(Entry {
        status,
        flags: flags(flags_of)?,
        details: given(text(&["response_code_details"])),
        reason: given(text(&["upstream_transport_failure_reason"])),
        cluster: given(text(&["upstream_cluster", "cluster"])),
        host: given(text(&["upstream_host"])).is_some(),
        tcp: status == 0 && is_tcp(&root),
        duration: millis(text(&["duration", "duration_ms"])),
        start: time::since_1970(text(&["start_time", "time", "timestamp"])),
        service_time: millis(text(&["upstream_service_time", "x_envoy_upstream_service_time"])),
    })
}

/// Nothing of a request is there.
fn is_tcp(root: &Node) -> bool {
    let absent = |name| root.text_of(name).is_none_or(|text| given(text).is_none());
    absent("method") && absent("protocol")
}
