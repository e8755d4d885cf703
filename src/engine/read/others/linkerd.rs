//! Linkerd: a data plane of its own, with other rules. Read is only what has a name of Envoy's and
//! another meaning.

use crate::engine::read::config::{Dialect, ForeignPolicy, NoteKind, RateBudget};
use crate::engine::read::field::{Bound, Field, Reader};
use crate::engine::read::kubernetes::{enter, partly};
use crate::engine::read::scalar::Notation;
use crate::engine::units::{Rate, Share};

const BREAKER: &str = "balancer.linkerd.io/failure-accrual";

/// Reads a resource of Linkerd's groups.
pub fn read(reader: &mut Reader, root: &Field<'_>, kind: &str) {
    let message = format!(
        "Linkerd's {kind} was recognized and not read: its proxy is not Envoy, has no panic mode, and its retry budget counts requests per second"
    );
    reader.note(root.place(), NoteKind::PartlyRead, message);
    if let Some(block) = root.at(&["spec", "retryBudget"]).filter(|b| reader.is_message(b)) {
        let retry_budget = RateBudget {
            block: block.place(),
            ratio: reader.float(&block, "retryRatio").map(|r| r.map(Share)),
            minimum: reader.float(&block, "minRetriesPerSecond").map(|r| r.map(Rate)),
            window: reader.duration(&block, "ttl", Bound::Any),
        };
        let origin = reader.origin_at(&block);
        let policy = ForeignPolicy { origin, breaker: None, retry_budget: Some(retry_budget) };
        reader.config.foreign.push(policy);
    }
}

/// Reads the annotations of a `Service`; `false` if it has none of Linkerd's.
pub fn service(reader: &mut Reader, root: &Field<'_>) -> bool {
    let annotations = root.at(&["metadata", "annotations"]);
    let of_linkerd = annotations.filter(|a| a.keys().any(|key| key.contains("linkerd.io/")));
    let Some(annotations) = of_linkerd else { return false };
    enter(reader, root, Dialect::Linkerd, Notation::Go, "Service");
    partly(reader, &annotations, "", "its annotations for Linkerd, whose proxy is not Envoy");
    if let Some(breaker) = annotations.get(BREAKER) {
        let origin = reader.origin_at(&annotations);
        let policy = ForeignPolicy { origin, breaker: Some(breaker.place()), retry_budget: None };
        reader.config.foreign.push(policy);
    }
    true
}
