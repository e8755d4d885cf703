//! A scenario out of what proxies report: admin pages, dumps and access logs.
//!
//! What stands in the texts is read, what follows from them is derived with its formula, and what
//! cannot be known from them is left out with the reason. Nothing is assumed: the defaults of a
//! scenario are those of whoever reads it.

mod choose;
mod counters;
mod field;
mod latency;
mod logged;
mod missing;
mod policy;
mod proxy;
mod rate;
mod settle;
mod sources;
mod upstream;

pub use choose::Candidate;
pub use field::{Field, How};

use super::params::{PARAMS, ParamId};
use super::read::Place;
use super::read::config::Configuration;
use super::scenario::{Draft, Problem, Protocol, Scenario};
use sources::Sources;

/// What is asked for besides the texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ask {
    /// The cluster, where there are several.
    pub cluster: Option<String>,
    /// What a person gives: it wins over what is read.
    pub given: Draft,
    /// Percentiles of the last interval of stats, and not those since the start.
    pub last_interval: bool,
}

/// The inputs of a scenario, as far as they are known.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// The cluster they are about; none where the texts name none.
    pub cluster: Option<String>,
    /// Every input that concerns the protocol, in the order of the form, known or not.
    pub fields: Vec<Field>,
    /// Those that are known.
    pub draft: Draft,
    /// The same as a scenario, with 1 for a rate or a latency that is missing.
    pub scenario: Scenario,
    /// What `size` still needs, with what to do.
    pub needed: Vec<Problem>,
    /// What else was noticed.
    pub notes: Vec<Remark>,
}

/// Something noticed about the texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// Where.
    pub at: Option<Place>,
    /// What, as a sentence without its full stop.
    pub message: String,
}

/// Why there are no inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// No text is about a cluster.
    Nothing,
    /// Several clusters, and none is named.
    Several(Vec<Candidate>),
    /// The cluster that is named is not there.
    Unknown(Vec<Candidate>),
    /// What was given contradicts itself, or what was read.
    Wrong(Vec<Problem>),
}

/// Derives the inputs of a scenario from everything that was read.
///
/// # Errors
///
/// A [`Refusal`] where it is not clear which cluster is meant, or what was given cannot be.
///
/// # Examples
///
/// ```
/// use headroom::engine::inputs::{Ask, derive};
/// use headroom::engine::read::{read, source::Input};
///
/// let stats = "cluster.shop.upstream_rq_completed: 72000\nserver.uptime: 3600\nserver.live: 1\n";
/// let inputs = derive(&read(&[Input::new("stats.txt", stats)]), &Ask::default()).unwrap();
/// // 72,000 / 3,600 s = 20 a second; no latency is in the text, so one is still needed.
/// assert_eq!(inputs.scenario.rps.0, 20.0);
/// assert_eq!(inputs.needed[0].field, "p50");
/// ```
pub fn derive(configuration: &Configuration, ask: &Ask) -> Result<Inputs, Refusal> {
    let given = settle::scenario(&ask.given).map_err(Refusal::Wrong)?;
    let chosen = choose::choose(configuration, ask.cluster.as_deref())?;
    let sources = Sources::of(configuration, chosen);
    let mut notes = Vec::new();
    let counters = counters::all(&sources, &mut notes);
    let protocol = upstream::protocol(&sources, &counters);
    let spoken = Case { ask, given: &given, sources: &sources, counters: &counters, protocol: None };
    let case = Case { protocol: spoken.spoken(&protocol), ..spoken };
    let mut found = vec![proxy::name(&case), protocol];
    found.push(rate::rate(&case));
    found.extend(latency::latency(&case));
    found.extend([proxy::workers(&case), proxy::version(&case, &mut notes)]);
    found.extend([upstream::hosts(&case), upstream::connect(&case), upstream::error_rate(&case)]);
    found.extend([policy::deadline(&case), policy::retry_overhead(&case), policy::high_share(&case)]);
    found.extend([policy::idempotent(&case), policy::keepalive(&case)]);
    notes.extend(sources.notes());
    notes.extend(latency::of_retries(&case));
    notes.extend(latency::of_logs(&case));
    let fields = PARAMS.iter().map(|p| p.id).filter(|id| case.concerns(*id)).map(|id| {
        let of_text = found.iter().find(|field| field.id == id);
        let text = ask.given.get(id);
        if text.is_empty() {
            of_text.cloned().unwrap_or_else(|| Field::missing(id, missing::why(id)))
        } else {
            Field::given(id, text, of_text)
        }
    });
    let fields = fields.collect();
    settle::settle(sources.name, fields, notes)
}

/// Everything that an input may be derived from.
struct Case<'c> {
    ask: &'c Ask,
    /// What was given, with defaults for the rest.
    given: &'c Scenario,
    sources: &'c Sources<'c>,
    counters: &'c [counters::Counters<'c>],
    /// As given, else as read.
    protocol: Option<Protocol>,
}

impl Case<'_> {
    fn is_given(&self, id: ParamId) -> bool {
        !self.ask.given.get(id).is_empty()
    }

    fn spoken(&self, read: &Field) -> Option<Protocol> {
        if self.is_given(ParamId::Protocol) {
            return Some(self.given.protocol);
        }
        let all = [Protocol::Http1, Protocol::Http2, Protocol::Grpc, Protocol::GrpcStream];
        all.into_iter().find(|p| read.value.as_deref() == Some(p.as_str()))
    }

    /// Whether failures may hide behind status 200: HTTP/2 of which nobody said that it is no gRPC,
    /// or a protocol that is not known.
    fn may_be_grpc(&self) -> bool {
        !self.is_given(ParamId::Protocol) && matches!(self.protocol, None | Some(Protocol::Http2))
    }

    fn streams(&self) -> bool {
        self.protocol.is_some_and(Protocol::streams)
    }

    /// Whether an input is asked for with this protocol.
    fn concerns(&self, id: ParamId) -> bool {
        let of_streams = matches!(id, ParamId::StreamMean | ParamId::StreamP99);
        let of_requests = latency::PERCENTILES.iter().any(|(of, _)| *of == id) || id == ParamId::Mean;
        self.is_given(id) || !(of_streams && !self.streams() || of_requests && self.streams())
    }
}
