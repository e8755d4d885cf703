//! The whole way: inputs to documents to a configuration.

use super::config::{Configuration, Effect, NoteKind, ProblemKind, ReadProblem};
use super::documents::{Documents, documents};
use super::field::{Field, Reader};
use super::source::{Input, MAX_PROBLEMS};
use super::{Place, Span, envoy, gateway, join, kubernetes, merge, others};
use std::collections::BTreeSet;

/// Reads everything that `inputs` say.
///
/// Nothing fails: what cannot be read is a problem with a place, and the rest is read.
///
/// # Examples
///
/// ```
/// use headroom::engine::read::{read, source::Input, value};
///
/// let text = "name: shop\ncircuit_breakers:\n  thresholds:\n    max_requests: 0x10\n";
/// let config = read(&[Input::new("shop.yaml", text)]);
/// let limit = &config.clusters[0].thresholds[0].max_requests;
/// assert_eq!(value(limit), Some(16));
/// assert_eq!(limit.as_ref().map(|l| l.at.line()), Some(4));
/// ```
pub fn read(inputs: &[Input]) -> Configuration {
    let documents = documents(inputs);
    let files = inputs.iter().map(|i| i.name.clone()).collect();
    read_documents(files, documents)
}

/// Reads documents that are parsed already.
pub fn read_documents(files: Vec<String>, parsed: Documents) -> Configuration {
    let mut reader = Reader::default();
    reader.config.files = files;
    reader.config.evidence = parsed.evidence;
    for server in reader.config.evidence.servers.clone() {
        let message = "release, uptime and worker threads of a proxy: there is nothing to audit in them";
        reader.note(server.at, NoteKind::Skipped, message);
    }
    reader.config.problems = parsed.problems;
    let broken: BTreeSet<u32> = reader.config.problems.iter().map(|p| p.at.file).collect();
    let mut merge_keys = parsed.merge_keys.into_iter().peekable();
    for document in &parsed.documents {
        reader.origin.document = document.index;
        let root = Field::root(&document.root, document.file);
        let silent =
            document.root.entries().is_none() && document.root.items().is_none() || document.root.unfinished;
        let recognized = one(&mut reader, &root, 0);
        // What is wrong with a text that makes no sense was said when it was parsed.
        let said = silent && broken.contains(&document.file);
        if !recognized && !said {
            reader.problem(
                root.place(),
                ProblemKind::NothingToRead,
                Effect::Unread,
                "no cluster, route or policy was recognized in this document",
                "paste a cluster, a route, a bootstrap, a config_dump or a mesh resource",
            );
        }
    }
    // Kubernetes resolves merge keys; Envoy does not.
    let mut seen = BTreeSet::new();
    for place in merge_keys.by_ref() {
        let of_envoy = |c: &super::config::Origin| {
            c.dialect == super::config::Dialect::Envoy && c.block.file == place.file
        };
        let envoys = reader.config.clusters.iter().any(|c| of_envoy(&c.origin))
            || reader.config.routes.iter().any(|r| of_envoy(&r.origin));
        if envoys && seen.insert(place.file) {
            reader.problem(
                place,
                ProblemKind::MergeKey,
                Effect::Rejected,
                "merge keys (`<<`) are resolved here; Envoy itself refuses them",
                "render the text with a tool that resolves them before Envoy reads it",
            );
        }
    }
    others::settle(&mut reader);
    gateway::settle(&mut reader.config);
    envoy::settle(&mut reader.config.runtime);
    merge::merge(&mut reader.config);
    join::join(&mut reader);
    let mut config = reader.config;
    settle(&mut config.problems);
    config
}

/// Deepest wrapping around a configuration: the values of a chart, for example.
const MAX_WRAPPING: usize = 6;

fn one(reader: &mut Reader, root: &Field<'_>, depth: usize) -> bool {
    if kubernetes::document(reader, root) || envoy::document(reader, root) {
        return true;
    }
    let mut found = false;
    if depth < MAX_WRAPPING {
        for (_, field) in root.entries() {
            if field.node.entries().is_some() || field.node.items().is_some() {
                found |= one(reader, &field, depth + 1);
            }
        }
    }
    found
}

/// In the order of the text, each once, and not without end.
fn settle(problems: &mut Vec<ReadProblem>) {
    problems.sort_by(|a, b| {
        let key = |p: &ReadProblem| (p.at.file, p.at.key.unwrap_or(p.at.span).start, p.effect);
        key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
    });
    problems.dedup_by(|a, b| a.at.file == b.at.file && a.at.span == b.at.span && a.message == b.message);
    if let Some(more) = problems.len().checked_sub(MAX_PROBLEMS).filter(|more| *more > 0) {
        problems.truncate(MAX_PROBLEMS);
        let span = problems.last().map_or(Span::default(), |p| p.at.span);
        let file = problems.last().map_or(0, |p| p.at.file);
        problems.push(ReadProblem {
            kind: ProblemKind::Limit,
            effect: Effect::Unread,
            at: Place { file, span, ..Place::default() },
            message: format!("{more} more problems are not listed"),
            help: "correct the ones above first".to_owned(),
            correction: None,
        });
    }
}
