//! The simulation desk without a browser: what it plays and shows, and what its actions do.

use headroom::engine::params::{ParamId, by_key};
use headroom::simulator::{Desk, Frame, Reply, Request};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The scenario's form: a small service, so that a test takes no time.
const SCENARIO: [(&str, &str); 7] = [
    ("name", "checkout"),
    ("rps", "50"),
    ("p50", "35"),
    ("p99", "110"),
    ("clients", "10"),
    ("hosts", "5"),
    ("host_concurrency", "64"),
];

/// A desk and the page that it has told everything.
struct Page {
    desk: Desk,
    elements: BTreeMap<String, String>,
    /// Milliseconds by the test's clock, which goes on by `tick` each time somebody looks.
    now: Cell<f64>,
    tick: f64,
    last: Reply,
}

fn inputs(pairs: &[(&str, &str)]) -> Vec<(ParamId, String)> {
    pairs.iter().map(|(key, text)| (by_key(key).expect("an input").id, (*text).to_owned())).collect()
}

fn texts(pairs: &[(&str, &str)]) -> Request {
    let texts = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    Request { texts: Some(texts), ..Request::default() }
}

fn press(action: &str) -> Request {
    Request { action: action.to_owned(), ..Request::default() }
}

impl Page {
    /// The page as it opens with that query.
    fn open(query: &str) -> Self {
        Self::with(&SCENARIO, query)
    }

    fn with(scenario: &[(&str, &str)], query: &str) -> Self {
        let mut page = Self {
            desk: Desk::default(),
            elements: BTreeMap::new(),
            now: Cell::new(0.0),
            tick: 1.0,
            last: Reply::default(),
        };
        page.ask(Request {
            inputs: Some(inputs(scenario)),
            link: Some(query.to_owned()),
            frame: Some(Frame { width: 800.0, half: 380.0, text_px: 12.0 }),
            ..Request::default()
        });
        page
    }

    #[allow(clippy::needless_pass_by_value, reason = "requests are written where they are asked")]
    fn ask(&mut self, request: Request) -> &Reply {
        let clock = || {
            self.now.set(self.now.get() + self.tick);
            self.now.get()
        };
        self.last = self.desk.answer(&request, &clock);
        for (id, html) in &self.last.changes {
            // What is written anew within a frame takes the place of what stood there.
            self.elements.retain(|known, _| !html.contains(&format!("id=\"{known}\"")));
            self.elements.insert(id.clone(), html.clone());
        }
        &self.last
    }

    /// Lets the desk play until it rests; what a screen reader was told meanwhile.
    fn rest(&mut self) -> String {
        let mut said = String::new();
        for _ in 0..100_000 {
            if !self.last.is_busy {
                return said;
            }
            said.push_str(&self.ask(press("work")).said.clone());
        }
        panic!("the desk never rests");
    }

    /// Lets the desk play until an element shows something.
    fn play_until(&mut self, id: &str, is_there: impl Fn(&str) -> bool) {
        for _ in 0..10_000 {
            if is_there(&self.part(id)) {
                return;
            }
            self.ask(press("work"));
        }
        panic!("{id} never shows it: {}", self.part(id));
    }

    /// Everything on the page, later parts after the frames they belong to.
    fn html(&self) -> String {
        self.elements.values().cloned().collect::<Vec<_>>().join("\n")
    }

    /// The inside of an element as it was last set, by itself or within the frame around it.
    fn part(&self, id: &str) -> String {
        if let Some(html) = self.elements.get(id) {
            return html.clone();
        }
        let html = self.html();
        let (_, rest) =
            html.split_once(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id} in {html}"));
        let (_, inside) = rest.split_once('>').expect("a tag ends");
        let mut end = inside.len().min(6000);
        while !inside.is_char_boundary(end) {
            end -= 1;
        }
        inside[..end].to_owned()
    }
}

const SHORT: &str = "?view=simulate&sim=1&length=20&runs=2";

#[test]
fn it_plays_by_itself_and_says_the_verdict_once() {
    let mut page = Page::open(SHORT);
    assert!(page.last.is_busy, "runs start when the view opens");
    assert!(page.part("s-sim-state").contains("Run 1 of 2"), "{}", page.part("s-sim-state"));
    let said = page.rest();
    let html = page.html();
    assert!(said.contains("One host"), "{said}");
    for part in [
        "A against B",
        "Mean of 2 runs",
        "Seeds 42 to 43",
        "Counters, under Envoy’s names",
        "<code>upstream_<wbr>rq_<wbr>active<wbr></code>",
    ] {
        assert!(html.contains(part), "{part} is missing in {html}");
    }
    assert_eq!(page.last.link, "view=simulate&sim=1&length=20&runs=2");
    assert!(!html.contains("style="), "the security policy allows no inline style");
}

#[test]
fn the_same_seed_gives_the_same_picture_and_another_one_another() {
    let play = |query: &str| {
        let mut page = Page::open(query);
        page.rest();
        (page.part("sim-plot-p99"), page.part("s-sim-cmp"))
    };
    let first = play(SHORT);
    assert_eq!(first, play(SHORT));
    assert_ne!(first, play("?view=simulate&sim=1&length=20&runs=2&seed=7"));
}

#[test]
fn pictures_stream_in_and_stop_keeps_what_is_whole() {
    let mut page = Page::open("?view=simulate&sim=1&length=60&runs=20");
    // Three steps a slice.
    page.tick = 13.0;
    page.ask(press("work"));
    let first = page.part("sim-plot-served");
    assert!(first.contains("<svg"), "{first}");
    page.play_until("sim-plot-served", |svg| svg != first);
    page.play_until("s-sim-state", |state| state.contains("Run 3 of 20"));
    page.ask(press("stop"));
    assert!(page.part("s-sim-state").contains("after 2 of 20 runs"), "{}", page.part("s-sim-state"));
    assert!(page.part("s-sim-cmp").contains("Mean of 2 runs"));
    assert!(page.part("s-sim-go").contains("Run again"));
    assert!(!page.last.is_busy, "stopped is stopped, the table of all faults too");
    page.ask(press("run"));
    assert!(page.last.is_busy);
}

#[test]
fn nothing_moves_while_runs_go_on_for_who_wants_no_motion() {
    let mut page = Page::open("?view=simulate&sim=1&length=60&runs=3");
    page.tick = 13.0;
    page.ask(Request { is_still: Some(true), ..press("work") });
    let first = page.part("sim-plot-served");
    page.play_until("s-sim-state", |state| state.contains("Run 2 of 3"));
    assert_eq!(first, page.part("sim-plot-served"));
    page.rest();
    assert_ne!(first, page.part("sim-plot-served"));
}

#[test]
fn wrong_inputs_keep_their_texts_and_the_last_result_as_stale() {
    let mut page = Page::open(SHORT);
    page.rest();
    let sentence = page.part("s-sim-words");
    page.ask(texts(&[("hosts", "9"), ("strength", "many"), ("runs", "1.5"), ("length", "20")]));
    assert_eq!(page.last.invalid, ["sim-runs", "sim-hosts", "sim-strength"]);
    for (id, words) in [
        ("s-sim-n-hosts", "9 is out of range. Enter a whole number, 1 to 5."),
        ("s-sim-n-strength", "“many” is not a number. Enter 1 to 10,000."),
        ("s-sim-n-runs", "1.5 is not a whole number. Enter a whole number, 1 to 20."),
        ("s-sim-attention", "3 inputs need attention"),
        ("s-sim-notices", "last valid inputs"),
        ("s-sim-words", "hr-stale"),
    ] {
        assert!(page.part(id).contains(words), "{id}: {}", page.part(id));
    }
    assert!(page.last.values.is_empty(), "what is typed is not touched");
    assert_eq!(page.last.link, "", "a link says only what can be played");
    page.ask(texts(&[("hosts", ""), ("strength", ""), ("length", "20"), ("runs", "2")]));
    page.rest();
    assert_eq!(page.part("s-sim-words"), sentence, "the old inputs give the old answer");
}

#[test]
fn a_fault_takes_its_own_fields_and_forgets_the_last_ones() {
    let mut page = Page::open(SHORT);
    page.ask(texts(&[("strength", "7"), ("length", "20")]));
    assert!(page.last.link.contains("strength=7"));
    page.ask(texts(&[("fault", "partition"), ("strength", "7"), ("length", "20"), ("runs", "2")]));
    let fields = page.part("s-sim-fault");
    assert!(fields.contains("Proxies affected") && fields.contains("of 10"), "{fields}");
    assert!(!fields.contains("sim-strength"), "{fields}");
    assert_eq!(page.last.link, "view=simulate&sim=1&fault=partition&length=20&runs=2");
    page.ask(press("pick load_surge"));
    assert!(page.part("s-sim-fault").contains("Rate"));
    let radio = page.last.values.iter().find(|(id, _)| id == "sim-fault-load_surge");
    assert_eq!(radio.map(|(_, text)| text.as_str()), Some("true"), "the page is told which one is picked");
}

#[test]
fn hostile_links_give_a_message_and_the_defaults() {
    for query in [
        "?view=simulate&sim=9",
        "?view=simulate&sim=1&fault=%3Cscript%3E",
        "?view=simulate&sim=1&runs=1e9",
        "?view=simulate&sim=1&hosts=99",
        "?view=simulate&sim=1&length=NaN",
        "?view=simulate&sim=1&set-max_requests=-1&b=custom",
        "?view=simulate&sim=1&nothing=1",
        "?view=simulate&sim=1&seed=1&seed=2",
    ] {
        let page = Page::open(query);
        let notice = page.part("s-sim-notices");
        assert!(notice.contains("The link was not understood"), "{query}: {notice}");
        assert!(!page.html().contains("<script"), "{query}");
        assert_eq!(page.last.link, "view=simulate", "{query}: the defaults are played");
    }
}

#[test]
fn a_link_names_a_pasted_policy_and_the_text_is_asked_for() {
    let mut page = Page::open("?view=simulate&sim=1&a=pasted&length=20&runs=1");
    assert_eq!(page.last.invalid, ["sim-pasted"]);
    assert!(page.part("s-sim-n-pasted").contains("Nothing is pasted yet"));
    page.ask(Request {
        pasted: Some("{\"problems\": [\"No cluster <here>.\"]}".to_owned()),
        ..Request::default()
    });
    assert!(page.part("s-sim-n-pasted").contains("No cluster &lt;here&gt;."));
    page.ask(Request { pasted: Some("nonsense".to_owned()), ..Request::default() });
    assert!(page.part("s-sim-n-pasted").contains("not understood"));
    let policy =
        headroom::engine::sim::Policy::envoy_defaults(&headroom::engine::scenario::PRESETS[0].scenario());
    let json = serde_json::json!({"policy": policy, "cluster": "shop", "route": null}).to_string();
    page.ask(Request { pasted: Some(json), ..Request::default() });
    page.rest();
    assert!(page.part("s-sim-read").contains("shop"), "{}", page.part("s-sim-read"));
    assert!(page.part("s-sim-cmp").contains("Pasted"));
}

#[test]
fn settings_of_the_custom_policy_are_checked_and_played() {
    let mut page = Page::open("?view=simulate&sim=1&b=custom&length=20&runs=1&set-max_requests=1");
    assert!(page.part("s-sim-custom").contains("placeholder"), "{}", page.part("s-sim-custom"));
    page.rest();
    assert!(page.last.link.contains("set-max_requests=1"));
    assert!(page.part("sim-plot-most").contains(">max_requests 1<"), "{}", page.part("sim-plot-most"));
    assert!(page.part("s-sim-w-most").contains("7 recommended, 1 custom"), "{}", page.part("s-sim-w-most"));
    page.ask(texts(&[("b", "custom"), ("set-max_requests", "lots"), ("length", "20"), ("runs", "1")]));
    assert_eq!(page.last.invalid, ["sim-set-max_requests"]);
}

#[test]
fn more_than_24_hosts_are_summed_and_said() {
    let many: Vec<(&str, &str)> =
        SCENARIO.iter().map(|(k, v)| (*k, if *k == "hosts" { "60" } else { *v })).collect();
    let mut page = Page::with(&many, "?view=simulate&sim=1&length=20&runs=1");
    page.rest();
    let strip = page.part("s-sim-ejected-a");
    assert!(strip.matches("host-").count() >= 24, "{strip}");
    assert!(strip.contains("the other 36 are one row") && strip.contains("36 more"), "{strip}");
    assert!(page.part("s-sim-ejected-b").contains("has no outlier detection: it ejects none"));
}

#[test]
fn all_ten_faults_are_played_and_lead_to_the_experiment() {
    let mut page = Page::open(SHORT);
    page.rest();
    let table = page.part("s-sim-matrix");
    assert_eq!(table.matches("<tr>").count(), 12, "two rows of heads, ten of faults: {table}");
    assert!(!table.contains("not played yet"), "{table}");
    assert!(table.contains("data-do=\"sim pick zone_loss\""), "{table}");
    assert!(table.contains("<b>Latency injected</b>"), "{table}");
    assert_eq!(page.part("s-sim-all-do"), "");
}

#[test]
fn the_table_of_all_faults_can_be_stopped_and_goes_on() {
    let mut page = Page::open("?view=simulate&sim=1&length=20&runs=1");
    page.tick = 13.0;
    page.play_until("s-sim-all-do", |text| text.contains("of 20 runs") && !text.contains(">0 of"));
    page.ask(press("matrix stop"));
    assert!(!page.last.is_busy);
    assert!(page.part("s-sim-all-do").contains("Go on"));
    page.ask(press("matrix go"));
    assert!(page.last.is_busy);
    page.rest();
    assert!(!page.part("s-sim-matrix").contains("not played yet"));
}

#[test]
fn a_moment_has_all_values_with_their_units() {
    let mut page = Page::open(SHORT);
    page.rest();
    page.ask(Request { at: Some(15.0), ..Request::default() });
    let now = page.part("s-sim-now");
    for part in [
        "At 15\u{a0}s",
        "Served",
        "Refused",
        "Most in flight",
        "Retries",
        "/s",
        "ms",
        "Ejected hosts",
        "of 5",
    ] {
        assert!(now.contains(part), "{part} is missing in {now}");
    }
    assert!(
        (page.last.at.0 - 0.75).abs() < 1e-9 && page.last.at.1.starts_with("15\u{a0}s: served"),
        "{:?}",
        page.last.at
    );
    page.ask(Request { at: Some(f64::NAN), ..Request::default() });
    assert!((page.last.at.0 - 0.75).abs() < 1e-9, "what is no time changes nothing");
}

#[test]
fn tables_are_written_when_they_are_opened() {
    let mut page = Page::open(SHORT);
    page.rest();
    assert!(!page.html().contains("<th scope=\"row\">19\u{a0}s</th>"));
    page.ask(press("table served open"));
    assert!(page.part("s-sim-t-served").contains("<th scope=\"row\">19\u{a0}s</th>"));
    page.ask(press("table served closed"));
    assert_eq!(page.part("s-sim-t-served"), "");
}

#[test]
fn the_comparison_can_be_taken_away() {
    let mut page = Page::open(SHORT);
    page.rest();
    let text = page.ask(press("copy")).copy.clone();
    assert!(text.contains("| Mean of 2 runs | Recommended | Envoy's default |"), "{text}");
    assert!(text.contains("Served in time, during the fault"), "{text}");
}

#[test]
fn a_scenario_that_is_wrong_or_too_large_is_said_and_nothing_hangs() {
    let change = |key: &'static str, text: &'static str| -> Vec<(&str, &str)> {
        SCENARIO.iter().map(|(k, v)| (*k, if *k == key { text } else { *v })).collect()
    };
    let page = Page::with(&change("rps", "none"), SHORT);
    assert!(page.part("s-sim-attention").contains("Inputs of the scenario need attention"));
    assert!(!page.last.is_busy);
    let page = Page::with(&change("rps", "90000000"), SHORT);
    assert!(!page.last.is_busy, "{}", page.part("s-sim-attention"));
    assert!(page.part("s-sim-notices").contains("can be played"), "{}", page.part("s-sim-notices"));
}

#[test]
fn callers_of_a_closed_loop_are_bounded_too() {
    let page = Page::open("?view=simulate&sim=1&arrivals=closed&callers=5&think=100&length=20&runs=1");
    assert!(page.last.is_busy, "{}", page.part("s-sim-attention"));
    assert!(page.part("s-sim-run").contains("Think time"));
    let mut page = page;
    page.ask(texts(&[("arrivals", "closed"), ("callers", "10000"), ("think", "0"), ("length", "3600")]));
    assert_eq!(page.last.invalid, ["sim-callers"]);
    assert!(page.part("s-sim-n-callers").contains("can be played"), "{}", page.part("s-sim-n-callers"));
    page.rest();
}

#[test]
fn the_command_plays_the_same_fault() {
    use headroom::engine::sim::faults_file::{Stage, from_shorthand};
    use headroom::engine::sim::{FAULTS, Nanos};
    let stage = Stage { duration: Nanos::from_secs(20.0), hosts: 5, clients: 10 };
    for spec in &FAULTS {
        let page =
            Page::open(&format!("?view=simulate&sim=1&fault={}&length=20&runs=3&from=5&lasts=6", spec.word));
        let command = page.part("s-sim-cli");
        let (_, text) = command.split_once("--fault ").unwrap_or_else(|| panic!("{command}"));
        let text = text.split_once(" \\").expect("more follows").0;
        let read = from_shorthand(text, &stage).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        assert_eq!(read.notes, Vec::<String>::new(), "{text}");
        let plain = spec.kind.fault(Nanos::from_secs(5.0), Nanos::from_secs(11.0), 5, 10);
        assert_eq!(read.list, [plain], "{text}");
        for part in ["--rps 50", "--host-concurrency 64", "--duration 20 --seed 42 --runs 3", "--compare"] {
            assert!(command.contains(part), "{part} is missing in {command}");
        }
    }
    let page = Page::open("?view=simulate&sim=1&a=custom&b=custom&length=20&runs=1&set-max_requests=3");
    assert!(page.part("s-sim-cli").contains("--set max_requests=3"), "{}", page.part("s-sim-cli"));
}

#[test]
fn streams_have_their_words() {
    let streams =
        [("protocol", "grpc_stream"), ("rps", "2"), ("stream_mean", "10"), ("clients", "4"), ("hosts", "3")];
    let known: Vec<(&str, &str)> = streams.into_iter().filter(|(key, _)| by_key(key).is_some()).collect();
    assert_eq!(known.len(), streams.len(), "all of these are inputs");
    let mut page = Page::with(&known, "?view=simulate&sim=1&length=20&runs=1");
    assert!(page.last.is_busy, "{}", page.part("s-sim-attention"));
    page.rest();
    assert!(page.part("s-sim-assumed").contains("opens streams"), "{}", page.part("s-sim-assumed"));
}

#[test]
fn the_speed_of_the_module_can_be_asked_for() {
    let mut page = Page::open(SHORT);
    let speed: f64 = page.ask(press("speed 1")).copy.parse().expect("a number");
    assert!(speed > 0.0);
}
