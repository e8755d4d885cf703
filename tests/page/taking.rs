//! Copy and download.

use crate::site::Site;
use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::export::{Target, export};
use headroom::engine::scenario::Preset;
use serde_json::json;

const COPY: &str = ".hr-rail .hr-actions .hr-btn:first-child";

impl Site {
    pub fn clipboard_may(&self, setting: &str) {
        for name in ["clipboard-read", "clipboard-write"] {
            self.browser.cdp(
                "Browser.setPermission",
                &json!({"permission": {"name": name}, "setting": setting, "origin": self.server.address()}),
            );
        }
    }

    pub fn clipboard(&self) -> String {
        let text = self.browser.script_async(
            "navigator.clipboard.readText().then(arguments[0], e => arguments[0](String(e)))",
            &json!([]),
        );
        text.as_str().unwrap_or_default().to_owned()
    }

    /// The answer of the worked example, with the link to it on this page.
    fn example(&self) -> Analysis {
        let mut answer = analyze(&Preset::first_paint().scenario()).expect("valid");
        answer.link.insert_str(0, self.server.address());
        answer
    }

    fn width(&self, selector: &str) -> String {
        self.browser.text_of(&format!("document.querySelector({selector:?}).getBoundingClientRect().width"))
    }

    pub fn said(&self, selector: &str) -> String {
        self.browser.text_of(&format!(
            "document.querySelector({selector:?}).querySelector('.hr-swap > :not([aria-hidden])').textContent"
        ))
    }
}

#[test]
fn yaml_and_link_are_copied() {
    let site = Site::open();
    site.clipboard_may("granted");
    let width = site.width(COPY);
    site.browser.click(COPY);
    site.browser.wait_for(&format!("document.querySelector({COPY:?}).innerText.includes('Copied')"));
    assert_eq!((site.said(COPY), site.width(COPY)), ("Copied".to_owned(), width));
    let answer = site.example();
    assert_eq!(site.clipboard(), export(&answer, Target::Envoy));
    site.browser.wait_for(&format!("!document.querySelector({COPY:?}).querySelector('.hr-swap > :not([aria-hidden])').textContent.includes('Copied')"));
    site.browser.click(".hr-seg button:nth-child(2)");
    site.browser.click(COPY);
    site.browser.wait_for(&format!("document.querySelector({COPY:?}).innerText.includes('Copied')"));
    assert_eq!(site.clipboard(), export(&answer, Target::EnvoyBootstrap));
    site.browser.click(".hr-top__tools .hr-btn:nth-child(2)");
    site.browser.wait_for(
        "document.querySelector('.hr-top__tools .hr-btn:nth-child(2)').innerText.includes('Copied')",
    );
    let link = answer.scenario.to_link();
    assert_eq!(site.clipboard(), format!("{}#{link}", site.server.address()));
}

#[test]
fn a_refused_copy_selects_the_text_and_names_the_keys() {
    let site = Site::open();
    site.clipboard_may("denied");
    let width = site.width(COPY);
    site.browser.click(COPY);
    site.browser.wait_for("getSelection().toString().length > 500");
    assert_eq!((site.said(COPY), site.width(COPY)), ("Press Ctrl+C".to_owned(), width));
    let answer = site.example();
    let selected = site.browser.text_of("getSelection().toString()");
    assert_eq!(selected.trim_end(), export(&answer, Target::Envoy).trim_end(), "by hand comes out the same");
    site.browser.click(".hr-top__tools .hr-btn:nth-child(2)");
    site.browser.wait_for("getSelection().toString().startsWith('http')");
    assert!(site.browser.text_of("getSelection().toString()").contains("#v=1&"));
}

#[test]
fn nothing_is_copied_while_inputs_are_wrong() {
    let site = Site::open();
    site.clipboard_may("granted");
    site.browser.script_async("navigator.clipboard.writeText('mine').then(arguments[0])", &json!([]));
    site.browser.retype("#rps", "x");
    for button in [COPY, ".hr-top__tools .hr-btn:nth-child(2)", ".hr-top__tools .hr-btn:nth-child(3)"] {
        site.browser.click(button);
        let reason = format!(
            "document.getElementById(document.querySelector({button:?}).getAttribute('aria-describedby')).textContent"
        );
        assert!(site.browser.text_of(&reason).starts_with("Copy is off until the input is fixed"));
    }
    assert_eq!(site.clipboard(), "mine");
}

#[test]
fn the_file_has_the_name_of_the_service() {
    let site = Site::open();
    site.browser.retype("#name", "my/service ü");
    site.browser.script(
        "window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push(this.download); }",
    );
    site.browser.click(".hr-rail .hr-actions .hr-btn:last-child");
    assert_eq!(site.browser.text_of("saved.join()"), "my-service.yaml");
}
