//! For everyone: axe, keyboard, sizes, small screens.

use crate::driver::variable;
use crate::png::resize;
use crate::site::Site;
use serde_json::{Value, json};

impl Site {
    /// What axe finds, in a few words each.
    pub fn axe(&self) -> Vec<String> {
        let axe = std::fs::read_to_string(variable("HEADROOM_AXE")).expect("HEADROOM_AXE names axe.min.js");
        self.browser.script(&axe);
        let found = self.browser.script_async(
            "const done = arguments[0]; axe.run(document, { resultTypes: ['violations'] }).then(r => done(r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.target.join(' ') + ': ' + n.failureSummary))), e => done([String(e)]))",
            &json!([]),
        );
        found.as_array().expect("a list").iter().map(|v| v.as_str().unwrap_or_default().to_owned()).collect()
    }

    pub fn prefer(&self, feature: &str, value: &str) {
        // Colors in the middle of a change have no contrast to speak of.
        let still = json!({"name": "prefers-reduced-motion", "value": "reduce"});
        let features = json!([still, {"name": feature, "value": value}]);
        self.browser.cdp("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    fn focused(&self) -> String {
        self.browser.text_of("document.activeElement.id || document.activeElement.textContent.trim() || document.activeElement.tagName")
    }
}

#[test]
fn axe_finds_nothing_in_any_state() {
    let site = Site::open();
    for theme in ["light", "dark"] {
        site.prefer("prefers-color-scheme", theme);
        assert_eq!(site.axe(), Vec::<String>::new(), "{theme}");
        site.browser.script("document.querySelectorAll('details').forEach(d => d.open = true)");
        site.browser.script("document.querySelectorAll('[aria-expanded=false]').forEach(b => b.click())");
        site.browser.retype("#hosts", "10");
        assert_eq!(site.axe(), Vec::<String>::new(), "{theme}, everything open");
        site.browser.retype("#rps", "many");
        site.browser.retype("#shed_target", "0");
        assert_eq!(site.axe(), Vec::<String>::new(), "{theme}, invalid");
        site.visit("");
    }
    resize(&site.browser, 390, 844);
    site.visit("#v=1&oops");
    assert_eq!(site.axe(), Vec::<String>::new(), "narrow, with a broken link");
}

#[test]
fn axe_finds_nothing_in_the_first_paint() {
    let site = Site::start();
    site.browser.cdp("Network.enable", &json!({}));
    site.browser.cdp("Network.setBlockedURLs", &json!({"urls": ["*/boot.js"]}));
    site.browser.go(site.server.address());
    assert_eq!(site.axe(), Vec::<String>::new());
}

#[test]
fn the_page_of_rules_stands_by_itself() {
    let site = Site::start();
    let address = format!("{}rules.html#HR301", site.server.address());
    for theme in ["light", "dark"] {
        site.prefer("prefers-color-scheme", theme);
        site.browser.go("about:blank");
        site.browser.go(&address);
        site.browser.script("document.querySelectorAll('details').forEach(d => d.open = true)");
        assert_eq!(site.axe(), Vec::<String>::new(), "{theme}");
    }
    assert_ne!(
        site.browser.text_of("getComputedStyle(document.querySelector(':target')).backgroundColor"),
        ""
    );
    resize(&site.browser, 320, 900);
    let wide = site.browser.script("return document.documentElement.scrollWidth - innerWidth");
    assert!(wide.as_i64().is_some_and(|wide| wide <= 0), "{wide} px too wide");
}

#[test]
fn the_focus_is_left_alone_and_goes_everywhere() {
    let site = Site::open();
    assert_eq!(
        site.focused(),
        site.browser.text_of("document.body.textContent.trim()"),
        "focus is not taken on load"
    );
    site.browser.press("\u{e004}");
    assert_eq!(site.focused(), "Skip to the answer");
    site.browser.press("\u{e007}");
    assert_eq!(site.browser.text_of("document.activeElement.id"), "answer");
    assert!(!site.browser.address().contains('#'));
    // By keyboard alone: open a derivation, switch the output.
    site.browser.script("document.querySelector(\"[data-testid='default.max_connections'] button\").focus()");
    site.browser.press("\u{e007}");
    assert_ne!(site.text("#why-default-max_connections"), "undefined");
    site.browser.script("document.querySelector('.hr-seg button:last-child').focus()");
    site.browser.press(" ");
    assert!(site.text("#yaml").contains("static_resources"));
    // Everything that can be pressed can be reached.
    let unreachable = site.browser.script("return [...document.querySelectorAll('#page :is(a, button, input, select, summary)')].filter(e => e.tabIndex < 0).length");
    assert_eq!(unreachable, json!(0));
}

#[test]
fn a_focus_taken_early_is_kept() {
    let site = Site::start();
    site.browser.cdp(
        "Page.addScriptToEvaluateOnNewDocument",
        &json!({"source": "document.addEventListener('DOMContentLoaded', () => document.getElementById('clients').focus())"}),
    );
    site.visit("");
    assert_eq!(site.browser.text_of("document.activeElement.id"), "clients");
}

#[test]
fn a_new_answer_is_announced_once_it_has_settled() {
    let site = Site::open();
    let said = "document.getElementById('announcer').textContent";
    assert_eq!(site.browser.text_of(said), "");
    site.browser.retype("#rps", "510");
    assert_eq!(site.browser.text_of(said), "", "not with every keystroke");
    site.browser.wait_for(&format!("{said}.startsWith('Allow each proxy')"));
    assert_eq!(
        site.browser.text_of("document.getElementById('announcer').getAttribute('aria-live')"),
        "polite"
    );
}

#[test]
fn nothing_is_wider_than_the_screen() {
    let site = Site::open();
    for width in [320, 390, 640, 641, 896, 897, 1280, 1535, 1536, 1920] {
        resize(&site.browser, width, 900);
        let wide = site.browser.script("return document.documentElement.scrollWidth - innerWidth");
        assert!(wide.as_i64().is_some_and(|wide| wide <= 0), "{width}: {wide} px too wide");
    }
}

#[test]
fn extremes_stay_within_the_screen() {
    let site = Site::open();
    for width in [320, 390, 1280] {
        resize(&site.browser, width, 900);
        for link in [
            "rps=100000000&p50=0.001&p99=0.002&clients=1000000&hosts=100000",
            "rps=0.001&p50=90000000&p99=100000000&shed_target=1e-9&high_priority_share=0.3",
            "protocol=grpc_stream&stream_mean=86400&rps=0.01&hosts=1",
            &format!("rps=500&p50=35&name={}", "m".repeat(120)),
        ] {
            site.visit(&format!("#v=1&{link}"));
            site.browser.script("document.querySelectorAll('details').forEach(d => d.open = true)");
            site.browser.retype("#p50, #stream_mean", &"9".repeat(60));
            site.browser.wait_for("document.querySelector('[data-testid=stale]')");
            let wide = site.browser.script(
                "return document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('#page *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('pre, .hr-fig > details')).map(e => e.tagName + '.' + e.className + '#' + e.id + ' ' + e.textContent.slice(0, 40)).slice(0, 6)",
            );
            assert_eq!(wide, json!([]), "{width} {link}");
        }
    }
}

#[test]
fn fingers_find_their_targets() {
    let site = Site::open();
    resize(&site.browser, 390, 844);
    let small = site.browser.script(
        "return [...document.querySelectorAll('#page :is(button, input, select, summary)')].filter(e => e.offsetParent && !e.closest('.hr-vh') && !e.matches('.hr-link, .hr-term, [type=checkbox], .hr-help')).map(e => [e.textContent.trim() || e.id, e.getBoundingClientRect().height]).filter(([, h]) => h < 40)",
    );
    assert_eq!(small, Value::Array(Vec::new()));
}

#[test]
fn motion_stops_for_those_who_ask() {
    let site = Site::open();
    let ease = "getComputedStyle(document.querySelector('.hr-btn')).transitionDuration";
    assert_eq!(site.browser.text_of(ease), "0.12s, 0.12s");
    site.prefer("prefers-reduced-motion", "reduce");
    assert!(site.browser.text_of(ease).starts_with("0s"));
}
