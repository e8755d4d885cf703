//! Components in a real browser: mounted into a fresh element, used, read by what they say.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, reason = "in a test, a panic is the report; helpers are not seen as tests")]

#[path = "engine/sim/replay.rs"]
mod replay;
#[path = "engine/sim/setting.rs"]
#[allow(dead_code, reason = "the native tests use all of it")]
mod setting;

use headroom::engine::params::ParamId;
use headroom::engine::units::Rate;
use headroom::markup::Html;
use headroom::ui::components::region;
use headroom::ui::inputs::inputs;
use headroom::ui::state::{Derived, Form, View};
use leptos::mount::mount_to;
use leptos::prelude::*;
use leptos::task::tick;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlSelectElement};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(module = "/public/patch.js")]
extern "C" {
    /// Named here so that its module is loaded, as `boot.js` does for the page.
    #[wasm_bindgen(js_name = hrPatch)]
    fn take(steps: &str) -> u32;
}

/// A place in the document that goes with the test.
struct Place(HtmlElement);

impl Place {
    fn new() -> Self {
        let place: HtmlElement = document().create_element("div").unwrap().unchecked_into();
        document().body().unwrap().append_child(&place).unwrap();
        assert_eq!(take(""), 0);
        Self(place)
    }

    fn find(&self, selector: &str) -> Element {
        self.0
            .query_selector(selector)
            .unwrap()
            .unwrap_or_else(|| panic!("no {selector}: {}", self.0.inner_html()))
    }

    fn count(&self, selector: &str) -> usize {
        let all = self.0.get_elements_by_tag_name("*");
        (0..all.length()).filter_map(|at| all.item(at)).filter(|e| e.matches(selector).unwrap()).count()
    }

    fn text(&self) -> String {
        self.0.text_content().unwrap_or_default()
    }

    fn type_into(&self, selector: &str, text: &str) {
        let input: HtmlInputElement = self.find(selector).unchecked_into();
        input.set_value(text);
        let event = web_sys::Event::new("input").unwrap();
        input.dispatch_event(&event).unwrap();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.remove();
    }
}

/// A list whose entries are slots, with a button in each.
fn write_list(out: &mut Html, entries: &[&str]) {
    out.begin("<ul id=\"{}\">", "list");
    for (at, entry) in (0u32..).zip(entries) {
        out.begin("<li id=\"{}\">", &format!("entry-{at}"));
        out.put("<button id=\"button-{}\">{}</button>", &[&at, entry]);
        out.end("</li>");
    }
    out.end("</ul><details id=\"more\"><summary>More</summary></details>");
}

#[wasm_bindgen_test]
async fn only_what_differs_is_exchanged() {
    let place = Place::new();
    let entries = RwSignal::new(vec!["one", "<b>two</b>"]);
    let _mounted = mount_to(place.0.clone(), move || {
        let html = region("region", move |out| write_list(out, &entries.get()));
        view! { <div id="region" inner_html=html></div> }
    });
    assert_eq!(place.text(), "one<b>two</b>More", "it is there from the start, and nothing is markup");
    let (first, second) = (place.find("#button-0"), place.find("#button-1"));
    place.find("#more").set_attribute("open", "").unwrap();
    tick().await;
    entries.set(vec!["one", "three"]);
    tick().await;
    assert_eq!(place.text(), "onethreeMore");
    assert!(first.is_same_node(Some(&place.find("#button-0"))));
    assert!(second.is_same_node(Some(&place.find("#button-1"))), "only its text is another");
    entries.set(vec!["one", "three", "four"]);
    tick().await;
    assert_eq!(place.count("#list > li > button"), 3);
    assert!(place.find("#more").has_attribute("open"), "what is outside of all slots stays");
}

#[wasm_bindgen_test]
async fn the_focus_survives_an_exchange() {
    let place = Place::new();
    let entries = RwSignal::new(vec!["one", "two"]);
    let _mounted = mount_to(place.0.clone(), move || {
        let html = region("region", move |out| write_list(out, &entries.get()));
        view! { <div id="region" inner_html=html></div> }
    });
    tick().await;
    let focused = || document().active_element().map(|element| element.id()).unwrap_or_default();
    place.find("#button-1").unchecked_into::<HtmlElement>().focus().unwrap();
    entries.set(vec!["one", "other"]);
    tick().await;
    assert_eq!(
        (focused(), place.find("#button-1").text_content()),
        ("button-1".into(), Some("other".into()))
    );
    entries.set(vec!["one", "other", "more"]);
    tick().await;
    assert_eq!(focused(), "button-1", "also when all of the list is exchanged");
}

/// The form of the page, and what follows from it.
fn mount_form(place: &Place) -> (Form, Derived, View, impl Sized + use<>) {
    let state = StoredValue::new(None::<(Form, Derived, View)>);
    let mounted = mount_to(place.0.clone(), move || {
        let form = Form::new(headroom::engine::scenario::Preset::first_paint().draft());
        let (derived, view) = (Derived::new(form), View::new(None));
        state.set_value(Some((form, derived, view)));
        let html = inputs(form, derived, view);
        view! { <form id="form" inner_html=html></form> }
    });
    let (form, derived, view) = state.get_value().expect("mounted");
    (form, derived, view, mounted)
}

#[wasm_bindgen_test]
async fn inputs_tell_every_keystroke_and_follow_their_texts() {
    let place = Place::new();
    let (form, derived, view, _mounted) = mount_form(&place);
    tick().await;
    let input: HtmlInputElement = place.find("#rps").unchecked_into();
    assert_eq!(
        (input.value(), input.get_attribute("inputmode")),
        ("500".to_owned(), Some("decimal".to_owned()))
    );
    let placeholder = |id: &str| place.find(id).get_attribute("placeholder").unwrap_or_default();
    assert_eq!((placeholder("#workers"), placeholder("#hosts_lost")), ("2".to_owned(), "1".to_owned()));
    place.type_into("#rps", "1.");
    tick().await;
    assert_eq!((form.with(|s| s.text(ParamId::Rps).to_owned()), input.value()), ("1.".into(), "1.".into()));
    assert!(input.is_same_node(Some(&place.find("#rps"))), "what is typed into stays");
    form.set(ParamId::Rps, "7");
    view.unfold("rps-note", true);
    tick().await;
    assert_eq!(input.value(), "7");
    assert_eq!(input.get_attribute("aria-describedby").as_deref(), Some("rps-note"));
    place.type_into("#rps", "many");
    tick().await;
    assert_eq!(input.get_attribute("aria-describedby").as_deref(), Some("rps-error rps-note"));
    assert_eq!(input.get_attribute("aria-invalid").as_deref(), Some("true"));
    assert_eq!(
        place.find("#rps-error span").text_content().as_deref(),
        Some("“many” is not a number. Enter requests per second, above 0 and up to 100,000,000.")
    );
    assert_eq!(place.count("[role=alert] a"), 1);
    place.type_into("#rps", "9000");
    tick().await;
    assert_eq!(place.count("[role=alert]") + place.count("[aria-invalid]"), 0);
    assert_eq!(derived.read(|a| a.scenario.rps), Rate(9000.0));
}

#[wasm_bindgen_test]
async fn menus_and_boxes_follow_too() {
    let place = Place::new();
    let (form, _, _, _mounted) = mount_form(&place);
    tick().await;
    let menu: HtmlSelectElement = place.find("#protocol").unchecked_into();
    let safe: HtmlInputElement = place.find("#idempotent").unchecked_into();
    assert_eq!((menu.value(), safe.checked()), ("http2".to_owned(), false));
    form.set(ParamId::Protocol, "grpc");
    form.set(ParamId::Idempotent, "true");
    tick().await;
    assert_eq!((menu.value(), safe.checked()), ("grpc".to_owned(), true));
    safe.click();
    menu.set_value("http2");
    menu.dispatch_event(&web_sys::Event::new("input").unwrap()).unwrap();
    assert_eq!(form.with(|s| s.text(ParamId::Protocol).to_owned()), "", "the default is not written");
    assert_eq!(form.with(|s| s.text(ParamId::Idempotent).to_owned()), "");
}

#[wasm_bindgen_test]
async fn an_input_is_not_made_anew_because_another_one_comes() {
    let place = Place::new();
    let (form, _, _, _mounted) = mount_form(&place);
    tick().await;
    let p50 = place.find("#p50");
    form.unfold_latency();
    tick().await;
    assert!(p50.is_same_node(Some(&place.find("#p50"))));
    form.set(ParamId::P95, "80");
    tick().await;
    assert_eq!(place.find("#p95").unchecked_into::<HtmlInputElement>().value(), "80");
}

/// Native code wrote the file: a seed gives the same run, to the last digit, in both.
#[wasm_bindgen_test]
fn the_simulator_gives_the_same_report_as_natively() {
    assert_eq!(replay::report(), include_str!("golden/sim/report.json"));
}
