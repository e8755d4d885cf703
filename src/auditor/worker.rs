//! Messages as arrays, so that no serializer has to be carried:
//! `[action, files or null, inputs or null]` in, `[changes, files or null, said, go, fill]` out, where
//! files, inputs, changes and fill are lists of pairs of texts. The action `policy` leaves the desk as it
//! is and answers with a text, the policy of those files.

use headroom::auditor::{Desk, Reply, Request, policy};
use headroom::engine::params::{by_key, param};
use headroom::engine::read::source::Input;
use js_sys::Array;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Answers messages for as long as the worker lives.
pub fn start() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let desk = Rc::new(RefCell::new(Desk::default()));
    let here = scope.clone();
    let answer = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let request = request(&event.data());
        let answer = if request.action == "policy" {
            let (files, inputs) = (request.files.unwrap_or_default(), request.inputs.unwrap_or_default());
            JsValue::from_str(&policy(&files, &inputs))
        } else {
            message(&desk.borrow_mut().answer(request))
        };
        _ = here.post_message(&answer);
    });
    scope.set_onmessage(Some(answer.as_ref().unchecked_ref()));
    answer.forget();
    // The page may have written before anyone listened: it waits for this.
    _ = scope.post_message(&JsValue::NULL);
}

fn request(data: &JsValue) -> Request {
    let parts = Array::from(data);
    let inputs = |pairs: Vec<(String, String)>| {
        pairs.into_iter().filter_map(|(key, text)| Some((by_key(&key)?.id, text))).collect()
    };
    Request {
        action: parts.get(0).as_string().unwrap_or_default(),
        files: pairs(&parts.get(1))
            .map(|all| all.into_iter().map(|(name, text)| Input { name, text }).collect()),
        inputs: pairs(&parts.get(2)).map(inputs),
    }
}

/// A list of pairs of texts; nothing where there is no list.
fn pairs(list: &JsValue) -> Option<Vec<(String, String)>> {
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

fn message(reply: &Reply) -> JsValue {
    let list = |pairs: &[(&str, &str)]| -> JsValue {
        pairs
            .iter()
            .map(|(a, b)| Array::of2(&JsValue::from_str(a), &JsValue::from_str(b)))
            .collect::<Array>()
            .into()
    };
    let changes: Vec<(&str, &str)> =
        reply.changes.iter().map(|(id, html)| (id.as_str(), html.as_str())).collect();
    let fill: Vec<(&str, &str)> =
        reply.fill.iter().map(|(id, text)| (param(*id).key, text.as_str())).collect();
    let files = reply.files.as_ref().map_or(JsValue::NULL, |files| {
        list(&files.iter().map(|f| (f.name.as_str(), f.text.as_str())).collect::<Vec<_>>())
    });
    Array::of5(
        &list(&changes),
        &files,
        &JsValue::from_str(&reply.said),
        &JsValue::from_str(&reply.go),
        &list(&fill),
    )
    .into()
}
