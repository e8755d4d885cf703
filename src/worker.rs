//! What the page's workers have in common: how they listen, and lists in messages.
//!
//! Messages are arrays, so that no serializer has to be carried; lists in them are lists of pairs of texts.

use crate::engine::params::{ParamId, by_key};
use js_sys::Array;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Answers each message for as long as the worker lives.
pub fn serve(mut answer: impl FnMut(&Array) -> JsValue + 'static) {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let here = scope.clone();
    let listen = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        _ = here.post_message(&answer(&Array::from(&event.data())));
    });
    scope.set_onmessage(Some(listen.as_ref().unchecked_ref()));
    listen.forget();
    // The page may have written before anyone listened: it waits for this.
    _ = scope.post_message(&JsValue::NULL);
}

/// A list of pairs of texts; nothing where there is no list.
pub fn pairs(list: &JsValue) -> Option<Vec<(String, String)>> {
    let text = |value: JsValue| value.as_string().unwrap_or_default();
    Array::is_array(list).then(|| {
        Array::from(list)
            .iter()
            .map(|pair| {
                let pair = Array::from(&pair);
                (text(pair.get(0)), text(pair.get(1)))
            })
            .collect()
    })
}

/// The texts of inputs, by what they are; nothing where there is no list.
pub fn inputs(list: &JsValue) -> Option<Vec<(ParamId, String)>> {
    let known = |(key, text): (String, String)| Some((by_key(&key)?.id, text));
    Some(pairs(list)?.into_iter().filter_map(known).collect())
}

/// Pairs as a list.
pub fn list<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> JsValue {
    let pair = |(a, b)| Array::of2(&JsValue::from_str(a), &JsValue::from_str(b));
    pairs.into_iter().map(pair).collect::<Array>().into()
}

/// Pairs that own their texts as a list.
pub fn owned<'a>(pairs: impl IntoIterator<Item = &'a (String, String)>) -> JsValue {
    list(pairs.into_iter().map(|(a, b)| (a.as_str(), b.as_str())))
}
