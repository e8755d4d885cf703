//! Light, dark, or as the system says.

use crate::site::Site;
use serde_json::json;

const TOGGLE: &str = ".hr-top__tools .hr-btn:first-child";

impl Site {
    fn theme(&self) -> String {
        self.browser.text_of("document.documentElement.dataset.theme")
    }

    fn ground(&self) -> String {
        self.browser.text_of("getComputedStyle(document.documentElement).backgroundColor")
    }
}

#[test]
fn the_choice_is_kept() {
    let site = Site::open();
    assert_eq!(site.theme(), "undefined");
    site.browser.click(TOGGLE);
    assert_eq!(site.theme(), "light");
    site.browser.click(TOGGLE);
    assert_eq!(site.theme(), "dark");
    let dark = site.ground();
    site.browser.reload();
    site.wait_ready();
    assert_eq!((site.theme(), site.ground()), ("dark".to_owned(), dark));
    assert_eq!(
        site.browser.text_of(&format!("document.querySelector('{TOGGLE}').getAttribute('aria-label')")),
        "Theme: dark"
    );
    site.browser.click(TOGGLE);
    assert_eq!(site.theme(), "undefined");
    site.browser.reload();
    site.wait_ready();
    assert_eq!(site.theme(), "undefined");
}

#[test]
fn blocked_storage_costs_only_the_memory() {
    let site = Site::start();
    let blocked = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError') } })";
    site.browser.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({"source": blocked}));
    site.visit("");
    site.browser.click(TOGGLE);
    site.browser.click(TOGGLE);
    assert_eq!(site.theme(), "dark");
    site.browser.retype("#rps", "900");
    assert!(site.text(".hr-say").contains("requests in flight"));
}
