//! What many keystrokes leave on the page is what a page shows that is opened with their texts.

use crate::site::Site;
use serde_json::json;

/// The answer, the output and the result as HTML, with attributes in one order; which lines the last
/// edit changed is another matter.
const SHOWN: &str = r#"
const sorted = tag => tag.replace(/ [\w-]+="[^"]*"/g, '') + (tag.match(/ [\w-]+="[^"]*"/g) ?? []).sort().join('');
return ['answer', 'rail', 'result'].map(id => document.getElementById(id).innerHTML
  .replaceAll('hr-line hr-line--changed', 'hr-line').replace(/<\w[^>]*>/g, sorted)).join('\n');
"#;

/// Types texts into inputs, and lets the page answer each.
const TYPE: &str = r"
const [texts, done] = arguments;
(async () => {
  for (const [id, text] of texts) {
    const input = document.getElementById(id);
    if (input.type === 'checkbox') input.checked = text === 'true'; else input.value = text;
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn)));
  }
  // Until the address is that of the last text.
  setTimeout(done, 600);
})();";

#[test]
fn a_page_that_was_typed_into_shows_what_a_fresh_one_does() {
    let site = Site::open();
    let runs = [
        json!([
            ["rps", "5"],
            ["rps", "50"],
            ["rps", "5000"],
            ["hosts", "1"],
            ["hosts", "120"],
            ["clients", "7"]
        ]),
        json!([["p99", "900"], ["slowdown", "8"], ["host_concurrency", ""], ["rps", "x"], ["rps", "70"]]),
        json!([
            ["host_concurrency", "10"],
            ["high_priority_share", "0.3"],
            ["name", "a<b>&\"c"],
            ["rps", "71"]
        ]),
        json!([["high_priority_share", ""], ["idempotent", "true"], ["retry_overhead", "0"], ["p99", "90"]]),
        json!([["protocol", "grpc"], ["retry_overhead", "0.2"], ["rps", "20000"], ["clients", "1"]]),
        json!([["protocol", "grpc_stream"], ["stream_mean", "300"], ["hosts", "9"], ["protocol", "http1"]]),
    ];
    for run in runs {
        site.browser.script_async(TYPE, &json!([run]));
        let typed = site.browser.text_of(&format!("(() => {{ {SHOWN} }})()"));
        let address = site.browser.address();
        site.browser.go("about:blank");
        site.browser.go(&address);
        site.wait_ready();
        site.browser.wait_for("document.querySelector('#plot svg')");
        let fresh = site.browser.text_of(&format!("(() => {{ {SHOWN} }})()"));
        let difference = typed.split('<').zip(fresh.split('<')).find(|(typed, fresh)| typed != fresh);
        assert!(typed == fresh, "after {run} at {address}: {difference:?}");
    }
}
