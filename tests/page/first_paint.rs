//! What stands in `index.html` before the calculator is there, and that nothing moves when it comes.

use crate::driver::Browser;
use crate::png::resize;
use crate::site::Site;
use headroom::engine::analyze;
use headroom::engine::scenario::Preset;
use serde_json::{Value, json};
use std::path::Path;

/// Turns the live page into the static one: texts of inputs become attributes, everything that
/// could be pressed waits, and the status says what this is.
const FREEZE: &str = r##"
const page = document.getElementById("page").cloneNode(true);
const live = document.getElementById("page");
const walk = document.createTreeWalker(page, NodeFilter.SHOW_COMMENT);
const comments = [];
while (walk.nextNode()) comments.push(walk.currentNode);
comments.forEach(comment => comment.remove());
// Terms are marked when the page is idle.
for (const term of page.querySelectorAll(".hr-term")) term.replaceWith(term.textContent);
page.normalize();
for (const input of page.querySelectorAll("input")) {
  const from = live.querySelector("#" + input.id);
  if (input.type === "checkbox") input.disabled = true;
  else { input.readOnly = true; if (from.value) input.setAttribute("value", from.value); }
}
for (const select of page.querySelectorAll("select")) {
  select.disabled = true;
  const at = live.querySelector("#" + select.id).selectedIndex;
  select.options[at].setAttribute("selected", "");
}
for (const button of page.querySelectorAll("button")) button.disabled = true;
// It is drawn for the width of the screen.
page.querySelector(".hr-plot").replaceChildren();
// Colors come with the calculator; until then the text is enough.
const code = page.querySelector("#yaml");
// The address is another one wherever the page is; the static example knows none.
code.textContent = code.textContent.replace(location.origin + location.pathname, "");
for (const attribute of ["data-testid", "data-do", "inputmode", "autocomplete", "spellcheck"])
  for (const element of page.querySelectorAll(`[${attribute}]`)) element.removeAttribute(attribute);
const status = page.querySelector(".hr-status");
status.className = "hr-status hr-info";
status.querySelector("use").setAttribute("href", "#i-info");
status.replaceChildren(status.querySelector("svg"), "Worked example ", Object.assign(document.createElement("span"), { textContent: "inputs open in a moment" }));
return page.innerHTML
  .replaceAll(/<(?=(?:section|div|p|table|thead|tbody|tr|li|ul|ol|dl|dt|fieldset|details|form|main|aside|header|nav|figure|pre)\b)/g, "\n<")
  .replaceAll("=\"\"", "").trim();
"##;

#[test]
fn the_static_example_is_what_the_page_itself_shows() {
    let site = Site::open();
    let frozen = site.browser.script(FREEZE).as_str().expect("HTML is text").to_owned();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("index.html");
    let file = std::fs::read_to_string(&path).expect("index.html is there");
    let (before, rest) = file.split_once("<div id=\"page\">\n").expect("index.html has the place for it");
    let (example, after) = rest.split_once("\n</div>\n<footer").expect("the foot of the page comes after it");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let new = format!("{before}<div id=\"page\">\n{frozen}\n</div>\n<footer{after}");
        std::fs::write(&path, new).expect("index.html can be written");
        return;
    }
    let difference = example.lines().zip(frozen.lines()).find(|(old, new)| old != new);
    assert!(
        example == frozen,
        "index.html is not what the page shows; build it, run this test with UPDATE_EXPECT=1, and build again. \
         First difference: {difference:?}"
    );
}

#[test]
fn the_first_paint_has_the_numbers_of_the_engine() {
    let site = Site::start();
    open_without_calculator(&site);
    let answer = analyze(&Preset::first_paint().scenario()).expect("the preset is valid");
    let plain = |text: &str| text.replace('\u{a0}', " ");
    assert_eq!(plain(&site.text(".hr-say")), plain(&answer.headline.sentence_text()));
    assert_eq!(site.text(".hr-table--limits .hr-big"), answer.window.chosen.to_string());
    assert!(site.text(".hr-status").starts_with("Worked example"));
    assert_eq!(site.value("rps"), "500");
    let open = site.browser.script(
        "return [...document.querySelectorAll('input:not([type=checkbox])')].filter(i => !i.readOnly).length",
    );
    assert_eq!(open, json!(0), "inputs are read-only until they work");
}

#[test]
fn nothing_moves_when_the_calculator_arrives() {
    let site = Site::start();
    for width in [390, 768, 1280, 1600] {
        resize(&site.browser, width, 900);
        open_without_calculator(&site);
        let before = places(&site.browser);
        site.browser.cdp("Network.setBlockedURLs", &json!({"urls": []}));
        site.visit("");
        let after = places(&site.browser);
        let (before, after) = (before.as_array().expect("a list"), after.as_array().expect("a list"));
        assert_eq!(before.len(), after.len(), "at {width}");
        for (old, new) in before.iter().zip(after) {
            assert!(is_same_place(old, new), "at {width}: {old} moved: {new}");
        }
        assert_eq!(shifts(&site.browser), Vec::<String>::new(), "layout shift at {width}");
    }
}

/// The same element, with the same words, within half a pixel.
fn is_same_place(old: &Value, new: &Value) -> bool {
    const HALF_A_PIXEL: f64 = 0.5;
    let words = |place: &Value| (place[0].clone(), place[5].clone());
    let side = |place: &Value, at: usize| place[at].as_f64().unwrap_or(f64::NAN);
    words(old) == words(new) && (1..5).all(|at| (side(old, at) - side(new, at)).abs() <= HALF_A_PIXEL)
}

fn open_without_calculator(site: &Site) {
    site.browser.cdp("Network.enable", &json!({}));
    site.browser.cdp("Network.setBlockedURLs", &json!({"urls": ["*/boot.js"]}));
    site.browser.go("about:blank");
    site.browser.go(site.server.address());
}

/// Where every element is that a person would notice moving, but the words of the status.
fn places(browser: &Browser) -> Value {
    browser.script(
        r##"return [...document.querySelectorAll("#page :is(h2, p, input, select, button, legend, summary, td, th, li, dt, dd, pre, svg, label)")]
            .filter(e => !e.closest(".hr-status, .hr-plot") && !e.matches(".hr-term"))
            .map(e => { const b = e.getBoundingClientRect(); return [e.tagName, b.x, b.y, b.width, b.height, e.tagName === "SVG" ? "" : e.textContent.replaceAll(/\s/g, "").slice(0, 40)] })"##,
    )
}

/// What Chromium counted as layout shift since the page was opened: how much, and what moved.
fn shifts(browser: &Browser) -> Vec<String> {
    let list = browser.script_async(
        r#"const done = arguments[0]; const all = [];
           const named = n => n ? `${n.nodeName}#${n.id ?? ""}.${n.className ?? n.textContent}` : "?";
           new PerformanceObserver(list => { for (const entry of list.getEntries()) if (entry.value > 0) all.push(`${entry.value}: ${entry.sources.map(s => named(s.node))}`); }).observe({ type: "layout-shift", buffered: true });
           requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(all), 50)));"#,
        &json!([]),
    );
    list.as_array().expect("a list").iter().map(|v| v.as_str().unwrap_or_default().to_owned()).collect()
}
