//! The comments of Envoy's text, at the places of another text.

use crate::engine::analysis::Analysis;
use crate::engine::envoy::emit::Comment;
use crate::engine::mapping::{Places, comments};

/// Where cluster and route stand while comments are moved.
const PLACES: Places = Places { cluster: "cluster", route: "route" };

/// Envoy's keys whose comments move: short names for the paths below cluster and route.
const KEYS: [(&str, &str); 16] = [
    ("connect_timeout", "cluster.connect_timeout"),
    ("max_requests", "cluster.circuit_breakers.thresholds[0].max_requests"),
    ("max_connections", "cluster.circuit_breakers.thresholds[0].max_connections"),
    ("max_pending_requests", "cluster.circuit_breakers.thresholds[0].max_pending_requests"),
    ("budget_percent", "cluster.circuit_breakers.thresholds[0].retry_budget.budget_percent"),
    ("min_retry_concurrency", "cluster.circuit_breakers.thresholds[0].retry_budget.min_retry_concurrency"),
    ("max_ejection_percent", "cluster.outlier_detection.max_ejection_percent"),
    ("consecutive_gateway_failure", "cluster.outlier_detection.consecutive_gateway_failure"),
    ("no_outlier_detection", "cluster.typed_extension_protocol_options"),
    (
        "pool_idle_timeout",
        "cluster.typed_extension_protocol_options\
         .envoy.extensions.upstreams.http.v3.HttpProtocolOptions.common_http_protocol_options",
    ),
    ("timeout", "route.route.timeout"),
    ("idle_timeout", "route.route.idle_timeout"),
    ("max_stream_duration", "route.route.max_stream_duration"),
    ("retry_on", "route.route.retry_policy.retry_on"),
    ("num_retries", "route.route.retry_policy.num_retries"),
    ("per_try_timeout", "route.route.retry_policy.per_try_timeout"),
];

/// The comments of a text: those of Envoy's at the places that `table` names for Envoy's keys, and
/// the text's own.
#[derive(Default)]
pub struct Notes(Vec<Comment>);

impl Notes {
    /// The comments that `table` moves.
    pub fn moved(analysis: &Analysis, table: &[(&str, &str)]) -> Self {
        let said = comments(analysis, PLACES);
        let words = |key: &str| {
            let path = KEYS.iter().find(|(name, _)| *name == key)?.1;
            said.iter().find(|comment| comment.path == path).map(|comment| comment.text.clone())
        };
        let moved = table.iter().filter_map(|(key, to)| Some(Comment::new(*to, words(key)?)));
        Self(moved.collect())
    }

    /// Adds a comment.
    pub fn say(&mut self, path: &str, text: impl Into<String>) {
        self.0.push(Comment::new(path, text));
    }

    /// Adds words to the comment of a setting.
    pub fn add(&mut self, path: &str, words: &str) {
        match self.0.iter_mut().find(|comment| comment.path == path) {
            Some(comment) => comment.text = format!("{}; {words}", comment.text),
            None => self.say(path, words),
        }
    }

    /// All of them.
    pub fn all(self) -> Vec<Comment> {
        self.0
    }
}

/// Whether anything is retried.
pub fn retries(analysis: &Analysis) -> bool {
    analysis.retry.num_retries > 0 && !analysis.retry.retry_on.is_empty()
}
