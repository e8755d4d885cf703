//! Keys: what they do, when they rest, and that they can be turned off.

use crate::simulate::SHORT;
use crate::site::Site;
use serde_json::{Value, json};

const ESCAPE: &str = "\u{e00c}";
const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
const DIALOG: &str = "document.querySelector('dialog[open]')";
const NOTE: &str = "document.querySelector('.hr-notice').innerText";

impl Site {
    /// The page with what comes when it has come to rest.
    fn rested() -> Self {
        let site = Self::open();
        site.wait_rested();
        site
    }

    fn wait_rested(&self) {
        self.browser.wait_for("document.querySelector('.hr-notice')");
    }

    fn view(&self) -> String {
        self.browser.text_of("document.documentElement.dataset.view ?? 'size'")
    }

    fn focus_id(&self) -> String {
        self.browser.text_of("document.activeElement.id")
    }

    /// Long enough for what a key does.
    fn pause(&self) {
        self.browser.script_async("setTimeout(arguments[0], 250)", &json!([]));
    }
}

#[test]
fn keys_go_to_every_view() {
    let site = Site::rested();
    for (keys, view, main) in [("ga", "audit", "audit"), ("gm", "simulate", "sim"), ("gs", "size", "answer")]
    {
        site.browser.press(keys);
        site.browser.wait_for(&format!("document.activeElement.id === '{main}'"));
        assert_eq!(site.view(), view);
    }
    // Only together, and only in time.
    site.browser.press("a");
    site.browser.press("g");
    site.browser.script_async("setTimeout(arguments[0], 1700)", &json!([]));
    site.browser.press("m");
    site.browser.press("gxa");
    site.pause();
    assert_eq!(site.view(), "size");
}

#[test]
fn keys_reach_inputs_copies_and_the_theme() {
    let site = Site::rested();
    site.clipboard_may("granted");
    site.browser.press("/");
    assert_eq!(site.focus_id(), "name");
    assert_eq!(site.value("name"), "checkout", "the key itself is not typed");
    site.browser.script("document.activeElement.blur()");
    site.browser.press("y");
    site.browser.wait_for(&format!("{NOTE} === 'Copy: Copied'"));
    assert!(site.clipboard().contains("max_requests: 7"));
    site.browser.press("l");
    site.browser.wait_for(&format!("{NOTE} === 'Link: Copied'"));
    assert!(site.clipboard().starts_with(site.server.address()));
    site.browser.press("t");
    site.browser.wait_for(&format!("{NOTE} === 'Theme: light'"));
    assert_eq!(site.browser.text_of("document.documentElement.dataset.theme"), "light");
    site.browser.press("ga");
    site.browser.wait_for("document.querySelector('#audit-text')");
    site.browser.press("/");
    assert_eq!(site.focus_id(), "audit-text");
}

#[test]
fn keys_that_can_do_nothing_say_so() {
    let site = Site::rested();
    site.browser.retype("#rps", "many");
    site.browser.script("document.activeElement.blur()");
    site.browser.press("y");
    site.browser.wait_for(&format!("{NOTE} === 'Copy is not possible now.'"));
}

#[test]
fn keys_rest_while_someone_types() {
    let site = Site::rested();
    for id in ["name", "rps", "protocol"] {
        site.browser.script_with("document.getElementById(arguments[0]).focus()", &json!([id]));
        site.browser.press("?tga");
        site.pause();
        assert_eq!(site.focus_id(), id);
        assert_eq!(site.browser.script(&format!("return {DIALOG}")), Value::Null, "{id}");
        assert_eq!(site.view(), "size", "{id}");
    }
    assert_eq!(site.browser.script("return document.documentElement.dataset.theme ?? null"), Value::Null);
    assert!(site.value("name").ends_with("?tga"));
    // With Control, Alt or Command a key is the browser's.
    site.browser.script("document.activeElement.blur()");
    site.browser.script("for (const k of ['ctrlKey', 'metaKey', 'altKey']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 't', bubbles: true, [k]: true }))");
    assert_eq!(site.browser.script("return document.documentElement.dataset.theme ?? null"), Value::Null);
}

#[test]
fn the_list_opens_closes_and_turns_keys_off() {
    let site = Site::rested();
    site.browser.press("?");
    site.browser.wait_for(DIALOG);
    let list = site.text("dialog");
    for part in ["Keyboard shortcuts", "g then a", "Audit", "Simulate", "Single keys work"] {
        assert!(list.contains(part), "{part:?} is missing: {list}");
    }
    for theme in ["light", "dark"] {
        site.prefer("prefers-color-scheme", theme);
        assert_eq!(site.axe(), Vec::<String>::new(), "{theme}");
    }
    site.browser.press(ESCAPE);
    site.browser.wait_for(&format!("!{DIALOG}"));
    // By the button, and the focus comes back to it.
    site.browser.script("document.getElementById('shortcuts').focus()");
    site.browser.press(ENTER);
    site.browser.wait_for(DIALOG);
    site.browser.click("#keys-on");
    site.browser.press(ESCAPE);
    site.browser.wait_for(&format!("!{DIALOG}"));
    assert_eq!(site.focus_id(), "shortcuts");
    for _ in 0..2 {
        site.browser.press("?tga");
        site.pause();
        assert_eq!(site.browser.script(&format!("return {DIALOG}")), Value::Null);
        assert_eq!(site.browser.script("return document.documentElement.dataset.theme ?? null"), Value::Null);
        assert_eq!(site.view(), "size");
        // The choice is kept.
        site.visit("");
        site.wait_rested();
    }
    // The button works still, and turns them on again.
    site.browser.click("#shortcuts");
    site.browser.wait_for(DIALOG);
    assert_eq!(site.browser.script("return document.getElementById('keys-on').checked"), json!(false));
    site.browser.click("#keys-on");
    site.browser.press(ESCAPE);
    site.browser.press("t");
    site.browser.wait_for("document.documentElement.dataset.theme === 'light'");
}

#[test]
fn the_way_past_the_head_leads_to_what_is_shown() {
    for (query, main) in [("", "answer"), ("?view=audit", "audit"), (SHORT, "sim")] {
        let site = Site::start();
        site.browser.go(&format!("{}{query}", site.server.address()));
        site.wait_ready();
        site.wait_rested();
        site.browser.script("document.activeElement.blur()");
        site.browser.press(TAB);
        assert_eq!(site.browser.text_of("document.activeElement.className"), "hr-skip", "{query}");
        site.browser.press(ENTER);
        assert_eq!(site.focus_id(), main, "{query}");
    }
}

/// Walks through the page by the Tab key until the focus comes around, and says what was reached.
const REACHABLE: &str = "return [...document.querySelectorAll('body :is(a[href], button, input, select, textarea, summary, [tabindex=\"0\"])')]
    .filter(e => e.checkVisibility({ visibilityProperty: true }) && !e.disabled && !(e.type === 'radio' && !e.checked))
    .map(e => { e.dataset.want = ''; return 1; }).length";

#[test]
fn tab_reaches_every_control_of_every_view_and_shows_where_it_is() {
    for query in ["", "?view=audit", SHORT] {
        let site = Site::start();
        site.browser.go(&format!("{}{query}", site.server.address()));
        site.wait_ready();
        site.wait_rested();
        site.browser.wait_for("!document.querySelector('[aria-busy=true], #sim progress')");
        site.pause();
        let wanted = site.browser.script(REACHABLE).as_u64().expect("a count");
        assert!(wanted > 20, "{query}: {wanted}");
        site.browser.script("document.activeElement.blur(); window.bare = []; addEventListener('focusin', ({ target }) => { delete target.dataset.want; const s = getComputedStyle(target); if (target.matches(':focus-visible') && (s.outlineStyle === 'none' || parseFloat(s.outlineWidth) < 2)) window.bare.push(target.id || target.className); }, true)");
        for _ in 0..=wanted.div_ceil(10) {
            site.browser.press(&TAB.repeat(10));
        }
        let missed = site.browser.script("return [...document.querySelectorAll('[data-want]')].filter(e => e.isConnected).map(e => e.id || e.textContent.trim() || e.tagName)");
        assert_eq!(missed, json!([]), "{query}: Tab does not reach these");
        assert_eq!(site.browser.script("return window.bare"), json!([]), "{query}: the focus is not seen");
    }
}

#[test]
fn each_view_has_its_own_title() {
    let site = Site::rested();
    let title = "document.title";
    site.browser.wait_for(&format!("{title} === 'checkout · Headroom'"));
    site.browser.click("[data-view-of=audit]");
    site.browser.wait_for(&format!("{title} === 'Audit · checkout · Headroom'"));
    site.browser.retype("#name", "cart");
    site.browser.wait_for(&format!("{title} === 'Audit · cart · Headroom'"));
    // A change that has not settled would become a step of the history of its own, after that of the view.
    site.browser.wait_for("location.hash.includes('name=cart')");
    site.browser.click("[data-view-of=simulate]");
    site.browser.wait_for(&format!("{title} === 'Simulate · cart · Headroom'"));
    site.browser.back();
    site.browser.wait_for(&format!("{title}.startsWith('Audit · ')"));
    site.browser.click("[data-view-of=size]");
    site.browser.wait_for(&format!("!{title}.includes('Audit')"));
}

#[test]
fn where_the_comma_is_the_decimal_sign_numbers_are_not_misread_in_silence() {
    let site = Site::start();
    site.browser.cdp("Emulation.setLocaleOverride", &json!({"locale": "de-DE"}));
    site.browser.cdp(
        "Page.addScriptToEvaluateOnNewDocument",
        &json!({"source": "Object.defineProperty(navigator, 'language', { get: () => 'de-DE' })"}),
    );
    site.visit("");
    site.wait_rested();
    let leave = |id: &str, text: &str| {
        site.browser.retype(id, text);
        site.browser.press(TAB);
    };
    leave("#rps", "1.200");
    site.browser.wait_for(&format!(
        "{NOTE}.includes('“1.200” is read as 1.200, with a fraction: for thousands write 1200.')"
    ));
    leave("#clients", "1,200");
    site.browser
        .wait_for(&format!("{NOTE}.includes('“1,200” is read as 1200: for a fraction write 1.200.')"));
    leave("#rps", "1200.5");
    site.browser.click(".hr-notice button");
    assert_eq!(site.browser.text_of(NOTE), "");
    // A comma that could be either is never guessed, whatever the language.
    leave("#p50", "1,5");
    site.browser.wait_for("document.querySelector('#p50').ariaInvalid === 'true'");
    assert!(site.text("#s-notes-p50").contains("could mean two numbers. Write a point for the fraction."));
    // A keypad for numbers may have no point there.
    assert_eq!(site.browser.text_of("document.querySelector('#p50').inputMode"), "text");
    // What is shown and what is copied is written one way, whatever the language.
    let yaml = site.text("#yaml");
    assert!(yaml.contains("rps=1200.5") && yaml.contains("fleet 3,600 of 704"), "{yaml}");
}

#[test]
fn where_the_point_is_the_decimal_sign_nothing_is_said() {
    let site = Site::rested();
    site.browser.retype("#rps", "1.200");
    site.browser.press(TAB);
    site.pause();
    assert_eq!(site.browser.text_of(NOTE), "");
    assert_eq!(site.browser.text_of("document.querySelector('#rps').inputMode"), "decimal");
}
