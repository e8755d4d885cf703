//! What is refused as load grows: drawn for its width, with a mark of the reader's choice.

use super::browser::listen;
use super::components::exchange;
use super::state::Derived;
use crate::chart::sweep::{Frame, Marker, Sweep};
use crate::engine::analysis::Analysis;
use crate::markup::Exchange;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;

/// The ids of the drawing, the slider and its text.
const PLOT: &str = "plot";
const SLIDER: &str = "what-if";
const TEXT: &str = "what-if-text";

/// Where the reader looks, and what the drawing must fit: one signal for both.
type Look = RwSignal<(f64, Frame)>;

/// Draws the sweep and follows pointer and slider.
pub fn sweep(derived: Derived) {
    let look: Look = RwSignal::new((1.0, Frame { width: 0.0, text_px: 12.0 }));
    observe(look);
    Effect::new(move |last: Option<Shown>| {
        let answer = derived.answer();
        let (multiple, frame) = look.get();
        let last = last.unwrap_or_default();
        let sweep = match last.sweep {
            Some((old, sweep)) if Arc::ptr_eq(&old, &answer) => sweep,
            _ => Sweep::of(&answer),
        };
        // Today's peak is marked anyway, so there the reader's mark is not drawn.
        let at = Marker { multiple };
        let marker = Some(at).filter(|at| (at.multiple - 1.0).abs() > 1e-9);
        let drawing = if frame.width > 0.0 { sweep.svg(&frame, marker) } else { String::new() };
        if drawing != last.drawing {
            exchange(&[Exchange { id: PLOT, before: &last.drawing, now: &drawing }]);
        }
        let text = sweep.describe(at);
        if text != last.text {
            say(&text, Some(multiple).filter(|multiple| Some(*multiple) != last.multiple));
        }
        Shown { sweep: Some((answer, sweep)), drawing, text, multiple: Some(multiple) }
    });
    follow(look);
}

/// What was drawn last.
#[derive(Default)]
struct Shown {
    sweep: Option<(Arc<Analysis>, Sweep)>,
    drawing: String,
    text: String,
    multiple: Option<f64>,
}

/// Brings the text to where the reader looks, and the slider if that has changed.
fn say(text: &str, multiple: Option<f64>) {
    if let Some(output) = document().get_element_by_id(TEXT) {
        output.set_text_content(Some(text));
    }
    if let Some(slider) = document().get_element_by_id(SLIDER) {
        _ = slider.set_attribute("aria-valuetext", text);
        if let Some(multiple) = multiple {
            slider.unchecked_into::<web_sys::HtmlInputElement>().set_value_as_number(multiple);
        }
    }
}

/// Follows what a hand does.
fn follow(looked: Look) {
    let target = |event: &web_sys::Event| -> Option<web_sys::Element> {
        event.target().map(|target| JsValue::from(target).unchecked_into())
    };
    listen("input", move |event| {
        if let Some(slider) = target(event).filter(|element| element.id() == SLIDER) {
            let multiple = slider.unchecked_into::<web_sys::HtmlInputElement>().value_as_number();
            looked.update(|look| look.0 = multiple);
        }
    });
    let look = move |event: &web_sys::PointerEvent| {
        let Some(plot) = document().get_element_by_id(PLOT) else { return };
        let x = f64::from(event.client_x()) - plot.get_bounding_client_rect().left();
        let at = looked.get_untracked().1.multiple_at(x);
        looked.update(|look| look.0 = (at * 20.0).round() / 20.0);
    };
    let dragging = StoredValue::new(false);
    listen("pointerdown", move |event| {
        let event: &web_sys::PointerEvent = event.unchecked_ref();
        let plot = target(event).and_then(|element| element.closest("#plot").ok().flatten());
        if let Some(plot) = plot.filter(|_| event.button() == 0) {
            // A pointer that is gone already cannot be captured, and need not be.
            _ = plot.set_pointer_capture(event.pointer_id());
            dragging.set_value(true);
            look(event);
        }
    });
    listen("pointermove", move |event| {
        if dragging.get_value() {
            look(event.unchecked_ref());
        }
    });
    for end in ["pointerup", "pointercancel"] {
        listen(end, move |_| dragging.set_value(false));
    }
}

/// What the drawing must fit. It is read when the width changes and at no other time: asking for a
/// style in the middle of an update makes the browser compute all of them.
fn observe(look: Look) {
    let seen = move |width: f64| {
        let now = Frame { width, text_px: text_px() };
        if look.get_untracked().1 != now {
            look.update(|look| look.1 = now);
        }
    };
    // The plot is there once the page is.
    spawn_local(async move {
        let Some(plot) = document().get_element_by_id(PLOT) else { return };
        // The first width is read at once, so that the chart is there with the first frame.
        seen(f64::from(plot.client_width()));
        let callback = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            let entry: web_sys::ResizeObserverEntry = entries.get(0).unchecked_into();
            seen(entry.content_rect().width().round());
        });
        if let Ok(observer) = web_sys::ResizeObserver::new(callback.as_ref().unchecked_ref()) {
            observer.observe(&plot);
        }
        // The page and its chart end together.
        callback.forget();
    });
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
