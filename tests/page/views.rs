//! Going from view to view: faster than they load, and where one cannot be loaded.

use crate::site::Site;
use serde_json::json;

#[test]
fn the_view_that_was_asked_for_last_is_shown() {
    let site = Site::open();
    for name in ["audit", "review", "embed"] {
        site.browser.script_with(
            "for (const name of [arguments[0], 'size']) document.querySelector(`[data-view-of=${name}]`).click()",
            &json!([name]),
        );
        let place = if name == "embed" { "maker" } else { name };
        site.browser.wait_for(&format!("document.getElementById({place:?})"));
        // What was loaded has had its turn.
        site.browser.script_async("const done = arguments[0]; setTimeout(done, 300)", &json!([]));
        assert_eq!(site.browser.text_of("document.documentElement.dataset.view ?? 'size'"), "size", "{name}");
        assert_eq!(site.browser.text_of("document.querySelector('[aria-current]').dataset.viewOf"), "size");
        assert!(!site.browser.address().contains("view="), "{}", site.browser.address());
    }
}

#[test]
fn a_part_that_cannot_be_loaded_is_told_and_can_be_tried_again() {
    let site = Site::open();
    site.browser.cdp("Network.enable", &json!({}));
    for (press, part, place) in
        [("#saved", "shelf.js", "shelf"), ("[data-view-of=review]", "review.js", "review")]
    {
        site.browser.cdp("Network.setBypassServiceWorker", &json!({"bypass": true}));
        site.browser.cdp("Network.setBlockedURLs", &json!({"urls": [format!("*/{part}")]}));
        site.browser.click(press);
        site.browser.wait_for("document.getElementById('lost')?.innerText.includes('could not be loaded')");
        site.browser.cdp("Network.setBlockedURLs", &json!({"urls": []}));
        site.browser.click(press);
        site.browser.wait_for(&format!("document.getElementById({place:?})?.checkVisibility()"));
        if place == "shelf" {
            site.browser.script("document.getElementById('shelf').close()");
        }
    }
    assert_eq!(site.browser.text_of("document.querySelectorAll('#lost').length"), "0");
}
