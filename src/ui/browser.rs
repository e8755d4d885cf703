//! The few things the page does outside of itself: clipboard, files, selection, focus.

use leptos::prelude::*;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Copies a text, then says whether that worked.
pub fn copy(text: &str, done: impl FnOnce(bool) + 'static) {
    let navigator = window().navigator();
    // Without a secure context there is no clipboard, whatever the type says.
    let clipboard = js_sys::Reflect::get(&navigator, &JsValue::from_str("clipboard"));
    if !clipboard.is_ok_and(|clipboard| clipboard.is_object()) {
        return done(false);
    }
    let promise = navigator.clipboard().write_text(text);
    spawn_local(async move { done(JsFuture::from(promise).await.is_ok()) });
}

/// Offers a text as a file.
pub fn download(name: &str, text: &str) {
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let options = web_sys::BlobPropertyBag::new();
    options.set_type("application/yaml");
    let Ok(blob) = web_sys::Blob::new_with_str_sequence_and_options(&parts, &options) else { return };
    let Ok(address) = web_sys::Url::create_object_url_with_blob(&blob) else { return };
    if let Ok(link) = document().create_element("a") {
        let link: web_sys::HtmlAnchorElement = link.unchecked_into();
        link.set_href(&address);
        link.set_download(name);
        link.click();
    }
    _ = web_sys::Url::revoke_object_url(&address);
}

/// Follows an event wherever it happens in the document.
pub fn listen(name: &str, follow: impl Fn(&web_sys::Event) + 'static) {
    listen_on(&document(), name, follow);
}

/// Follows an event of a target and of all that is within, also one that does not bubble.
pub fn listen_on(target: &web_sys::EventTarget, name: &str, follow: impl Fn(&web_sys::Event) + 'static) {
    let follow: Box<dyn Fn(&web_sys::Event)> = Box::new(follow);
    let closure = Closure::<dyn Fn(web_sys::Event)>::new(move |event: web_sys::Event| follow(&event));
    _ = target.add_event_listener_with_callback_and_bool(name, closure.as_ref().unchecked_ref(), true);
    // The page listens for as long as it is there.
    closure.forget();
}

/// Puts a text into the live region with that id.
pub fn say_in(id: &str, text: &str) {
    if let Some(region) = document().get_element_by_id(id) {
        region.set_text_content(Some(text));
    }
}

/// Selects all text of the element with that id, for copying by hand.
pub fn select_contents(id: &str) {
    if let (Some(element), Ok(Some(selection))) = (document().get_element_by_id(id), window().get_selection())
    {
        _ = selection.select_all_children(&element);
    }
}

/// Opens what hides the input with that id, then focuses it.
pub fn focus_input(id: &str) {
    let Some(input) = document().get_element_by_id(id) else { return };
    let mut around = input.parent_element();
    while let Some(element) = around {
        if element.tag_name() == "DETAILS" {
            _ = element.set_attribute("open", "");
        }
        around = element.parent_element();
    }
    focus(id);
}

/// Gives the focus to the element with that id.
pub fn focus(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        let element: web_sys::HtmlElement = element.unchecked_into();
        _ = element.focus();
    }
}

/// Goes to a place of the page without touching the address, which holds the scenario.
pub fn jump_to(id: &str) {
    if let Some(place) = document().get_element_by_id(id) {
        place.scroll_into_view();
        focus(id);
    }
}
