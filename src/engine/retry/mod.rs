//! Retries: how long they wait, how many may be outstanding, how much load they add.
//!
//! A retry hides a failed attempt from the caller and costs the upstream one more. In an outage
//! every attempt fails, so each request costs all its attempts just when the upstream can afford
//! them least, and layers that retry multiply. What a retry can do wrong depends on how far the failed
//! attempt got ([`conditions`]). Three things hold that down: the number of retries
//! of one request ([`amplification`]), the retries that may be outstanding at once ([`budget`]),
//! and the wait between attempts ([`backoff`]).
//!
//! These are closed forms for one proxy in a steady state. How failures and retries feed each
//! other over time is the simulator's business.

pub mod amplification;
pub mod backoff;
pub mod budget;
pub mod conditions;
