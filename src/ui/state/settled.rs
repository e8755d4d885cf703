//! When a change counts as settled.

use leptos::prelude::*;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// Quiet time after which a change counts as settled: longer than between two keystrokes of a
/// number, shorter than the way to the address bar.
const SETTLE_MS: f64 = 400.0;

/// Gives what has to be called at each change; what is to be done is done once no change came for that
/// time. One timer runs and looks when it ends: a new one for every keystroke is work for the browser.
pub fn on_settled(done: impl Fn() + 'static) -> impl Fn() {
    let waiting = Rc::new(Waiting { until: Cell::new(0.0), is_running: Cell::new(false), done });
    move || {
        waiting.until.set(js_sys::Date::now() + SETTLE_MS);
        if !waiting.is_running.replace(true) {
            Rc::clone(&waiting).look();
        }
    }
}

struct Waiting<F> {
    until: Cell<f64>,
    is_running: Cell<bool>,
    done: F,
}

impl<F: Fn() + 'static> Waiting<F> {
    /// Does it if nothing changes any more, else looks again when the time is over.
    fn look(self: Rc<Self>) {
        let left = self.until.get() - js_sys::Date::now();
        // More than that is left only where the clock was set back, which must not make anybody wait.
        if left <= 0.0 || left > SETTLE_MS {
            self.is_running.set(false);
            return (self.done)();
        }
        set_timeout(move || self.look(), Duration::from_secs_f64(left / 1000.0));
    }
}
