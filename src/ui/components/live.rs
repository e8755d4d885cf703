//! What the document shows, as it is brought up to date.

use crate::markup::Node;
use wasm_bindgen::JsCast;

/// A node of the document.
pub struct Live(pub web_sys::Node);

impl Live {
    fn element(&self) -> &web_sys::Element {
        self.0.unchecked_ref()
    }
}

// None of the calls fails on what `Html` writes; a browser that refuses one shows the old text.
impl Node for Live {
    fn first(&self) -> Option<Self> {
        self.0.first_child().map(Self)
    }

    fn next(&self) -> Option<Self> {
        self.0.next_sibling().map(Self)
    }

    fn count(&self) -> usize {
        self.0.child_nodes().length() as usize
    }

    fn is_text(&self) -> bool {
        self.0.node_type() == web_sys::Node::TEXT_NODE
    }

    fn set_text(&self, text: &str) {
        self.0.set_node_value(Some(text));
    }

    fn set_attribute(&self, name: &str, value: Option<&str>) {
        _ = match value {
            Some(value) => self.element().set_attribute(name, value),
            None => self.element().remove_attribute(name),
        };
    }

    fn remove(&self) {
        if let Some(parent) = self.0.parent_node() {
            _ = parent.remove_child(&self.0);
        }
    }

    fn fill(&self, html: &str) {
        self.element().set_inner_html(html);
    }

    fn insert(&self, html: &str) {
        _ = self.element().insert_adjacent_html("beforebegin", html);
    }

    fn append(&self, html: &str) {
        _ = self.element().insert_adjacent_html("beforeend", html);
    }
}
