//! What the words of `retry_on` mean.
//!
//! What decides whether a retry can do harm is how far the failed attempt got: an attempt that never
//! reached a host has not run; after a reset, a timeout or an error status it may have.

use Fires::{AfterSending, BeforeSending, OnGrpcStatus, OnStatus};

/// When a word of `retry_on` fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fires {
    /// Nothing was sent, or the host refused the request unread.
    BeforeSending,
    /// The request was sent and the connection broke.
    AfterSending,
    /// On a status or a header of the response.
    OnStatus,
    /// On `grpc-status` in the headers of the response, never in its trailers.
    OnGrpcStatus,
}

/// The word for status codes that are listed.
pub const LISTED_CODES: &str = "retriable-status-codes";

/// The word for response headers that are listed.
pub const LISTED_HEADERS: &str = "retriable-headers";

/// Every word that Envoy knows, in the order of its manual.
///
/// # Source
///
/// Envoy 1.40, `config.route.v3.RetryPolicy.retry_on`; all but the word of HTTP/3 measured.
pub const WORDS: [(&str, Fires); 16] = [
    ("5xx", OnStatus),
    ("gateway-error", OnStatus),
    ("reset", AfterSending),
    ("reset-before-request", BeforeSending),
    ("connect-failure", BeforeSending),
    ("envoy-ratelimited", OnStatus),
    ("retriable-4xx", OnStatus),
    ("refused-stream", BeforeSending),
    (LISTED_CODES, OnStatus),
    (LISTED_HEADERS, OnStatus),
    ("http3-post-connect-failure", AfterSending),
    ("cancelled", OnGrpcStatus),
    ("deadline-exceeded", OnGrpcStatus),
    ("internal", OnGrpcStatus),
    ("resource-exhausted", OnGrpcStatus),
    ("unavailable", OnGrpcStatus),
];

/// When a word fires; `None` for one that Envoy does not know and ignores.
///
/// ```
/// use headroom::engine::retry::conditions::{Fires, fires};
///
/// assert_eq!(fires("connect-failure"), Some(Fires::BeforeSending));
/// assert_eq!(fires("503"), None);
/// ```
pub fn fires(word: &str) -> Option<Fires> {
    WORDS.iter().find(|(name, _)| *name == word).map(|(_, fires)| *fires)
}

/// Whether a word repeats a request that may have run.
///
/// A rate limit and a conflict say that it did not; so does a stream that the host refused.
///
/// ```
/// use headroom::engine::retry::conditions::may_have_run;
///
/// assert!(may_have_run("reset"));
/// assert!(!may_have_run("refused-stream"));
/// ```
pub fn may_have_run(word: &str) -> bool {
    !matches!(word, "envoy-ratelimited" | "retriable-4xx")
        && fires(word).is_some_and(|fires| fires != BeforeSending)
}

/// Whether a status says that the request was turned away unread: too early, too many requests.
pub fn turned_away(code: u32) -> bool {
    matches!(code, 425 | 429)
}

/// Whether a word repeats an attempt that `per_try_timeout` cut.
pub fn retries_timeouts(word: &str) -> bool {
    matches!(word, "5xx" | "gateway-error" | "reset")
}
