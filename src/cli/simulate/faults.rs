//! Faults of the file and of the flags.

use crate::args;
use crate::base;
use crate::problems::Complaint;
use crate::words::Words;
use headroom::engine::sim::faults_file::{self, Faults, Stage};
use headroom::engine::units::display::echo;

/// Every fault that is asked for.
pub fn read(words: &Words, stage: &Stage, complaints: &mut Vec<Complaint>) -> Faults {
    let mut all = Faults::default();
    let mut take = |faults: Faults| {
        all.list.extend(faults.list);
        all.notes.extend(faults.notes);
    };
    if let Some(path) = words.path(args::FAULTS) {
        let name = base::name_of(path);
        match base::text(path, faults_file::MAX_BYTES as u64, "a JSON list of faults") {
            Err(message) => complaints.push(Complaint::flag(args::FAULTS, message)),
            Ok(text) => match faults_file::from_json(&text, stage) {
                Ok(faults) => take(faults),
                Err(problems) => complaints.extend(problems.into_iter().map(|p| Complaint {
                    place: if p.field == "faults" { name.clone() } else { format!("{} in {name}", p.field) },
                    message: p.message,
                })),
            },
        }
    }
    for text in words.list(args::FAULT) {
        match faults_file::from_shorthand(text, stage) {
            Ok(faults) => take(faults),
            Err(problems) => complaints.extend(
                problems
                    .into_iter()
                    .map(|p| Complaint { place: format!("--fault {}", echo(text)), message: p.message }),
            ),
        }
    }
    if all.list.len() > faults_file::MAX_FAULTS {
        let message =
            format!("There are {} faults. Allowed: up to {}.", all.list.len(), faults_file::MAX_FAULTS);
        complaints.push(Complaint::flag(args::FAULT, message));
    }
    all
}
