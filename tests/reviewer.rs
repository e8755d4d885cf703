//! The Review view without a browser: the pack, the comparison, what actions do to them.

use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::export::Target;
use headroom::engine::params::{PARAMS, ParamId, by_key};
use headroom::engine::scenario::{PRESETS, Preset, Scenario};
use headroom::engine::sim::Policy;
use headroom::engine::units::display::{self, NBSP};
use headroom::markup::Html;
use headroom::review::compare::{Side, compare};
use headroom::review::html::{Hands, write};
use headroom::review::pack::{Extras, Faults, pack};
use headroom::review::{Document, markdown, text};
use headroom::reviewer::{Desk, Reply, Request};
use serde_json::Value;
use std::collections::BTreeMap;

const SCENARIO: [(&str, &str); 7] = [
    ("name", "checkout"),
    ("rps", "500"),
    ("p50", "35"),
    ("p99", "110"),
    ("clients", "100"),
    ("hosts", "12"),
    ("host_concurrency", "64"),
];

/// A name that tries to be markup in whatever it gets into.
const HOSTILE: &str =
    "a|b`c`<img src=x onerror=1>[x](javascript:1) ![y](http://e) \"q\" &lt; @all #1 **b** \u{202e}z";

fn analysis(scenario: &Scenario) -> Analysis {
    analyze(scenario).expect("the scenario can be sized")
}

fn document(a: &Analysis) -> Document {
    let extras = Extras { target: Target::Envoy, faults: Faults::LeftOut, accepted: BTreeMap::new() };
    let link = format!("https://headroom.example/{}", a.link);
    pack(&Analysis { link, ..a.clone() }, &extras)
}

fn html(document: &Document) -> String {
    let mut out = Html::default();
    write(&mut out, document, Hands::On);
    // Places where a name may break are no part of it.
    out.into_string().replace("<wbr>", "")
}

#[test]
fn names_break_where_a_person_would_and_wide_tables_can_be_stacked() {
    let mut out = Html::default();
    write(&mut out, &document(&analysis(&Preset::first_paint().scenario())), Hands::Off);
    let html = out.into_string().replace(NBSP, " ");
    assert!(html.contains("<code>default.<wbr>max_<wbr>requests.<wbr>chosen</code>"), "names of numbers");
    let numbers = html.split("id=\"r-numbers\"").nth(1).expect("a part");
    assert!(numbers.contains("<table class=\"hr-table hr-doc__stack\">"), "six columns");
    assert!(
        numbers.contains("<td class=\"hr-num\" data-of=\"value\"><span>7 requests in flight</span></td>"),
        "{numbers}"
    );
    let inputs = html.split("id=\"r-scenario\"").nth(1).expect("a part");
    let inputs = inputs.split("</section>").next().expect("its end");
    assert!(inputs.contains("<table class=\"hr-table\">") && !inputs.contains("data-of"), "three columns");
}

#[test]
fn every_number_is_there_with_value_label_formula_and_source() {
    for preset in PRESETS {
        let a = analysis(&preset.scenario());
        let document = document(&a);
        let (md, html) = (markdown::write(&document), html(&document));
        for n in &a.numbers {
            let value = n.value.map_or_else(|| "none".to_owned(), |v| display::quantity(v, n.unit));
            let row = md
                .lines()
                .find(|line| {
                    line.starts_with(&format!(
                        "| `{}` | {} |",
                        n.id,
                        markdown::line(&value).replace(NBSP, " ")
                    ))
                })
                .unwrap_or_else(|| panic!("{}: no row for {} = {value}", preset.key, n.id));
            for part in
                [n.label.as_str(), &markdown::line(n.formula), &markdown::line(&n.substituted.to_string())]
            {
                assert!(row.contains(&part.replace(NBSP, " ")), "{part} in {row}");
            }
            assert!(row.contains(&markdown::line(n.source).replace(NBSP, " ")), "{}: {row}", n.source);
            for other in &n.alternatives {
                assert!(
                    row.contains(markdown::line(&other.because).replace(NBSP, " ").trim_end_matches('.')),
                    "{row}"
                );
            }
            assert!(html.contains(&format!("<code>{}</code>", n.id)), "{}", n.id);
        }
        for f in &a.findings {
            assert!(md.contains(&format!("{} {}** (open)", f.code, f.name)), "{}", f.code);
            assert!(html.contains(&format!("id=\"found-{}\"", f.code)), "{}", f.code);
        }
    }
}

#[test]
fn limits_add_up_over_the_fleet() {
    let md = markdown::write(&document(&analysis(&Preset::first_paint().scenario())));
    // By hand: 7 × 100 and 48 × 100 proxies.
    for row in [
        "| `default.max_requests.chosen` | 7 requests in flight | 700 |",
        "| `default.max_connections.chosen` | 48 connections | 4,800 |",
    ] {
        assert!(md.contains(row), "{row}");
    }
}

#[test]
fn every_input_is_given_or_called_a_default() {
    let scenario = Preset::first_paint().scenario();
    let md = markdown::write(&document(&analysis(&scenario)));
    for p in PARAMS.iter().filter(|p| p.path[0] != "stream_duration_s") {
        let row = md.lines().find(|line| line.starts_with(&format!("| {} |", markdown::line(p.label))));
        let row = row.unwrap_or_else(|| panic!("{} is missing", p.label));
        assert!(["| given |", "| default |", "| not given"].iter().any(|word| row.contains(word)), "{row}");
    }
    assert!(md.contains("| Peak rate | 500 req/s | given |"));
    assert!(md.contains("| Worst second | 1.5 × rate | default |"));
}

#[test]
fn the_sign_off_has_the_counters_of_the_version_and_numbers_of_the_scenario() {
    let scenario = Preset::first_paint().scenario();
    let md = markdown::write(&document(&analysis(&scenario)));
    for part in [
        "config_dump > before.json",
        "envoy --mode validate -c envoy.yaml",
        "Roll out to one proxy",
        "`upstream_rq_active_overflow`: refused by `max_requests` 7",
        // 9 req/s for ten minutes are 5,400; 0.54 refusals are expected at 0.01%, and P(X > 4) of that
        // is 0.0003, P(X > 3) 0.0024.
        "`upstream_rq_active_overflow` rises by more than 4 in 10 minutes",
        "0.01% of at most 5,400 requests",
    ] {
        assert!(md.contains(part), "{part} in {md}");
    }
    let mut old = scenario;
    old.envoy_version.minor = 37;
    let md = markdown::write(&document(&analysis(&old)));
    assert!(!md.contains("upstream_rq_active_overflow"), "that counter came with 1.38");
    assert!(md.contains("`upstream_rq_pending_overflow`: refused by `max_requests` 7"));
}

#[test]
fn a_hostile_name_stays_a_text() {
    let scenario = Scenario { name: HOSTILE.to_owned(), ..Preset::first_paint().scenario() };
    let document = document(&analysis(&scenario));
    let md = markdown::write(&document);
    // Outside of code, what Markdown would follow is escaped.
    let unescaped = |line: &str| {
        let mut out = String::new();
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            if c == '\\' {
                chars.next();
            } else {
                out.push(c);
            }
        }
        out
    };
    let mut is_code = false;
    for line in md.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let spans: String = unescaped(line).split('`').step_by(2).collect();
            for mark in ["<img", "[x](", "![y]", " @all", "**b**", "\u{202e}", "http://e"] {
                assert!(!spans.contains(mark), "{mark:?} in {line}");
            }
        }
    }
    let html = html(&document);
    assert!(!html.contains("<img") && html.contains("&lt;img src=x onerror=1&gt;"), "{html}");
    let plain = text::write(&document);
    assert!(!plain.contains('\u{202e}'), "{plain}");
}

#[test]
fn every_setting_of_a_policy_that_differs_is_told() {
    let a = analysis(&Preset::first_paint().scenario());
    let mut base = Policy::recommended(&a);
    base.limits[1] = base.limits[0].clone();
    let json = serde_json::to_value(&base).expect("a policy has a JSON form");
    let mut n = 0;
    let mut paths = Vec::new();
    leaves(&json, String::new(), &mut paths);
    for path in paths.iter().filter(|path| !path.contains("not_simulated")) {
        let mut changed = json.clone();
        let leaf = changed.pointer_mut(path).expect("a path of the same value");
        *leaf = match leaf.clone() {
            Value::Bool(b) => Value::Bool(!b),
            Value::Number(n) if n.is_f64() => Value::from(n.as_f64().unwrap_or(0.0) + 7.0),
            // A whole millisecond more, where it is a time.
            Value::Number(n) if n.as_u64().is_some_and(|n| n >= 1_000_000) => {
                Value::from(n.as_u64().unwrap_or(0) + 1_000_000)
            }
            Value::Number(n) => Value::from(n.as_u64().unwrap_or(0) + 7_000_000),
            Value::Null => Value::from(9_000_000),
            _ => continue,
        };
        let Ok(policy) = serde_json::from_value::<Policy>(changed) else { continue };
        let side = |policy: &Policy| Side::written("x", a.clone(), policy.clone(), Vec::new());
        let found = compare(&side(&base), &side(&policy), None);
        assert!(!found.same && !found.settings.is_empty(), "{path} makes no difference");
        n += 1;
    }
    assert!(n > 50, "only {n} settings were changed");
}

fn leaves(value: &Value, path: String, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(k, v)| leaves(v, format!("{path}/{k}"), out)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, v)| leaves(v, format!("{path}/{at}"), out));
        }
        _ => out.push(path),
    }
}

#[test]
fn effects_are_those_of_the_analysis_where_the_side_is_recommended() {
    let scenario = Preset::first_paint().scenario();
    let a = analysis(&scenario);
    let recommended = Side::recommended("a", a.clone());
    let defaults = Side::written("b", a.clone(), Policy::envoy_defaults(&scenario), Vec::new());
    let found = compare(&recommended, &defaults, None);
    let of = |what: &str| found.effects.iter().find(|e| e.what.contains(what)).expect("an effect");
    let shown = |share| format!("{} ({})", display::share(share), display::one_in(share));
    assert_eq!(of("refused at the healthy peak").a, shown(a.forecast.refused_at_peak));
    assert_eq!(of("refused in the slowdown").a, shown(a.forecast.refused_at_slowdown));
    // By hand: 7 × 100 and 1,024 × 100 in flight, 11 hosts × 64; one retry of one, none of none.
    assert_eq!((of("together allow").a.as_str(), of("together allow").b.as_str()), ("700", "102,400"));
    assert_eq!(of("hosts survive").a, "704");
    assert_eq!((of("most attempts").a.as_str(), of("most attempts").b.as_str()), ("×2", "×1"));
    assert_eq!(of("hold a slot").b, format!("15{NBSP}s").as_str());
}

/// A desk and the page that it has told everything.
struct Page {
    desk: Desk,
    elements: BTreeMap<String, String>,
    last: Reply,
}

fn inputs(pairs: &[(&str, &str)]) -> Vec<(ParamId, String)> {
    pairs.iter().map(|(key, text)| (by_key(key).expect("an input").id, (*text).to_owned())).collect()
}

impl Page {
    fn open(with: &str) -> Self {
        let mut page = Self { desk: Desk::default(), elements: BTreeMap::new(), last: Reply::default() };
        page.ask(Request {
            inputs: Some(inputs(&SCENARIO)),
            with: Some(with.to_owned()),
            page: Some("https://headroom.example/".to_owned()),
            frame: Some((600.0, 12.0)),
            ..Request::default()
        });
        page
    }

    fn ask(&mut self, request: Request) -> &Reply {
        self.last = self.desk.answer(request);
        for (id, html) in &self.last.changes {
            self.elements.insert(id.clone(), html.clone());
        }
        &self.last
    }

    fn press(&mut self, action: &str) -> &Reply {
        self.ask(Request { action: action.to_owned(), ..Request::default() })
    }

    fn shows(&self, text: &str) -> bool {
        self.last.changes.iter().any(|(_, html)| html.contains(text))
    }
}

#[test]
fn the_first_picture_does_not_wait_for_the_faults() {
    let mut page = Page::open("");
    assert!(page.shows("checkout: size of its Envoy cluster") && page.shows("not played yet"));
    let play = page.last.play.clone().expect("something to play");
    assert_eq!((play.len(), play[0].0.as_str(), play[0].1.len()), (1, "this", SCENARIO.len()));
    assert!(page.elements.keys().any(|id| id.starts_with("plot-headroom")), "{:?}", page.elements.keys());
    let table = "about\tSimulated.\nprogress\t1\t20\nnames\tRecommended\tEnvoy defaults\nfault\tLoad surge\ncost\t1%\t2%\tnot hurt\nopen";
    let told = Request { faults: Some(("this".to_owned(), table.to_owned())), ..Request::default() };
    let reply = page.ask(told);
    assert_eq!(reply.play, None);
    let ids: Vec<&str> = reply.changes.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["r-faults"], "only the part that differs is exchanged");
    assert!(page.shows("not hurt") && page.shows("1 of 20 runs are played"));
    let copied = page.press("copy").copy.clone();
    assert!(copied.contains("| Load surge | 1% | 2% | not hurt | not played yet |  |  |"), "{copied}");
}

#[test]
fn findings_are_accepted_with_a_note_and_opened_again() {
    let mut page = Page::open("");
    page.press("accept HR105");
    assert!(page.shows("3 open, 1 accepted by design") && page.shows("id=\"note-HR105\""));
    page.press("note HR105 until <b>June</b> | `x`");
    assert!(page.shows("until &lt;b&gt;June&lt;/b&gt;"));
    let text = page.press("copy").copy.clone();
    assert!(
        text.contains("(accepted by design: until \\<b>June\\</b> \\| `x`)"),
        "{}",
        &text[text.find("HR105").unwrap_or(0)..][..300]
    );
    page.press("accept HR105");
    assert!(page.shows("4 open, 0 accepted by design"));
    page.press("accept HR999");
    assert!(page.last.changes.is_empty(), "no such finding");
}

#[test]
fn what_was_accepted_for_one_service_is_open_for_another() {
    let mut page = Page::open("");
    page.press("accept HR105");
    page.ask(Request {
        inputs: Some(inputs(&[("name", "other"), ("rps", "900"), ("p50", "35")])),
        ..Request::default()
    });
    assert!(page.shows("0 accepted by design"));
}

#[test]
fn the_last_answer_stands_while_inputs_are_wrong() {
    let mut page = Page::open("");
    page.ask(Request { inputs: Some(inputs(&[("rps", "many")])), ..Request::default() });
    assert!(page.shows("Inputs need attention") && page.shows("aria-disabled=\"true\""));
    assert_eq!(page.press("copy").copy, "");
    assert!(page.press("save").file.is_none());
    page.ask(Request { inputs: Some(inputs(&SCENARIO)), ..Request::default() });
    let file = page.press("save").file.clone().expect("a file");
    assert_eq!(file.0, "checkout-review.md");
    assert!(
        file.1.contains("Link: <https://headroom.example/#v=1&name=checkout&rps=500"),
        "{}",
        &file.1[..400]
    );
}

#[test]
fn a_link_is_compared_and_a_bad_one_is_told() {
    let mut page = Page::open("https://x.example/#v=1&name=other&rps=5000&p50=35&clients=100");
    assert!(page.shows("This scenario against other") && page.shows("Peak rate"));
    let sides: Vec<String> = page.last.play.iter().flatten().map(|(side, _)| side.clone()).collect();
    assert_eq!(sides, ["this", "other"]);
    assert_eq!(page.press("save").file.as_ref().map(|f| f.0.as_str()), Some("checkout-comparison.md"));
    for (with, why) in [
        ("v=1&oops=1", "not an input of Headroom"),
        ("v=9&rps=1", "another version"),
        ("<script>", "This is no link of Headroom"),
        ("\u{fffd}\u{fffd}=%ff&oops", "This is no link of Headroom"),
        ("v=\u{fffd}", "is no version of a link"),
    ] {
        let page = Page::open(with);
        assert!(page.shows(why), "{with}: {:?}", page.last.changes);
        assert!(!page.shows("<script>"));
        let n: usize = page.last.changes.iter().map(|(_, html)| html.matches("<li>").count()).sum();
        assert_eq!(n, if with.contains("=1") { n.max(1) } else { 1 }, "{with}: {:?}", page.last.changes);
    }
}

#[test]
fn sides_are_called_what_they_are() {
    let titled = |with: &str, title: &str| {
        let page = Page::open(with);
        assert!(
            page.shows(&format!("<h1>{title}</h1>")) || page.shows(title),
            "{with}: {:?}",
            page.last.changes
        );
    };
    titled("v=1&name=checkout&rps=5000&p50=35", "This scenario against Pasted");
    titled("v=1&rps=5000&p50=35", "This scenario against Pasted");
    titled("v=1&name=payments&rps=5000&p50=35", "This scenario against payments");
    let a = analysis(&Preset::first_paint().scenario());
    let policy = serde_json::to_string(&Policy::envoy_defaults(&a.scenario)).expect("JSON");
    let json = format!(r#"{{"policy": {policy}, "cluster": "", "route": null}}"#);
    let mut page = Page::open("pasted");
    page.ask(Request { pasted: Some(json), named: Some("envoy.yaml".to_owned()), ..Request::default() });
    assert!(page.shows("Recommended against envoy.yaml"), "{:?}", page.last.changes);
    page.ask(Request { named: Some(String::new()), ..Request::default() });
    assert!(page.shows("Recommended against Pasted"), "{:?}", page.last.changes);
}

#[test]
fn what_was_left_out_has_its_value() {
    let scenario = |link: &str| Scenario::from_link(link).expect("readable").expect("a scenario");
    let a = Side::recommended("a", analysis(&scenario("v=1&rps=500&p50=35&p99=110&clients=100&hosts=5")));
    let link =
        "v=1&name=x&rps=5000&p50=35&p99=110&clients=10&hosts=5&burst=2&hosts_lost=2&host_concurrency=64";
    let b = Side::recommended("b", analysis(&scenario(link)));
    let found = compare(&a, &b, None);
    let of = |name: &str| {
        let row = found
            .inputs
            .iter()
            .find(|d| d.name == name)
            .unwrap_or_else(|| panic!("{name}: {:?}", found.inputs));
        (row.a.as_str(), row.b.as_str())
    };
    assert_eq!(of("Service"), ("my-service (default)", "x"));
    assert_eq!(of("Peak rate"), ("500 req/s", "5,000 req/s"));
    assert_eq!(of("Worst second"), ("1.5 × rate (default)", "2 × rate"));
    assert_eq!(of(by_key("host_concurrency").expect("an input").label).0, "not given");
    assert!(found.inputs.iter().all(|d| d.a != "default" && d.b != "default"), "{:?}", found.inputs);
}

#[test]
fn what_is_taken_away_has_the_whole_address() {
    let mut page = Page::open("");
    let text = page.press("copy").copy.clone();
    assert!(text.contains("\n# https://headroom.example/#v=1&name=checkout&rps=500"), "{text}");
    assert!(!text.contains("\n# #v=1"), "{text}");
    let mut page = Page::open("v=1&name=other&rps=5000&p50=35");
    let text = page.press("copy").copy.clone();
    assert!(text.contains("\n-# https://headroom.example/#v=1&name=checkout"), "{text}");
    assert!(text.contains("\n+# https://headroom.example/#v=1&name=other"), "{text}");
}

#[test]
fn detection_is_said_as_on_the_page() {
    // By hand: 3 failures / (500 / 100 / 12 req/s) = 7.2 s.
    let md = markdown::write(&document(&analysis(&Preset::first_paint().scenario())));
    assert!(md.contains("| time until a proxy ejects a dead host | 7.2 s |"), "{md}");
}

#[test]
fn a_pasted_policy_is_compared_with_what_is_recommended() {
    let mut page = Page::open("pasted");
    assert!(page.last.reads && page.shows("Paste a link or a configuration"));
    let a = analysis(&Preset::first_paint().scenario());
    let policy = serde_json::to_string(&Policy::envoy_defaults(&a.scenario)).expect("JSON");
    let json = format!(r#"{{"policy": {policy}, "cluster": "<b>x</b>", "route": null}}"#);
    page.ask(Request { pasted: Some(json), ..Request::default() });
    assert!(page.shows("Recommended against Pasted") && page.shows("102,400"));
    assert!(page.shows("the cluster &lt;b&gt;x&lt;/b&gt;"));
    let problems = r#"{"problems": ["Nothing in it was recognized."]}"#;
    page.ask(Request { pasted: Some(problems.to_owned()), ..Request::default() });
    assert!(page.shows("Nothing in it was recognized."));
}
