//! The address bar: reload, back, forward, links that are broken or hostile.

use crate::site::Site;
use headroom::engine::params::ParamId;
use headroom::engine::scenario::{Preset, Scenario};

impl Site {
    /// Waits until the address has that fragment; it is written once typing has settled.
    fn wait_fragment(&self, text: &str) {
        self.browser.wait_for(&format!("location.hash.includes({text:?})"));
    }

    fn link_problems(&self) -> String {
        self.text("[data-testid=link-problems]")
    }
}

#[test]
fn a_link_brings_the_scenario_back() {
    let site = Site::open();
    assert!(!site.browser.address().contains('#'), "the address stays clean until something changes");
    site.browser.retype("#rps", "750");
    site.browser.retype("#clients", "60");
    site.wait_fragment("clients=60");
    let (link, sentence) = (site.browser.address(), site.text(".hr-say"));
    let fragment = link.split_once('#').expect("a fragment").1;
    let scenario = Scenario::from_link(fragment).expect("readable").expect("a scenario");
    let mut draft = Preset::first_paint().draft();
    draft.set(ParamId::Rps, "750");
    draft.set(ParamId::Clients, "60");
    assert_eq!(scenario, draft.check().expect("valid"));
    site.browser.reload();
    site.wait_ready();
    assert_eq!((site.value("rps"), site.value("clients")), ("750".into(), "60".into()));
    assert_eq!(site.text(".hr-say"), sentence);
}

#[test]
fn back_and_forward_go_step_by_step() {
    let site = Site::open();
    site.browser.retype("#rps", "600");
    site.wait_fragment("rps=600");
    site.browser.retype("#rps", "700");
    site.wait_fragment("rps=700");
    site.browser.retype("#hosts", "20");
    site.wait_fragment("hosts=20");
    site.browser.back();
    site.browser.wait_for("document.querySelector('#hosts').value === '12'");
    assert_eq!(site.value("rps"), "700");
    site.browser.back();
    site.browser.wait_for("document.querySelector('#rps').value === '600'");
    site.browser.back();
    site.browser.wait_for("document.querySelector('#rps').value === '500'");
    site.browser.forward();
    site.browser.wait_for("document.querySelector('#rps').value === '600'");
    site.browser.forward();
    site.browser.forward();
    site.browser.wait_for("document.querySelector('#hosts').value === '20'");
}

#[test]
fn what_was_typed_last_is_not_left_behind() {
    let site = Site::open();
    let burst = "document.getElementById('burst').value";
    // To another view and back, before the change has settled.
    site.browser.retype("#burst", "4");
    site.browser.click("[data-view-of=audit]");
    site.browser.wait_for("document.documentElement.dataset.view === 'audit'");
    site.browser.back();
    site.browser.wait_for("document.documentElement.dataset.view === 'size'");
    assert_eq!(site.browser.text_of(burst), "4", "a step back leads to the form as it was left");
    assert!(site.browser.address().contains("burst=4"), "{}", site.browser.address());
    // To another page and back.
    site.browser.retype("#burst", "5");
    site.browser.click("a[href='learn/']");
    site.browser.wait_for("location.pathname.startsWith('/learn')");
    site.browser.back();
    site.browser.wait_for("document.getElementById('burst')");
    site.wait_ready();
    assert_eq!(site.browser.text_of(burst), "5", "{}", site.browser.address());
}

#[test]
fn a_link_pasted_into_the_open_page_is_followed() {
    let site = Site::open();
    site.browser.script("location.hash = 'v=1&rps=9&mean=50'");
    site.browser.wait_for("document.querySelector('#rps').value === '9'");
    assert_eq!(site.value("mean"), "50");
    assert_eq!(site.value("p50"), "");
}

#[test]
fn a_broken_link_gives_a_message_and_the_example() {
    let site = Site::start();
    for (fragment, says) in [
        ("#v=1&rps=500&p50=banana", "banana"),
        ("#v=9&rps=500&p50=35", "another version"),
        ("#v=1&rps=1&rps=2&p50=35", "twice"),
        ("#v=1&%00=%ff&x=<img src=x onerror=alert(1)>", "not an input"),
        ("#garbage", "no version"),
        (
            "#v=2099.01&rps=9&p50=35",
            "rules of 2099.01, a newer version of Headroom. Known here are those up to 2026.11",
        ),
    ] {
        site.visit(fragment);
        assert!(site.link_problems().contains(says), "{fragment}: {}", site.link_problems());
        assert_eq!(site.value("rps"), "500", "{fragment}");
        assert_eq!(site.browser.text_of("document.querySelectorAll('#page img').length"), "0");
    }
    site.browser.click("[data-testid=link-problems] button");
    assert_eq!(site.link_problems(), "undefined");
}

#[test]
fn a_hostile_link_is_cut_short() {
    let site = Site::start();
    let many = "&k=1".repeat(400);
    site.visit(&format!("#v=1{many}"));
    assert!(site.link_problems().len() < 600, "{}", site.link_problems());
    site.visit(&format!("#v=1&name={}", "a".repeat(50_000)));
    assert!(site.link_problems().contains("characters"), "{}", site.link_problems());
}

#[test]
fn a_broken_link_in_the_open_page_loses_nothing_typed() {
    let site = Site::open();
    site.browser.retype("#rps", "321x");
    site.browser.script("location.hash = 'v=1&rps=oops'");
    site.browser.wait_for("document.querySelector('[data-testid=link-problems]')");
    assert_eq!(site.value("rps"), "321x");
    site.browser.script("location.hash = 'v=1&rps=9&mean=50'");
    site.browser.wait_for("!document.querySelector('[data-testid=link-problems]')");
    assert_eq!(site.value("rps"), "9");
    site.browser.script("location.hash = 'v=1&rps=oops'");
    site.browser.wait_for("document.querySelector('[data-testid=link-problems]')");
    assert!(site.link_problems().contains("Peak rate:"), "{}", site.link_problems());
    site.browser.retype("#rps", "10");
    site.browser.wait_for("!document.querySelector('[data-testid=link-problems]')");
}

#[test]
fn names_of_any_script_survive_the_link_and_stay_text() {
    let site = Site::open();
    let name = "оплата <b>&\"'é 注文";
    site.browser.retype("#name", name);
    site.wait_fragment("name=");
    site.browser.reload();
    site.wait_ready();
    assert_eq!(site.value("name"), name);
    assert_eq!(site.browser.text_of("document.querySelector('h1').textContent"), format!("Size of {name}"));
    assert_eq!(
        site.browser.text_of("document.querySelectorAll('h1 b, .hr-sub b:not(:only-child)').length"),
        "0"
    );
}

#[test]
fn a_place_in_the_page_is_no_scenario() {
    let site = Site::start();
    site.visit("#answer");
    assert_eq!(site.link_problems(), "undefined");
    assert_eq!(site.value("rps"), "500");
}

#[test]
fn every_problem_of_a_link_is_shown() {
    let site = Site::start();
    site.visit("#v=1&rps=%ff&p50=120&p99=110&hosts=0&burst=x&name=a%0Ab&clients=1&clients=2&nope=1");
    let text = site.link_problems();
    for part in [
        "Peak rate: The value is not readable text",
        "p50 120",
        "p99 110",
        "Hosts: 0 is out of range. Allowed: whole numbers 1 to 100,000.",
        "Worst second: “x” is",
        "Service: The name has a line break",
        "Proxies: The link names this input twice",
        "nope This is not an input of Headroom",
    ] {
        assert!(text.replace('\u{a0}', " ").contains(part), "{part} is not in:\n{text}");
    }
}

#[test]
fn links_of_the_same_scenario_are_not_written_anew() {
    let site = Site::start();
    // As a person types it, and by the other name of the version.
    site.visit("#v=2026.11&p50=35.0&rps=9");
    assert_eq!(site.link_problems(), "undefined", "nothing has changed since: nothing is said");
    site.browser.retype("#rps", "10");
    site.wait_fragment("rps=10");
    site.browser.back();
    site.browser.wait_for("document.querySelector('#rps').value === '9'");
    site.browser.script_async("setTimeout(arguments[0], 700)", &serde_json::json!([]));
    assert!(site.browser.address().ends_with("#v=2026.11&p50=35.0&rps=9"), "{}", site.browser.address());
    site.browser.forward();
    site.browser.wait_for("document.querySelector('#rps').value === '10'");
}

#[test]
fn the_yaml_has_the_whole_address_on_one_line() {
    let site = Site::open();
    site.browser.retype("#rps", "600");
    site.wait_fragment("rps=600");
    let yaml = site.browser.text_of("document.getElementById('yaml').textContent");
    let line = yaml.lines().find(|line| line.contains("#v=1")).expect("a link");
    let (page, fragment) = line.strip_prefix("# ").and_then(|link| link.split_once('#')).expect("a link");
    assert_eq!(page, site.server.address());
    assert!(site.browser.address().ends_with(fragment), "{fragment}");
    let linked = Scenario::from_link(&line[2..]).expect("readable").expect("a scenario");
    assert!((linked.rps.0 - 600.0).abs() < 1e-9);
}

#[test]
fn copy_link_is_seen_and_confirms_at_every_width() {
    let site = Site::open();
    site.clipboard_may("granted");
    for width in [390, 1280, 1600] {
        crate::png::resize(&site.browser, width, 844);
        let seen = site.browser.script(
            "const b = document.getElementById('copy-link').getBoundingClientRect(); return b.width > 0 && b.left >= 0 && b.right <= innerWidth && b.top >= 0 && b.bottom <= innerHeight",
        );
        assert_eq!(seen, serde_json::json!(true), "{width}");
        assert!(site.text("#copy-link").contains("Copy link"), "{width}");
        site.browser.click("#copy-link");
        site.browser.wait_for("document.querySelector('#copy-link').innerText.includes('Copied')");
        assert_eq!(site.said("#copy-link"), "Copied");
        assert!(site.clipboard().contains("#v=1&name=checkout"), "{width}");
        site.browser.wait_for(
            "document.querySelector('#copy-link .hr-swap > :not([aria-hidden])').textContent === 'Copy link'",
        );
    }
}
