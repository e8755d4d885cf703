//! The Review view: loaded when it is opened, follows the form, is printed, copied, compared.

use crate::driver::Browser;
use crate::png::{base64, folder, resize, shoot};
use crate::site::Site;
use serde_json::{Value, json};

impl Site {
    /// The page with the Review view open and its document written.
    fn review(query: &str, fragment: &str) -> Self {
        let site = Self::start();
        site.visit(&format!("?view=review{query}{fragment}"));
        site.browser
            .wait_for("document.getElementById('r-numbers') || document.getElementById('review-link')");
        site
    }

    /// Waits until all faults are played.
    fn faults_played(&self) {
        self.browser.wait_for(
            "!document.getElementById('r-faults').innerText.includes('not played yet') && document.getElementById('review-progress').hidden",
        );
    }
}

/// What copying puts into the clipboard: a stand-in, since a browser without a person has none.
fn clipboard(browser: &Browser) {
    browser.script(
        "window.copied = ''; Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } })",
    );
}

/// The pages of a printed document.
fn print(browser: &Browser, width_in: f64, height_in: f64) -> (Vec<u8>, usize) {
    let answer = browser.cdp(
        "Page.printToPDF",
        &json!({"paperWidth": width_in, "paperHeight": height_in, "preferCSSPageSize": false, "printBackground": true}),
    );
    let pdf = base64::decode(answer["data"].as_str().expect("a PDF has data"));
    assert!(pdf.starts_with(b"%PDF-"));
    let text = String::from_utf8_lossy(&pdf);
    let pages = text.matches("/Type /Page\n").count();
    (pdf, pages)
}

const A4: (f64, f64) = (8.27, 11.69);
const LETTER: (f64, f64) = (8.5, 11.0);

#[test]
fn the_view_is_loaded_when_it_is_opened_and_the_way_back_leads_out() {
    let site = Site::open();
    assert!(!site.has_loaded("review"), "loaded before it is needed");
    site.browser.click("[data-view-of=review]");
    site.browser.wait_for("document.getElementById('r-numbers')");
    assert!(site.has_loaded("review-worker.js"));
    assert!(!site.has_loaded("audit"), "no reader is needed");
    assert!(site.browser.address().contains("?view=review"), "{}", site.browser.address());
    site.browser.back();
    site.browser.wait_for("getComputedStyle(document.getElementById('answer')).display !== 'none'");
    assert_eq!(site.browser.text_of("getComputedStyle(document.getElementById('review')).display"), "none");
    assert_eq!(site.browser.log("browser"), Vec::<Value>::new());
}

#[test]
fn the_document_is_there_before_the_faults_and_follows_the_form() {
    let site = Site::review("", "");
    let browser = &site.browser;
    for part in ["r-summary", "r-findings", "r-scenario", "r-questions", "r-sign-off", "r-configuration"] {
        assert!(site.text(&format!("#{part}")).len() > 100, "{part}");
    }
    site.faults_played();
    let faults = site.text("#r-faults");
    assert!(faults.contains("seed 42") && faults.contains("Load surge"), "{faults}");
    assert_eq!(browser.text_of("document.querySelectorAll('#r-faults tbody tr').length"), "10");
    assert!(site.text("#r-summary").contains("700"), "{}", site.text("#r-summary"));
    browser.retype("#clients", "10");
    browser.wait_for("document.getElementById('r-scenario').innerText.includes('10\u{a0}Envoys')");
    // What was played belongs to another scenario; it is played anew.
    site.faults_played();
    browser.retype("#rps", "many");
    browser.wait_for("document.querySelector('#s-review-stale').innerText.includes('attention')");
    assert_eq!(browser.text_of("document.getElementById('review-copy').ariaDisabled"), "true");
    assert_eq!(browser.log("browser"), Vec::<Value>::new());
}

#[test]
fn faults_can_be_stopped_and_go_on() {
    let site = Site::review("", "#v=1&rps=3000&p50=35&p99=110&clients=100&hosts=40&host_concurrency=64");
    let browser = &site.browser;
    browser.wait_for("!document.getElementById('review-progress').hidden");
    browser.click("#review-play");
    browser.wait_for("document.getElementById('review-play').textContent === 'Go on'");
    // The run under way is played to its end.
    browser.script_async("setTimeout(arguments[0], 400)", &json!([]));
    let stood = site.text("#r-faults");
    browser.script_async("setTimeout(arguments[0], 600)", &json!([]));
    assert_eq!(site.text("#r-faults"), stood, "nothing is played while it is stopped");
    assert!(!site.text("#review-progress").contains(" of "), "the count stands once");
    browser.click("#review-play");
    site.faults_played();
}

#[test]
fn findings_are_accepted_and_the_markdown_says_so() {
    let site = Site::review("", "");
    let browser = &site.browser;
    clipboard(browser);
    browser.click("#accept-HR105");
    browser.wait_for("document.getElementById('note-HR105')");
    assert_eq!(browser.text_of("document.activeElement.id"), "accept-HR105", "the focus stays");
    browser.type_into("#note-HR105", "known <b>risk</b>\u{e007}");
    browser.wait_for(
        "document.querySelector('#found-HR105 .hr-doc__status').innerText.includes('known <b>risk</b>')",
    );
    browser.click("#review-copy");
    browser.wait_for("window.copied");
    let copied = browser.text_of("window.copied");
    assert!(copied.starts_with("# checkout: size of its Envoy cluster\n"), "{copied}");
    assert!(copied.contains("(accepted by design: known \\<b>risk\\</b>)"), "{copied}");
    assert!(copied.contains(&format!("Link: <{}#v=1&name=checkout", site.server.address())), "{copied}");
    browser.script("window.saved = ''; HTMLAnchorElement.prototype.click = function () { window.saved = this.download; }");
    browser.script("document.getElementById('review-save').click()");
    browser.wait_for("window.saved");
    assert_eq!(browser.text_of("window.saved"), "checkout-review.md");
}

#[test]
fn a_link_is_compared_and_the_address_keeps_it() {
    let site = Site::review("", "");
    let browser = &site.browser;
    browser.click("#review-compare");
    browser.wait_for("document.getElementById('review-link')");
    browser.type_into(
        "#review-link",
        "https://x.example/#v=1&name=checkout&rps=5000&p50=35&clients=100\u{e007}",
    );
    browser.wait_for("document.getElementById('r-effects')");
    assert!(site.text("#s-review-doc").contains("Peak rate"), "{}", site.text("#s-review-doc"));
    assert!(browser.address().contains("with=v%3D1"), "{}", browser.address());
    browser.wait_for("document.getElementById('r-faults') && !document.getElementById('r-faults').innerText.includes('not played yet')");
    browser.reload();
    browser.wait_for("document.getElementById('r-effects')");
    browser.back();
    browser.wait_for("!document.getElementById('r-effects')");
    assert_eq!(browser.log("browser"), Vec::<Value>::new());
}

#[test]
fn a_pasted_configuration_is_compared_with_what_is_recommended() {
    let site = Site::review("&with=choose", "");
    let browser = &site.browser;
    browser.script_with(
        "const area = document.getElementById('review-pasted'); area.value = arguments[0]; area.dispatchEvent(new InputEvent('input', { bubbles: true }));",
        &json!(["clusters:\n- name: checkout\n  circuit_breakers: {thresholds: [{max_requests: 9000}]}\n"]),
    );
    browser.wait_for("document.getElementById('r-effects')");
    let text = site.text("#s-review-doc");
    assert!(text.contains("Recommended against Pasted") && text.contains("900,000"), "{text}");
    assert!(browser.address().ends_with("?view=review&with=pasted"), "{}", browser.address());
    browser.wait_for("document.getElementById('r-faults') && !document.getElementById('r-faults').innerText.includes('not played yet')");
    // The pasted text is in no request and in no address.
    assert!(!site.server.take_asked().iter().any(|path| path.contains("9000")));
}

#[test]
fn a_link_is_one_wherever_it_is_pasted() {
    let site = Site::review("&with=choose", "");
    let browser = &site.browser;
    browser.script_with(
        "const area = document.getElementById('review-pasted'); area.value = arguments[0]; area.dispatchEvent(new InputEvent('input', { bubbles: true }));",
        &json!(["\nhttps://x.example/#v=1&name=payments&rps=5000&p50=35&clients=100\n"]),
    );
    browser.wait_for("document.getElementById('r-effects')");
    let text = site.text("#s-review-doc");
    assert!(text.contains("This scenario against payments") && text.contains("5,000 req/s"), "{text}");
    assert!(browser.address().contains("with=v%3D1"), "{}", browser.address());
    assert_eq!(
        (site.value("review-pasted"), site.value("review-link")),
        (String::new(), "https://x.example/#v=1&name=payments&rps=5000&p50=35&clients=100".into())
    );
    assert!(!site.has_loaded("audit-worker"), "no reader is needed");
}

#[test]
fn hostile_names_and_links_are_texts() {
    let name = "%3Cimg%20src%3Dx%20onerror%3D%22window.owned%3D1%22%3E%60%7C%5Bx%5D(javascript%3A1)";
    let site = Site::review("", &format!("#v=1&name={name}&rps=500&p50=35&clients=10"));
    let browser = &site.browser;
    assert!(site.text("#r-head").contains("<img src=x onerror="), "{}", site.text("#r-head"));
    for with in [
        format!("v%3D1%26name%3D{}%26rps%3D500%26p50%3D35", name.replace('%', "%25")),
        "%3Cscript%3Ewindow.owned%3D1%3C%2Fscript%3E".to_owned(),
        "v%3D1%26%3Cimg%20src%3Dx%3E%3D1".to_owned(),
        "%00%ff".to_owned(),
    ] {
        site.visit(&format!("?view=review&with={with}#v=1&name={name}&rps=500&p50=35&clients=10"));
        browser.wait_for(
            "document.querySelector('#s-review-doc > *') || document.querySelector('#s-review-wrong > *')",
        );
        assert_eq!(
            browser.text_of("document.querySelectorAll('#review :is(img, script, iframe)').length"),
            "0"
        );
        assert_eq!(browser.text_of("window.owned"), "undefined");
    }
}

#[test]
fn it_prints_on_a4_and_letter() {
    let site = Site::review("", "");
    let browser = &site.browser;
    site.faults_played();
    for ((width, height), name) in [(A4, "a4"), (LETTER, "letter")] {
        let (pdf, pages) = print(browser, width, height);
        std::fs::write(folder().join(format!("review-{name}.pdf")), &pdf).expect("target can be written");
        assert!((5..=12).contains(&pages), "{pages} pages on {name}");
        let text = String::from_utf8_lossy(&pdf);
        assert!(
            text.contains("/FontFile") && text.contains("/StructTreeRoot"),
            "fonts and structure are in it"
        );
    }
    // As it is laid out for print: a page is 8.27 in less the margins wide.
    browser.cdp("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    resize(browser, 688, 1000);
    let wide = browser.script(
        "return [...document.querySelectorAll('#review *')].filter((e) => !e.closest('svg') && e.getBoundingClientRect().right > 690).map((e) => e.tagName + '.' + e.className + ' ' + e.textContent.slice(0, 40))",
    );
    assert_eq!(wide, json!([]), "cut at the right edge");
    shoot(browser, "review-print", 688);
    for selector in ["#form", "#top", ".hr-review__bar", ".hr-doc__hands"] {
        assert_eq!(
            browser.text_of(&format!("getComputedStyle(document.querySelector('{selector}')).display")),
            "none",
            "{selector} is not for paper"
        );
    }
    let rules = browser.script(
        "const of = (s) => { const c = getComputedStyle(document.querySelector(s)); return [c.breakInside, c.breakAfter]; };
         return [of('#review tr')[0], of('#review figure')[0], of('#review h2')[1], getComputedStyle(document.querySelector('#review thead')).display]",
    );
    assert_eq!(rules, json!(["avoid", "avoid", "avoid", "table-header-group"]));
    browser.cdp("Emulation.setEmulatedMedia", &json!({"media": ""}));
}

#[test]
fn the_size_view_prints_too() {
    let site = Site::open();
    let (pdf, pages) = print(&site.browser, A4.0, A4.1);
    std::fs::write(folder().join("size-a4.pdf"), &pdf).expect("target can be written");
    assert!((1..=8).contains(&pages), "{pages} pages");
    site.browser.cdp("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    resize(&site.browser, 688, 1000);
    assert_eq!(site.browser.text_of("getComputedStyle(document.querySelector('#form')).display"), "none");
    let wide = site.browser.script("return document.documentElement.scrollWidth - innerWidth");
    assert!(wide.as_i64().is_some_and(|wide| wide <= 0), "{wide} px too wide");
    site.browser.cdp("Emulation.setEmulatedMedia", &json!({"media": ""}));
}

#[test]
fn axe_finds_nothing_and_nothing_scrolls_sideways() {
    let site = Site::review("", "");
    let browser = &site.browser;
    site.faults_played();
    let compared = "?view=review&with=v%3D1%26rps%3D5000%26p50%3D35%26clients%3D100";
    for theme in ["light", "dark"] {
        site.prefer("prefers-color-scheme", theme);
        browser.script("document.querySelectorAll('#review details').forEach(d => d.open = true)");
        browser.script("document.querySelector('#accept-HR105[aria-pressed=false]')?.click()");
        assert_eq!(site.axe(), Vec::<String>::new(), "{theme}");
    }
    site.visit(compared);
    browser.wait_for("document.getElementById('r-effects')");
    for theme in ["light", "dark"] {
        site.prefer("prefers-color-scheme", theme);
        assert_eq!(site.axe(), Vec::<String>::new(), "compared, {theme}");
    }
    for address in ["?view=review", compared] {
        site.visit(address);
        browser.wait_for("document.querySelector('#s-review-doc > *')");
        for width in [320, 390] {
            resize(browser, width, 900);
            browser.script_async("setTimeout(arguments[0], 250)", &json!([]));
            let wide = browser.script("return document.documentElement.scrollWidth - innerWidth");
            assert!(wide.as_i64().is_some_and(|wide| wide <= 0), "{wide} px too wide at {width}");
            let wide = "[...document.querySelectorAll('.hr-doc__wide')].filter(w => w.scrollWidth > w.clientWidth + 1).map(w => w.ariaLabel).join()";
            if width >= 390 {
                assert_eq!(browser.text_of(wide), "", "tables that scroll at {width}");
            }
            let tabs = browser.script("const tabs = [...document.querySelectorAll('.hr-tabs a')]; return tabs.length === 4 && new Set(tabs.map((t) => t.offsetTop)).size === 1 && tabs.every((t) => t.scrollWidth <= t.clientWidth + 1)");
            assert_eq!(tabs, json!(true), "four tabs in a row at {width}");
        }
        resize(browser, 1280, 900);
    }
}

#[test]
fn screenshots_of_the_review() {
    let site = Site::review("", "");
    site.faults_played();
    for theme in ["light", "dark"] {
        site.prefer("prefers-color-scheme", theme);
        for width in [390, 1280, 1600] {
            shoot(&site.browser, &format!("review-{width}-{theme}"), width);
        }
    }
    site.visit("?view=review&with=v%3D1%26rps%3D5000%26p50%3D35%26clients%3D100");
    site.browser.wait_for("document.getElementById('r-faults') && !document.getElementById('r-faults').innerText.includes('not played yet')");
    shoot(&site.browser, "review-compare-1280-light", 1280);
    shoot(&site.browser, "review-compare-390-light", 390);
}

#[test]
fn nothing_is_exchanged_under_a_press() {
    let site = Site::review("", "");
    let browser = &site.browser;
    browser.click("#accept-HR105");
    browser.wait_for("document.getElementById('note-HR105')");
    browser.script(
        "window.pressed = document.getElementById('accept-HR105');
         pressed.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
         const note = document.getElementById('note-HR105');
         note.value = 'until June';
         note.dispatchEvent(new Event('change', { bubbles: true }))",
    );
    browser.script_async("setTimeout(arguments[0], 500)", &json!([]));
    assert_eq!(browser.text_of("window.pressed.isConnected"), "true", "it is still under the finger");
    browser.script("dispatchEvent(new PointerEvent('pointerup'))");
    browser
        .wait_for("document.querySelector('#found-HR105 .hr-doc__status').innerText.includes('until June')");
}
