//! What is asked for: a scenario, a kind of configuration, a format.

use crate::args;
use crate::base;
use crate::problems::Complaint;
use crate::words::Words;
use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::dialects::too_large;
use headroom::engine::export::Target;

/// How the answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Configuration.
    Yaml,
    /// The analysis as data.
    Json,
    /// A document for a review.
    Markdown,
    /// A picture for documents that allow no frame.
    Svg,
    /// Alerting rules for Prometheus.
    Alerts,
}

impl Format {
    /// The format of that word.
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "yaml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            "markdown" => Some(Self::Markdown),
            "svg" => Some(Self::Svg),
            "alerts" => Some(Self::Alerts),
            _ => None,
        }
    }
}

/// A request that can be answered.
pub struct Request {
    /// The answer.
    pub analysis: Analysis,
    /// The kind of configuration.
    pub target: Target,
    /// The format.
    pub format: Format,
    /// Whether a document has the faults played.
    pub is_simulated: bool,
}

/// Reads the request, or everything that is wrong with it.
pub fn read(mut words: Words) -> Result<Request, Vec<Complaint>> {
    let mut complaints = std::mem::take(&mut words.complaints);
    let words = &words;
    let analysis = analysis(words, &mut complaints);
    let target = choice(words, args::TARGET, &args::targets(), Target::from_word, &mut complaints);
    let format = choice(words, args::OUTPUT, &args::OUTPUTS, Format::from_word, &mut complaints);
    if let (Some(analysis), Some(target)) = (&analysis, target) {
        let sentences = too_large(analysis, target).into_iter();
        complaints.extend(sentences.map(|sentence| Complaint::flag(args::TARGET, sentence)));
    }
    if let (Some(Format::Alerts), Some(why)) = (format, target.and_then(no_alerts)) {
        complaints.push(Complaint::flag(args::OUTPUT, why));
    }
    let base_url = crate::link::base_url(words, &mut complaints);
    let without = truth(words, args::NO_SIMULATION, &mut complaints);
    match analysis {
        Some(mut analysis) if complaints.is_empty() => Ok(Request {
            analysis: {
                analysis.link.insert_str(0, &base_url);
                analysis
            },
            target: target.unwrap_or(Target::Envoy),
            format: format.unwrap_or(Format::Yaml),
            is_simulated: !without,
        }),
        _ => Err(complaints),
    }
}

/// Why there are no alerts for a target: their selectors would find nothing there.
fn no_alerts(target: Target) -> Option<&'static str> {
    match target {
        Target::Envoy | Target::EnvoyBootstrap => None,
        Target::Istio => Some(
            "alerts are for an Envoy that reports envoy_cluster_name. Istio reports cluster_name=\"outbound|PORT|SUBSET|HOST\", and only where proxyStatsMatcher lets the sidecars report it. Choose --target envoy and change the selectors to it.",
        ),
        Target::EnvoyGateway => Some(
            "alerts are for an Envoy whose cluster is called as in --name. Envoy Gateway reports envoy_cluster_name=\"httproute/NAMESPACE/NAME/rule/0\" and no gauges remaining_…. Choose --target envoy with that for --name, and drop the alert of remaining_rq.",
        ),
    }
}

/// One word of a list; a complaint where it is another.
pub fn choice<T>(
    words: &Words,
    key: &str,
    allowed: &[&str],
    read: impl Fn(&str) -> Option<T>,
    complaints: &mut Vec<Complaint>,
) -> Option<T> {
    let word = words.text(key)?;
    let found = read(word);
    if found.is_none() {
        complaints.push(Complaint::not_a_choice(key, word, allowed));
    }
    found
}

/// Whether a switch is on; off where it is not there.
pub fn truth(words: &Words, key: &str, complaints: &mut Vec<Complaint>) -> bool {
    match words.text(key) {
        None | Some("false" | "no") => false,
        Some("true" | "yes") => true,
        Some(other) => {
            complaints.push(Complaint::not_a_choice(key, other, &["true", "false"]));
            false
        }
    }
}

/// The analysis of what file, preset and flags say, or complaints.
pub fn analysis(words: &Words, complaints: &mut Vec<Complaint>) -> Option<Analysis> {
    let (draft, base) = base::draft(words, complaints);
    match draft.check().and_then(|scenario| analyze(&scenario)) {
        Ok(analysis) => Some(analysis),
        Err(problems) => {
            base.complain(words, &problems, complaints);
            None
        }
    }
}
