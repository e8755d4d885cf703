//! The embed's desk without a browser: what goes in, what comes out.

use headroom::embed::{Desk, Reply};
use headroom::engine::analyze;
use headroom::engine::scenario::{Preset, Scenario};
use serde_json::{Value, json};

const LINK: &str = "#v=1&name=checkout&rps=500&p50=35&p99=110&clients=100&hosts=10&host_concurrency=64";

fn desk(query: &str, link: &str) -> (Desk, Reply) {
    let mut desk = Desk::default();
    let reply = desk.start(query, link);
    (desk, reply)
}

fn html(reply: &Reply) -> &str {
    assert_eq!(reply.changes[0].0, "embed", "everything is new");
    &reply.changes[0].1
}

#[test]
fn the_first_answer_is_whole() {
    let (desk, reply) = desk("", LINK);
    let text = html(&reply);
    for part in [
        "Allow each proxy <strong>5</strong> requests in flight",
        "<code>max_pending_requests</code></dt><dd><b>2</b>",
        "<b>20%</b>, min <b>1</b>",
        "target=\"_blank\" rel=\"noopener\" href=\"./#v=1&amp;name=checkout&amp;rps=500",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let values: Vec<(&str, &str)> = reply.values.iter().map(|(id, text)| (*id, text.as_str())).collect();
    assert_eq!(values, [("rps", "500"), ("p99", "110"), ("clients", "100"), ("hosts", "10")]);
    assert!(desk.yaml().contains("max_requests: 5"));
}

#[test]
fn an_open_window_is_not_the_warning() {
    let (_, reply) = desk("", &LINK.replace("hosts=10", "hosts=12"));
    let text = html(&reply);
    assert!(text.contains("1 warning<span>Fits: the window is open</span>"), "{text}");
    let (_, reply) = desk("", LINK);
    assert!(html(&reply).contains("2 warnings<span>no room to slow down</span>"), "{}", html(&reply));
}

#[test]
fn the_json_is_that_of_the_engine() {
    let (desk, _) = desk("", LINK);
    let scenario = Scenario::from_link(LINK).expect("valid").expect("a scenario");
    let expected = json!({"scenario": scenario, "analysis": analyze(&scenario).expect("an answer")});
    let found: Value = serde_json::from_str(&desk.json()).expect("JSON");
    assert_eq!(found, expected);
}

#[test]
fn a_keystroke_exchanges_what_differs() {
    let (mut desk, _) = desk("?panels=form,thresholds,ladder,chart,yaml", LINK);
    let reply = desk.typed("hosts", "12");
    let ids: Vec<&str> = reply.changes.iter().map(|(id, _)| id.as_str()).collect();
    assert!(ids.contains(&"s-say") && !ids.contains(&"embed"), "{ids:?}");
    assert_eq!(reply.values, []);
    // Wrong: the answer stays, its numbers are not given on.
    let reply = desk.typed("hosts", "many");
    let ids: Vec<&str> = reply.changes.iter().map(|(id, _)| id.as_str()).collect();
    assert!(ids.contains(&"s-notes-hosts") && !ids.contains(&"s-say"), "{ids:?}");
    assert_eq!(reply.invalid, ["hosts"]);
    assert_eq!((desk.json(), desk.yaml()), (String::new(), String::new()));
    assert_eq!(desk.typed("hosts", "12").invalid, Vec::<String>::new());
}

#[test]
fn what_is_locked_is_not_typed_into() {
    let (mut desk, reply) = desk("?lock=rps,protocol&hide=hosts", LINK);
    let text = html(&reply);
    assert!(text.contains("id=\"rps\" name=\"rps\" inputmode=\"decimal\""));
    assert!(text.contains("id=\"protocol\" name=\"protocol\" readonly") && !text.contains("id=\"hosts\""));
    assert_eq!(desk.typed("rps", "1"), Reply::default());
    assert_eq!(desk.typed("__proto__", "1"), Reply::default());
    // The host may set what it has locked, and what it has hidden counts.
    desk.set_json(r#"{"rps": 700, "latency_ms": {"p50": 35}, "hosts": 7}"#);
    assert!(desk.json().contains("\"hosts\":7"));
}

#[test]
fn what_a_host_sends_is_checked() {
    let (mut desk, _) = desk("", LINK);
    let before = desk.json();
    for json in
        ["", "[]", "null", "{}", "{\"rps\": \"many\"}", r#"{"rps": 1, "latency_ms": {"p50": 9}, "x": 1}"#]
    {
        let reply = desk.set_json(json);
        let problems: Value = serde_json::from_str(&reply.refused).expect("problems as JSON");
        assert!(problems.as_array().is_some_and(|list| !list.is_empty()), "{json}");
        assert_eq!((reply.changes, desk.json()), (Vec::new(), before.clone()), "{json}");
    }
    assert_ne!(desk.set_link("v=9").refused, "");
    assert_eq!(desk.json(), before);
    assert_eq!(desk.set_link("v=1&rps=9&p50=1").refused, "");
    assert_ne!(desk.json(), before);
    // An empty link is that of the worked example.
    desk.set_link("");
    let shown: Value = serde_json::from_str(&desk.json()).expect("JSON");
    assert_eq!(shown["scenario"], json!(Preset::first_paint().scenario()));
}

#[test]
fn a_broken_address_is_said_and_an_example_shown() {
    let (_, reply) = desk("?panels=yml&x=<b>", "#v=1&rps=<img>");
    let text = html(&reply);
    assert!(text.contains("There is no panel “yml”. Did you mean yaml?"));
    assert!(text.contains("This link gives no scenario. Shown is an example."));
    assert!(text.contains("Allow each proxy <strong>"), "never blank");
    assert!(!text.contains("<img>") && !text.contains("<b>\u{201d}"), "{text}");
}

#[test]
fn an_address_that_turns_bad_is_said_and_the_inputs_stay() {
    let (mut desk, _) = desk("", LINK);
    let before = desk.json();
    // Also one that has a scenario, for which no policy exists: its counts are beyond Envoy's fields.
    for bad in ["#v=1&rps=<img>", "#%00%ff", "#v=9", "#v=1&rps=1000000000&mean=86400000&clients=1"] {
        let reply = desk.follow(bad);
        let ids: Vec<&str> = reply.changes.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["s-attention"], "{bad}");
        let text = &reply.changes[0].1;
        assert!(text.contains("This link gives no scenario. The inputs stay as they are."), "{bad}: {text}");
        assert!(!text.contains("<img>") && reply.said.starts_with("This link gives no scenario."), "{text}");
        assert!(
            serde_json::from_str::<Value>(&reply.refused).is_ok_and(|list| list[0]["message"].is_string())
        );
        assert_eq!(desk.json(), before, "{bad}");
        let good = desk.follow(LINK);
        assert!(
            good.refused.is_empty()
                && good.changes.iter().all(|(_, html)| !html.contains("gives no scenario"))
        );
    }
}

#[test]
fn streams_have_inputs_of_their_own() {
    let (_, reply) = desk("", "#v=1&protocol=grpc_stream&rps=5&stream_mean=600");
    let ids: Vec<&str> = reply.values.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, ["rps", "stream_mean", "clients", "hosts"]);
    assert!(html(&reply).contains("<code>timeout</code></dt><dd>off</dd>"));
}

#[test]
fn every_preset_in_all_panels() {
    for preset in headroom::engine::scenario::PRESETS {
        let link = format!("#{}", preset.scenario().to_link());
        let (_, reply) = desk("?panels=form,thresholds,ladder,chart,yaml,simulate", &link);
        let text = html(&reply);
        assert!(!text.contains("NaN") && !text.contains("inf"), "{}", preset.key);
        assert!(!text.contains("style="), "the policy allows no inline style");
    }
}
