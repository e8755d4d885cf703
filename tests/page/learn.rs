//! The learn pages: read without a script, simulations that say what is printed, frames; and in the page terms, notes and the tour.

use crate::driver::Browser;
use crate::png::resize;
use crate::site::Site;
use serde_json::{Value, json};

const PAGES: [&str; 9] = [
    "index",
    "retry-amplification",
    "breaker-feedback",
    "outlier-cascade",
    "timeout-inversion",
    "hedging-spike",
    "misread-failures",
    "how-we-know",
    "glossary",
];

impl Site {
    fn learn(&self, page: &str) {
        self.browser.go("about:blank");
        self.browser.go(&format!("{}learn/{page}", self.server.address()));
    }

    /// The figure of a lesson, as it stands.
    fn figure(&self) -> String {
        self.browser.text_of("document.querySelector('.hr-lesson').innerHTML")
    }

    fn lesson_played(&self) {
        self.browser.wait_for("document.querySelector('[data-state]').textContent.startsWith('Played')");
    }

    fn log(&self) -> Vec<Value> {
        self.browser.log("browser")
    }
}

fn lessons() -> &'static [&'static str] {
    &PAGES[1..7]
}

#[test]
fn pages_are_read_without_a_script() {
    let site = Site::start();
    site.browser.cdp("Emulation.setScriptExecutionDisabled", &json!({"value": true}));
    for page in PAGES {
        site.learn(&format!("{page}.html"));
        let has = |selector: &str| !site.elements(selector).is_empty();
        assert!(has("h1") && has("main p") && has(".hr-learn-top a"), "{page}");
        if lessons().contains(&page) {
            assert!(has(".hr-lesson svg path") && has(".hr-lesson-table td"), "{page}");
            assert!(!has("form:not([hidden])"), "{page}: what does nothing is not shown");
        }
    }
}

#[test]
fn the_simulation_says_what_is_printed() {
    let site = Site::start();
    for lesson in lessons() {
        site.server.take_asked();
        site.learn(&format!("{lesson}.html"));
        let printed = site.figure();
        let asked = site.server.take_asked();
        assert!(
            !asked.iter().any(|path| path.contains("simulate")),
            "{lesson}: loaded before it was asked for: {asked:?}"
        );
        site.browser.click("form[data-lesson] button");
        site.lesson_played();
        assert_eq!(site.figure(), printed, "{lesson}");
    }
    assert_eq!(site.log(), Vec::<Value>::new());
}

#[test]
fn a_choice_is_played() {
    let site = Site::start();
    site.learn("retry-amplification.html");
    let printed = site.figure();
    let say = || site.text(".hr-lesson-say");
    assert!(say().contains("has not recovered when the run ends"), "{}", say());
    site.browser.click("[name=retries][value='1']");
    site.lesson_played();
    site.browser
        .wait_for("document.querySelector('.hr-lesson-say').textContent.includes('and 100% after it')");
    assert_ne!(site.figure(), printed);
    let spoken = site.browser.text_of("document.querySelector('form [role=status]').textContent");
    assert_eq!(spoken, say(), "what is shown is said");
    // By keyboard: from one retry to three again.
    site.browser.script("document.querySelector('[name=retries]:checked').focus()");
    site.browser.press("\u{e014}\u{e014}");
    site.browser.wait_for("document.querySelector('.hr-lesson-say').textContent.includes('and 0% after it')");
    assert_eq!(site.figure(), printed);
    assert_eq!(site.log(), Vec::<Value>::new());
}

#[test]
fn without_its_module_the_picture_stays() {
    let site = Site::start();
    site.browser.cdp(
        "Page.addScriptToEvaluateOnNewDocument",
        &json!({"source": "const Real = Worker; window.Worker = class { constructor() { return new Real('missing.js'); } }"}),
    );
    site.learn("breaker-feedback.html");
    let printed = site.figure();
    site.browser.click("[name=limit][value='2']");
    site.browser.wait_for("document.querySelector('[data-state]').textContent.includes('could not run')");
    assert_eq!(site.figure(), printed);
    assert_eq!(
        site.browser.text_of("document.querySelector('[name=limit]:checked').value"),
        "5",
        "the choices are those of the picture"
    );
}

#[test]
fn axe_finds_nothing_on_any_learn_page() {
    let site = Site::start();
    for theme in ["light", "dark"] {
        site.prefer("prefers-color-scheme", theme);
        for page in PAGES {
            site.learn(&format!("{page}.html"));
            assert_eq!(site.axe(), Vec::<String>::new(), "{page}, {theme}");
        }
        site.browser.go("about:blank");
        site.learn("misread-failures.html?embed");
        site.browser.click("form[data-lesson] button");
        site.lesson_played();
        assert_eq!(site.axe(), Vec::<String>::new(), "played in a frame, {theme}");
    }
}

#[test]
fn no_learn_page_is_wider_than_the_screen() {
    let site = Site::start();
    for width in [320, 390, 1280, 1600] {
        resize(&site.browser, width, 900);
        for page in PAGES {
            site.learn(&format!("{page}.html"));
            let wide = site.browser.script("return document.documentElement.scrollWidth - innerWidth");
            assert!(wide.as_i64().is_some_and(|wide| wide <= 0), "{page} at {width}: {wide} px too wide");
        }
    }
}

#[test]
fn a_frame_holds_the_text_and_tells_its_height() {
    let site = Site::newcomer();
    // Another origin: the same server under another name.
    let address = site.server.address().replace("127.0.0.1", "localhost");
    // A file of the server that has no policy of its own, as the page around.
    site.browser.go(&format!("{}manifest.webmanifest", site.server.address()));
    site.browser.script_with(
        "window.told = []; addEventListener('message', e => told.push(e.data)); \
         const frame = document.createElement('iframe'); frame.src = arguments[0]; frame.width = 600; document.body.append(frame)",
        &json!([format!("{address}learn/retry-amplification.html?embed&theme=dark")]),
    );
    site.browser.wait_for("told.length");
    let told = site.browser.script("return told.at(-1)");
    assert_eq!(told["type"], "headroom:height");
    let height = told["height"].as_u64().expect("px");
    assert!((1_500..9_000).contains(&height), "{height}");
    site.browser.script("document.querySelector('iframe').width = 320");
    site.browser.wait_for(&format!("told.at(-1).height > {height}"));
    // In the frame itself: no chrome, the colors asked for, links that leave it alone.
    site.learn("retry-amplification.html?embed&theme=dark");
    assert_eq!(
        site.browser.text_of("getComputedStyle(document.querySelector('.hr-learn-top')).display"),
        "none"
    );
    assert_eq!(site.browser.text_of("getComputedStyle(document.documentElement).colorScheme"), "dark");
    let kept = "[...document.links].filter(a => !a.getAttribute('href').startsWith('#') && a.target !== '_blank').length";
    assert_eq!(site.browser.text_of(kept), "0");
    assert_eq!(site.browser.text_of("document.activeElement.tagName"), "BODY");
    assert_eq!(site.browser.text_of("localStorage.length + document.cookie.length"), "0");
}

#[test]
fn a_term_explains_itself_by_keyboard() {
    let site = Site::open();
    let open = "document.querySelector('.hr-term-box:popover-open')";
    site.browser.script("document.querySelector('[data-term=floor]').focus()");
    site.browser.press("\u{e007}");
    site.browser.wait_for(&format!("{open}?.textContent.includes('lowest limit that still serves')"));
    let expanded = "document.querySelector('[data-term=floor]').getAttribute('aria-expanded')";
    site.browser.wait_for(&format!("{expanded} === 'true'"));
    site.browser.press("\u{e00c}");
    site.browser.wait_for(&format!("!{open} && {expanded} === 'false'"));
    assert_eq!(
        site.browser.text_of("document.activeElement.dataset.term"),
        "floor",
        "the focus is where it was"
    );
    // Every term has its entry.
    let terms = site.browser.script(
        "return [...new Set([...document.querySelectorAll('[data-term]')].map(t => t.dataset.term))]",
    );
    let terms: Vec<&str> = terms.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(terms.len() >= 9, "{terms:?}");
    for term in terms {
        site.browser.click(&format!("[data-term={term}]"));
        site.browser.wait_for(&format!("{open}?.querySelector('p, b + p')"));
        assert_eq!(site.axe(), Vec::<String>::new(), "{term}");
        site.browser.press("\u{e00c}");
        site.browser.wait_for(&format!("!{open}"));
    }
    // What the page writes is not in its way.
    let n_terms = "document.querySelectorAll('[data-term]').length";
    let (say, n) = (site.text("#s-say"), site.browser.text_of(n_terms));
    site.browser.retype("#rps", "90");
    site.browser.wait_for("location.hash.includes('rps=90&')");
    assert_ne!(site.text("#s-say"), say);
    assert_eq!(site.browser.text_of(n_terms), n, "terms outlive what is typed");
    assert_eq!(site.log(), Vec::<Value>::new());
}

const SHOWN: &str = "document.querySelector('#tour-box:popover-open')";
const STEP: &str = "document.querySelector('#tour-box small')?.textContent";

fn is_shown(browser: &Browser) -> bool {
    browser.script(&format!("return Boolean({SHOWN})")) == Value::Bool(true)
}

#[test]
fn the_tour_is_shown_once_and_can_be_skipped() {
    let site = Site::newcomer();
    site.visit("");
    site.browser.wait_for(SHOWN);
    assert_eq!(site.browser.text_of("document.activeElement.tagName"), "BODY", "the focus is left alone");
    assert_eq!(site.browser.text_of("scrollY"), "0");
    assert_eq!(site.axe(), Vec::<String>::new());
    // The page can be used meanwhile.
    site.browser.retype("#rps", "501");
    site.browser.press("\u{e00c}");
    site.browser.wait_for(&format!("!{SHOWN}"));
    for _ in 0..2 {
        site.visit("");
        assert!(!is_shown(&site.browser), "never twice");
    }
    // From the foot, as often as one likes; then the focus goes with it, and back.
    site.browser.click("#tour");
    site.browser.wait_for(SHOWN);
    for step in 1..=5 {
        site.browser.wait_for(&format!("{STEP} === '{step} of 5'"));
        assert_eq!(site.browser.text_of("document.activeElement.id"), "tour-next");
        site.browser.press(if step % 2 == 0 { "\u{e014}" } else { "\u{e007}" });
    }
    site.browser.wait_for(&format!("!{SHOWN}"));
    assert_eq!(site.browser.text_of("document.activeElement.id"), "tour");
    site.browser.press("\u{e007}");
    site.browser.wait_for(SHOWN);
    site.browser.press("\u{e014}\u{e012}");
    site.browser.wait_for(&format!("{STEP} === '1 of 5'"));
    site.browser.click("#tour-skip");
    site.browser.wait_for(&format!("!{SHOWN}"));
    assert_eq!(site.log(), Vec::<Value>::new());
}

#[test]
fn the_tour_fits_every_screen_and_moves_nothing() {
    for (width, height) in [(320, 640), (390, 844), (1280, 900), (1600, 1000)] {
        let site = Site::newcomer();
        resize(&site.browser, width, height);
        site.browser.cdp(
            "Page.addScriptToEvaluateOnNewDocument",
            &json!({"source": "window.jumps = 0; new PerformanceObserver(list => list.getEntries().forEach(e => jumps += e.value)).observe({ type: 'layout-shift', buffered: true })"}),
        );
        site.prefer("prefers-color-scheme", "dark");
        site.visit("");
        site.browser.wait_for(SHOWN);
        let jumps = site.browser.script("return jumps").as_f64().expect("a number");
        assert!(jumps < 0.02, "{width}: {jumps}");
        for step in 1..=5 {
            site.browser.wait_for(&format!("{STEP} === '{step} of 5'"));
            site.browser
                .script_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))", &json!([]));
            let outside = site.browser.script(
                "const r = document.querySelector('#tour-box').getBoundingClientRect(); return [r.left, r.top, innerWidth - r.right, innerHeight - r.bottom].filter(d => d < 0).length",
            );
            assert_eq!(outside, json!(0), "{width}, step {step}");
            assert_eq!(site.axe(), Vec::<String>::new(), "{width}, step {step}");
            site.browser.click("#tour-next");
        }
    }
}

#[test]
fn no_tour_for_those_who_follow_a_link_or_look_at_a_frame() {
    let site = Site::newcomer();
    for address in ["#v=1&rps=90&p50=20&p99=80", "?view=audit", "?embed"] {
        site.browser.go("about:blank");
        site.browser.go(&format!("{}{address}", site.server.address()));
        // A frame has a page of its own, without guidance.
        site.browser.wait_for(
            "performance.getEntriesByName('guide-ready').length || location.pathname.endsWith('/embed.html')",
        );
        assert!(!is_shown(&site.browser), "{address}");
        assert_eq!(site.browser.text_of("document.querySelectorAll('.hr-note').length"), "0", "{address}");
    }
    assert_eq!(site.browser.text_of("localStorage.getItem('headroom-tour')"), "null", "it is still to come");
}

#[test]
fn with_blocked_storage_the_tour_is_offered_by_a_link() {
    let site = Site::newcomer();
    site.browser.cdp(
        "Page.addScriptToEvaluateOnNewDocument",
        &json!({"source": "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } })"}),
    );
    site.visit("");
    assert!(!is_shown(&site.browser));
    site.browser.click("#tour");
    site.browser.wait_for(SHOWN);
}

#[test]
fn notes_stand_at_the_worked_example_until_they_are_closed() {
    let site = Site::newcomer();
    site.visit("");
    site.browser.press("\u{e00c}");
    let count = "document.querySelectorAll('.hr-note').length";
    assert_eq!(site.browser.text_of(count), "3");
    site.browser.click(".hr-note button");
    assert_eq!(site.browser.text_of(count), "2");
    site.visit("");
    assert_eq!(site.browser.text_of(count), "2", "closed ones stay closed");
    site.browser.retype("#rps", "70");
    assert_eq!(site.browser.text_of(count), "0", "they are about the example");
}

#[test]
fn notes_are_asked_for_where_there_is_no_room_beside_the_heading() {
    let site = Site::newcomer();
    resize(&site.browser, 390, 900);
    site.visit("");
    site.browser.press("\u{e00c}");
    let shown =
        "[...document.querySelectorAll('.hr-note')].filter(note => note.getClientRects().length).length";
    site.browser.wait_for("document.querySelectorAll('.hr-note-more').length === 3");
    assert_eq!(site.browser.text_of(shown), "0", "nothing moves by itself");
    site.browser.click(".hr-note-more");
    assert_eq!(site.browser.text_of(shown), "1");
    assert_eq!(site.browser.script("return document.documentElement.scrollWidth - innerWidth"), json!(0));
    assert_eq!(site.axe(), Vec::<String>::new());
    site.browser.click(".hr-note button");
    assert_eq!(site.browser.text_of("document.querySelectorAll('.hr-note, .hr-note-more').length"), "4");
}
