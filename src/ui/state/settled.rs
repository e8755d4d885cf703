//! When a change counts as settled.

use leptos::prelude::*;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// Quiet time after which a change counts as settled: longer than between two keystrokes of a
/// number, shorter than the way to the address bar.
const SETTLE_MS: f64 = 400.0;

/// Changes that wait until they have settled. One timer runs and looks when it ends: a new one for every
/// keystroke is work for the browser.
#[derive(Clone)]
pub struct Settling(Rc<Waiting>);

struct Waiting {
    until: Cell<f64>,
    is_running: Cell<bool>,
    is_due: Cell<bool>,
    done: Box<dyn Fn()>,
}

impl Settling {
    /// Does that for all changes that have settled together.
    pub fn new(done: impl Fn() + 'static) -> Self {
        let (is_running, is_due) = (Cell::new(false), Cell::new(false));
        Self(Rc::new(Waiting { until: Cell::new(0.0), is_running, is_due, done: Box::new(done) }))
    }

    /// Told at each change.
    pub fn changed(&self) {
        self.0.is_due.set(true);
        self.0.until.set(js_sys::Date::now() + SETTLE_MS);
        if !self.0.is_running.replace(true) {
            self.clone().look();
        }
    }

    /// Waits no longer: whoever leaves has meant what is there.
    pub fn finish(&self) {
        if self.0.is_due.replace(false) {
            (self.0.done)();
        }
    }

    /// Does it if nothing changes any more, else looks again when the time is over.
    fn look(self) {
        let left = self.0.until.get() - js_sys::Date::now();
        // More than that is left only where the clock was set back, which must not make anybody wait.
        if left <= 0.0 || left > SETTLE_MS {
            self.0.is_running.set(false);
            return self.finish();
        }
        set_timeout(move || self.look(), Duration::from_secs_f64(left / 1000.0));
    }
}
