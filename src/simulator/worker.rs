//! Messages as arrays, so that no serializer has to be carried:
//! `[action, texts, inputs, link, pasted, frame, at, is_still]` in, each but the first may be null;
//! `[changes, values, invalid, said, link, copy, at, at in words, is_busy]` out.

use headroom::engine::params::by_key;
use headroom::simulator::{Desk, Frame, Reply, Request};
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
    let performance = js_sys::Reflect::get(&scope, &JsValue::from_str("performance"));
    let performance: Option<web_sys::Performance> = performance.ok().map(JsCast::unchecked_into);
    let answer = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let clock = || performance.as_ref().map_or(0.0, web_sys::Performance::now);
        let reply = desk.borrow_mut().answer(&request(&event.data()), &clock);
        _ = here.post_message(&message(&reply));
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
        texts: pairs(&parts.get(1)),
        inputs: pairs(&parts.get(2)).map(inputs),
        link: parts.get(3).as_string(),
        pasted: parts.get(4).as_string(),
        frame: frame(&parts.get(5)),
        at: parts.get(6).as_f64(),
        is_still: parts.get(7).as_bool(),
    }
}

fn frame(list: &JsValue) -> Option<Frame> {
    let parts = Array::is_array(list).then(|| Array::from(list))?;
    let px = |at: u32| parts.get(at).as_f64();
    Some(Frame { width: px(0)?, half: px(1)?, text_px: px(2)? })
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
    let list = |pairs: &[(String, String)]| -> JsValue {
        pairs
            .iter()
            .map(|(a, b)| Array::of2(&JsValue::from_str(a), &JsValue::from_str(b)))
            .collect::<Array>()
            .into()
    };
    let invalid: Array = reply.invalid.iter().map(|id| JsValue::from_str(id)).collect();
    let all: Array = [
        list(&reply.changes),
        list(&reply.values),
        invalid.into(),
        JsValue::from_str(&reply.said),
        JsValue::from_str(&reply.link),
        JsValue::from_str(&reply.copy),
        JsValue::from_f64(reply.at.0),
        JsValue::from_str(&reply.at.1),
        JsValue::from_bool(reply.is_busy),
    ]
    .into_iter()
    .collect();
    all.into()
}
