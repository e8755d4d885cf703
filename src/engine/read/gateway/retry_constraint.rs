//! `XBackendTrafficPolicy` of the Gateway API: a retry budget of requests per second.

use crate::engine::read::Spanned;
use crate::engine::read::config::{ForeignPolicy, RateBudget};
use crate::engine::read::field::{Bound, Field, Reader};
use crate::engine::units::{Millis, Rate, Share};

/// The window of a count that names none.
const SECOND: Millis = Millis(1_000.0);

/// Reads the spec.
pub fn read(reader: &mut Reader, spec: &Field<'_>) {
    let Some(block) = reader.message(spec, "retryConstraint") else { return };
    reader.known(&block, "retryConstraint", "budget minRetryRate");
    let mut out = RateBudget { block: block.place(), ..RateBudget::default() };
    if let Some(budget) = reader.message(&block, "budget") {
        reader.known(&budget, "budget", "percent interval");
        out.ratio = reader
            .whole(&budget, "percent", Bound::UpTo(100))
            .map(|p| p.map(|percent| Share(f64::from(percent) / 100.0)));
        out.window = reader.duration(&budget, "interval", Bound::Positive);
    }
    if let Some(rate) = reader.message(&block, "minRetryRate") {
        reader.known(&rate, "minRetryRate", "count interval");
        let interval = reader.duration(&rate, "interval", Bound::Positive).map_or(SECOND, |i| i.value);
        out.minimum = reader
            .whole(&rate, "count", Bound::Any)
            .map(|n| Spanned::new(Rate(f64::from(n.value) / interval.as_secs()), n.at));
    }
    let origin = reader.origin_at(&block);
    reader.config.foreign.push(ForeignPolicy { origin, breaker: None, retry_budget: Some(out) });
}
