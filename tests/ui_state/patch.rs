//! What is shown after a change is what would be shown without one before, and little is touched.

use super::document::{Fake, ROOT, Touched};
use super::{ALL, FIRST, amounts, form_of, many_outcomes, outcome, written};
use headroom::engine::params::ParamId;
use headroom::markup::{Changes, Exchange, Html, Steps};
use headroom::ui::panels::underived;

/// Brings parts of a document up to date, as the page does.
fn exchange(document: &Fake, parts: &[Exchange<'_>]) {
    let (mut steps, mut anew) = (Steps::default(), Steps::default());
    for part in parts {
        steps.change(part.id, part.before, part.now);
        anew.fill(part.id, part.now);
    }
    if document.take(steps.as_str()) > 0 {
        assert_eq!(document.take(anew.as_str()), 0);
    }
}

/// Brings a whole document from one text to the other.
fn patch(document: &Fake, before: &str, now: &str) {
    exchange(document, &[Exchange { id: ROOT, before, now }]);
}

/// Patches a document from one text to the other and says what was done.
#[track_caller]
fn check(before: &str, now: &str) -> Touched {
    let document = Fake::holding(before);
    patch(&document, before, now);
    let touched = Fake::touched();
    assert_eq!(document.html(), Fake::holding(now).html(), "{before} to {now}");
    touched
}

#[test]
fn a_number_is_a_text() {
    let set = |set| Touched { set, ..Touched::default() };
    assert_eq!(check("7", "8"), set(1));
    assert_eq!(check("<p>a <b>7</b> &lt; b</p>", "<p>a <b>8</b> &lt; c &amp; d</p>"), set(2));
    assert_eq!(check("<p>7</p>", "<p>7</p>"), set(0));
}

#[test]
fn a_coordinate_is_an_attribute() {
    let set = |set| Touched { set, ..Touched::default() };
    assert_eq!(check("<line x1=\"1\" x2=\"2\"/>7", "<line x1=\"1\" x2=\"3\"/>7"), set(1));
    assert_eq!(check("<a b=\"1\" c>x</a>", "<a d=\"&quot;2\" b=\"1\">x</a>"), set(2));
}

#[test]
fn a_row_that_comes_or_goes_leaves_the_others_alone() {
    let (two, three) = ("<i>a</i><i>c</i>", "<i>a</i><i>b</i><i>c</i>");
    assert_eq!(check(two, three), Touched { set: 0, removed: 0, parsed: 8 });
    assert_eq!(check(three, two), Touched { set: 0, removed: 1, parsed: 0 });
    assert_eq!(check("<i>a</i>", two).parsed, 8);
    assert_eq!(check(two, "<i>c</i>").removed, 1);
}

#[test]
fn rows_that_shift_find_each_other() {
    let before = "<i>a: 1</i><i>b: 2</i><i>c: 3</i><i>d: 4</i>";
    let now = "<i># new</i><i>a: 1</i><i>b: 5</i><i>c: 3</i><i>d: 6</i>";
    assert_eq!(check(before, now), Touched { set: 2, removed: 0, parsed: "<i># new</i>".len() });
    assert_eq!(check(now, before), Touched { set: 2, removed: 1, parsed: 0 });
    // One with another id is another, however alike they read.
    let (before, now) = ("<i id=\"a\">x</i><i id=\"b\">x</i>", "<i id=\"b\">x</i><i id=\"c\">x</i>");
    assert_eq!(check(before, now), Touched { set: 0, removed: 1, parsed: "<i id=\"c\">x</i>".len() });
}

#[test]
fn every_way_from_one_text_to_another_ends_there() {
    let texts = [
        "",
        "a",
        "a&amp;b",
        "<b>a</b>",
        "<b id=\"a\">a</b>",
        "<b id=\"b\">a</b>",
        "a<b>b</b>c",
        "a<br>c",
        "ac",
        "<b>b</b>c",
        "<i>x</i><b>b</b>c",
        "<i>x</i>c",
        "c<i>x</i>",
        "<i>x</i><i>y</i><i>z</i>",
        "<i>z</i><i>x</i>",
        "<i>x</i><u id=\"1\">y</u><i>z</i>",
        "<i>x</i>t<u>y</u>t<i>z</i>",
        "<svg viewBox=\"0 0 1 1\"><path d=\"M1 2\"/><g><path d=\"M1 2\"/></g></svg>",
        "<svg viewBox=\"0 0 1 1\"><path d=\"M1 3\"/><g></g></svg>",
        "<svg><g><path d=\"M1 2\"/><path d=\"M1 4\"/></g></svg>",
        "<i><i><i>x</i></i></i><i></i>",
        "<i><i>y<i>x</i></i></i>",
        "<input id=\"a\" disabled><p hidden class=\"x\"></p>",
        "<input id=\"a\"><p class=\"y\">x</p>",
    ];
    for before in texts {
        for now in texts {
            check(before, now);
        }
    }
}

#[test]
fn steps_cannot_be_forged() {
    let (before, now) = ("<p title=\"a\">a</p>", "<p title=\"a\0#x\0=\">a\0#x\0=b</p>");
    let mut steps = Steps::default();
    steps.change("p", before, now);
    // The places: the element itself, its first child, the first child of that.
    let shown = ["#p", "*  1", "a ! title a\u{fffd}#x\u{fffd}=", "t!! a\u{fffd}#x\u{fffd}=b", ""];
    assert_eq!(steps.as_str().split('\0').collect::<Vec<_>>(), shown);
    let mut steps = Steps::default();
    steps.change("p", "a", "a\0#x\0=");
    assert_eq!(steps.as_str().split('\0').collect::<Vec<_>>(), ["#p", "w  a\u{fffd}#x\u{fffd}=", ""]);
}

#[test]
fn a_document_that_somebody_else_has_changed_is_made_anew() {
    let (before, now) = ("<p>a <b>7</b></p>", "<p>a <b>8</b></p>");
    for other in
        ["<p>x</p>", "<p>a <b>7</b> x</p>", "<p><i>a </i><b>7</b></p>", "<p>a <b><u>7</u></b></p>", ""]
    {
        let document = Fake::holding(other);
        patch(&document, before, now);
        // What is outside of the part that differs is not ours to judge.
        assert!(document.html().contains("\"8\""), "{other}: {}", document.html());
    }
}

#[test]
fn a_text_that_is_all_there_is_leaves_nothing_of_what_somebody_else_added() {
    for other in ["7<u>x</u>", "<u>7</u>", "<u>x</u>7", "<u>7</u>a", ""] {
        let document = Fake::holding(other);
        patch(&document, "7", "8");
        assert_eq!(document.html(), Fake::holding("8").html(), "{other}");
    }
}

#[test]
fn elements_are_counted_before_anything_is_done() {
    // Somebody has put an element in front, so the second child is another than it was; what is done to it
    // would leave as many elements as there should be.
    let (before, now) = ("<p><b></b><b></b></p><p><i>x</i></p>", "<p><b></b><b></b></p><p></p>");
    let document = Fake::holding("<u></u><p><b></b><b></b></p><p><i>x</i></p>");
    patch(&document, before, now);
    assert_eq!(document.html(), Fake::holding(now).html());
}

/// Brings a document from one text of the page to the next, as the page does.
fn bring(document: &Fake, before: &Html, now: &Html) {
    match now.changes(before) {
        Changes::All => patch(document, before.as_str(), now.as_str()),
        Changes::Slots(slots) => exchange(document, &slots),
    }
}

#[test]
fn the_page_after_any_change_is_the_page_as_written() {
    let outcomes = many_outcomes();
    for from in &outcomes {
        for to in &outcomes {
            let (before, now) = (written(from, &FIRST), written(to, &ALL));
            let document = Fake::holding(before.as_str());
            bring(&document, &before, &now);
            assert_eq!(document.html(), Fake::holding(now.as_str()).html());
            bring(&document, &now, &before);
            assert_eq!(document.html(), Fake::holding(before.as_str()).html());
        }
    }
}

#[test]
fn what_the_inputs_amount_to_is_brought_up_to_date_in_its_places() {
    let outcomes = many_outcomes();
    for from in &outcomes {
        for to in &outcomes {
            let document = Fake::holding(underived().as_str());
            bring(&document, &underived(), &amounts(from));
            bring(&document, &amounts(from), &amounts(to));
            assert_eq!(document.html(), Fake::holding(amounts(to).as_str()).html());
        }
        // They stand within the form, which writes their places empty and must never fill all of it anew.
        let (before, now) = (form_of(from), form_of(&outcomes[0]));
        assert!(matches!(now.changes(&before), Changes::Slots(_)));
        let parts = underived();
        let places = parts.as_str().split_inclusive("</div>");
        assert!(places.into_iter().all(|place| now.as_str().contains(place)));
    }
}

#[test]
fn numbers_change_nothing_in_the_form() {
    // The page writes the form anew only for what is offered, filled in, open or wrong.
    let numbers = [(ParamId::Rps, "90000"), (ParamId::P99, "700"), (ParamId::Hosts, "3")];
    assert_eq!(form_of(&outcome(&numbers)), form_of(&outcome(&[])));
    for other in [[(ParamId::Rps, "many")], [(ParamId::P75, "60")], [(ParamId::ErrorRate, "0.01")]] {
        assert_ne!(form_of(&outcome(&other)), form_of(&outcome(&[])), "{other:?}");
    }
}

#[test]
fn a_digit_parses_next_to_nothing() {
    let (before, now) = (outcome(&[(ParamId::Rps, "510")]), outcome(&[(ParamId::Rps, "511")]));
    let (before, now) = (written(&before, &FIRST), written(&now, &FIRST));
    let document = Fake::holding(before.as_str());
    bring(&document, &before, &now);
    let touched = Fake::touched();
    assert!(touched.set > 10, "{touched:?}");
    assert!(touched.parsed < 500, "a digit changes numbers, not elements: {touched:?}");
    assert!(!document.html().is_empty());
}
