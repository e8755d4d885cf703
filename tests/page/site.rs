//! The page as a test sees it: opened, ready, read by what a person would look for.

use crate::driver::{Browser, variable};
use crate::server::Server;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the browser remembers of an earlier visit.
const SEEN: &str = "try { localStorage.setItem('headroom-tour', 'seen'); localStorage.setItem('headroom-notes', '#h-win #h-lim #h-lad'); } catch {}";

/// One browser at a time: two would disturb each other's timing on a small machine.
static TURN: Mutex<()> = Mutex::new(());

/// The page in a browser.
pub struct Site {
    /// The browser.
    pub browser: Browser,
    /// The server.
    pub server: Server,
    _turn: MutexGuard<'static, ()>,
}

impl Site {
    /// A browser with nothing open yet, of somebody who has seen the tour and closed the notes.
    pub fn start() -> Self {
        Self::on(Server::start(PathBuf::from(variable("HEADROOM_DIST"))))
    }

    /// The same, on that server.
    pub fn on(server: Server) -> Self {
        let site = Self::new(server);
        site.browser.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({"source": SEEN}));
        site
    }

    /// A browser with nothing open yet, of somebody who has never been here.
    pub fn newcomer() -> Self {
        Self::new(Server::start(PathBuf::from(variable("HEADROOM_DIST"))))
    }

    fn new(server: Server) -> Self {
        // A failed test has lost nothing that the next one needs.
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        Self { browser: Browser::start(1280, 900), server, _turn: turn }
    }

    /// The page, opened without a link, and ready.
    pub fn open() -> Self {
        let site = Self::start();
        site.visit("");
        site
    }

    /// Opens the page with that fragment and waits until it is ready.
    pub fn visit(&self, fragment: &str) {
        // A change of the fragment alone would not load the page again.
        self.browser.go("about:blank");
        self.browser.go(&format!("{}{fragment}", self.server.address()));
        self.wait_ready();
    }

    /// Waits until inputs are open, and everything that comes by itself has come.
    pub fn wait_ready(&self) {
        self.browser.wait_for("document.querySelector('#rps') && !document.querySelector('#rps').readOnly");
        self.browser.wait_for("performance.getEntriesByName('guide-ready').length");
    }

    /// The elements of a selector, for pages without scripts.
    pub fn elements(&self, selector: &str) -> Vec<String> {
        self.browser.elements(selector)
    }

    /// Whether the page itself has loaded something of that name. What the worker behind it keeps for use without a network
    /// does not count, and comes when it comes.
    pub fn has_loaded(&self, word: &str) -> bool {
        let names = "performance.getEntriesByType('resource').map(entry => entry.name).join(' ')";
        self.browser.text_of(names).contains(word)
    }

    /// The addresses that the page has asked for since this was last looked at.
    pub fn requests(&self) -> Vec<String> {
        let events = self.browser.log("performance").into_iter();
        events
            .filter_map(|entry| serde_json::from_str::<Value>(entry["message"].as_str()?).ok())
            .filter(|event| event["message"]["method"] == "Network.requestWillBeSent")
            .map(|event| {
                let url = &event["message"]["params"]["request"]["url"];
                url.as_str().expect("a request has an address").to_owned()
            })
            .collect()
    }

    /// Drops a file on the element of an id, as a person would from a folder.
    pub fn drop_file(&self, id: &str, name: &str, text: &str) {
        self.browser.script_with(
            "const data = new DataTransfer();
             data.items.add(new File([arguments[2]], arguments[1]));
             const place = document.getElementById(arguments[0]);
             place.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }))",
            &json!([id, name, text]),
        );
    }

    /// The text of the element of a selector.
    pub fn text(&self, selector: &str) -> String {
        self.browser.text_of(&format!("document.querySelector({selector:?})?.innerText"))
    }

    /// The text of an input.
    pub fn value(&self, id: &str) -> String {
        self.browser.text_of(&format!("document.getElementById({id:?})?.value"))
    }
}
