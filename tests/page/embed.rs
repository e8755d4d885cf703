//! The embed in pages of another origin: numbers, height, focus, themes, what is locked and hidden.

use crate::png::{resize, shoot};
use crate::server::Server;
use crate::site::Site;
use headroom::engine::analyze;
use headroom::engine::scenario::Scenario;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Hosts write down what they are told.
const LISTEN: &str = "window.heard = []; addEventListener('message', (e) => heard.push(e.data)); \
     window.changes = []; window.problems = []; \
     addEventListener('change', (e) => e.detail && changes.push(e.detail)); addEventListener('problems', (e) => problems.push(e.detail));";

/// A page of another origin, with a policy as strict as can be.
pub fn host(site: &Site, body: &str) -> Server {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("target/hosts/{number}"));
    std::fs::create_dir_all(&folder).expect("target can be written");
    let app = site.server.address();
    let origin = app.trim_end_matches('/');
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Host</title>\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' {origin}; frame-src {origin}; style-src 'none'; img-src data:\">\
         <link rel=\"icon\" href=\"data:,\"><script src=\"listen.js\"></script><script type=\"module\" src=\"{app}embed.js\"></script></head>\
         <body><main><h1>Host</h1><p>Text</p>{}</main></body></html>",
        body.replace("APP/", app)
    );
    std::fs::write(folder.join("index.html"), page).expect("target can be written");
    std::fs::write(folder.join("listen.js"), LISTEN).expect("target can be written");
    Server::start(folder)
}

impl Site {
    /// Opens a host and waits until its frames have told their heights.
    pub fn visit_host(&self, body: &str) -> Server {
        let host = host(self, body);
        self.browser.go(host.address());
        self.wait_frames();
        host
    }

    fn wait_frames(&self) {
        self.browser.wait_for(
            "document.querySelector('iframe') && [...document.querySelectorAll('iframe')].every(f => heard.some(m => m.type === 'headroom:height'))
             && heard.filter(m => m.type === 'headroom:change').length >= document.querySelectorAll('headroom-calculator').length",
        );
    }

    /// Opens the embed by itself.
    pub fn visit_embed(&self, query: &str) {
        self.browser.go("about:blank");
        self.browser.go(&format!("{}embed.html{query}", self.server.address()));
        self.browser.wait_for("document.querySelector('#s-say')");
    }
}

const SCENARIO: &str =
    "rps=\"500\" p50=\"35\" p99=\"110\" clients=\"100\" hosts=\"10\" host_concurrency=\"64\"";

fn analysis_of(link: &str) -> Value {
    let scenario = Scenario::from_link(link).expect("a valid link").expect("a scenario");
    serde_json::to_value(analyze(&scenario).expect("an answer")).expect("JSON")
}

#[test]
fn two_embeds_on_a_page_of_another_origin_with_a_strict_policy() {
    let site = Site::start();
    let host = site.visit_host(&format!(
        "<headroom-calculator id=\"a\" {SCENARIO}></headroom-calculator>\
         <headroom-calculator id=\"b\" rps=\"2000\" p50=\"20\" protocol=\"http1\" title=\"Second\"></headroom-calculator>"
    ));
    let says = |id: &str| {
        site.browser.enter(&format!("#{id} iframe"));
        let text = site.text("#s-say");
        assert_eq!(
            site.browser.script("return [document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"),
            json!([0, 0]),
            "{id} has nothing to scroll"
        );
        site.browser.leave();
        text
    };
    assert!(says("a").starts_with("Allow each proxy 5 requests in flight. At peak it refuses 1 in 30,000"));
    assert_ne!(says("a"), says("b"));
    assert_eq!(site.browser.text_of("document.activeElement.tagName"), "BODY", "no focus is taken");
    assert_eq!(
        site.browser.script("return [scrollY, document.querySelector('#b iframe').title]"),
        json!([0, "Second"])
    );
    assert!(!site.browser.address().contains('#'));
    // Two events, with the engine's own numbers.
    let mut found = site.browser.script("return changes.map(c => [c.scenario.rps, c.analysis])");
    let found = found.as_array_mut().expect("a list");
    found.sort_by(|a, b| a[0].as_f64().unwrap_or(0.0).total_cmp(&b[0].as_f64().unwrap_or(0.0)));
    let first = analysis_of("v=1&rps=500&p50=35&p99=110&clients=100&hosts=10&host_concurrency=64");
    let second = analysis_of("v=1&rps=2000&p50=20&protocol=http1");
    assert_eq!(*found, [json!([500.0, first]), json!([2000.0, second])].map(normal));
    assert_eq!(site.browser.log("browser"), Vec::<Value>::new(), "no policy was violated");
    // The host itself was asked for its page and its script.
    assert_eq!(host.take_asked().iter().filter(|path| *path != "/favicon.ico").count(), 2);
}

/// Numbers as they come out of a browser: 500 and 500.0 are one.
fn normal(value: Value) -> Value {
    match value {
        Value::Number(number) => {
            // The shortest text of a whole number has no point in JavaScript.
            let text = number.as_f64().unwrap_or_default().to_string();
            serde_json::from_str(&text).expect("a number")
        }
        Value::Array(list) => list.into_iter().map(normal).collect(),
        Value::Object(map) => map.into_iter().map(|(key, value)| (key, normal(value))).collect(),
        other => other,
    }
}

#[test]
fn changed_attributes_reach_the_calculator_without_a_reload() {
    let site = Site::start();
    site.visit_host(&format!("<headroom-calculator {SCENARIO}></headroom-calculator>"));
    site.browser.enter("iframe");
    site.browser.script("window.mark = 1");
    site.browser.leave();
    site.browser.script("changes.length = 0; const e = document.querySelector('headroom-calculator'); e.setAttribute('rps', '900'); e.setAttribute('p99', '120')");
    site.browser.wait_for("changes.length");
    let found = site.browser.script("return changes.map(c => c.analysis)");
    let expected = analysis_of("v=1&rps=900&p50=35&p99=120&clients=100&hosts=10&host_concurrency=64");
    assert_eq!(found, json!([normal(expected)]), "one change, of both");
    site.browser.script("document.querySelector('headroom-calculator').setAttribute('p99', '1')");
    site.browser.wait_for("problems.length");
    let problem = site.browser.text_of("problems[0].problems[0].message");
    assert!(problem.contains("must not decrease"), "{problem}");
    site.browser.enter("iframe");
    assert_eq!(site.browser.text_of("window.mark"), "1");
    assert_eq!(site.value("p99"), "120", "what is shown stays");
    // What a person types is a change too.
    site.browser.retype("#hosts", "12");
    assert_eq!(site.browser.text_of("document.activeElement.id"), "hosts");
    site.browser.leave();
    site.browser.wait_for("changes.at(-1).scenario.hosts === 12");
    // Wrong inputs give no numbers.
    let before = site.browser.text_of("changes.length");
    site.browser.enter("iframe");
    site.browser.retype("#hosts", "many");
    assert_eq!(site.browser.text_of("document.querySelector('#hosts').getAttribute('aria-invalid')"), "true");
    assert!(site.text("#hosts-error").contains("is not a number"));
    assert_eq!(site.axe(), Vec::<String>::new(), "invalid");
    site.browser.leave();
    assert_eq!(site.browser.text_of("changes.length"), before);
}

#[test]
fn the_height_follows_the_content_at_every_width() {
    let site = Site::start();
    site.visit_host(&format!("<headroom-calculator {SCENARIO}></headroom-calculator>"));
    let mut heights = Vec::new();
    for panels in ["", "form,thresholds,ladder,chart,yaml,simulate"] {
        site.browser.script_with(
            "document.querySelector('headroom-calculator').setAttribute('panels', arguments[0])",
            &json!([panels]),
        );
        for width in [336, 376, 716] {
            resize(&site.browser, width, 900);
            site.browser.script_async("const done = arguments[0]; setTimeout(done, 300)", &json!([]));
            let frame =
                site.browser.script("return document.querySelector('iframe').getBoundingClientRect().height");
            site.browser.enter("iframe");
            let found = site.browser.script("return [Math.ceil(document.getElementById('main').getBoundingClientRect().height), document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth, [...document.querySelectorAll('#embed *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('pre, svg, .hr-vh')).length]");
            site.browser.leave();
            assert_eq!(found, json!([frame, 0, 0, 0]), "{panels} at {width}");
            heights.push(frame.as_f64().unwrap_or_default());
            shoot(
                &site.browser,
                &format!("embed-{}-{}", width - 16, if panels.is_empty() { "default" } else { "all" }),
                width,
            );
        }
    }
    assert!(heights[0] > heights[2] && heights[5] > heights[2] + 400.0, "{heights:?}");
}

#[test]
fn panels_locked_and_hidden_inputs() {
    let site = Site::start();
    site.visit_embed("?lock=rps,protocol&hide=hosts&panels=form,yaml#v=1&rps=700&p50=35");
    assert_eq!(site.value("rps"), "700");
    let state = site.browser.script("const i = (id) => document.getElementById(id); return [i('rps').readOnly, i('protocol').readOnly, i('p99').readOnly, i('hosts'), Boolean(i('yaml')), i('s-ladder')]");
    assert_eq!(state, json!([true, true, false, null, true, null]));
    site.browser.type_into("#rps", "9");
    assert_eq!(site.value("rps"), "700");
    let yaml = site.text("#yaml");
    assert!(yaml.contains("max_requests: ") && yaml.contains("from 700 req/s"), "{yaml}");
    assert_eq!(
        site.browser.text_of(
            "['target', 'rel'].map(n => open.getAttribute(n))"
                .replace("open.", "document.getElementById('open').")
                .as_str()
        ),
        "_blank,noopener"
    );
    assert!(site.browser.text_of("document.getElementById('open').href").ends_with("/#v=1&rps=700&p50=35"));
    site.browser.script("document.getElementById('more').open = true");
    site.browser.retype("#p50", "70");
    site.browser.wait_for("document.getElementById('open').hash.includes('p50=70')");
    assert!(site.browser.script("return document.getElementById('more').open").as_bool().unwrap_or_default());
    site.visit_embed("?panels=chart#v=1&rps=700&p50=35");
    assert_eq!(
        site.browser
            .script("return [document.getElementById('form'), Boolean(document.getElementById('s-trips'))]"),
        json!([null, true])
    );
}

#[test]
fn a_source_that_is_no_address_is_said_in_the_element() {
    let site = Site::start();
    let host = host(
        &site,
        "<headroom-calculator id=\"a\" src=\"http://[\" rps=\"500\" p50=\"35\"></headroom-calculator>\
         <headroom-calculator id=\"b\" src=\"javascript:alert(1)\"></headroom-calculator>",
    );
    site.browser.go(host.address());
    site.browser.wait_for("[...document.querySelectorAll('headroom-calculator')].every(e => e.textContent.includes('is no address'))");
    assert_eq!(site.text("#a"), "Headroom: src http://[ is no address.");
    assert_eq!(site.browser.log("browser"), Vec::<Value>::new(), "no exception");
    // Mended, it is there; broken again, it is gone.
    site.browser.script_with(
        "document.getElementById('a').setAttribute('src', arguments[0])",
        &json!([site.server.address()]),
    );
    site.browser.wait_for("heard.some(m => m.type === 'headroom:height') && document.querySelector('#a iframe') && !document.getElementById('a').textContent");
    site.browser.script("document.getElementById('a').setAttribute('src', 'http://[')");
    assert_eq!(site.browser.text_of("document.querySelectorAll('#a iframe').length"), "0");
    assert!(site.text("#a").contains("is no address"));
}

#[test]
fn an_address_that_turns_bad_is_said_where_no_host_listens() {
    let site = Site::start();
    site.visit_embed("#v=1&rps=700&p50=35");
    site.browser.script("location.hash = '#v=1&rps=many'");
    site.browser.wait_for("document.getElementById('s-attention').innerText.includes('This link gives no scenario. The inputs stay as they are.')");
    assert_eq!(site.value("rps"), "700");
    site.browser.script("location.hash = '#v=1&rps=800&p50=35'");
    site.browser.wait_for("document.getElementById('s-attention').innerText === ''");
    assert_eq!(site.value("rps"), "800");
}

#[test]
fn the_sentence_is_short_where_there_is_little_room() {
    let site = Site::start();
    resize(&site.browser, 320, 900);
    site.visit_embed("#v=1&name=checkout&rps=500&p50=35&p99=110&clients=100&hosts=12&host_concurrency=64");
    let lines = "(() => { const say = document.getElementById('s-say'), style = getComputedStyle(say); const range = document.createRange(); range.selectNodeContents(say); return Math.round(range.getBoundingClientRect().height / parseFloat(style.lineHeight)) })()";
    let lines: u32 = site.browser.text_of(lines).parse().expect("a number");
    assert!(lines <= 5, "{lines} lines");
    assert_eq!(site.browser.script("return document.documentElement.scrollWidth - innerWidth"), json!(0));
}

#[test]
fn the_address_with_embed_leads_to_the_calculator_for_frames() {
    let site = Site::start();
    site.browser.go(&format!("{}?embed&theme=dark#v=1&rps=700&p50=35", site.server.address()));
    site.browser.wait_for("document.querySelector('#s-say')");
    assert!(site.browser.address().contains("/embed.html?embed&theme=dark#v=1&rps=700&p50=35"));
    assert_eq!(site.value("rps"), "700");
    let asked = site.server.take_asked();
    assert!(
        !asked.iter().any(|path| path.starts_with("/headroom-page")),
        "the application is not loaded: {asked:?}"
    );
    // The way back leads to where one came from.
    let length = site.browser.text_of("history.length");
    site.browser.retype("#rps", "800");
    site.browser.wait_for("document.getElementById('open').hash.includes('rps=800')");
    assert_eq!(site.browser.text_of("history.length"), length);
}

#[test]
fn themes_and_accent() {
    let site = Site::start();
    let colors = "return [getComputedStyle(document.getElementById('main')).backgroundColor, getComputedStyle(document.querySelector('.hr-say strong')).color]";
    site.prefer("prefers-color-scheme", "light");
    for (theme, ground, accent) in [
        ("light", "rgb(255, 255, 255)", "rgb(32, 70, 176)"),
        ("dark", "rgb(22, 27, 31)", "rgb(116, 169, 255)"),
        ("auto", "rgb(255, 255, 255)", "rgb(32, 70, 176)"),
    ] {
        site.visit_embed(&format!("?theme={theme}"));
        assert_eq!(site.browser.script(colors), json!([ground, accent]), "{theme}");
        assert_eq!(site.axe(), Vec::<String>::new(), "{theme}");
    }
    // Readable as it is; then one that has to be moved, and says so.
    site.browser.log("browser");
    site.visit_embed("?theme=light&accent=7a1fa2");
    assert_eq!(site.browser.script(colors), json!(["rgb(255, 255, 255)", "rgb(122, 31, 162)"]));
    assert_eq!(site.browser.log("browser"), Vec::<Value>::new());
    site.visit_embed("?theme=light&accent=ffd400");
    assert_ne!(site.browser.script(colors)[1], "rgb(255, 212, 0)");
    assert_eq!(site.axe(), Vec::<String>::new(), "accent");
    let said: Vec<String> = site.browser.log("browser").iter().map(|l| l["message"].to_string()).collect();
    assert!(said.iter().any(|line| line.contains("too little contrast")), "{said:?}");
    site.visit_embed("?theme=dark&accent=101010&panels=form,thresholds,ladder,chart,yaml,simulate");
    assert_eq!(site.axe(), Vec::<String>::new(), "accent, dark, all panels");
    site.visit_embed("?theme=light&panels=form,thresholds,ladder,chart,yaml,simulate");
    assert_eq!(site.axe(), Vec::<String>::new(), "light, all panels");
}

#[test]
fn the_simulator_comes_when_asked_for() {
    let site = Site::start();
    site.visit_embed("?panels=simulate&theme=light#v=1&rps=500&p50=35&p99=110&clients=20");
    let asked = site.server.take_asked();
    assert!(!asked.iter().any(|path| path.contains("simulate")), "{asked:?}");
    site.browser.click("#simulate");
    site.browser.wait_for("document.querySelector('#sim .hr-say')?.textContent.length > 20 && document.querySelector('#sim svg')");
    assert!(site.server.take_asked().iter().any(|path| path.contains("headroom-simulate_bg.wasm")));
    let tall = "document.getElementById('sim').getBoundingClientRect().height";
    assert!(
        site.browser.script(&format!("return {tall}")).as_f64().is_some_and(|height| height > 300.0),
        "it is seen"
    );
    let stays = "getComputedStyle(document.querySelector('.hr-sim-moment')).position";
    // A frame that is as high as all of it has no foot to stay at: it would cover a chart.
    assert_eq!(site.browser.text_of(stays), "static");
    assert!(!site.browser.address().contains("view="));
    resize(&site.browser, 360, 900);
    let wide = site.browser.script("return document.documentElement.scrollWidth - innerWidth");
    assert_eq!(wide, json!(0));
    assert_eq!(site.axe(), Vec::<String>::new());
}

#[test]
fn copying_says_how_it_went() {
    let site = Site::start();
    site.visit_embed("#v=1&rps=500&p50=35");
    site.clipboard_may("granted");
    site.browser.click("#copy-yaml");
    site.browser.wait_for("document.getElementById('announcer').textContent === 'Copied'");
    let copied = site.clipboard();
    assert!(copied.contains("max_requests: "), "{copied}");
    site.browser.script("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    site.browser.click("#copy-yaml");
    site.browser.wait_for("getSelection().toString().includes('max_requests: ')");
}

#[test]
fn the_element_weighs_less_than_three_thousand_bytes() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("public/embed.js");
    let text = std::fs::read_to_string(file).expect("the element is there");
    assert!(text.len() < 3000, "{} bytes", text.len());
    assert!(!text.contains("import "), "it depends on nothing");
    // Every input of the table is an attribute.
    for p in headroom::engine::params::PARAMS {
        assert!(text.contains(p.key), "{} is no attribute", p.key);
    }
}

#[test]
fn nothing_jumps_in_the_frame() {
    let site = Site::start();
    site.browser.cdp(
        "Page.addScriptToEvaluateOnNewDocument",
        &json!({"source": "window.shift = 0; new PerformanceObserver(l => l.getEntries().forEach(e => shift += e.value)).observe({ type: 'layout-shift', buffered: true })"}),
    );
    resize(&site.browser, 716, 900);
    site.visit_host(&format!("<headroom-calculator {SCENARIO}></headroom-calculator><p>Text after it.</p>"));
    site.browser.script_async("const done = arguments[0]; setTimeout(done, 500)", &json!([]));
    let around = site.browser.script("return shift").as_f64().unwrap_or(9.0);
    site.browser.enter("iframe");
    let within = site.browser.script("return shift").as_f64().unwrap_or(9.0);
    assert!(around < 0.1 && within < 0.1, "around {around}, within {within}");
}
