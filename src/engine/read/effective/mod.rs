//! What is really in force: every default filled in, and marked as such.
//!
//! Defaults differ: a limit that is not written is 1024 in Envoy, 4294967295 in Istio and, for
//! retries, 1024 in Envoy Gateway. The configuration says which program it is for; Envoy's own
//! defaults follow its version.

mod cluster;
mod defaults;
mod route;

pub use cluster::{
    EffectiveBudget, EffectiveCluster, EffectiveOutlier, EffectivePriority, EffectiveRetryLimit,
    effective_cluster,
};
pub use route::{EffectiveBackOff, EffectiveRetry, EffectiveRoute, effective_route, governing_retry_policy};

use super::{Place, Setting, Spanned};
use crate::engine::read::config::Dialect;
use serde::{Deserialize, Serialize};

/// A value in force, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effective<T> {
    /// The value.
    pub value: T,
    /// Why it is in force.
    pub from: From,
}

/// Why a value is in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum From {
    /// It is written.
    Text(Place),
    /// A runtime key overrides what is written.
    Runtime(Place),
    /// Nothing is written; the program's default.
    Default(Dialect),
}

impl<T> Effective<T> {
    /// A default of `dialect`.
    pub fn default_of(dialect: Dialect, value: T) -> Self {
        Self { value, from: From::Default(dialect) }
    }

    /// Whether nobody wrote it.
    pub fn is_default(&self) -> bool {
        matches!(self.from, From::Default(_))
    }

    /// Where it is written, if it is.
    pub fn place(&self) -> Option<&Place> {
        match &self.from {
            From::Text(place) | From::Runtime(place) => Some(place),
            From::Default(_) => None,
        }
    }

    /// Another value with the same reason.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Effective<U> {
        Effective { value: f(self.value), from: self.from }
    }
}

/// What is written, or the default.
#[allow(clippy::ref_option, reason = "fields are settings, and this reads one field")]
fn or_default<T: Clone>(written: &Setting<T>, dialect: Dialect, default: T) -> Effective<T> {
    written.as_ref().map_or_else(|| Effective::default_of(dialect, default), text)
}

fn text<T: Clone>(written: &Spanned<T>) -> Effective<T> {
    Effective { value: written.value.clone(), from: From::Text(written.at.clone()) }
}
