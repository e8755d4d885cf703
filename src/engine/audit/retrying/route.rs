//! The retry policy of a route, and what it repeats.

use crate::engine::audit::RouteCx;
use crate::engine::read::config::{RetryPolicy, RouteConfig, RouteKind};
use crate::engine::read::effective::{EffectiveRetry, EffectiveRoute, governing_retry_policy};
use crate::engine::retry::backoff::BackOff;
use crate::engine::retry::conditions::{self, LISTED_CODES, LISTED_HEADERS};
use crate::engine::scenario::Protocol;

/// A retry policy that governs a route.
#[derive(Clone, Copy, Debug)]
pub struct Retrying<'r> {
    /// What is in force.
    pub policy: &'r EffectiveRetry,
    /// What is written of it; nothing where a mesh fills all of it in.
    pub written: Option<&'r RetryPolicy>,
}

impl<'r> Retrying<'r> {
    /// The policy of a route, whether it retries anything or not.
    pub(super) fn of(effective: &'r EffectiveRoute, written: Option<&'r RetryPolicy>) -> Option<Self> {
        Some(Self { policy: effective.retry.as_ref()?, written })
    }

    /// The words of `retry_on` that can fire.
    pub fn words(self) -> Vec<&'r str> {
        let words = self.policy.retry_on.value.iter().map(String::as_str);
        words.filter(|word| self.acts(word)).collect()
    }

    fn acts(self, word: &str) -> bool {
        let headers = self.written.and_then(|p| p.retriable_headers.as_ref()).is_some_and(|n| n.value > 0);
        match word {
            LISTED_CODES => !self.policy.retriable_status_codes.value.is_empty(),
            LISTED_HEADERS => headers,
            word => conditions::fires(word).is_some(),
        }
    }

    /// Retries of one request; none where no word can fire.
    pub fn count(self) -> u32 {
        if self.words().is_empty() { 0 } else { self.policy.num_retries.value }
    }

    /// The waits between attempts.
    pub fn back_off(self) -> BackOff {
        let back_off = &self.policy.back_off;
        BackOff { base: back_off.base_interval.value, max: back_off.max_interval.value }
    }

    /// What acts of it that may repeat a request that has run.
    pub fn repeating_words(self) -> Vec<&'r str> {
        let codes = &self.policy.retriable_status_codes.value;
        let turned_away = codes.iter().all(|code| conditions::turned_away(*code));
        let harmless = |word: &str| word == LISTED_CODES && turned_away;
        self.words().into_iter().filter(|w| conditions::may_have_run(w) && !harmless(w)).collect()
    }
}

impl<'a> RouteCx<'a> {
    /// The retry policy in force, whether it retries anything or not; `None` where Envoy's rules do
    /// not govern, or nothing is known of it.
    pub fn retry_policy(&self) -> Option<Retrying<'a>> {
        let cluster = self.cluster.map(|c| c.config);
        let written = governing_retry_policy(self.config, cluster, self.facts.envoy_version);
        policy_of(self.config, self.effective, written)
    }

    /// The retry policy, if it retries anything.
    pub fn retrying(&self) -> Option<Retrying<'a>> {
        self.retry_policy().filter(|r| r.count() > 0)
    }

    /// Whether requests of the route are safe to repeat: by what was said, or because all methods
    /// that it matches are (RFC 9110, 9.2.2). `None` where nobody says.
    pub fn repeatable(&self) -> Option<bool> {
        const IDEMPOTENT: [&str; 6] = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"];
        let methods = self.methods();
        let by_method = !methods.is_empty() && methods.iter().all(|m| IDEMPOTENT.contains(&m.as_str()));
        if by_method { Some(true) } else { self.facts.idempotent }
    }

    /// The methods that it is limited to; empty means all.
    pub fn methods(&self) -> &'a [String] {
        self.config.matches.as_ref().map_or(&[], |m| m.value.methods.as_slice())
    }

    /// Whether it carries bodies that a retry would have to send again, as far as methods tell.
    pub fn sends_bodies(&self) -> bool {
        self.methods().iter().any(|m| matches!(m.as_str(), "POST" | "PUT" | "PATCH"))
    }

    /// Whether only gRPC requests take it.
    pub fn is_grpc(&self) -> bool {
        use crate::engine::read::config::UpstreamProtocol::Grpc;
        let of_cluster = self.cluster.and_then(|c| c.config.protocol.as_ref());
        self.config.matches.as_ref().is_some_and(|m| m.value.grpc)
            || of_cluster.is_some_and(|p| p.value == Grpc)
            || self.facts.protocol.is_some_and(Protocol::speaks_grpc)
    }
}

/// The policy of a route; a patch that writes none leaves what it patches as it is.
pub(super) fn policy_of<'r>(
    route: &RouteConfig,
    effective: &'r EffectiveRoute,
    written: Option<&'r RetryPolicy>,
) -> Option<Retrying<'r>> {
    let unknown = route.origin.patch.is_some() && written.is_none();
    let governed = route.origin.dialect.runs_envoy() && route.kind == RouteKind::Http;
    if governed && !unknown { Retrying::of(effective, written) } else { None }
}
