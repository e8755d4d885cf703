//! Type, press, read: the form and the answer.

use crate::site::Site;
use headroom::engine::analyze;
use headroom::engine::params::ParamId;
use headroom::engine::scenario::{Draft, PRESETS, Preset};

/// The sentence that the engine has for a draft, with plain spaces.
fn sentence_of(draft: &Draft) -> String {
    let scenario = draft.check().expect("a valid draft");
    plain(&analyze(&scenario).expect("a valid scenario").headline.sentence_text())
}

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

fn example() -> Draft {
    Preset::first_paint().draft()
}

impl Site {
    fn sentence(&self) -> String {
        plain(&self.text(".hr-say"))
    }
}

#[test]
fn every_keystroke_is_answered() {
    let site = Site::open();
    let mut draft = example();
    assert_eq!(site.sentence(), sentence_of(&draft));
    for (key, text) in [("0", "5000"), ("0", "50000")] {
        site.browser.type_into("#rps", key);
        draft.set(ParamId::Rps, text);
        assert_eq!(site.value("rps"), text);
        assert_eq!(site.sentence(), sentence_of(&draft));
    }
    assert_eq!(site.browser.script("return document.querySelectorAll('[type=submit]').length"), 0);
    assert_eq!(site.browser.text_of("document.title"), "checkout · Headroom");
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let site = Site::open();
    site.browser.retype("#rps", "2k");
    site.browser.retype("#p99", "0.2s");
    let mut draft = example();
    draft.set(ParamId::Rps, "2000");
    draft.set(ParamId::P99, "200");
    assert_eq!(site.value("p99"), "0.2s", "what is typed stays as it is typed");
    assert_eq!(site.sentence(), sentence_of(&draft));
}

#[test]
fn what_is_replaced_as_it_is_typed_does_not_stay_in_the_form() {
    let site = Site::open();
    let typed = "const put = (id, text) => { const input = document.getElementById(id); input.value = text; \
        input.dispatchEvent(new InputEvent('input', {bubbles: true})); }; put('burst', 'zzz'); put('name', 'typed');";
    for replace in ["location.hash = 'v=1&rps=700&p50=35'", "document.getElementById('start-over').click()"] {
        // Both in one task: the page hears of the texts when they are gone again.
        site.browser.script(&format!("{typed} {replace}"));
        let n = if replace.contains("700") { "700" } else { "500" };
        site.browser.wait_for(&format!("document.getElementById('rps').value === '{n}'"));
        assert_eq!(site.value("burst"), "", "{replace}");
        assert_ne!(site.value("name"), "typed", "{replace}");
    }
}

#[test]
fn presets_fill_the_form() {
    let site = Site::open();
    for (at, preset) in PRESETS.iter().enumerate() {
        site.browser.click("#open-examples");
        site.browser.click(&format!(".hr-examples li:nth-child({}) button", at + 1));
        assert_eq!(site.sentence(), sentence_of(&preset.draft()), "{}", preset.key);
        let name = preset.draft().get(ParamId::Name).to_owned();
        assert_eq!(site.value("name"), name);
        assert_eq!(site.text("#examples"), "undefined", "the list closes on choice");
        assert_eq!(site.browser.text_of("document.activeElement.id"), "open-examples");
    }
    site.browser.click("#open-examples");
    site.browser.press("\u{e00c}");
    assert_eq!(site.text("#examples"), "undefined", "and on Escape");
    site.browser.click(".hr-formtools .hr-btn:last-child");
    assert_eq!(site.sentence(), sentence_of(&example()));
}

#[test]
fn a_latency_input_that_is_added_takes_the_focus() {
    let site = Site::open();
    assert_eq!(site.text("label[for=p95]"), "undefined");
    site.browser.click(".hr-add");
    site.browser.wait_for("document.activeElement.id === 'p75'");
    site.browser.type_into("#p95", "80");
    let mut draft = example();
    draft.set(ParamId::P95, "80");
    assert_eq!(site.sentence(), sentence_of(&draft));
    // The input stays when its text goes.
    site.browser.type_into("#p95", "\u{e003}\u{e003}");
    assert_eq!(site.value("p95"), "");
    assert_eq!(site.sentence(), sentence_of(&example()));
}

#[test]
fn streams_ask_for_their_life_and_keep_the_latency() {
    let site = Site::open();
    site.browser.type_into("#protocol", "grpc_stream");
    site.browser.wait_for("document.querySelector('#stream_mean') && !document.querySelector('#p50')");
    assert_eq!(
        site.text("#stream_mean-error"),
        "The life of a stream is missing. Enter its mean or its p99 in seconds."
    );
    site.browser.type_into("#stream_mean", "300");
    let mut draft = example();
    draft.set(ParamId::Protocol, "grpc_stream");
    draft.set(ParamId::StreamMean, "300");
    draft.set(ParamId::P50, "");
    draft.set(ParamId::P99, "");
    assert_eq!(site.sentence(), sentence_of(&draft));
    site.browser.type_into("#protocol", "http2");
    site.browser.wait_for("document.querySelector('#p50')");
    assert_eq!(site.value("p50"), "35");
    assert_eq!(site.sentence(), sentence_of(&example()));
}

#[test]
fn all_problems_are_shown_and_the_last_answer_stays() {
    let site = Site::open();
    let before = site.sentence();
    site.browser.retype("#rps", "many");
    site.browser.retype("#hosts_lost", "12");
    site.browser.retype("#shed_target", "0");
    assert_eq!(site.value("rps"), "many");
    assert_eq!(site.text("[data-testid=attention] b"), "3 inputs need attention");
    assert_eq!(
        site.text("#rps-error"),
        "“many” is not a number. Enter requests per second, above 0 and up to 100,000,000."
    );
    assert_eq!(site.text("#hosts_lost-error"), "12 of 12 leaves no host. Allowed here: 0 to 11.");
    let invalid = "[...document.querySelectorAll('[aria-invalid=true]')].map(e => e.id).join()";
    assert_eq!(site.browser.text_of(invalid), "rps,hosts_lost,shed_target");
    assert_eq!(
        site.browser.text_of("document.querySelector('#rps').getAttribute('aria-describedby')"),
        "rps-error"
    );
    assert_eq!(site.sentence(), before);
    assert!(
        site.text("[data-testid=stale]")
            .starts_with("Not updated. This answer is still the one for your last valid inputs.")
    );
    assert_eq!(site.browser.text_of("document.querySelectorAll('.hr-stale').length"), "3");
    assert_eq!(
        site.browser.text_of("document.querySelector('.hr-rail .hr-btn').getAttribute('aria-disabled')"),
        "true"
    );
    assert!(site.text("#copy-off").starts_with("Copy is off until the three inputs are fixed"));
    // The summary leads to the input, without touching the address.
    site.browser.click("[data-testid=attention] li:nth-child(2) a");
    assert_eq!(site.browser.text_of("document.activeElement.id"), "hosts_lost");
    assert!(!site.browser.address().contains('#'));
    // One way back.
    site.browser.click("[data-testid=stale] button");
    assert_eq!(site.value("rps"), "500");
    assert_eq!(site.browser.text_of("document.querySelectorAll('.hr-stale, [aria-invalid]').length"), "0");
}

#[test]
fn a_problem_in_a_folded_input_can_be_reached() {
    let site = Site::open();
    site.browser.click("details.hr-group summary");
    site.browser.type_into("#retrying_hops", "9");
    site.browser.click("details.hr-group summary");
    assert_eq!(site.text("details.hr-group summary"), "More inputs: 8 at their defaults, one wrong");
    site.browser.click("[data-testid=attention] a");
    assert_eq!(site.browser.text_of("document.activeElement.id"), "retrying_hops");
    assert_eq!(site.browser.text_of("document.querySelector('details.hr-group').open"), "true");
}

#[test]
fn ways_out_and_fixes_change_one_input() {
    let site = Site::open();
    site.browser.retype("#hosts", "10");
    let draft = || {
        let mut draft = example();
        draft.set(ParamId::Hosts, "10");
        draft
    };
    assert_eq!(site.sentence(), sentence_of(&draft()));
    let scenario = draft().check().expect("valid");
    let answer = analyze(&scenario).expect("valid");
    let (at, change) = answer
        .ways_out
        .iter()
        .enumerate()
        .find_map(|(at, way)| Some((at, way.set.clone()?)))
        .expect("a tight window has a way out that sets an input");
    site.browser.click(&format!(".hr-hero .hr-actions > :nth-child({})", at + 1));
    assert_eq!(site.value(change.field), change.value);
    assert_eq!(site.browser.text_of("document.activeElement.id"), "s-say", "where the new answer begins");
    let said = site.browser.text_of("document.getElementById('announcer').textContent");
    assert!(said.ends_with(&format!("{} now.", change.value)), "{said}");
    site.browser.script(
        "[...document.querySelectorAll('.hr-finds .hr-btn')].find(b => b.textContent === 'Enter it').click()",
    );
    assert_eq!(site.browser.text_of("document.activeElement.id"), "upstream_keepalive_s");
}

#[test]
fn a_fix_leaves_the_focus_at_the_findings() {
    let site = Site::open();
    site.browser.script("document.querySelector('[data-do^=fix]').focus()");
    site.browser.press("\u{e007}");
    assert_eq!(site.browser.text_of("document.activeElement.id"), "h-find");
}

#[test]
fn every_finding_says_why() {
    let site = Site::open();
    site.browser.click("#open-why-HR105");
    site.browser.wait_for("document.querySelector('#why-HR105 .hr-source')");
    // It stays open, and the keyboard stays on it, while numbers change.
    site.browser.script(
        "location.hash = 'v=1&name=checkout&rps=510&p50=35&p99=110&clients=100&hosts=12&host_concurrency=64'",
    );
    site.browser.wait_for("document.querySelector('#rps').value === '510'");
    assert!(site.text("#why-HR105").contains("Sources:"));
    assert_eq!(site.browser.text_of("document.activeElement.id"), "open-why-HR105");
}

#[test]
fn every_number_says_why() {
    let site = Site::open();
    assert!(site.text("#why-default-max_requests").contains("floor"), "the first row is open");
    site.browser.click("[data-testid='default.max_connections'] button");
    let why = site.text("#why-default-max_connections");
    assert!(why.contains("pools") && why.contains("rule") && why.contains("Source"), "{why}");
    site.browser.click("[data-testid='default.max_connections'] button");
    assert_eq!(site.text("#why-default-max_connections"), "undefined");
    site.browser.script("document.querySelectorAll('.hr-details').forEach(d => d.open = true)");
    site.browser.wait_for("document.querySelectorAll('.hr-details .hr-steps li').length > 10");
}

#[test]
fn high_priority_has_limits_of_its_own() {
    let site = Site::open();
    assert_eq!(site.browser.text_of("document.querySelectorAll('.hr-table--limits').length"), "1");
    site.browser.click("details.hr-group summary");
    site.browser.type_into("#high_priority_share", "0.2");
    assert_eq!(site.browser.text_of("document.querySelectorAll('.hr-table--limits').length"), "2");
    assert!(!site.text("[data-testid='high.max_requests'] .hr-big").is_empty());
}

#[test]
fn yaml_marks_what_the_last_edit_changed() {
    let site = Site::open();
    let changed =
        "[...document.querySelectorAll('.hr-line--changed')].map(l => l.textContent.trim()).join('|')";
    assert_eq!(site.browser.text_of(changed), "");
    site.browser.retype("#hosts", "40");
    let lines = site.browser.text_of(changed);
    assert!(lines.contains("max_connections: 160"), "{lines}");
    assert!(!lines.contains("connect_timeout"), "{lines}");
    site.browser.click(".hr-seg button:nth-child(2)");
    assert!(site.text("#yaml").contains("static_resources"));
}

#[test]
fn both_of_two_decreasing_percentiles_are_marked() {
    let site = Site::open();
    site.browser.retype("#p50", "120");
    let invalid = "[...document.querySelectorAll('[aria-invalid=true]')].map(e => e.id).join()";
    site.browser.wait_for(&format!("{invalid} === 'p50,p99'"));
    let plain = |text: String| text.replace('\u{a0}', " ");
    assert!(plain(site.text("#p50-error")).starts_with("p50 120 ms is above p99 110 ms."));
    assert!(plain(site.text("#p99-error")).starts_with("p99 110 ms is below p50 120 ms."));
    site.browser.retype("#p99", "200");
    site.browser.wait_for("!document.querySelector('[aria-invalid]')");
}
