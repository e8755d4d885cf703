//! What the browser gives: a function on the element of the panel, called with arrays, and local storage.
//!
//! `[action, text, inputs, files]` in, `[panel or null, parts, focus, go, file or null]` out, where inputs,
//! parts and files are lists of pairs.

use gloo_storage::{LocalStorage, Storage as _};
use headroom::engine::params::by_key;
use headroom::shelf::{Desk, Reply, Request, Store, Stored};
use js_sys::{Array, Reflect};
use std::cell::RefCell;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// Key in local storage.
const KEY: &str = "headroom-scenarios";
/// Where a text goes that cannot be read.
const ASIDE: &str = "headroom-scenarios-unreadable";

/// Puts the function there.
pub fn start() {
    let document = web_sys::window().and_then(|window| window.document());
    let Some(panel) = document.and_then(|document| document.get_element_by_id("shelf")) else { return };
    let desk = RefCell::new(Desk::default());
    let answer = Closure::<dyn Fn(Array) -> Array>::new(move |asked: Array| {
        message(&desk.borrow_mut().answer(&request(&asked), &Local))
    });
    _ = Reflect::set(&panel, &JsValue::from_str("answer"), answer.as_ref().unchecked_ref());
    // The panel is there for as long as the page.
    answer.forget();
}

struct Local;

impl Local {
    /// The storage, where the browser allows one; `gloo-storage` alone would panic where it does not.
    fn open() -> Option<web_sys::Storage> {
        let window = web_sys::window()?;
        matches!(window.local_storage(), Ok(Some(_))).then(LocalStorage::raw)
    }
}

impl Store for Local {
    fn read(&self) -> Stored {
        match Self::open().map(|storage| storage.get_item(KEY)) {
            Some(Ok(text)) => Stored::Text(text.unwrap_or_default()),
            _ => Stored::Blocked,
        }
    }

    fn write(&self, text: &str) -> bool {
        Self::open().is_some_and(|storage| storage.set_item(KEY, text).is_ok())
    }

    fn set_aside(&self, text: &str) {
        _ = Self::open().map(|storage| storage.set_item(ASIDE, text));
    }
}

fn request(asked: &Array) -> Request {
    let text = |at: u32| asked.get(at).as_string().unwrap_or_default();
    let inputs = pairs(&asked.get(2)).filter_map(|(key, text)| Some((by_key(&key)?.id, text?)));
    Request {
        action: text(0),
        text: text(1),
        inputs: inputs.collect(),
        files: pairs(&asked.get(3)).collect(),
    }
}

/// A list of pairs of texts, of which the second may be missing.
fn pairs(list: &JsValue) -> impl Iterator<Item = (String, Option<String>)> + use<> {
    let list: Vec<JsValue> = if Array::is_array(list) { Array::from(list).to_vec() } else { Vec::new() };
    list.into_iter().map(|pair| {
        let pair = Array::from(&pair);
        (pair.get(0).as_string().unwrap_or_default(), pair.get(1).as_string())
    })
}

fn message(reply: &Reply) -> Array {
    let pair = |a: &str, b: &str| Array::of2(&JsValue::from_str(a), &JsValue::from_str(b));
    let parts: Array = reply.parts.iter().map(|(id, html)| pair(id, html)).collect();
    let file = reply.file.as_ref().map_or(JsValue::NULL, |(name, text)| pair(name, text).into());
    let panel = reply.panel.as_deref().map_or(JsValue::NULL, JsValue::from_str);
    Array::of5(&panel, &parts.into(), &JsValue::from_str(&reply.focus), &JsValue::from_str(&reply.go), &file)
}
