//! Applies fixes to the pasted text, and leaves everything else in it as it is.
//!
//! A fix says which setting becomes what; here it becomes bytes. Comments, order, indentation,
//! quotes, line ends and anchors stay: a changed value keeps its notation, a new field takes the
//! style of its neighbors, and what cannot be changed without changing something else is refused
//! with a reason.

mod alter;
mod enter;
mod form;
mod lines;
mod outline;
mod place;
mod plan;
mod render;
mod scalar;
mod settings;
mod splice;
mod style;
#[cfg(test)]
mod tests;
mod text;
mod write;

pub use lines::{Line, Mark, changed, diff};
pub use scalar::duration;

use self::outline::Outline;
use self::plan::{Editor, Plan};
use self::settings::Cx;
use super::{Asked, Audit, Change, audit};
use crate::engine::read::config::{Configuration, Effect, ProblemKind, ReadProblem};
use crate::engine::read::source::Input;
use crate::engine::read::{documents, read};
use crate::engine::rules::Severity;

/// What became of fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The inputs with the fixes that were made.
    pub inputs: Vec<Input>,
    /// Indices of the findings whose fixes were made.
    pub done: Vec<usize>,
    /// Indices of the others, and why.
    pub refused: Vec<(usize, String)>,
}

/// Applies the fixes of the findings at the indices `which` of an audit of `inputs`.
///
/// They are made together; one that contradicts another is refused, and so is one that the text
/// could not be read after.
///
/// # Examples
///
/// ```
/// use headroom::engine::audit::{Asked, audit, edit};
/// use headroom::engine::read::{read, source::Input};
///
/// let text = "route:\n  cluster: shop\n  timeout: 1s\n  retry_policy:\n    num_retries: 2\n    per_try_timeout: 2s # too long\n";
/// let inputs = [Input::new("shop.yaml", text)];
/// let audit = audit(read(&inputs), &Asked::default());
/// let at = audit.findings.iter().position(|f| f.code == "HR201").unwrap();
/// let applied = edit::apply(&inputs, &audit, &[at]);
/// assert_eq!(applied.inputs[0].text, text.replace("    per_try_timeout: 2s # too long\n", ""));
/// ```
pub fn apply(inputs: &[Input], audit: &Audit, which: &[usize]) -> Applied {
    // A block under a name that nobody knew is read once it has the right one, with all that is
    // wrong within it.
    let (renaming, other): (Vec<usize>, Vec<usize>) = which.iter().partition(|at| renames(audit, **at));
    let (mut fine, mut harmful) = (Vec::new(), Vec::new());
    grow((inputs, audit, harm), &other, &mut fine, &mut harmful);
    grow((inputs, audit, breaks), &renaming, &mut fine, &mut harmful);
    let mut applied = attempt((inputs, audit, breaks), &fine).applied;
    applied.refused.extend(harmful);
    applied
}

fn renames(audit: &Audit, at: usize) -> bool {
    let fix = audit.findings.get(at).and_then(|f| f.fix.as_ref());
    fix.is_some_and(|fix| fix.changes.iter().any(|c| matches!(c, Change::Rename(..))))
}

/// What is judged, and what counts as worse than before.
type Judged<'a> = (&'a [Input], &'a Audit, fn(&Configuration, &Configuration) -> Option<String>);

/// Adds those of `more` to `fine` that do no harm together with them.
fn grow(judged: Judged<'_>, more: &[usize], fine: &mut Vec<usize>, harmful: &mut Vec<(usize, String)>) {
    if more.is_empty() {
        return;
    }
    let together: Vec<usize> = fine.iter().chain(more).copied().collect();
    let Some(why) = attempt(judged, &together).harm else {
        *fine = together;
        return;
    };
    if let [one] = more {
        harmful.push((*one, why));
        return;
    }
    let (first, second) = more.split_at(more.len() / 2);
    grow(judged, first, fine, harmful);
    grow(judged, second, fine, harmful);
}

/// Rounds of [`apply_all`]: fixes that wait for others, and findings that only show after them.
const ROUNDS: usize = 10;

/// Applies every fix of an error or a warning, reads and judges again, until there is none left.
///
/// Some may be left: those that are refused, and what ten rounds are not enough for.
pub fn apply_all(inputs: &[Input], asked: &Asked) -> (Vec<Input>, Audit) {
    let mut inputs = inputs.to_vec();
    let mut judged = audit(read(&inputs), asked);
    let mut seen = vec![inputs.clone()];
    for _ in 0..ROUNDS {
        let is_due = |f: &super::Finding| f.fix.is_some() && f.severity <= Severity::Warning;
        let due: Vec<usize> = (0..judged.findings.len()).filter(|&at| is_due(&judged.findings[at])).collect();
        let applied = apply(&inputs, &judged, &due);
        // Two fixes that undo each other would go round for ever.
        if applied.done.is_empty() || seen.contains(&applied.inputs) {
            break;
        }
        inputs = applied.inputs;
        seen.push(inputs.clone());
        judged = audit(read(&inputs), asked);
    }
    (inputs, judged)
}

/// The lines that the fix of a finding changes.
///
/// # Errors
///
/// Why the fix cannot be made.
pub fn preview(inputs: &[Input], audit: &Audit, at: usize) -> Result<Vec<Line>, String> {
    let applied = apply(inputs, audit, &[at]);
    if let Some((_, why)) = applied.refused.into_iter().next() {
        return Err(why);
    }
    let mut lines = Vec::new();
    for (file, (old, new)) in inputs.iter().zip(&applied.inputs).enumerate() {
        if old.text != new.text {
            lines.extend(changed(&old.text, &new.text).into_iter().map(|line| Line { file, ..line }));
        }
    }
    Ok(lines)
}

/// Fixes that were made, and what is wrong with the texts that was not wrong before.
struct Attempt {
    applied: Applied,
    harm: Option<String>,
}

fn attempt((inputs, audit, harm): Judged<'_>, which: &[usize]) -> Attempt {
    let parsed = documents(inputs);
    let outlines = parsed
        .documents
        .iter()
        .filter_map(|d| Some(Outline::new(inputs.get(d.file as usize)?.text.as_str(), d)))
        .collect();
    let mut editor = Editor { outlines, plan: Plan::default(), fix: 0, agrees: false, is_camel: false };
    let (mut done, mut refused) = (Vec::new(), Vec::new());
    for &at in which {
        (editor.fix, editor.agrees) = (at, false);
        match enter(&mut editor, audit, at) {
            Ok(()) => done.push(at),
            Err(why) => refused.push((at, why)),
        }
    }
    match spliced(inputs, &editor) {
        Ok(new) => {
            let harm = if done.is_empty() { None } else { harm(&audit.configuration, &read(&new)) };
            Attempt { applied: Applied { inputs: new, done, refused }, harm }
        }
        Err(splice::Overlap) => Attempt {
            applied: Applied { inputs: inputs.to_vec(), done: Vec::new(), refused },
            harm: Some("it changes the same text as another fix".to_owned()),
        },
    }
}

/// What is wrong after fixes that was not wrong before.
fn harm(before: &Configuration, after: &Configuration) -> Option<String> {
    worse(before, after, |p| matches!(p.effect, Effect::Rejected | Effect::Unread))
}

/// What cannot be read after fixes that could be read before.
fn breaks(before: &Configuration, after: &Configuration) -> Option<String> {
    worse(before, after, |p| p.effect == Effect::Unread || p.kind == ProblemKind::UnknownAnchor)
}

fn worse(
    before: &Configuration,
    after: &Configuration,
    is_bad: impl Fn(&ReadProblem) -> bool,
) -> Option<String> {
    // A copy of a block is no worse than the block itself; but one more break is.
    let breaks = |c: &Configuration| c.problems.iter().filter(|p| p.effect == Effect::Unread).count();
    let one_more = breaks(after) > breaks(before);
    let is_new = |p: &ReadProblem| {
        one_more && p.effect == Effect::Unread || !before.problems.iter().any(|b| b.message == p.message)
    };
    let new = after.problems.iter().find(|p| is_bad(p) && is_new(p))?;
    Some(format!("after it, {}", new.message))
}

/// Enters a fix into the plan, whole or not at all.
fn enter(editor: &mut Editor<'_>, audit: &Audit, at: usize) -> Result<(), String> {
    let finding = audit.findings.get(at).ok_or("there is no such finding")?;
    let fix = finding.fix.as_ref().ok_or("there is no fix for it")?;
    let before = editor.plan.clone();
    let made = fix.changes.iter().try_for_each(|change| Cx { editor, audit, finding }.change(change));
    let is_nothing = made.is_ok() && editor.plan.is_same(&before) && !editor.agrees;
    let made = if is_nothing { Err("there is nothing to change in the text".to_owned()) } else { made };
    if made.is_err() {
        editor.plan = before;
    }
    made
}

fn spliced(inputs: &[Input], editor: &Editor<'_>) -> Result<Vec<Input>, splice::Overlap> {
    let splices = render::splices(editor);
    let one = |(file, input): (usize, &Input)| {
        let text = splice::applied(&input.text, file, &splices)?;
        Ok(Input { name: input.name.clone(), text })
    };
    inputs.iter().enumerate().map(one).collect()
}
