//! Saved scenarios without a browser: names, order, undo, files, two tabs, a browser that keeps nothing.

use headroom::engine::params::{ParamId, by_key};
use headroom::engine::scenario::Preset;
use headroom::shelf::{Desk, Entry, MAX_BYTES, MAX_ENTRIES, Reply, Request, Store, Stored, read, write};
use std::cell::{Cell, RefCell};

/// A browser's storage: shared by the tabs that have it.
#[derive(Default)]
struct Browser {
    text: RefCell<String>,
    aside: RefCell<String>,
    is_blocked: Cell<bool>,
    is_full: Cell<bool>,
}

impl Store for Browser {
    fn read(&self) -> Stored {
        if self.is_blocked.get() { Stored::Blocked } else { Stored::Text(self.text.borrow().clone()) }
    }

    fn write(&self, text: &str) -> bool {
        let works = !self.is_blocked.get() && !self.is_full.get();
        if works {
            self.text.replace(text.to_owned());
        }
        works
    }

    fn set_aside(&self, text: &str) {
        self.aside.replace(text.to_owned());
    }
}

/// A tab.
struct Tab<'a> {
    desk: Desk,
    browser: &'a Browser,
    inputs: Vec<(ParamId, String)>,
}

impl<'a> Tab<'a> {
    fn new(browser: &'a Browser) -> Self {
        let draft = Preset::first_paint().draft();
        let inputs = draft.entries().map(|(id, text)| (id, text.to_owned())).collect();
        let mut tab = Self { desk: Desk::default(), browser, inputs };
        tab.ask("show", "");
        tab
    }

    fn type_in(&mut self, key: &str, text: &str) {
        let id = by_key(key).expect("an input").id;
        self.inputs.retain(|(of, _)| *of != id);
        self.inputs.push((id, text.to_owned()));
    }

    fn ask(&mut self, action: &str, text: &str) -> Reply {
        let request = Request {
            action: action.to_owned(),
            text: text.to_owned(),
            inputs: self.inputs.clone(),
            files: Vec::new(),
        };
        self.desk.answer(&request, self.browser)
    }

    fn import(&mut self, files: &[(&str, Option<&str>)]) -> String {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.map(str::to_owned))).collect();
        let request = Request { action: "import".to_owned(), files, ..Request::default() };
        said(&self.desk.answer(&request, self.browser))
    }

    fn save(&mut self, name: &str) -> String {
        said(&self.ask("save", name))
    }
}

fn part(reply: &Reply, id: &str) -> String {
    reply.parts.iter().find(|(of, _)| *of == id).map(|(_, html)| html.clone()).unwrap_or_default()
}

fn said(reply: &Reply) -> String {
    part(reply, "s-shelf-said")
}

/// Names that are kept, in their order.
fn kept(browser: &Browser) -> Vec<String> {
    read(&browser.text.borrow(), true).0.0.into_iter().map(|entry| entry.name).collect()
}

#[test]
fn save_open_rename_duplicate_delete_and_undo() {
    let browser = Browser::default();
    let mut tab = Tab::new(&browser);
    assert_eq!(tab.save("first"), "<p>“first” saved.</p>");
    tab.type_in("rps", "750");
    tab.save("second");
    assert_eq!(kept(&browser), ["second", "first"], "newest first");
    assert_eq!(
        tab.ask("open 0", "").go,
        "#v=1&name=checkout&rps=750&p50=35&p99=110&clients=100&hosts=12&host_concurrency=64"
    );
    let reply = tab.ask("rename 1", "");
    assert_eq!(reply.focus, "shelf-rename");
    let reply = tab.ask("renamed", " eins ");
    assert_eq!(
        (said(&reply).as_str(), reply.focus.as_str()),
        ("<p>“first” is “eins” now.</p>", "shelf-rename-1")
    );
    tab.ask("duplicate 1", "");
    assert_eq!(kept(&browser), ["second", "eins", "eins 2"]);
    let reply = tab.ask("delete 1", "");
    assert_eq!((kept(&browser).join(","), reply.focus.as_str()), ("second,eins 2".to_owned(), "shelf-undo"));
    assert!(part(&reply, "s-shelf-undo").contains(">Undo<"));
    let reply = tab.ask("undo", "");
    assert_eq!(
        (kept(&browser).join(","), said(&reply)),
        ("second,eins,eins 2".to_owned(), "<p>“eins” is back.</p>".to_owned())
    );
    assert_eq!(part(&reply, "s-shelf-undo"), "");
    assert_eq!(tab.ask("undo", "").parts.len(), 4, "a second undo does nothing");
    assert_eq!(kept(&browser).len(), 3);
}

#[test]
fn a_name_that_is_there_is_replaced_and_comes_back() {
    let browser = Browser::default();
    let mut tab = Tab::new(&browser);
    tab.save("a");
    tab.save("b");
    assert_eq!(tab.save("a"), "<p>“a” is saved already, with these inputs.</p>");
    tab.type_in("clients", "7");
    assert_eq!(tab.save("a"), "<p>“a” replaced by the inputs of now.</p>");
    assert!(tab.ask("open 1", "").go.contains("clients=7"));
    tab.ask("undo", "");
    assert!(tab.ask("open 1", "").go.contains("clients=100"));
    assert_eq!(kept(&browser), ["b", "a"]);
}

#[test]
fn renaming_to_a_taken_or_wrong_name_says_why_and_keeps_the_field_open() {
    let browser = Browser::default();
    let mut tab = Tab::new(&browser);
    tab.save("a");
    tab.save("b");
    tab.ask("rename 0", "");
    for (name, why) in
        [("a", "There is a “a” already."), ("", "The name is empty."), ("x\u{202e}y", "cannot be seen")]
    {
        let reply = tab.ask("renamed", name);
        assert!(said(&reply).contains(why), "{}", said(&reply));
        assert_eq!(reply.focus, "shelf-rename");
        assert!(part(&reply, "s-shelf-list").contains("id=\"shelf-rename\""));
    }
    assert_eq!(tab.ask("cancel", "").focus, "shelf-rename-0");
    assert_eq!(kept(&browser), ["b", "a"]);
}

#[test]
fn wrong_inputs_and_wrong_names_are_told_together_and_nothing_is_saved() {
    let browser = Browser::default();
    let mut tab = Tab::new(&browser);
    tab.type_in("rps", "x");
    tab.type_in("hosts", "0");
    let text = tab.save(&"y".repeat(10_000));
    for part in [
        "Not saved.",
        "The name has 10000 characters. Allowed: up to 80.",
        "rps: “x” is in another unit",
        "hosts: 0 is out of range",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(kept(&browser).is_empty());
}

#[test]
fn two_tabs_keep_what_the_other_wrote() {
    let browser = Browser::default();
    let (mut one, mut two) = (Tab::new(&browser), Tab::new(&browser));
    one.save("from one");
    two.save("from two");
    assert_eq!(kept(&browser), ["from two", "from one"]);
    let reply = one.ask("storage", "");
    assert_eq!(said(&reply), "<p>The list was changed in another tab.</p>");
    assert_eq!(one.ask("storage", ""), Reply::default(), "nothing new, nothing to do");
    // What is shown in a tab may be gone: an entry is known by its name, not by its place.
    two.ask("delete 0", "");
    let reply = one.ask("open 0", "");
    assert_eq!(reply.go, "");
    assert!(said(&reply).contains("“from two” is no longer there"), "{}", said(&reply));
    one.save("new");
    assert!(two.ask("open 0", "").go.is_empty() || kept(&browser) == ["new", "from one"]);
    // Undo after another tab has used the name.
    two.ask("storage", "");
    two.ask("delete 1", "");
    one.save("from one");
    two.ask("undo", "");
    assert_eq!(
        kept(&browser),
        ["from one", "from one 2", "new"].map(str::to_owned).to_vec().into_iter().collect::<Vec<_>>()
    );
}

#[test]
fn a_blocked_browser_keeps_it_for_now_and_says_so() {
    let browser = Browser::default();
    browser.is_blocked.set(true);
    let mut tab = Tab::new(&browser);
    let reply = tab.ask("save", "a");
    assert_eq!(said(&reply), "<p>“a” saved.</p>");
    let place = part(&reply, "s-shelf-where");
    assert!(
        place.starts_with("This browser allows no storage for this page: what is saved is gone when"),
        "{place}"
    );
    assert!(tab.ask("open 0", "").go.starts_with("#v=1&"));
    let (_, text) = tab.ask("export-all", "").file.expect("a file");
    assert_eq!(read(&text, true).0.0.len(), 1);
}

#[test]
fn a_full_browser_is_said_to_be_full() {
    let browser = Browser::default();
    let mut tab = Tab::new(&browser);
    tab.save("a");
    browser.is_full.set(true);
    let reply = tab.ask("save", "b");
    let place = part(&reply, "s-shelf-where");
    assert!(place.starts_with("The browser’s storage is full:"), "{place}");
    assert!(place.contains("Export all to a file now. Then delete scenarios"), "{place}");
    assert!(part(&reply, "s-shelf-list").contains(">b<"), "it is there until the page is closed");
    let told = said(&reply);
    assert!(told.contains("“b” saved.") && told.contains("It is on this page only"), "{told}");
    // It is said once where the eye is, and stays below.
    assert_eq!(said(&tab.ask("save", "b")).matches("on this page only").count(), 0);
}

#[test]
fn a_full_browser_is_tried_again_when_there_is_room() {
    let browser = Browser::default();
    let mut tab = Tab::new(&browser);
    tab.save("a");
    browser.is_full.set(true);
    tab.save("b");
    browser.is_full.set(false);
    let reply = tab.ask("delete 1", "");
    assert!(part(&reply, "s-shelf-where").starts_with("Kept in this browser"), "{reply:?}");
    assert!(!browser.text.borrow().contains("\"a\"") && browser.text.borrow().contains("\"b\""));
    // What another tab has written meanwhile is not written over.
    browser.is_full.set(true);
    tab.save("c");
    browser.is_full.set(false);
    let mut other = Tab::new(&browser);
    other.save("d");
    let reply = tab.ask("delete 0", "");
    assert!(part(&reply, "s-shelf-where").starts_with("The browser’s storage is full:"), "{reply:?}");
    assert!(browser.text.borrow().contains("\"d\""));
}

#[test]
fn what_is_kept_but_damaged_is_set_aside_and_the_rest_stays() {
    let browser = Browser::default();
    let damaged = r#"{"headroom":"scenarios","version":1,"scenarios":[{"name":"good","link":"v=1&rps=5&p50=3"},{"name":7},{"name":"later","link":"v=2099.01&new=5"}]}"#;
    *browser.text.borrow_mut() = damaged.to_owned();
    let mut tab = Tab::new(&browser);
    assert_eq!(*browser.aside.borrow(), damaged);
    let reply = tab.ask("open 0", "");
    assert_eq!(reply.go, "#v=1&rps=5&p50=3");
    let list = part(&reply, "s-shelf-list");
    assert!(list.contains("later") && list.contains("cannot be read by this version"), "{list}");
    *browser.text.borrow_mut() = "{{{".to_owned();
    let text = said(&tab.ask("show", ""));
    assert!(text.contains("cannot be read and was set aside") && text.contains("not valid JSON"), "{text}");
}

#[test]
fn a_file_comes_back_as_it_went() {
    let browser = Browser::default();
    let mut tab = Tab::new(&browser);
    let names = ["оплата <b>&\"'é 注文", "<img src=x onerror=alert(1)>", "\\\" }]"];
    for name in names {
        tab.save(name);
    }
    let (name, all) = tab.ask("export-all", "").file.expect("a file");
    assert_eq!(name, "headroom-scenarios.json");
    let (name, one) = tab.ask("export 1", "").file.expect("a file");
    assert_eq!((name.as_str(), read(&one, true).0.0.len()), ("headroom-img-src-x-onerror-alert-1.json", 1));
    let other = Browser::default();
    let mut tab = Tab::new(&other);
    assert_eq!(
        tab.import(&[("all.json", Some(&all)), ("one.json", Some(&one))]),
        "<p>3 scenarios imported. There already: 1.</p>"
    );
    assert_eq!(kept(&other), kept(&browser));
    // Another scenario of a name that is there gets a number.
    tab.type_in("rps", "9");
    tab.save("\\\" }]");
    tab.import(&[("all.json", Some(&all))]);
    assert!(kept(&other).contains(&"\\\" }] 2".to_owned()), "{:?}", kept(&other));
}

#[test]
fn html_of_hostile_names_is_text() {
    let browser = Browser::default();
    let mut tab = Tab::new(&browser);
    let reply = tab.ask("save", "<img src=x onerror=alert(1)>\"'");
    for (_, html) in &reply.parts {
        assert!(!html.contains("<img") && !html.contains("\"'"), "{html}");
    }
    assert!(part(&reply, "s-shelf-list").contains("<bdi>&lt;img src=x onerror=alert(1)&gt;&quot;'</bdi>"));
}

#[test]
fn every_problem_of_a_file_is_told_at_once_and_what_is_good_comes_in() {
    let browser = Browser::default();
    let mut tab = Tab::new(&browser);
    let file = r##"{"headroom": "scenarios", "version": 1, "scenarios": [
        {"name": "good", "link": "#v=1&rps=5&p50=3"},
        {"name": "bad link", "link": "v=1&rps=-1&hosts=0&p50=3"},
        {"name": "a\u202eb"},
        {"link": 5},
        "text",
        {"name": "newer", "link": "v=2099.01&rps=5&p50=3"},
        {"name": "script", "link": "javascript:alert(1)"}]}"##;
    let text = tab.import(&[("x.json", Some(file)), ("y.json", Some("[1,")), ("z.json", None)]);
    for part in [
        "One scenario imported.",
        "x.json: “bad link”: rps: -1 is out of range.",
        "x.json: “bad link”: hosts: 0 is out of range.",
        "x.json: Scenario 3: The name “a\u{202e}b” has a line break",
        "x.json: Scenario 3: its link is missing",
        "x.json: Scenario 4: its name is missing",
        "x.json: Scenario 4: its link is missing",
        "x.json: Scenario 5: its name is missing",
        "x.json: “newer”: v: The link was made with the rules of 2099.01",
        "x.json: “script”: v: The link has no version.",
        "y.json: The file is not valid JSON:",
        "z.json: The file has more than 1,048,577 bytes. Allowed: up to 1,048,576.",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert_eq!(kept(&browser), ["good"]);
}

#[test]
fn files_of_other_kinds_say_what_they_are() {
    for (file, says) in [
        (
            r#"{"rps": 500, "latency_ms": {"p50": 3}}"#,
            "This is one scenario as JSON, for headroom size --scenario.",
        ),
        ("[]", "The file holds no scenarios of Headroom"),
        (r#"{"headroom": "scenarios", "version": 2}"#, "The version of the file is 2. Allowed: 1."),
        (r#"{"headroom": "scenarios", "version": 1, "scenarios": {}}"#, "\"scenarios\" is not a list."),
        ("", "not valid JSON"),
        (&"[".repeat(200_000), "not valid JSON"),
    ] {
        let (entries, problems) = read(file, true);
        assert!(entries.0.is_empty());
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains(says), "{problems:?}");
    }
    let (_, problems) = read(&" ".repeat(MAX_BYTES + 1), true);
    assert!(problems[0].contains("Allowed: up to 1,048,576."), "{problems:?}");
}

#[test]
fn there_is_room_for_so_many_and_no_more() {
    let browser = Browser::default();
    let many: Vec<Entry> = (0..MAX_ENTRIES + 5)
        .map(|n| Entry { name: format!("n{n}"), link: "v=1&rps=5&p50=3".to_owned() })
        .collect();
    let mut tab = Tab::new(&browser);
    let text = tab.import(&[("many.json", Some(&write(&many)))]);
    assert!(text.contains("200 scenarios imported.") && text.matches("room for 200").count() == 5, "{text}");
    for action in ["duplicate 0", "save"] {
        assert!(said(&tab.ask(action, "one more")).contains("There is room for 200 scenarios."));
    }
    assert_eq!(kept(&browser).len(), MAX_ENTRIES);
}
