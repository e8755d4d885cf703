//! The one component that shows HTML: it exchanges what differs and keeps the rest.

use super::live::exchange;
use crate::markup::{Changes, Exchange, Html};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The HTML of the element with that id, which is kept up to date from then on.
///
/// A keystroke changes a tenth of what is shown. What is written is compared with what was written
/// before; untouched are all elements whose slot reads the same, with focus, selection and scroll
/// position in them.
pub fn region(id: &'static str, write: impl Fn(&mut Html) + 'static) -> String {
    let write = writes(move |out| {
        write(out);
        true
    });
    let first = untrack(|| write(0)).unwrap_or_default();
    let text = first.as_str().to_owned();
    follow(id, first, write, || ());
    text
}

/// What a region shows from now on, in about that many bytes; nothing if it cannot have changed.
pub type Write = Box<dyn Fn(usize) -> Option<Html>>;

/// The same as a function that returns whether it wrote; one type for all regions, because Leptos compiles its
/// machinery for each.
pub fn writes(write: impl Fn(&mut Html) -> bool + 'static) -> Write {
    Box::new(move |room| {
        let mut out = Html::with_room(room);
        write(&mut out).then_some(out)
    })
}

/// Keeps the element with that id up to date, which shows `first` until then; `after` is done each time.
pub fn follow(id: &'static str, first: Html, write: Write, after: impl Fn() + 'static) {
    let after: Box<dyn Fn()> = Box::new(after);
    let first = StoredValue::new_local(Some(first));
    Effect::new(move |last: Option<Html>| {
        let last = last.or_else(|| first.try_update_value(Option::take).flatten()).unwrap_or_default();
        let now = match write(last.as_str().len()) {
            Some(now) => {
                show(id, &last, &now);
                now
            }
            None => last,
        };
        untrack(&after);
        now
    });
}

/// Brings the element with that id from one HTML to the next. What has the focus has it afterwards too.
fn show(id: &str, last: &Html, now: &Html) {
    let slots = match now.changes(last) {
        Changes::All => vec![Exchange { id, before: last.as_str(), now: now.as_str() }],
        Changes::Slots(slots) => slots,
    };
    if slots.is_empty() {
        return;
    }
    let focused = document().active_element();
    exchange(&slots);
    let Some(focused) = focused.filter(|focused| !focused.is_connected()) else { return };
    if let Some(again) = document().get_element_by_id(&focused.id()) {
        _ = again.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}
