//! The size of a drawing: the width of its element and of its text, kept up to date.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// What a drawing must fit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// Content width of the element in CSS px; 0 until it is in the page.
    pub width: f64,
    /// Height of tick text in CSS px.
    pub text_px: f64,
}

/// What a drawing in `element` must fit. It is read when the width changes and at no other time:
/// asking for a style in the middle of an update makes the browser compute all of them.
pub fn observed_fit(element: NodeRef<html::Div>) -> ReadSignal<Fit> {
    let (fit, set_fit) = signal(Fit::default());
    // Neither the observer nor its callback can leave this thread.
    let kept = StoredValue::new_local(None);
    Effect::new(move |_| {
        let Some(element) = element.get() else { return };
        // The first width is read at once, so that the chart is there with the first frame.
        set_fit.set(Fit { width: f64::from(element.client_width()), text_px: text_px() });
        let callback = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            let entry: web_sys::ResizeObserverEntry = entries.get(0).unchecked_into();
            let now = Fit { width: entry.content_rect().width().round(), text_px: text_px() };
            if fit.get_untracked() != now {
                set_fit.set(now);
            }
        });
        let Ok(observer) = web_sys::ResizeObserver::new(callback.as_ref().unchecked_ref()) else { return };
        observer.observe(&element);
        kept.set_value(Some((observer, callback)));
    });
    on_cleanup(move || {
        if let Some(Some((observer, _))) = kept.try_update_value(Option::take) {
            observer.disconnect();
        }
    });
    fit
}

/// Three quarters of the reader's font size, as in the style sheet.
fn text_px() -> f64 {
    let size = document()
        .document_element()
        .and_then(|root| window().get_computed_style(&root).ok().flatten())
        .and_then(|style| style.get_property_value("font-size").ok())
        .map(|size| js_sys::parse_float(&size))
        .filter(|size| size.is_finite());
    0.75 * size.unwrap_or(16.0)
}

/// Keeps a pointer's events coming while it is dragged beyond the element.
pub fn capture(event: &web_sys::PointerEvent) {
    let target: Option<web_sys::Element> =
        event.current_target().map(|target| JsValue::from(target).unchecked_into());
    if let Some(element) = target {
        // A pointer that is gone already cannot be captured, and need not be.
        _ = element.set_pointer_capture(event.pointer_id());
    }
}
