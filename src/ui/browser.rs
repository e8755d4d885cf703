//! The few things the page does outside of itself: clipboard, files, selection, focus.

use leptos::prelude::*;
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

/// A new element with a class.
pub fn element(tag: &'static str, class: &str) -> web_sys::Element {
    let element = document().create_element(tag).expect("tags are constants that the browser knows");
    element.set_class_name(class);
    element
}

/// A new text.
pub fn text_node(text: &str) -> web_sys::Node {
    document().create_text_node(text).unchecked_into()
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
    let input: web_sys::HtmlElement = input.unchecked_into();
    _ = input.focus();
}

/// Follows a link within the page without touching the address, which holds the scenario.
pub fn jump_to(event: &web_sys::MouseEvent, id: &str) {
    event.prevent_default();
    if let Some(place) = document().get_element_by_id(id) {
        place.scroll_into_view();
        let place: web_sys::HtmlElement = place.unchecked_into();
        _ = place.focus();
    }
}
