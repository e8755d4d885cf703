//! What a screen reader is told, from the browser's accessibility tree: landmarks, headings, names, tables.

use crate::simulate::{RESTS, SHORT};
use crate::site::Site;
use serde_json::{Value, json};

const VIEWS: [(&str, &str); 3] = [
    ("", "document.querySelector('#rps')"),
    ("?view=audit", "document.querySelector('#audit .hr-drop, #audit .hr-finds')"),
    (SHORT, RESTS),
];

/// One node that is spoken.
struct Node {
    role: String,
    name: String,
    properties: Value,
}

impl Node {
    fn property(&self, name: &str) -> Value {
        let list = self.properties.as_array().into_iter().flatten();
        list.clone().find(|p| p["name"] == name).map_or(Value::Null, |p| p["value"]["value"].clone())
    }
}

impl Site {
    /// All nodes that are spoken, in their order.
    fn spoken(&self) -> Vec<Node> {
        self.browser.cdp("Accessibility.enable", &json!({}));
        let tree = self.browser.cdp("Accessibility.getFullAXTree", &json!({}));
        let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
        tree["nodes"]
            .as_array()
            .expect("a tree")
            .iter()
            .filter(|node| node["ignored"] == false)
            .map(|node| Node {
                role: text(&node["role"]),
                name: text(&node["name"]),
                properties: node["properties"].clone(),
            })
            .collect()
    }

    fn open_view(query: &str, ready: &str) -> Self {
        let site = Self::start();
        site.browser.go(&format!("{}{query}", site.server.address()));
        site.wait_ready();
        site.browser.wait_for(ready);
        site.browser.wait_for("document.querySelector('.hr-notice')");
        site
    }

    /// Everything unfolded and the tables too.
    fn unfold_all(&self) {
        self.browser.script("document.querySelectorAll('details').forEach(d => d.open = true)");
        self.browser.script_async("setTimeout(arguments[0], 300)", &json!([]));
    }
}

#[test]
fn landmarks_lead_through_every_view() {
    for (query, ready) in VIEWS {
        let site = Site::open_view(query, ready);
        let nodes = site.spoken();
        let count = |role: &str| nodes.iter().filter(|node| node.role == role).count();
        for (role, n) in [("banner", 1), ("main", 1), ("contentinfo", 1), ("navigation", 1)] {
            assert_eq!(count(role), n, "{query}: {role}");
        }
        for role in ["form", "complementary", "navigation", "region"] {
            let names: Vec<&str> = nodes.iter().filter(|n| n.role == role).map(|n| n.name.as_str()).collect();
            assert!(names.iter().all(|name| !name.is_empty()), "{query}: {role} without a name: {names:?}");
            let mut once = names.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), names.len(), "{query}: two of one name: {names:?}");
        }
    }
}

#[test]
fn headings_are_an_outline() {
    for (query, ready) in VIEWS {
        let site = Site::open_view(query, ready);
        site.unfold_all();
        // In the order of the document; what stands before the title are areas beside it.
        let outline = site.browser.script(
            "return [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(h => h.getClientRects().length).map(h => [Number(h.tagName[1]), h.textContent.trim(), Boolean(h.closest('main'))])",
        );
        let headings: Vec<(u64, &str, bool)> = outline
            .as_array()
            .expect("a list")
            .iter()
            .map(|h| (h[0].as_u64().unwrap_or(0), h[1].as_str().unwrap_or_default(), h[2] == true))
            .collect();
        assert!(headings.iter().all(|(_, text, _)| !text.is_empty()), "{query}: {headings:?}");
        let within: Vec<u64> =
            headings.iter().filter(|(_, _, is_main)| *is_main).map(|&(level, ..)| level).collect();
        assert_eq!(
            headings.iter().filter(|(level, ..)| *level == 1).count(),
            1,
            "{query}: one h1: {headings:?}"
        );
        assert_eq!(within.first(), Some(&1), "{query}: the title comes first: {headings:?}");
        for pair in within.windows(2) {
            assert!(pair[1] <= pair[0] + 1, "{query}: a level is left out: {headings:?}");
        }
        let spoken = site.spoken();
        let n_spoken = spoken.iter().filter(|node| node.role == "heading").count();
        assert_eq!(n_spoken, headings.len(), "{query}: all of them are spoken");
    }
}

#[test]
fn every_control_and_picture_has_a_name() {
    const NAMED: [&str; 12] = [
        "button",
        "link",
        "textbox",
        "combobox",
        "checkbox",
        "radio",
        "slider",
        "image",
        "img",
        "dialog",
        "progressbar",
        "table",
    ];
    for (query, ready) in VIEWS {
        let site = Site::open_view(query, ready);
        site.unfold_all();
        let nodes = site.spoken();
        for role in NAMED {
            for node in nodes.iter().filter(|node| node.role == role) {
                assert!(
                    !node.name.trim().is_empty(),
                    "{query}: a {role} without a name after {:?}",
                    nodes
                        .iter()
                        .take_while(|other| !std::ptr::eq(*other, node))
                        .filter(|other| !other.name.is_empty())
                        .last()
                        .map(|other| &other.name)
                );
            }
        }
        assert!(nodes.iter().filter(|node| node.role == "button").count() > 5, "{query}");
    }
}

#[test]
fn tables_say_what_their_cells_belong_to() {
    for (query, ready) in VIEWS {
        let site = Site::open_view(query, ready);
        site.unfold_all();
        let bad = site.browser.script(
            "return [...document.querySelectorAll('table')].filter(t => t.getClientRects().length).flatMap(t => {
               const heads = [...t.querySelectorAll('th')];
               const found = [];
               if (!t.caption && !t.ariaLabel && !t.getAttribute('aria-labelledby')) found.push('no caption');
               if (!heads.length) found.push('no heads');
               if (heads.some(h => !h.scope)) found.push('a head without scope: ' + heads.find(h => !h.scope).textContent);
               return found.map(f => `${t.id || t.className}: ${f}`);
             })",
        );
        assert_eq!(bad, json!([]), "{query}");
        let heads: Vec<String> =
            site.spoken().into_iter().filter(|n| n.role == "columnheader").map(|n| n.name).collect();
        if query.is_empty() {
            assert!(heads.iter().any(|name| name.contains("Fleet") || name.contains("fleet")), "{heads:?}");
        }
    }
}

#[test]
fn states_are_spoken() {
    let site = Site::open_view("", VIEWS[0].1);
    let spoken = site.spoken();
    let tab = spoken.iter().find(|n| n.role == "link" && n.name == "Size").expect("the view's link");
    assert!(
        spoken.iter().any(|n| n.role == "button" && n.name == "Envoy" && n.property("pressed") == "true")
    );
    assert_eq!(site.browser.text_of("document.querySelector('[aria-current=page]').textContent"), tab.name);
    assert!(
        spoken.iter().any(|n| n.role == "button" && n.name == "Examples" && n.property("expanded") == false)
    );
    site.browser.retype("#rps", "many");
    let input =
        site.spoken().into_iter().find(|n| n.role == "textbox" && n.name == "Peak rate").expect("the input");
    assert_eq!(input.property("invalid"), "true");
    let described = site.browser.text_of(
        "document.getElementById(document.querySelector('#rps').getAttribute('aria-describedby').split(' ').at(-1)).innerText",
    );
    assert!(described.contains("“many” is not a number"), "{described}");
}

#[test]
fn every_view_says_its_news_politely() {
    let site = Site::open_view("", VIEWS[0].1);
    let said = "document.getElementById('announcer').textContent";
    site.browser.retype("#rps", "510");
    site.browser.wait_for(&format!("{said}.startsWith('Allow each proxy')"));
    site.browser.script("document.getElementById('announcer').textContent = ''");
    site.browser.click("[data-view-of=audit]");
    site.browser.wait_for("document.querySelector('#audit [data-do=\"audit example\"]')");
    site.browser.click("#audit [data-do='audit example']");
    site.browser.wait_for(&format!("{said} !== ''"));
    site.browser.script("document.getElementById('announcer').textContent = ''");
    site.browser.click("[data-view-of=simulate]");
    site.browser.wait_for(&format!("{said} !== ''"));
    let live = site.browser.text_of("document.getElementById('announcer').ariaLive");
    assert_eq!(live, "polite");
}

#[test]
fn axe_finds_nothing_in_any_view_and_theme() {
    for (query, ready) in VIEWS {
        let site = Site::open_view(query, ready);
        for (feature, value) in [
            ("prefers-color-scheme", "light"),
            ("prefers-color-scheme", "dark"),
            ("prefers-contrast", "more"),
            ("forced-colors", "active"),
        ] {
            site.prefer(feature, value);
            site.unfold_all();
            assert_eq!(site.axe(), Vec::<String>::new(), "{query}: {feature}: {value}");
        }
    }
}
