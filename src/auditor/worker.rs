//! Messages as arrays: `[action, files or null, inputs or null]` in, `[changes, files or null, said, go, fill]`
//! out, where files, inputs, changes and fill are lists of pairs of texts. The action `policy` leaves the desk
//! as it is and answers with a text, the policy of those files.

use headroom::auditor::{Desk, Reply, Request, policy};
use headroom::engine::params::param;
use headroom::engine::read::source::Input;
use headroom::worker::{inputs, list, owned, pairs, serve};
use js_sys::Array;
use wasm_bindgen::JsValue;

/// Answers messages for as long as the worker lives.
pub fn start() {
    let mut desk = Desk::default();
    serve(move |parts| {
        let request = request(parts);
        if request.action == "policy" {
            let (files, inputs) = (request.files.unwrap_or_default(), request.inputs.unwrap_or_default());
            JsValue::from_str(&policy(&files, &inputs))
        } else {
            message(&desk.answer(request))
        }
    });
}

fn request(parts: &Array) -> Request {
    Request {
        action: parts.get(0).as_string().unwrap_or_default(),
        files: pairs(&parts.get(1))
            .map(|all| all.into_iter().map(|(name, text)| Input { name, text }).collect()),
        inputs: inputs(&parts.get(2)),
    }
}

fn message(reply: &Reply) -> JsValue {
    let files = reply
        .files
        .as_ref()
        .map_or(JsValue::NULL, |files| list(files.iter().map(|f| (f.name.as_str(), f.text.as_str()))));
    Array::of5(
        &owned(&reply.changes),
        &files,
        &JsValue::from_str(&reply.said),
        &JsValue::from_str(&reply.go),
        &list(reply.fill.iter().map(|(id, text)| (param(*id).key, text.as_str()))),
    )
    .into()
}
