//! Screenshots, to be looked at beside those of the design.

use crate::png::{self, shoot};
use crate::site::Site;
use serde_json::json;

#[test]
fn screenshots_of_both_themes_at_three_widths() {
    let site = Site::open();
    for theme in ["light", "dark"] {
        site.browser.cdp(
            "Emulation.setEmulatedMedia",
            &json!({"features": [{"name": "prefers-color-scheme", "value": theme}]}),
        );
        for width in [390, 1280, 1600] {
            shoot(&site.browser, &format!("size-{width}-{theme}"), width);
        }
    }
}

#[test]
fn screenshots_of_presets_and_invalid_inputs() {
    let site = Site::open();
    shoot(&site.browser, "first", 1280);
    for at in 1..=5 {
        site.browser.click(".hr-formtools .hr-btn:first-child");
        site.browser.click(&format!(".hr-examples li:nth-child({at}) button"));
        shoot(&site.browser, &format!("preset-{at}"), 1280);
        png::resize(&site.browser, 1280, 900);
    }
    site.browser.click(".hr-formtools .hr-btn:last-child");
    site.browser.retype("#rps", "500/s");
    site.browser.retype("#p50", "120");
    site.browser.retype("#hosts_lost", "12");
    site.browser.retype("#shed_target", "0");
    shoot(&site.browser, "invalid-1280", 1280);
    shoot(&site.browser, "invalid-390", 390);
}
