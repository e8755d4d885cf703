//! Why there is no answer, and what to do.

use super::{is_of_reading, place};
use crate::args;
use crate::base::Base;
use crate::problems::Complaint;
use crate::words::Words;
use headroom::engine::inputs::{Candidate, Refusal};
use headroom::engine::nearest::nearest;
use headroom::engine::read::config::{Configuration, ProblemKind};
use headroom::engine::read::source::Input;
use headroom::engine::units::display::{count, echo, plural};
use std::collections::BTreeSet;

const ALLOWED: &str = "Allowed: /stats (text, JSON or Prometheus), /clusters (text), /config_dump, /server_info, a configuration, an access log \
                       (Envoy's format, Istio's, JSON lines).";

/// Texts that are named themselves and of which nothing was read, each with its problems; in a
/// folder other files are no mistake.
pub fn unread(c: &Configuration, inputs: &[Input], walked: &[bool]) -> Vec<Complaint> {
    let evidence = &c.evidence;
    let read: BTreeSet<u32> = (c.clusters.iter().map(|x| x.origin.block.file))
        .chain(c.routes.iter().map(|x| x.origin.block.file))
        .chain(c.managers.iter().map(|x| x.origin.block.file))
        .chain(c.notes.iter().map(|x| x.at.file))
        .chain(
            evidence
                .reports
                .iter()
                .filter(|x| !x.clusters.is_empty() || x.uptime.is_some())
                .map(|x| x.at.file),
        )
        .chain(evidence.logs.iter().filter(|x| x.parsed > 0).map(|x| x.at.file))
        .chain(evidence.servers.iter().map(|x| x.at.file))
        .collect();
    let files = (0u32..).zip(&c.files).zip(walked);
    let unread = files.filter(|((file, _), walked)| !read.contains(file) && !**walked);
    let text = |file: u32| inputs.get(file as usize).map_or("", |input| input.text.as_str());
    unread.flat_map(|((file, name), _)| of_file(c, file, (name, text(file)))).collect()
}

fn of_file(c: &Configuration, file: u32, (name, text): (&str, &str)) -> Vec<Complaint> {
    if is_clusters_json(text) {
        let message = "This is /clusters as JSON: give the text, /clusters without format=json.";
        return vec![Complaint { place: name.to_owned(), message: message.to_owned() }];
    }
    let is_news = |kind: &ProblemKind| *kind != ProblemKind::NothingToRead;
    let problems = c.problems.iter().filter(|p| p.at.file == file && is_of_reading(p) && is_news(&p.kind));
    let mut complaints: Vec<Complaint> = problems
        .map(|p| Complaint {
            place: place(&c.files, &p.at),
            message: format!("{}. {ALLOWED} To do: {}.", capital(&p.message), p.help),
        })
        .collect();
    if complaints.is_empty() {
        let message = format!("Nothing of Envoy was recognized in it. {ALLOWED}");
        complaints.push(Complaint { place: name.to_owned(), message });
    }
    complaints
}

/// Whether a text is `/clusters?format=json`.
fn is_clusters_json(text: &str) -> bool {
    let inside = text.trim_start().strip_prefix('{').unwrap_or_default();
    inside.trim_start().starts_with("\"cluster_statuses\"")
}

/// What was left out of texts that were read otherwise, as far as it was not said already.
pub fn left_out(c: &Configuration, said: &[Complaint]) -> Vec<Complaint> {
    let news = c.problems.iter().filter(|p| is_of_reading(p) && p.kind != ProblemKind::NothingToRead);
    let complaints = news.map(|p| Complaint {
        place: place(&c.files, &p.at),
        message: format!("{}. To do: {}.", capital(&p.message), p.help),
    });
    complaints.filter(|new| said.iter().all(|old| old.place != new.place)).collect()
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Adds why nothing was derived.
pub fn complain(why: Refusal, words: &Words, base: &Base, complaints: &mut Vec<Complaint>) {
    let is_said = !complaints.is_empty();
    match why {
        // What could not be read may be what is missing.
        Refusal::Nothing | Refusal::Unknown(_) | Refusal::Several(_) if is_said => {}
        Refusal::Nothing => complaints.push(Complaint {
            place: "FILE".to_owned(),
            message: "The texts are about no cluster. Add /stats or /clusters of the proxy that calls it."
                .to_owned(),
        }),
        Refusal::Several(all) => complaints.push(Complaint::flag(
            args::CLUSTER,
            format!(
                "The texts are about {} clusters. Name one of them: {}.",
                count(all.len() as f64),
                list(&all)
            ),
        )),
        Refusal::Unknown(all) => {
            let asked = words.text(args::CLUSTER).unwrap_or_default();
            let near = nearest(asked, all.iter().map(|one| one.name.as_str()));
            let hint = near.map_or_else(String::new, |near| format!(" Did you mean {}?", echo(near)));
            let names = if all.is_empty() {
                "The texts name no cluster: leave the flag out.".to_owned()
            } else {
                format!("Name one of {}.", list(&all))
            };
            let message = format!("“{}” is none of the clusters of the texts.{hint} {names}", echo(asked));
            complaints.push(Complaint::flag(args::CLUSTER, message));
        }
        Refusal::Wrong(problems) => base.complain(words, &problems, complaints),
    }
}

/// The names, the busiest first.
fn list(all: &[Candidate]) -> String {
    const SHOWN: usize = 20;
    let mut all: Vec<&Candidate> = all.iter().collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.requests));
    let shown = all.iter().take(SHOWN).map(|one| {
        let requests = one.requests.map(|n| plural(n as f64, "request", "requests"));
        let hosts = one.hosts.map(|n| plural(n as f64, "host", "hosts"));
        let known: Vec<String> = requests.into_iter().chain(hosts).collect();
        let known = if known.is_empty() { String::new() } else { format!(" ({})", known.join(", ")) };
        echo(&one.name) + &known
    });
    let shown = shown.collect::<Vec<_>>().join("; ");
    let more = all.len().saturating_sub(SHOWN);
    if more > 0 { format!("{shown}; and {} more", count(more as f64)) } else { shown }
}
