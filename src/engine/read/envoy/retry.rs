//! `retry_policy` and `hedge_policy`.

use super::any::unwrap;
use super::fields;
use crate::engine::read::config::{
    Effect, HedgePolicy, PolicyScope, ProblemKind, RateLimitedBackOff, RetryPolicy,
};
use crate::engine::read::field::{Bound, Field, MAX_WORDS, Reader};
use crate::engine::read::scalar;
use crate::engine::read::{Setting, Spanned};

/// Reads a retry policy.
pub fn retry_policy(reader: &mut Reader, policy: &Field<'_>, scope: PolicyScope) -> RetryPolicy {
    reader.known(policy, "retry_policy", fields::RETRY_POLICY);
    let mut into = RetryPolicy {
        block: policy.place(),
        scope,
        retry_on: policy.text("retry_on").map(|text| text.map(|t| words(&t))),
        num_retries: reader.whole(policy, "num_retries", Bound::Any),
        per_try_timeout: reader.duration(policy, "per_try_timeout", Bound::Any),
        per_try_idle_timeout: reader.duration(policy, "per_try_idle_timeout", Bound::Any),
        retriable_status_codes: codes(reader, policy, "retriable_status_codes"),
        retriable_headers: count(policy, "retriable_headers"),
        retriable_request_headers: count(policy, "retriable_request_headers"),
        retry_host_predicate: named(policy, "retry_host_predicate"),
        retry_priority: policy.get("retry_priority").and_then(|p| p.text("name")),
        host_selection_retry_max_attempts: signed(reader, policy, "host_selection_retry_max_attempts"),
        refresh_cluster_on_retry: policy
            .get("refresh_cluster_on_retry")
            .map(|f| f.spanned(f.node.entries().is_some() || f.node.text() == Some("true"))),
        ..RetryPolicy::default()
    };
    if let Some(back_off) = reader.message(policy, "retry_back_off") {
        reader.known(&back_off, "retry_back_off", fields::RETRY_BACK_OFF);
        into.retry_back_off = Some(back_off.place());
        into.base_interval = reader.duration(&back_off, "base_interval", Bound::Positive);
        into.max_interval = reader.duration(&back_off, "max_interval", Bound::Positive);
        back_off_bounds(reader, &back_off, &into);
    }
    if let Some(limited) = reader.message(policy, "rate_limited_retry_back_off") {
        reader.known(&limited, "rate_limited_retry_back_off", fields::RATE_LIMITED_BACK_OFF);
        let reset_headers = count(&limited, "reset_headers");
        if reset_headers.as_ref().is_none_or(|n| n.value == 0) {
            missing(reader, &limited, "rate_limited_retry_back_off", "reset_headers");
        }
        into.rate_limited_retry_back_off = Some(RateLimitedBackOff {
            block: limited.place(),
            max_interval: reader.duration(&limited, "max_interval", Bound::Positive),
            reset_headers,
        });
    }
    into
}

fn back_off_bounds(reader: &mut Reader, block: &Field<'_>, policy: &RetryPolicy) {
    match (&policy.base_interval, &policy.max_interval) {
        (None, _) if !block.has("base_interval") => missing(reader, block, "retry_back_off", "base_interval"),
        (Some(base), Some(max)) if max.value < base.value => {
            let message =
                format!("`max_interval` is {} ms, below `base_interval` of {} ms", max.value.0, base.value.0);
            let help = "write a max_interval of at least base_interval";
            reader.problem(max.at.clone(), ProblemKind::OutOfRange, Effect::Rejected, message, help);
        }
        _ => {}
    }
}

fn missing(reader: &mut Reader, block: &Field<'_>, of: &str, name: &str) {
    let message = format!("`{of}` has no `{name}`, which is required");
    let help = format!("add {name}");
    reader.problem(block.place(), ProblemKind::Missing, Effect::Rejected, message, help);
}

/// Reads a hedge policy.
pub fn hedge_policy(reader: &mut Reader, policy: &Field<'_>, scope: PolicyScope) -> HedgePolicy {
    reader.known(policy, "hedge_policy", fields::HEDGE_POLICY);
    HedgePolicy {
        block: policy.place(),
        scope,
        hedge_on_per_try_timeout: reader.truth(policy, "hedge_on_per_try_timeout"),
        initial_requests: reader.whole(policy, "initial_requests", Bound::Positive),
        additional_request_chance: policy.get("additional_request_chance").map(|f| f.place()),
    }
}

/// The retry policy of a route, a virtual host or a cluster, typed or plain.
pub fn policy_of(reader: &mut Reader, owner: &Field<'_>, scope: PolicyScope) -> Option<RetryPolicy> {
    if let Some(policy) = reader.message(owner, "retry_policy") {
        return Some(retry_policy(reader, &policy, scope));
    }
    let typed = unwrap(&reader.message(owner, "retry_policy_typed_config")?);
    Some(retry_policy(reader, &typed, scope))
}

/// The words of a comma list; empty ones are skipped as Envoy does.
pub fn words(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|w| !w.is_empty()).take(MAX_WORDS).map(str::to_owned).collect()
}

/// There are no more codes than this.
const MAX_CODES: usize = 1_000;

/// A list of status codes.
pub fn codes(reader: &mut Reader, parent: &Field<'_>, name: &str) -> Setting<Vec<u32>> {
    let field = parent.get(name)?;
    let items = field.items();
    let codes = items
        .iter()
        .take(MAX_CODES)
        .filter_map(|item| reader.whole_of(item, Bound::Any))
        .map(|c| c.value)
        .collect();
    Some(field.spanned(codes))
}

fn count(parent: &Field<'_>, name: &str) -> Setting<u32> {
    let field = parent.get(name)?;
    Some(field.spanned(u32::try_from(field.items().len()).unwrap_or(u32::MAX)))
}

fn named(parent: &Field<'_>, name: &str) -> Vec<Spanned<String>> {
    parent.list(name).iter().filter_map(|item| item.text("name")).take(MAX_WORDS).collect()
}

/// A whole number of 64 bits that may be negative: Envoy takes it.
#[allow(clippy::cast_possible_truncation, reason = "a float becomes the nearest integer in range")]
fn signed(reader: &mut Reader, parent: &Field<'_>, name: &str) -> Setting<i64> {
    let field = parent.get(name)?;
    let number = scalar::float(field.node, reader.notation).value;
    if let Some(number) = number.filter(|n| n.fract() == 0.0) {
        return Some(field.spanned(number as i64));
    }
    let message = format!("`{name}` is `{}`, not a whole number", scalar::shown(field.node));
    reader.problem(field.place(), ProblemKind::BadNumber, Effect::Rejected, message, "write a whole number");
    None
}
