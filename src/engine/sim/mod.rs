//! The simulator: replays a scenario and a failure against any policy, request by request, as Envoy
//! would.
//!
//! Closed forms cannot show collapse, recovery, cut-off proxies, deploys, ejection cascades or the
//! price of pools that do not share. This does, and it is the independent check of every formula
//! that Headroom publishes: nothing in here knows a queueing law, only what Envoy does at which
//! moment.
//!
//! The idea: discrete events. Time is whole nanoseconds, events are a closed enum, what falls on the
//! same instant happens in a fixed order, and every purpose (arrivals, service times, back-offs, …)
//! draws from a random stream of its own, keyed by request and attempt where that is possible. So a
//! seed gives the same run on every machine, and two policies meet the same arrivals and the same
//! service times.
//!
//! An [`Experiment`] is everything a run needs, a [`Policy`] what is in force at the proxies, a
//! [`Fault`] what goes wrong and when. A [`Simulation`] runs an experiment in steps as long as its
//! caller likes (so that a page can draw and cancel), and gives a [`Report`] at any time.
//!
//! What it does not do: bodies and their sizes, DNS, TLS session reuse, active health checks,
//! several localities. Envoy's behavior is that of 1.40 except for counters, which follow the
//! version.

mod back_off;
mod balance;
mod budget;
mod clock;
mod counters;
mod event;
mod experiment;
mod fault;
mod fault_table;
mod handed_over;
mod health;
mod histogram;
mod host;
mod logarithm;
mod lookup;
mod outlier;
mod play;
mod policies;
mod policy;
mod queue;
mod rates;
mod record;
mod recovery;
mod report;
mod service;
mod simulation;
mod slab;
mod summary;
#[cfg(test)]
mod testing;
mod time;
mod world;

pub mod compare;
pub mod custom;
pub mod faults_file;
pub mod matrix;
pub mod rng;
pub mod setup;
pub mod verdict;

pub use experiment::{
    Arrivals, Caller, Experiment, Fleet, HostModel, Load, Pattern, ResponseShape, Run, Service,
};
pub use fault::{FAULTS, Fault, FaultKind, FaultSpec, Hosts};
pub use fault_table::{FaultRow, FaultTable};
pub use handed_over::{HandedOver, Reading};
pub use play::Play;
#[cfg(feature = "read")]
pub use policies::Pasted;
pub use policy::{
    Balancing, Budget, Limits, Outlier, Policy, Retry, RetryLimit, RetryOn, RoutePolicy, Upstream,
};
pub use report::{
    Before, Bucket, HostBucket, HostSeries, Latency, Quantiles, Recovery, Report, Shares, Window,
};
pub use simulation::Simulation;
pub use time::Nanos;
