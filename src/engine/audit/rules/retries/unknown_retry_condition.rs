//! `HR124 unknown-retry-condition`: a word of `retry_on` that Envoy does not know, and ignores.

use crate::engine::audit::retrying::Retrying;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::nearest::nearest;
use crate::engine::retry::conditions::{LISTED_CODES, WORDS, fires};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR124",
        name: "unknown-retry-condition",
        severity: Severity::Warning,
        summary: "a word in `retry_on` is none that Envoy knows, so it is ignored",
        rationale: "Envoy accepts any words in `retry_on`, logs a warning for those it does not know and goes on without \
                    them. Capitals, underscores and bare status codes are such words. What they were to retry is not \
                    retried, and if no word is left, nothing is.",
        sources: &[
            "envoy: config.route.v3.RetryPolicy.retry_on; measured on 1.40: unknown words are accepted",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

/// A word may hold anything, such as a comma that was left out and the next line.
fn one_line(word: &str) -> String {
    word.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retry_policy()?;
    let words = &retrying.policy.retry_on;
    let unknown: Vec<&str> =
        words.value.iter().map(String::as_str).filter(|word| fires(word).is_none()).collect();
    let first = *unknown.first()?;
    let listed: Vec<String> =
        unknown.iter().take(4).map(|word| format!("`{}`", display::echo(&one_line(word)))).collect();
    let left = retrying.words();
    let consequence = if left.is_empty() {
        "it is ignored, no other word is left, and 0 failures are retried".to_owned()
    } else {
        format!("it is ignored; only {} is retried", left.join(", "))
    };
    let finding = RULE
        .meta
        .found(
            &["retry_on"],
            words.place().unwrap_or_else(|| cx.retry_place()),
            format!("{} is none of the {} conditions of `retry_on`", listed.join(", "), WORDS.len()),
        )
        .consequence(consequence)
        .help(help(first))
        .maybe_fix(fix(retrying));
    Some(finding)
}

fn is_code(word: &str) -> bool {
    word.len() == 3 && word.bytes().all(|b| b.is_ascii_digit())
}

/// The word that was meant: with other capitals and signs, or with a slip.
fn meant(word: &str) -> Option<&'static str> {
    nearest(word, WORDS.iter().map(|(name, _)| *name))
}

fn help(word: &str) -> String {
    if is_code(word) {
        return format!("list {word} in `retriable_status_codes` and write {LISTED_CODES}");
    }
    match meant(word) {
        Some(meant) => format!("write {meant}"),
        None => "leave it out, or write a condition of Envoy's".to_owned(),
    }
}

/// The list with the words that were meant, where all of them are clear.
fn fix(retrying: Retrying<'_>) -> Option<Fix> {
    let mut words: Vec<String> = Vec::new();
    let mut codes = retrying.policy.retriable_status_codes.value.clone();
    for word in &retrying.policy.retry_on.value {
        let known = match fires(word) {
            Some(_) => word.as_str(),
            None if is_code(word) => {
                codes.extend(word.parse::<u32>().ok());
                LISTED_CODES
            }
            None => meant(word)?,
        };
        if !words.iter().any(|w| w == known) {
            words.push(known.to_owned());
        }
    }
    let fix = Fix::set(format!("Write {}", words.join(",")), Setting::RetryOn, Value::Words(words));
    let added = codes.len() > retrying.policy.retriable_status_codes.value.len();
    Some(if added { fix.and(Change::Set(Setting::RetriableStatusCodes, Value::Numbers(codes))) } else { fix })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::audit::{Change, Setting, Value};

    fn route(retry_on: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  retry_policy: {{retry_on: \"{retry_on}\"}}\n"
        )
    }

    #[test]
    fn names_the_word_that_was_meant() {
        let found = finding(&RULE, &route("gateway-errors,connect-failure"), "");
        assert_eq!(found.message, "`gateway-errors` is none of the 16 conditions of `retry_on`");
        assert_eq!(found.help, "write gateway-error");
        assert_eq!(found.consequence, "it is ignored; only connect-failure is retried");
        let found = finding(&RULE, &route("5XX"), "");
        assert_eq!(found.help, "write 5xx");
        assert!(found.consequence.contains("0 failures are retried"), "{}", found.consequence);
    }

    #[test]
    fn a_bare_code_goes_into_the_list() {
        let found = finding(&RULE, &route("503"), "");
        assert_eq!(
            found.fix.map(|f| f.changes),
            Some(vec![
                Change::Set(Setting::RetryOn, Value::Words(vec!["retriable-status-codes".to_owned()])),
                Change::Set(Setting::RetriableStatusCodes, Value::Numbers(vec![503])),
            ])
        );
    }

    #[test]
    fn silent_for_every_word_that_envoy_knows() {
        let all: Vec<&str> = crate::engine::retry::conditions::WORDS.iter().map(|(word, _)| *word).collect();
        assert!(!fires(&RULE, &route(&all.join(",")), ""));
        assert!(!fires(&RULE, &route(",5xx, ,reset"), ""));
    }

    #[test]
    fn no_guess_at_a_word_like_no_other() {
        assert_eq!(finding(&RULE, &route("whenever"), "").fix, None);
    }
}
