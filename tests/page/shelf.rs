//! Saved scenarios: the dialog, the keyboard, what is kept, files, other tabs, a browser that keeps nothing.

use crate::driver::Browser;
use crate::png::{resize, shoot};
use crate::site::Site;
use serde_json::json;

const KEPT: &str = "JSON.parse(localStorage.getItem('headroom-scenarios') ?? '{\"scenarios\":[]}').scenarios.map(s => s.name).join('|')";

impl Site {
    fn open_shelf(&self) {
        self.browser.click("#saved");
        self.browser.wait_for("document.querySelector('#shelf[open]')");
    }

    fn shelf_says(&self, text: &str) {
        self.browser.wait_for(&format!(
            "document.getElementById('s-shelf-said')?.innerText.includes({})",
            json!(text)
        ));
    }

    fn save_as(&self, name: &str) {
        fill(&self.browser, "shelf-name", name);
        self.browser.click("#shelf-save [type=submit]");
    }

    /// Names that the dialog shows, in their order.
    fn shelf_names(&self) -> String {
        self.browser.text_of(
            "[...document.querySelectorAll('.hr-shelf__list .hr-example b')].map(b => b.textContent).join('|')",
        )
    }

    fn active(&self) -> String {
        self.browser.text_of("document.activeElement.id")
    }
}

/// Puts a text into an input at once; ten thousand keys would take a minute.
fn fill(browser: &Browser, id: &str, text: &str) {
    browser.script_with("document.getElementById(arguments[0]).value = arguments[1]", &json!([id, text]));
}

#[test]
fn save_open_and_the_way_back() {
    let site = Site::open();
    assert_eq!(
        site.browser.text_of("document.querySelectorAll('#shelf, [href$=\"shelf.css\"]').length"),
        "0"
    );
    site.open_shelf();
    assert_eq!((site.value("shelf-name"), site.active()), ("checkout".into(), "shelf-name".into()));
    site.browser.press("\u{E007}");
    site.shelf_says("“checkout” saved.");
    site.browser.press("\u{E00C}");
    site.browser.wait_for("!document.querySelector('#shelf[open]')");
    assert_eq!(site.active(), "saved", "the focus goes back");
    site.browser.retype("#rps", "750");
    site.browser.wait_for("location.hash.includes('rps=750')");
    site.open_shelf();
    site.save_as("more");
    site.shelf_says("“more” saved.");
    assert_eq!(site.shelf_names(), "more|checkout");
    assert_eq!(site.browser.text_of(KEPT), "more|checkout");
    site.browser.click("#shelf-open-1");
    site.browser.wait_for("document.querySelector('#rps').value === '500'");
    assert_eq!(site.browser.text_of("String(!!document.querySelector('#shelf[open]'))"), "false");
    assert!(site.browser.address().contains("#v=1&name=checkout&rps=500"));
    site.browser.back();
    site.browser.wait_for("document.querySelector('#rps').value === '750'");
    // A broken form is mended by what is saved, also where the address has it already.
    site.browser.retype("#rps", "x");
    site.open_shelf();
    site.save_as("bad");
    site.shelf_says("Not saved.");
    site.shelf_says("rps: “x”");
    site.browser.click("#shelf-open-0");
    site.browser.wait_for("document.querySelector('#rps').value === '750'");
    site.browser.reload();
    site.wait_ready();
    site.open_shelf();
    assert_eq!(site.shelf_names(), "more|checkout", "it is kept");
}

#[test]
fn rename_duplicate_delete_and_undo_by_keyboard() {
    let site = Site::open();
    site.open_shelf();
    site.save_as("a");
    site.shelf_says("“a” saved.");
    site.browser.script("document.getElementById('shelf-rename-0').focus()");
    site.browser.press("\u{E007}");
    site.browser.wait_for("document.activeElement.id === 'shelf-rename'");
    site.browser.press("\u{E00C}");
    site.browser.wait_for("document.activeElement.id === 'shelf-rename-0'");
    assert_eq!(
        site.browser.text_of("String(!!document.querySelector('#shelf[open]'))"),
        "true",
        "only the renaming ends"
    );
    site.browser.press("\u{E007}");
    site.browser.wait_for("document.activeElement.id === 'shelf-rename'");
    fill(&site.browser, "shelf-rename", "b");
    site.browser.press("\u{E007}");
    site.shelf_says("“a” is “b” now.");
    assert_eq!(site.active(), "shelf-rename-0");
    site.browser.press("\u{E004}");
    assert_eq!(site.active(), "shelf-duplicate-0");
    site.browser.press("\u{E007}");
    site.shelf_says("“b 2” is a copy of “b”.");
    assert_eq!(site.shelf_names(), "b|b 2");
    site.browser.click("#shelf-delete-0");
    site.shelf_says("“b” deleted.");
    assert_eq!((site.active(), site.browser.text_of(KEPT)), ("shelf-undo".into(), "b 2".into()));
    site.browser.press("\u{E007}");
    site.shelf_says("“b” is back.");
    assert_eq!((site.active(), site.shelf_names()), ("shelf-open-0".into(), "b|b 2".into()));
    let live = site.browser.text_of("document.getElementById('s-shelf-said').getAttribute('role')");
    assert_eq!(live, "status", "what happens is announced");
    site.browser.click("[data-shelf=close]");
    site.browser.wait_for("document.activeElement.id === 'saved'");
}

#[test]
fn hostile_names_and_files_stay_text() {
    let site = Site::open();
    site.browser.script("window.hurt = 0");
    site.open_shelf();
    let hostile = "<img src=x onerror=\"window.hurt=1\">";
    site.save_as(hostile);
    site.shelf_says("saved.");
    assert_eq!(site.shelf_names(), hostile);
    site.save_as("pay\u{202e}tuo");
    site.shelf_says("cannot be seen");
    site.save_as(&"x".repeat(10_000));
    site.shelf_says("The name has 10000 characters. Allowed: up to 80.");
    site.drop_file("shelf", 
        "<b>x</b>.json",
        r#"{"headroom": "scenarios", "version": 1, "scenarios": [
            {"name": "<script>window.hurt=2</script>", "link": "v=1&rps=5&p50=3"},
            {"name": "</bdi><img src=x onerror=window.hurt=3>", "link": "v=1&rps=0&hosts=0&p50=3&evil=<img src=x onerror=window.hurt=4>"},
            {"name": "go", "link": "javascript:window.hurt=5"}, 7]}"#,
    );
    site.shelf_says("One scenario imported.");
    for part in [
        "rps: 0 is out of range",
        "hosts: 0 is out of range",
        "evil: This is not an input",
        "“go”: v: The link has no version",
        "Scenario 4: its name is missing",
    ] {
        site.shelf_says(part);
    }
    assert_eq!(site.browser.text_of("document.querySelectorAll('#shelf :is(img, script)').length"), "0");
    for (file, says) in
        [("{", "not valid JSON"), ("[]", "holds no scenarios"), (r#"{"rps": 5}"#, "one scenario as JSON")]
    {
        site.drop_file("shelf", "broken.json", file);
        site.shelf_says(says);
    }
    site.drop_file("shelf", "large.json", &" ".repeat((1 << 20) + 1));
    site.shelf_says("Allowed: up to 1,048,576.");
    site.browser.click("#shelf-open-1");
    site.browser.wait_for("document.querySelector('#rps').value === '5'");
    assert_eq!(site.browser.text_of("String(window.hurt)"), "0");
}

#[test]
fn a_file_goes_out_and_comes_back() {
    let site = Site::open();
    site.open_shelf();
    site.save_as("one");
    site.shelf_says("saved");
    site.save_as("two");
    site.shelf_says("“two” saved.");
    site.browser.script(
        "window.out = []; const make = URL.createObjectURL; URL.createObjectURL = blob => (window.blob = blob, make.call(URL, blob));
         HTMLAnchorElement.prototype.click = function () { const name = this.download; blob.text().then(text => out.push([name, text, blob.type])); };
         HTMLInputElement.prototype.click = function () { window.picker = this; }",
    );
    site.browser.click("[data-shelf=export-all]");
    site.browser.wait_for("out.length === 1");
    assert_eq!(
        site.browser.text_of("out[0][0] + ' ' + out[0][2]"),
        "headroom-scenarios.json application/json"
    );
    site.browser.click("#shelf-export-0");
    site.browser.wait_for("out.length === 2");
    assert_eq!(site.browser.text_of("out[1][0]"), "headroom-two.json");
    site.browser.click("#shelf-delete-0");
    site.shelf_says("“two” deleted.");
    site.browser.click("[data-shelf=pick]");
    site.browser.script(
        "const files = new DataTransfer(); files.items.add(new File([out[0][1]], out[0][0])); picker.files = files.files;
         picker.dispatchEvent(new Event('change'))",
    );
    site.shelf_says("One scenario imported. There already: 1.");
    assert_eq!(site.browser.text_of(KEPT), "one|two");
}

#[test]
fn another_tab_is_seen_and_loses_nothing() {
    let site = Site::open();
    site.open_shelf();
    site.save_as("mine");
    site.shelf_says("saved");
    // A document of its own, as another tab is.
    site.browser.script(
        r#"const frame = document.createElement("iframe"); document.body.append(frame);
           const kept = JSON.parse(localStorage.getItem("headroom-scenarios"));
           kept.scenarios.push({ name: "theirs", link: "v=1&rps=5&p50=3" });
           frame.contentWindow.localStorage.setItem("headroom-scenarios", JSON.stringify(kept))"#,
    );
    site.shelf_says("The list was changed in another tab.");
    assert_eq!(site.shelf_names(), "mine|theirs");
    site.save_as("mine too");
    site.shelf_says("“mine too” saved.");
    assert_eq!(site.browser.text_of(KEPT), "mine too|mine|theirs");
}

#[test]
fn a_half_typed_name_outlives_what_another_tab_does() {
    let site = Site::open();
    site.open_shelf();
    site.save_as("mine");
    site.shelf_says("saved");
    site.browser.click("#shelf-rename-0");
    site.browser.wait_for("document.activeElement?.id === 'shelf-rename'");
    site.browser.press("half");
    site.browser.script(
        r#"const frame = document.createElement("iframe"); document.body.append(frame);
           const kept = JSON.parse(localStorage.getItem("headroom-scenarios"));
           kept.scenarios.push({ name: "theirs", link: "v=1&rps=5&p50=3" });
           frame.contentWindow.localStorage.setItem("headroom-scenarios", JSON.stringify(kept))"#,
    );
    site.shelf_says("The list was changed in another tab.");
    assert_eq!((site.value("shelf-rename"), site.active()), ("half".into(), "shelf-rename".into()));
    site.browser.press(" typed\u{E007}");
    site.shelf_says("“mine” is “half typed” now.");
    assert_eq!(site.browser.text_of(KEPT), "half typed|theirs");
}

#[test]
fn a_browser_that_keeps_nothing_says_so_and_works() {
    let site = Site::start();
    site.browser.cdp(
        "Page.addScriptToEvaluateOnNewDocument",
        &json!({"source": "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"}),
    );
    site.visit("");
    site.open_shelf();
    assert!(
        site.text("#s-shelf-where").starts_with("This browser allows no storage for this page:"),
        "{}",
        site.text("#s-shelf-where")
    );
    site.save_as("for now");
    site.shelf_says("“for now” saved.");
    site.browser.click("[data-shelf=close]");
    site.browser.retype("#rps", "9");
    site.open_shelf();
    assert_eq!(site.shelf_names(), "for now");
    site.browser.click("#shelf-open-0");
    site.browser.wait_for("document.querySelector('#rps').value === '500'");
    assert_eq!(site.browser.text_of("String(!!document.getElementById('stopped'))"), "false");
}

#[test]
fn axe_finds_nothing_and_nothing_scrolls_sideways() {
    let site = Site::open();
    site.open_shelf();
    assert_eq!(site.axe(), Vec::<String>::new(), "empty");
    site.save_as("checkout");
    site.shelf_says("saved");
    site.save_as(&"W".repeat(80));
    site.browser.wait_for("document.querySelectorAll('.hr-shelf__list > li').length === 2");
    site.drop_file("shelf", "broken.json", "{");
    site.shelf_says("not valid JSON");
    for theme in ["light", "dark"] {
        site.prefer("prefers-color-scheme", theme);
        for width in [390, 1280, 1600] {
            resize(&site.browser, width, 844);
            assert_eq!(site.axe(), Vec::<String>::new(), "{theme}, {width}");
            let over = "const d = document.getElementById('shelf'); return String(d.scrollWidth > d.clientWidth || document.documentElement.scrollWidth > innerWidth)";
            assert_eq!(site.browser.script(over), json!("false"), "{width}");
        }
    }
    site.browser.click("#shelf-delete-0");
    site.browser.click("#shelf-rename-0");
    assert_eq!(site.axe(), Vec::<String>::new(), "renaming");
}

#[test]
fn screenshots_of_the_shelf() {
    let site = Site::open();
    site.open_shelf();
    site.save_as("checkout");
    site.shelf_says("saved");
    site.save_as("checkout, twice the rate");
    site.browser.wait_for("document.querySelectorAll('.hr-shelf__list > li').length === 2");
    site.browser.click("#shelf-duplicate-0");
    site.browser.click("#shelf-delete-1");
    for theme in ["light", "dark"] {
        site.prefer("prefers-color-scheme", theme);
        for width in [390, 1280, 1600] {
            resize(&site.browser, width, 844);
            shoot(&site.browser, &format!("shelf-{width}-{theme}"), width);
        }
    }
}
