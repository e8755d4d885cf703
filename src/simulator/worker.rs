//! Messages as arrays, so that no serializer has to be carried:
//! `[action, texts, inputs, link, pasted, frame, at, is_still]` in, each but the first may be null;
//! `[changes, values, invalid, said, link, copy, at, at in words, is_busy]` out. The actions `faults` and
//! `faults on` leave the desk as it is: they begin the table of all faults for a document, and go on with
//! it, and answer with its text.

use headroom::simulator::{Desk, Faults, Frame, Reply, Request};
use headroom::worker::{inputs, owned, pairs, serve};
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

/// Answers messages for as long as the worker lives.
pub fn start() {
    let performance = js_sys::Reflect::get(&js_sys::global(), &JsValue::from_str("performance"));
    let performance: Option<web_sys::Performance> = performance.ok().map(JsCast::unchecked_into);
    let (mut desk, mut faults) = (Desk::default(), Faults::default());
    serve(move |parts| {
        let clock = || performance.as_ref().map_or(0.0, web_sys::Performance::now);
        let request = request(parts);
        if request.action.starts_with("faults") {
            if let Some(inputs) = &request.inputs {
                faults.begin(inputs, request.pasted.as_deref());
            }
            JsValue::from_str(&faults.go_on(&clock))
        } else {
            message(&desk.answer(&request, &clock))
        }
    });
}

fn request(parts: &Array) -> Request {
    Request {
        action: parts.get(0).as_string().unwrap_or_default(),
        texts: pairs(&parts.get(1)),
        inputs: inputs(&parts.get(2)),
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

fn message(reply: &Reply) -> JsValue {
    let invalid: Array = reply.invalid.iter().map(|id| JsValue::from_str(id)).collect();
    let all: Array = [
        owned(&reply.changes),
        owned(&reply.values),
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
