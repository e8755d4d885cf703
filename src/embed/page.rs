//! One function for the page: `headroom(verb, text, text)`.
//!
//! It answers `[changes, values, invalid, said, refused]`, where changes and values are lists of pairs of
//! texts; the verbs `yaml` and `json` answer with a text, `inputs` with a list of pairs, `look` with theme
//! and accents.

use headroom::embed::{Accent, Desk, Reply};
use js_sys::Array;
use std::cell::RefCell;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// Puts the function where `public/embed-mode.js` finds it.
pub fn start() {
    let desk = RefCell::new(Desk::default());
    let answer = Closure::<dyn Fn(String, String, String) -> JsValue>::new(
        move |verb: String, one: String, two: String| run(&mut desk.borrow_mut(), &verb, &one, &two),
    );
    let function: &js_sys::Function = answer.as_ref().unchecked_ref();
    _ = js_sys::Reflect::set(&js_sys::global(), &JsValue::from_str("headroom"), function);
    // The page asks for as long as it is there.
    answer.forget();
}

fn run(desk: &mut Desk, verb: &str, one: &str, two: &str) -> JsValue {
    let reply = match verb {
        "start" => desk.start(one, two),
        "choose" => desk.choose(one),
        "typed" => desk.typed(one, two),
        "set-json" => desk.set_json(one),
        "set-link" => desk.set_link(one),
        "follow" => desk.follow(one),
        "by-hand" => desk.by_hand(),
        "yaml" => return JsValue::from_str(&desk.yaml()),
        "json" => return JsValue::from_str(&desk.json()),
        "inputs" => return pairs(desk.inputs().iter().map(|(key, text)| (*key, text.as_str()))),
        _ => return look(desk),
    };
    message(&reply)
}

fn message(reply: &Reply) -> JsValue {
    Array::of5(
        &pairs(reply.changes.iter().map(|(id, html)| (id.as_str(), html.as_str()))),
        &pairs(reply.values.iter().map(|(id, text)| (*id, text.as_str()))),
        &reply.invalid.iter().map(|id| JsValue::from_str(id)).collect::<Array>(),
        &JsValue::from_str(&reply.said),
        &JsValue::from_str(&reply.refused),
    )
    .into()
}

fn pairs<'a>(list: impl Iterator<Item = (&'a str, &'a str)>) -> JsValue {
    list.map(|(a, b)| Array::of2(&JsValue::from_str(a), &JsValue::from_str(b))).collect::<Array>().into()
}

/// `[theme, accents, asked, notices]`: six colors, the light ones first, and the one asked for.
fn look(desk: &Desk) -> JsValue {
    let options = desk.options();
    let colors = |look: Accent| [look.accent, look.on_accent, look.soft];
    let text = |color: headroom::chart::palette::Color| JsValue::from_str(&color.to_string());
    let accents = options.accent.map(|chosen| [colors(chosen.light), colors(chosen.dark)].concat());
    let accents: Array = accents.unwrap_or_default().into_iter().map(text).collect();
    let asked = options.accent.map_or(JsValue::NULL, |chosen| text(chosen.asked));
    let notices: Array = options.notices.iter().map(|notice| JsValue::from_str(notice)).collect();
    Array::of4(&JsValue::from_str(options.theme.as_str()), &accents, &asked, &notices).into()
}
