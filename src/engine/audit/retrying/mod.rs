//! What the rules on retries ask: who retries, how often, for how long, and within what limit.

mod dialect;
mod limit;
mod need;
mod recommend;
mod route;

pub use dialect::{codes_among_words, recommended_conditions, safe_conditions};
pub use limit::{NO_LIMIT, Retried};
pub use need::Need;
pub use route::Retrying;
