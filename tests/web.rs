//! Components in a real browser: mounted into a fresh element, used, read by what they say.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, reason = "in a test, a panic is the report; helpers are not seen as tests")]

use headroom::engine::units::Rate;
use headroom::ui::components::{
    CheckField, CodeLine, CopyButton, Segmented, SelectInput, TextInput, patch_lines, rich,
};
use headroom::ui::state::{Derived, Form};
use leptos::mount::mount_to;
use leptos::prelude::*;
use leptos::task::tick;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlSelectElement};

wasm_bindgen_test_configure!(run_in_browser);

/// A place in the document that goes with the test.
struct Place(HtmlElement);

impl Place {
    fn new() -> Self {
        let place: HtmlElement = document().create_element("div").unwrap().unchecked_into();
        document().body().unwrap().append_child(&place).unwrap();
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

    fn click(&self, selector: &str) {
        self.find(selector).unchecked_into::<HtmlElement>().click();
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

#[wasm_bindgen_test]
async fn an_input_tells_every_keystroke_and_follows_its_text() {
    let place = Place::new();
    let text = RwSignal::new("500".to_owned());
    let (invalid, done) = (RwSignal::new(false), RwSignal::new(0));
    let _mounted = mount_to(place.0.clone(), move || {
        view! {
            <TextInput
                id="rate"
                value=text
                placeholder=Signal::stored("needed".to_owned())
                keys="decimal"
                invalid
                described_by=Signal::derive(move || invalid.get().then(|| "rate-error".to_owned()))
                on_input=Callback::new(move |typed| text.set(typed))
                on_done=Callback::new(move |()| done.update(|n| *n += 1))
            />
        }
    });
    let input: HtmlInputElement = place.find("#rate").unchecked_into();
    tick().await;
    assert_eq!((input.value(), input.placeholder()), ("500".to_owned(), "needed".to_owned()));
    assert_eq!(input.get_attribute("inputmode").as_deref(), Some("decimal"));
    place.type_into("#rate", "1.");
    assert_eq!(text.get_untracked(), "1.");
    text.set("7".to_owned());
    invalid.set(true);
    tick().await;
    assert_eq!(input.value(), "7");
    assert_eq!(input.get_attribute("aria-invalid").as_deref(), Some("true"));
    assert_eq!(input.get_attribute("aria-describedby").as_deref(), Some("rate-error"));
    input.focus().unwrap();
    input.blur().unwrap();
    assert_eq!(done.get_untracked(), 1);
}

#[wasm_bindgen_test]
async fn a_menu_shows_its_word_from_the_start() {
    let place = Place::new();
    let word = RwSignal::new("grpc".to_owned());
    let _mounted = mount_to(place.0.clone(), move || {
        view! {
            <SelectInput
                id="protocol"
                options=&["http1", "http2", "grpc"]
                value=word
                described_by=Signal::stored(None::<String>)
                on_choose=Callback::new(move |chosen| word.set(chosen))
            />
        }
    });
    let menu: HtmlSelectElement = place.find("#protocol").unchecked_into();
    assert_eq!(menu.value(), "grpc");
    word.set("http1".to_owned());
    tick().await;
    assert_eq!(menu.value(), "http1");
    menu.set_value("http2");
    menu.dispatch_event(&web_sys::Event::new("change").unwrap()).unwrap();
    assert_eq!(word.get_untracked(), "http2");
}

#[wasm_bindgen_test]
async fn a_box_is_checked_by_its_label() {
    let place = Place::new();
    let checked = RwSignal::new(false);
    let _mounted = mount_to(place.0.clone(), move || {
        view! {
            <CheckField
                id="safe"
                label="Safe"
                checked
                described_by=Signal::stored(None::<String>)
                on_check=Callback::new(move |yes| checked.set(yes))
            />
        }
    });
    place.click("label");
    assert!(checked.get_untracked());
}

#[wasm_bindgen_test]
async fn one_of_the_segments_is_pressed() {
    let place = Place::new();
    let chosen = RwSignal::new(0usize);
    let _mounted = mount_to(place.0.clone(), move || {
        view! { <Segmented label="Format" options=&["One", "Two"] chosen/> }
    });
    place.click("button:last-child");
    tick().await;
    assert_eq!(chosen.get_untracked(), 1);
    assert_eq!(place.count("[aria-pressed=true]"), 1);
    assert_eq!(place.find("[aria-pressed=true]").text_content().as_deref(), Some("Two"));
}

#[wasm_bindgen_test]
async fn backticks_are_code_and_nothing_is_markup() {
    let place = Place::new();
    let _mounted = mount_to(place.0.clone(), || {
        view! { <p>{rich("`max_requests` <b>7</b> & more")}</p> }
    });
    assert_eq!(place.text(), "max_requests <b>7</b> & more");
    assert_eq!((place.count("code"), place.count("b")), (1, 0));
}

#[wasm_bindgen_test]
async fn only_lines_that_differ_are_exchanged() {
    let place = Place::new();
    let lines = |texts: &[&str], marked: usize| -> Vec<CodeLine> {
        let line = |(at, text): (usize, &&str)| CodeLine { text: (*text).to_owned(), marked: at == marked };
        texts.iter().enumerate().map(line).collect()
    };
    let _mounted = mount_to(place.0.clone(), move || view! { <code id="code"></code> });
    let cut = |line: &str| vec![("", line.to_owned())];
    let before = lines(&["a: 1", "b: 2", "c: <i>"], 9);
    patch_lines("code", &[], &before, cut);
    assert_eq!(place.text(), "a: 1\nb: 2\nc: <i>\n");
    let (first, second) = (place.find("span:nth-child(1)"), place.find("span:nth-child(2)"));
    patch_lines("code", &before, &lines(&["a: 1", "b: 3"], 1), cut);
    assert_eq!(place.text(), "a: 1\nb: 3\n");
    assert!(first.is_same_node(Some(&place.find("span:nth-child(1)"))));
    assert!(!second.is_same_node(Some(&place.find("span:nth-child(2)"))));
    assert_eq!(place.count(".hr-line--changed"), 1);
}

#[wasm_bindgen_test]
async fn a_button_that_is_off_copies_nothing_and_says_why() {
    let place = Place::new();
    let asked = RwSignal::new(0);
    let off = RwSignal::new(Some("why-off".to_owned()));
    let _mounted = mount_to(place.0.clone(), move || {
        view! {
            <CopyButton
                label="Copy"
                icon="copy"
                main=true
                text=Callback::new(move |()| {
                    asked.update(|n| *n += 1);
                    String::new()
                })
                on_failure=Callback::new(|()| {})
                off_because=off
            />
        }
    });
    place.click("button");
    assert_eq!(asked.get_untracked(), 0);
    let button = place.find("button");
    assert_eq!(button.get_attribute("aria-disabled").as_deref(), Some("true"));
    assert_eq!(button.get_attribute("aria-describedby").as_deref(), Some("why-off"));
    assert!(!button.class_list().contains("hr-btn--main"));
    off.set(None);
    tick().await;
    place.click("button");
    assert_eq!(asked.get_untracked(), 1);
    assert!(button.class_list().contains("hr-btn--main") && !button.has_attribute("aria-disabled"));
}

#[wasm_bindgen_test]
async fn the_form_and_its_answer_meet_in_the_page() {
    let place = Place::new();
    let form = StoredValue::new(None::<(Form, Derived)>);
    let _mounted = mount_to(place.0.clone(), move || {
        let sheet = Form::new(headroom::engine::scenario::Preset::first_paint().draft());
        let derived = Derived::new(sheet);
        form.set_value(Some((sheet, derived)));
        provide_context(sheet);
        provide_context(derived);
        view! { <headroom::ui::panels::Inputs/> }
    });
    place.type_into("#rps", "many");
    tick().await;
    assert_eq!(
        place.find("#rps-error span").text_content().as_deref(),
        Some("“many” is not a number. Enter requests per second, above 0 and up to 100,000,000.")
    );
    assert_eq!(place.count("[role=alert] a"), 1);
    place.click("[role=alert] a");
    assert_eq!(document().active_element().map(|e| e.id()).as_deref(), Some("rps"));
    place.type_into("#rps", "9000");
    tick().await;
    assert_eq!(place.count("[role=alert]"), 0);
    let (_, derived) = form.get_value().expect("mounted");
    assert_eq!(derived.read(|a| a.scenario.rps), Rate(9000.0));
}
