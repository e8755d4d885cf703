//! The answer as one picture: golden files, and what must hold for every one.

use expect_test::expect_file;
use headroom::chart::card::svg;
use headroom::engine::analyze;
use headroom::engine::scenario::{PRESETS, Preset, Scenario};

fn card(scenario: &Scenario) -> String {
    svg(&analyze(scenario).expect("an answer"), "https://headroom.example/#v=1")
}

#[test]
fn golden() {
    let base = Preset::first_paint().scenario();
    for (case, scenario) in [
        ("worked-example", base.clone()),
        ("trap", Scenario { clients: 400, ..base.clone() }),
        ("retried", Scenario { idempotent: true, hosts: 10, name: "a <b> & \"c\"".to_owned(), ..base }),
    ] {
        let path = format!("{}/tests/golden/svg/{case}.svg", env!("CARGO_MANIFEST_DIR"));
        expect_file![path].assert_eq(&card(&scenario));
    }
}

#[test]
fn every_picture_stands_by_itself() {
    for preset in PRESETS {
        let text = card(&preset.scenario());
        for word in
            ["NaN", "inf\"", "<script", "<image", "url(", "@import", "<foreignObject", "style=\"", "{}"]
        {
            assert!(!text.contains(word), "{}: {word}", preset.key);
        }
        // The name space and the one link; everything else is in the file.
        assert_eq!(text.matches("http").count(), 2, "{}", preset.key);
        for word in [
            "<title id=\"hr-card-title\">Limits of ",
            "<desc id=\"hr-card-desc\">",
            "prefers-color-scheme:dark",
        ] {
            assert!(text.contains(word), "{}: {word}", preset.key);
        }
        assert_eq!(text.matches("<text").count(), text.matches("</text>").count());
    }
}

#[test]
fn names_are_texts() {
    let name = "</text><script>alert(1)</script>\"&'".to_owned();
    let text = card(&Scenario { name, ..Preset::first_paint().scenario() });
    assert!(!text.contains("<script>") && text.contains("&lt;/text&gt;&lt;script&gt;"));
}

#[test]
fn nothing_lies_outside() {
    for preset in PRESETS {
        let text = card(&preset.scenario());
        let number =
            |from: &str| from.split('"').next().and_then(|n| n.parse::<f64>().ok()).expect("a number");
        let height = number(text.split("height=\"").nth(1).expect("a height"));
        for x in text.split(" x=\"").skip(1).map(number) {
            assert!((0.0..=400.0).contains(&x), "{}: x {x}", preset.key);
        }
        for y in text.split(" y=\"").skip(1).map(number) {
            assert!((0.0..=height).contains(&y), "{}: y {y}", preset.key);
        }
    }
}
