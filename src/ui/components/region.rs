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
    region_then(id, write, || ())
}

/// The same, with something to do after each exchange, and once at the start.
pub fn region_then(
    id: &'static str,
    write: impl Fn(&mut Html) + 'static,
    after: impl Fn() + 'static,
) -> String {
    // One type for all regions: Leptos compiles its machinery for each.
    let write: Box<dyn Fn(usize) -> Html> = Box::new(move |room| {
        let mut out = Html::with_room(room);
        write(&mut out);
        out
    });
    let after: Box<dyn Fn()> = Box::new(after);
    let first = untrack(|| write(0));
    let text = first.as_str().to_owned();
    let first = StoredValue::new_local(Some(first));
    Effect::new(move |last: Option<Html>| {
        let last = last.or_else(|| first.try_update_value(Option::take).flatten());
        let now = write(last.as_ref().map_or(0, |last| last.as_str().len()));
        if let Some(last) = last {
            show(id, &last, &now);
        }
        untrack(&after);
        now
    });
    text
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
