//! The page as a test sees it: opened, ready, read by what a person would look for.

use crate::driver::{Browser, variable};
use crate::server::Server;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

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
    /// A browser with nothing open yet.
    pub fn start() -> Self {
        // A failed test has lost nothing that the next one needs.
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let server = Server::start(PathBuf::from(variable("HEADROOM_DIST")));
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

    /// Waits until inputs are open.
    pub fn wait_ready(&self) {
        self.browser.wait_for("document.querySelector('#rps') && !document.querySelector('#rps').readOnly");
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
