//! A link as the beginning of a scenario, and the address that links of the answer lead to.

use crate::args;
use crate::problems::{Complaint, one_line};
use crate::words::Words;
use headroom::engine::history::{HISTORY, RULES_VERSION};
use headroom::engine::nearest::nearest;
use headroom::engine::params::{PARAMS, by_key};
use headroom::engine::scenario::{Draft, Linked};
use headroom::engine::units::display::{NBSP, echo};
use std::io::Write;

/// Longest address before the `#`.
const MAX_CHARS: usize = 500;

/// The draft of a link; nothing where it gives none, with a complaint for each problem.
pub fn draft(link: &str, complaints: &mut Vec<Complaint>) -> Option<Draft> {
    let link = link.trim();
    let nothing = || {
        let message = "The address has no scenario behind a #. Copy the whole link from the page; put it in quotes, since a shell may cut it at & or #.";
        Complaint::flag(args::LINK, message)
    };
    if link.contains("://") && !link.contains('#') {
        complaints.push(nothing());
        return None;
    }
    match Linked::read(link, HISTORY) {
        Ok(Some(linked)) => {
            if let Some(news) = news(&linked) {
                // Nobody is left to be told when standard error is gone.
                let _ = std::io::stderr().lock().write_all(news.as_bytes());
            }
            Some(Draft::of(&linked.scenario))
        }
        Ok(None) => {
            complaints.push(nothing());
            None
        }
        Err(error) => {
            let place = |field: &str| match field {
                "link" => format!("--{}", args::LINK),
                field => format!("{} in the link", echo(field)),
            };
            let told = error.problems.into_iter();
            complaints.extend(
                told.map(|p| Complaint { place: place(&p.field), message: p.message + &hint(&p.field) }),
            );
            None
        }
    }
}

/// The input that was meant by a key that is none. Not in the engine: the page, which reads links too, has no
/// room for the tables of letters.
fn hint(key: &str) -> String {
    let is_known = matches!(key, "link" | "v") || by_key(key).is_some();
    let near = (!is_known).then(|| nearest(key, PARAMS.iter().map(|p| p.key))).flatten();
    near.map_or_else(String::new, |near| format!(" Did you mean {near}?"))
}

/// That the numbers of a link are others than when it was made, and which.
fn news(linked: &Linked) -> Option<String> {
    let lines = linked
        .changes
        .iter()
        .map(|change| format!("  {}: {}\n", change.setting, one_line(&change.how.replace(NBSP, " "))));
    Some(format!("headroom: note: {}\n{}", linked.news()?, lines.collect::<String>()))
}

/// The address that links of the answer lead to; empty where none is given.
pub fn base_url(words: &Words, complaints: &mut Vec<Complaint>) -> String {
    let Some(url) = words.text(args::BASE_URL).map(str::trim) else { return String::new() };
    let has_host = ["https://", "http://"].iter().any(|scheme| {
        url.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
    });
    let is_plain = |c: char| c.is_ascii_graphic() && !"#\"<>\\^`{|}'".contains(c);
    if has_host && url.chars().all(is_plain) && url.len() <= MAX_CHARS {
        return url.to_owned();
    }
    let message = format!(
        "“{}” is not the address of a page. Allowed: http:// or https:// with a host, without spaces, quotes, braces and #, up to {MAX_CHARS} characters. Write the address at which Headroom is served, such as https://headroom.example/.",
        echo(url)
    );
    complaints.push(Complaint::flag(args::BASE_URL, message));
    String::new()
}

/// The help of the flag.
pub fn help() -> String {
    format!("Link of the page to start from, whole or from its #; flags override it (rules {RULES_VERSION})")
}

#[cfg(test)]
mod tests {
    use super::news;
    use headroom::engine::history::{Change, History, RulesVersion};
    use headroom::engine::scenario::Linked;

    const LATER: History = History(&[
        RulesVersion { version: "2026.11", link: "1", date: "2026-11-30", changes: &[] },
        RulesVersion {
            version: "2027.03",
            link: "2027.03",
            date: "2027-03-01",
            changes: &[Change {
                setting: "max_requests",
                how: "Retries of 25\u{a0}% count too.",
                concerns: |s| s.retry_overhead > 0.0,
            }],
        },
    ]);

    fn said(link: &str) -> Option<String> {
        news(&Linked::read(link, LATER).expect("readable").expect("a scenario"))
    }

    #[test]
    fn an_older_link_is_told_what_changed_for_it_and_no_other_link_is() {
        assert_eq!(
            said("v=1&rps=500&p50=35").as_deref(),
            Some(
                "headroom: note: The link was made with the rules of 2026.11. The numbers shown are those of 2027.03.\n  \
                 max_requests: Retries of 25 % count too.\n"
            )
        );
        assert_eq!(said("v=1&rps=500&p50=35&retry_overhead=0"), None);
        assert_eq!(said("v=2027.03&rps=500&p50=35"), None);
    }
}
