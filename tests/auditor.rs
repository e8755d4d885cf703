//! The audit desk without a browser: what it shows, and what its actions do.

use headroom::auditor::{Desk, Reply, Request};
use headroom::engine::params::ParamId;
use headroom::engine::read::source::Input;
use std::collections::BTreeSet;

const BAD: &str = "name: shop\nconnect_timeout: 1s\ncircuit_breakers:\n  thresholds:\n  # keep me\n  - max_pending_requests: 0\n";

fn paste(text: &str) -> Request {
    Request { files: Some(vec![Input::new("shop.yaml", text)]), ..Request::default() }
}

fn press(action: &str) -> Request {
    Request { action: action.to_owned(), ..Request::default() }
}

/// Everything that a reply puts on the page.
fn html(reply: &Reply) -> String {
    reply.changes.iter().map(|(_, html)| html.as_str()).collect()
}

/// The whole view of a desk after these requests.
fn view(requests: Vec<Request>) -> String {
    let mut desk = Desk::default();
    let mut last = Reply::default();
    for request in requests {
        last = desk.answer(request);
    }
    // A desk that shows nothing yet exchanges everything.
    assert!(!last.changes.is_empty());
    html(&last)
}

#[test]
fn an_empty_desk_says_what_can_be_pasted() {
    let text = view(vec![Request::default()]);
    assert!(text.contains("Paste YAML or JSON here") && text.contains("Load an example"), "{text}");
}

#[test]
fn a_paste_is_shown_with_its_findings_lines_and_fixes() {
    let text = view(vec![paste(BAD)]);
    for part in [
        "id=\"L0-6\"",
        "HR310",
        "data-do=\"audit fix 0\"",
        "No traffic is known",
        "<code>max_pending_requests</code>",
    ] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
}

#[test]
fn a_new_text_is_spoken_of_and_the_same_text_is_not() {
    let mut desk = Desk::default();
    assert_eq!(desk.answer(Request::default()).said, "");
    let said = desk.answer(paste(BAD)).said;
    assert!(said.starts_with("Nothing in this text is refused on loading. The worst: "), "{said}");
    assert!(!said.contains('`'), "{said}");
    assert_eq!(desk.answer(paste(BAD)).said, "");
    assert_eq!(desk.answer(press("show error")).said, "");
    assert_eq!(desk.answer(press("fix 0")).said, "HR310 is fixed.");
}

#[test]
fn the_sentence_says_whether_a_program_would_take_the_text() {
    let said = |text: &str| view(vec![paste(text)]);
    assert!(said("name: a\nconnect_timeout: 1s\n").contains("Nothing in this text is refused"));
    assert!(said("name: a\nconnect_timeout: 250ms\n").contains("This text is refused as it stands"));
    assert!(
        said("name: a\nconnect_timeout: 1s\n---\n\tx: 1\n").contains("A part of this text cannot be read")
    );
}

#[test]
fn a_fix_changes_the_text_keeps_the_rest_and_can_be_undone() {
    let mut desk = Desk::default();
    desk.answer(paste(BAD));
    let fixed = desk.answer(press("fix-all"));
    let files = fixed.files.expect("the text changed");
    assert!(
        files[0].text.contains("# keep me") && !files[0].text.contains("max_pending_requests: 0"),
        "{files:?}"
    );
    assert_eq!((fixed.go.as_str(), fixed.said.starts_with("Fixed.")), ("h-findings", true));
    let undone = desk.answer(press("undo")).files.expect("the text changed");
    assert_eq!(undone[0].text, BAD);
}

#[test]
fn the_traffic_of_the_form_gives_numbers_and_wrong_inputs_are_left_out() {
    let mut desk = Desk::default();
    let text = "name: shop\ncircuit_breakers: {thresholds: [{max_requests: 10}]}\n";
    let inputs = |rps: &str| {
        let all = [(ParamId::Rps, rps), (ParamId::Mean, "40"), (ParamId::Burst, "1"), (ParamId::Skew, "1")];
        Some(all.map(|(id, text)| (id, text.to_owned())).to_vec())
    };
    let first = html(&desk.answer(Request { inputs: inputs("500"), ..paste(text) }));
    // Erlang B: 20 erlangs on 10 slots refuse 53.8%.
    assert!(first.contains("54%") && first.contains("HR301"), "{first}");
    let wrong = html(&desk.answer(Request { inputs: inputs("5oo"), ..Request::default() }));
    assert!(wrong.contains("1 input is left out until corrected"), "{wrong}");
}

#[test]
fn what_the_text_says_of_the_scenario_is_offered_while_the_form_says_nothing() {
    let mut desk = Desk::default();
    let reply = desk.answer(paste(
        "name: pay\ntype: STATIC\nload_assignment: {endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}\n",
    ));
    let fill = [(ParamId::Name, "pay"), (ParamId::Hosts, "1"), (ParamId::Protocol, "http1")];
    assert_eq!(reply.fill, fill.map(|(id, text)| (id, text.to_owned())));
    let inputs = Some(vec![(ParamId::Name, "pay".to_owned())]);
    assert_eq!(desk.answer(Request { inputs, ..Request::default() }).fill, []);
}

#[test]
fn what_is_in_force_and_the_difference_are_shown_when_asked_for() {
    let mut desk = Desk::default();
    desk.answer(paste(BAD));
    let force = html(&desk.answer(press("effective")));
    assert!(force.contains("DEFAULT max_requests") && force.contains("default of Envoy"), "{force}");
    let difference = html(&desk.answer(press("compare")));
    assert!(difference.contains("data-change=\"removed\""), "{difference}");
}

#[test]
fn hostile_texts_and_names_stay_text() {
    let evil = "\"><img src=x onerror=alert(1)>";
    let text =
        format!("name: '{evil}'\ncircuit_breakers:\n  thresholds: [{{max_requests: 0, '{evil}': 1}}]\n");
    let mut desk = Desk::default();
    let files = Some(vec![Input::new(evil, text.clone()), Input::new("b", text)]);
    let mut all = html(&desk.answer(Request { files, ..Request::default() }));
    for action in ["effective", "compare", "edit", "show error"] {
        all += &html(&desk.answer(press(action)));
    }
    assert!(!all.contains("<img"), "{all}");
}

#[test]
fn ids_are_unique() {
    let mut desk = Desk::default();
    desk.answer(press("example"));
    desk.answer(press("effective"));
    // Everything at once: a desk that starts with the same view.
    let mut again = Desk::default();
    again.answer(press("effective"));
    again.answer(press("compare"));
    let text = html(&again.answer(press("example")));
    let mut seen = BTreeSet::new();
    for id in text.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(seen.insert(id), "{id} twice");
    }
    assert!(seen.len() > 20, "{seen:?}");
}

#[test]
fn a_long_text_is_folded_and_unfolds() {
    let cluster = |n: u32| ["- name: c", &n.to_string(), "\n  connect_timeout: 1s\n"].concat();
    let many: String = (0..900).map(cluster).collect();
    let text =
        format!("clusters:\n{many}- name: last\n  circuit_breakers: {{thresholds: [{{max_requests: 0}}]}}\n");
    let mut desk = Desk::default();
    let folded = html(&desk.answer(paste(&text)));
    assert!(folded.contains("lines without findings"));
    let whole = html(&desk.answer(press("all-lines")));
    assert!(!whole.contains("lines without findings") && whole.len() > folded.len());
}

#[test]
fn a_text_that_makes_no_sense_is_answered() {
    for text in ["\u{0}\u{1}", "{", "- - - :", "\t- a", "a: &a [*a, *a]", "%%%", "{{ .Values.x }}"] {
        let shown = view(vec![paste(text)]);
        assert!(shown.contains("h-findings"), "{text:?}: {shown}");
    }
}

#[test]
fn a_policy_is_read_for_the_simulator() {
    use headroom::auditor::policy;
    use headroom::engine::params::by_key;
    let inputs: Vec<(ParamId, String)> = [("rps", "500"), ("p50", "35"), ("clients", "100"), ("hosts", "12")]
        .map(|(key, text)| (by_key(key).expect("an input").id, text.to_owned()))
        .to_vec();
    let read = |text: &str, inputs: &[(ParamId, String)]| -> serde_json::Value {
        let json = policy(&[Input::new("shop.yaml", text)], inputs);
        serde_json::from_str(&json).expect("it is JSON")
    };
    let found = read("name: shop\ncircuit_breakers: {thresholds: [{max_requests: 2}]}\n", &inputs);
    assert_eq!(
        (&found["cluster"], &found["policy"]["limits"][0]["max_requests"]),
        (&"shop".into(), &2.into())
    );
    let again: headroom::engine::sim::Policy =
        serde_json::from_value(found["policy"].clone()).expect("the simulator reads it back");
    assert_eq!(again.limits[0].max_pending_requests, 1024);
    for (text, inputs) in [("", &inputs[..]), ("hello: [", &inputs[..]), ("name: shop\n", &[][..])] {
        let found = read(text, inputs);
        assert!(found["problems"][0].as_str().is_some_and(|said| !said.is_empty()), "{text:?}: {found}");
    }
}
