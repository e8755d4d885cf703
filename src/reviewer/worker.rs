//! Messages as arrays, so that no serializer has to be carried:
//! `[action, inputs, with, pasted, faults, page, frame, named]` in, each but the first may be null;
//! `[changes, copy, file, said, play, reads]` out, where file and play may be null.

use headroom::engine::params::{ParamId, param};
use headroom::reviewer::{Desk, Play, Reply, Request};
use headroom::worker::{inputs, serve};
use js_sys::Array;
use wasm_bindgen::JsValue;

/// Answers messages for as long as the worker lives.
pub fn start() {
    let mut desk = Desk::default();
    serve(move |parts| message(&desk.answer(request(parts))));
}

fn request(parts: &Array) -> Request {
    let frame = parts.get(6);
    let frame = Array::is_array(&frame).then(|| Array::from(&frame));
    Request {
        action: parts.get(0).as_string().unwrap_or_default(),
        inputs: inputs(&parts.get(1)),
        with: parts.get(2).as_string(),
        pasted: parts.get(3).as_string(),
        faults: pair(&parts.get(4)),
        page: parts.get(5).as_string(),
        named: parts.get(7).as_string(),
        frame: frame.and_then(|f| Some((f.get(0).as_f64()?, f.get(1).as_f64()?))),
    }
}

fn pair(value: &JsValue) -> Option<(String, String)> {
    let pair = Array::is_array(value).then(|| Array::from(value))?;
    Some((pair.get(0).as_string()?, pair.get(1).as_string()?))
}

fn two(a: &str, b: &str) -> JsValue {
    Array::of2(&JsValue::from_str(a), &JsValue::from_str(b)).into()
}

fn texts(inputs: &[(ParamId, String)]) -> JsValue {
    inputs.iter().map(|(id, text)| two(param(*id).key, text)).collect::<Array>().into()
}

fn message(reply: &Reply) -> JsValue {
    let changes: Array = reply.changes.iter().map(|(id, html)| two(id, html)).collect();
    let file = reply.file.as_ref().map_or(JsValue::NULL, |(name, text)| two(name, text));
    let play = reply.play.as_ref().map_or(JsValue::NULL, |play| {
        let side = |(side, inputs): &Play| -> JsValue {
            Array::of2(&JsValue::from_str(side), &texts(inputs)).into()
        };
        play.iter().map(side).collect::<Array>().into()
    });
    let all: Array = [
        changes.into(),
        JsValue::from_str(&reply.copy),
        file,
        JsValue::from_str(&reply.said),
        play,
        JsValue::from_bool(reply.reads),
    ]
    .into_iter()
    .collect();
    all.into()
}
