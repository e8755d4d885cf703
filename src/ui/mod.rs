//! The page: a thin projection of the engine.
//!
//! One direction: texts in [`state::Form`], checked and analyzed once per change in
//! [`state::Derived`], shown by the panels. Nothing flows back except what a person does.
//!
//! Panels are functions from an outcome to HTML; [`components::region`] shows what differs, `inputs`
//! keeps the form's elements, and `actions` follows what is pressed.

mod actions;
pub mod app;
pub mod browser;
pub mod components;
pub mod figures;
pub mod inputs;
pub mod panels;
pub mod state;
mod sweep;
pub mod words;

use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Puts the page in place of the worked example that `index.html` shows until now.
pub fn start() {
    let example = document().get_element_by_id("page").expect("index.html has the element");
    let page: web_sys::HtmlElement = document().create_element("div").expect("a valid name").unchecked_into();
    page.set_id("page");
    page.set_class_name(&example.class_name());
    let focused = document().active_element().map(|element| element.id()).filter(|id| !id.is_empty());
    // Built while detached and exchanged in one step: the next frame shows the same layout.
    mount_to(page.clone(), app::App).forget();
    example.replace_with_with_node_1(&page).expect("the example is in the document");
    // Whoever has moved into an input already stays there; nobody else is moved.
    if let Some(input) = focused.and_then(|id| document().get_element_by_id(&id)) {
        _ = input.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}
