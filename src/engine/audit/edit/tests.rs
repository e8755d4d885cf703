//! Rows of texts before and after.

use super::outline::Outline;
use super::plan::{At, Editor, Old, Plan};
use super::scalar::Single;
use super::{Applied, apply, preview, render, splice};
use crate::engine::audit::rules::tests::judge;
use crate::engine::audit::{Audit, Change, Finding, Fix, Setting, Value};
use crate::engine::read::scalar::Notation;
use crate::engine::read::source::Input;
use crate::engine::read::{Place, documents};
use crate::engine::rules::{RuleMeta, Severity};

/// Makes changes such as `a.b[1].c = 5`, `- a.b`, `a.list += x=1`, `a.b -> c` in the first document.
fn edited(text: &str, changes: &[&str]) -> Result<String, String> {
    let inputs = [Input::new("x", text)];
    let parsed = documents(&inputs);
    let outlines = parsed.documents.iter().map(|d| Outline::new(text, d)).collect();
    let mut editor = Editor { outlines, plan: Plan::default(), fix: 0, agrees: false, is_camel: false };
    for change in changes {
        make(&mut editor, change)?;
    }
    splice::applied(text, 0, &render::splices(&editor)).map_err(|_| "overlap".to_owned())
}

fn make(editor: &mut Editor<'_>, change: &str) -> Result<(), String> {
    let text = |s: &str| match s.strip_prefix('\'') {
        Some(text) => Single::text(text),
        None => Single::bare(s),
    };
    if let Some(path) = change.strip_prefix("- ") {
        let (above, last) = split(path);
        let map = walk(editor, above)?;
        return match last.parse::<usize>() {
            Ok(index) => match editor.items(map)[index] {
                At::Old(old) => editor.remove(old),
                At::New(new) => {
                    editor.remove_new(new);
                    Ok(())
                }
            },
            Err(_) => editor.clear(map, last),
        };
    }
    if let Some((path, item)) = change.split_once(" += ") {
        let (above, last) = split(path);
        let map = walk(editor, above)?;
        let new = match item.split_once('=') {
            Some((key, value)) => {
                let new = editor.new_map(false);
                editor.set(At::New(new), key, text(value), Notation::Proto)?;
                new
            }
            None => editor.new_text(text(item)),
        };
        return editor.push(map, last, new);
    }
    if let Some((path, key)) = change.split_once(" -> ") {
        let (above, last) = split(path);
        let map = walk(editor, above)?;
        let Some(At::Old(old)) = editor.get(map, last) else { return Err("not there".to_owned()) };
        return editor.rename(old, key.to_owned());
    }
    let (path, value) = change.split_once(" = ").ok_or("no change")?;
    let (above, last) = split(path);
    let map = walk(editor, above)?;
    match last.parse::<usize>() {
        Ok(index) => {
            let item = editor.items(map)[index];
            editor.write(item, text(value), Notation::Proto)
        }
        Err(_) => editor.set(map, last, text(value), Notation::Proto),
    }
}

fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or(("", path))
}

fn walk(editor: &mut Editor<'_>, path: &str) -> Result<At, String> {
    let mut at = At::Old(Old { document: 0, slot: 0 });
    for step in path.split('.').filter(|s| !s.is_empty()) {
        at = match step.parse::<usize>() {
            Ok(index) => {
                let item = editor.items(at)[index];
                editor.open(item)?
            }
            Err(_) => editor.enter(at, step)?,
        };
    }
    Ok(at)
}

#[track_caller]
fn rows(rows: &[(&str, &[&str], &str)]) {
    let mut wrong = Vec::new();
    for (before, changes, wanted) in rows {
        let got = edited(before, changes);
        if got.as_deref() != Ok(*wanted) {
            wrong.push(format!(
                "{changes:?} in\n{before}\ngives\n{}\nnot\n{wanted}",
                got.unwrap_or_else(|e| e)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n======\n"));
}

#[test]
fn values_are_replaced_in_their_notation() {
    rows(&[
        ("a: 1 # one\nb: 2\n", &["a = 5"], "a: 5 # one\nb: 2\n"),
        ("a:   \"1\"   # one\n", &["a = 5"], "a:   \"5\"   # one\n"),
        ("a: '1s'\n", &["a = '2s"], "a: '2s'\n"),
        ("a: 0x400\n", &["a = 16"], "a: 0x10\n"),
        ("a: {b: 1, c: 2} # x\n", &["a.c = 3"], "a: {b: 1, c: 3} # x\n"),
        (
            "{\"a\": {\"b\": 1,\n\t\"c\": \"2s\"}}\n",
            &["a.b = 3", "a.c = '4s"],
            "{\"a\": {\"b\": 3,\n\t\"c\": \"4s\"}}\n",
        ),
        ("a:\r\n  b: 1\r\n  c: 2", &["a.b = 10", "a.c = 20"], "a:\r\n  b: 10\r\n  c: 20"),
        ("\u{feff}a: 1\nb: \"x\ty\"\n", &["a = 5"], "\u{feff}a: 5\nb: \"x\ty\"\n"),
        ("a: >-\n  5xx,\n  reset\nb: 1\n", &["a = '5xx"], "a: 5xx\nb: 1\n"),
        ("a: &x 1\nb: 2\n", &["a = 5"], "a: &x 5\nb: 2\n"),
        ("a: !!str 1\n", &["a = 5"], "a: !!str 5\n"),
        ("a: foo\n  bar\nb: 1\n", &["a = 'x"], "a: x\nb: 1\n"),
        ("- - 1\n  - 2\n- - 3\n", &["0.1 = 5", "1.0 = 6"], "- - 1\n  - 5\n- - 6\n"),
        ("a: [1, 2,3]\n", &["a.1 = 9"], "a: [1, 9,3]\n"),
        ("é: 1\nb: {ü: 2, c: 3}\n", &["b.c = 5"], "é: 1\nb: {ü: 2, c: 5}\n"),
    ]);
}

#[test]
fn nothing_becomes_a_value() {
    rows(&[
        ("a:\nb: 1\n", &["a = 5"], "a: 5\nb: 1\n"),
        ("a: # none\nb: 1\n", &["a = 5"], "a: 5 # none\nb: 1\n"),
        ("a: ~\n", &["a = 5"], "a: 5\n"),
        ("a: {b: , c: ~}\n", &["a.b = 5", "a.c = 6"], "a: {b: 5 , c: 6}\n"),
        ("{\"a\": null}\n", &["a.b = 5"], "{\"a\": {\"b\": 5}}\n"),
        ("a: # none\nb: 1\n", &["a.b.c = 5"], "a: # none\n  b:\n    c: 5\nb: 1\n"),
        ("a: null # none\nb: 1\n", &["a.b = 5", "a.c = 6"], "a: # none\n  b: 5\n  c: 6\nb: 1\n"),
        ("a:\n- \n- x: 1\n", &["a.0.x = 5"], "a:\n- x: 5 \n- x: 1\n"),
        ("a:\n-\n- x: 1\n", &["a.0.x = 5", "a.0.w = 6"], "a:\n- x: 5\n  w: 6\n- x: 1\n"),
    ]);
}

#[test]
fn fields_are_added_where_they_belong() {
    rows(&[
        ("a:\n  b: 1 # one\n\n# two\nc: 2\n", &["a.d = 5"], "a:\n  b: 1 # one\n  d: 5\n\n# two\nc: 2\n"),
        ("a:\n  b: 1", &["a.d = 5"], "a:\n  b: 1\n  d: 5"),
        ("a:\r\n    b: 1\r\n", &["a.c.d = 5"], "a:\r\n    b: 1\r\n    c:\r\n        d: 5\r\n"),
        ("l:\n- a: 1\n- a: 2\n", &["l.0.b.c = 5"], "l:\n- a: 1\n  b:\n    c: 5\n- a: 2\n"),
        (
            "l:\n  - a: 1\n",
            &["l.0.b = 5", "l += x=1", "m += w=2"],
            "l:\n  - a: 1\n    b: 5\n  - x: 1\nm:\n  - w: 2\n",
        ),
        ("- - a: 1\n- - a: 2\n", &["0.0.b = 5"], "- - a: 1\n    b: 5\n- - a: 2\n"),
        ("a: {b: 1}\n", &["a.c.d = 5", "a.e = 'x,y"], "a: {b: 1, c: {d: 5}, e: \"x,y\"}\n"),
        ("a: { b: 1 }\n", &["a.c = 5"], "a: { b: 1, c: 5 }\n"),
        ("a: {}\n", &["a.b.c = 5"], "a: {b: {c: 5}}\n"),
        ("a: { }\n", &["a.b = 5"], "a: { b: 5 }\n"),
        ("a: {b: 1,}\n", &["a.c = 5"], "a: {b: 1, c: 5,}\n"),
        (
            "a: {\n  b: 1, # one\n  c: 2 # two\n}\n",
            &["a.d = 5"],
            "a: {\n  b: 1, # one\n  c: 2, # two\n  d: 5\n}\n",
        ),
        ("a: {\n  b: 1, # one\n}\n", &["a.d = 5"], "a: {\n  b: 1, # one\n  d: 5,\n}\n"),
        ("a: [1]\n", &["a += 2"], "a: [1, 2]\n"),
        ("a: []\n", &["a += 2"], "a: [2]\n"),
        ("a: |\n  text\n\nb: 1\n", &["c = 5"], "a: |\n  text\n\nb: 1\nc: 5\n"),
        ("b: 1\na: |\n  text\n", &["c = 5"], "b: 1\na: |\n  text\nc: 5\n"),
        (
            "a:\n  b:\n    c: 1\n",
            &["a.b.d = 2", "a.e = 3", "f = 4"],
            "a:\n  b:\n    c: 1\n    d: 2\n  e: 3\nf: 4\n",
        ),
        ("a: 1\n---\na: 2\n", &["b = 5"], "a: 1\nb: 5\n---\na: 2\n"),
    ]);
}

#[test]
fn json_stays_json() {
    rows(&[
        ("{\"a\": {\"b\": 1}}", &["a.c.d = '5s"], "{\"a\": {\"b\": 1, \"c\": {\"d\": \"5s\"}}}"),
        ("{\"a\":{\"b\":1}}", &["a.c.d = 5", "a.e = 6"], "{\"a\":{\"b\":1,\"c\":{\"d\":5},\"e\":6}}"),
        (
            "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n",
            &["a.c.d = 5"],
            "{\n  \"a\": {\n    \"b\": 1,\n    \"c\": {\n      \"d\": 5\n    }\n  }\n}\n",
        ),
        (
            "{\n  \"a\": [\n    {\"b\": 1}\n  ]\n}\n",
            &["a += b=2"],
            "{\n  \"a\": [\n    {\"b\": 1},\n    {\n      \"b\": 2\n    }\n  ]\n}\n",
        ),
        ("{\n \"a\": 1,\n \"b\": 2\n}\n", &["- a"], "{\n \"b\": 2\n}\n"),
        ("{\n \"a\": 1,\n \"b\": 2\n}\n", &["- b"], "{\n \"a\": 1\n}\n"),
        ("{\"a\": {}, \"b\": []}", &["a.c = 5", "b += 1"], "{\"a\": {\"c\": 5}, \"b\": [1]}"),
    ]);
}

#[test]
fn keys_are_left_out_with_their_lines() {
    rows(&[
        ("a: 1\nb: 2 # two\n# three\nc: 3\n", &["- b"], "a: 1\n# three\nc: 3\n"),
        ("a: 1\nb:\n  c: 2\n  d: 3 # x\ne: 4\n", &["- b"], "a: 1\ne: 4\n"),
        ("a: 1\nb: 2", &["- b"], "a: 1"),
        ("a: 1\r\nb: 2", &["- b"], "a: 1"),
        ("a: 1\nb: 2\nc: 3", &["- b", "- c"], "a: 1\n"),
        ("l:\n- a: 1 # x\n  b: 2\n- c: 3\n", &["- l.0.a"], "l:\n- b: 2\n- c: 3\n"),
        ("l:\n- a: 1\n  # about b\n  b: 2\n", &["- l.0.a"], "l:\n- # about b\n  b: 2\n"),
        ("l:\n- a: 1\n  b: 2\n  c: 3\n", &["- l.0.a", "- l.0.b"], "l:\n- c: 3\n"),
        ("l:\n- a: 1\n  b: 2\n  c: 3\n", &["- l.0.b"], "l:\n- a: 1\n  c: 3\n"),
        ("a:\n  b: 1\nc: 2\n", &["- a.b"], "a: {}\nc: 2\n"),
        ("a: # x\n  b: 1\nc: 2\n", &["- a.b"], "a: {} # x\nc: 2\n"),
        ("l:\n- a: 1\nc: 2\n", &["- l.0.a"], "l:\n- {}\nc: 2\n"),
        ("a: {b: 1, c: 2}\n", &["- a.b"], "a: {c: 2}\n"),
        ("a: {b: 1, c: 2}\n", &["- a.c"], "a: {b: 1}\n"),
        ("a: {b: 1, c: 2, d: 3}\n", &["- a.b", "- a.c"], "a: {d: 3}\n"),
        ("a: {b: 1, c: 2, d: 3}\n", &["- a.c", "- a.d"], "a: {b: 1}\n"),
        ("a: { b: 1 }\n", &["- a.b"], "a: {}\n"),
        ("a: {\n  b: 1, # one\n  c: 2 # two\n}\n", &["- a.c"], "a: {\n  b: 1, # one\n}\n"),
        ("a: 1\nb: |\n  x\n\n  y\nc: 3\n", &["- b"], "a: 1\nc: 3\n"),
        ("a: 1\nb:\nc: 3\n", &["- a"], "b:\nc: 3\n"),
    ]);
}

#[test]
fn list_items_are_left_out() {
    rows(&[
        ("l:\n- a: 1\n  b: 2\n- c: 3 # x\n", &["- l.0"], "l:\n- c: 3 # x\n"),
        ("l:\n- a: 1\n- c: 3 # x\nm: 1\n", &["- l.1"], "l:\n- a: 1\nm: 1\n"),
        ("l:\n- a: 1\nm: 1\n", &["- l.0"], "l: []\nm: 1\n"),
        ("- - a\n  - b\n- - c\n", &["- 0.0"], "- - b\n- - c\n"),
        ("- - a\n  - b\n- - c\n", &["- 0.1"], "- - a\n- - c\n"),
        ("- - a\n  - b\n- - c\n", &["- 1.0"], "- - a\n  - b\n- []\n"),
        ("- - a\n  - b\n- - c\n", &["- 0"], "- - c\n"),
        ("l: [1, 2, 3]\n", &["- l.1"], "l: [1, 3]\n"),
        ("l: [1, 2]\n", &["- l.0", "- l.0"], "l: []\n"),
        ("l: [{a: 1}, {b: 2}]\n", &["- l.0"], "l: [{b: 2}]\n"),
    ]);
}

#[test]
fn several_changes_meet() {
    rows(&[
        ("a:\n  b: 1\nc: 2\n", &["- a.b", "a.d = 5"], "a:\n  d: 5\nc: 2\n"),
        ("l:\n- a: 1\n", &["- l.0.a", "l.0.b = 5", "l.0.c = 6"], "l:\n- b: 5\n  c: 6\n"),
        ("a: {b: 1}\n", &["- a.b", "a.c = 5"], "a: {c: 5}\n"),
        ("a:\n  b: 1\n  c: 2\n", &["- a.c", "a.d = 5"], "a:\n  b: 1\n  d: 5\n"),
        ("a: 1\n", &["b.c = 1", "b.d = 2", "b.e.f = 3"], "a: 1\nb:\n  c: 1\n  d: 2\n  e:\n    f: 3\n"),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}\n", &["- b", "c = 5"], "{\n  \"a\": 1,\n  \"c\": 5\n}\n"),
        (
            "a: {\n  b: 1, # one\n  c: 2 # two\n}\n",
            &["- a.c", "a.d = 5"],
            "a: {\n  b: 1, # one\n  d: 5,\n}\n",
        ),
        ("a: {\n  b: 1,\n  c: 2, # two\n}\n", &["- a.c", "a.d = 5"], "a: {\n  b: 1,\n  d: 5, # two\n}\n"),
        (
            "a:\n  b:\n    c: 1\n    d: 2 # x\ne: 1\n",
            &["- a.b.d", "a.f = 5"],
            "a:\n  b:\n    c: 1\n  f: 5\ne: 1\n",
        ),
        ("a:\n  b: # x\n    d: 2\ne: 1\n", &["- a.b.d", "a.f = 5"], "a:\n  b: {} # x\n  f: 5\ne: 1\n"),
        ("a:\n  t:\n    c: 1\n    d: 2\n", &["- a.t.d", "a.t += p=9"], "a:\n  t:\n    - c: 1\n    - p: 9\n"),
        ("a: 1\nb: 2\n", &["a -> x", "a = 5"], "x: 1\nb: 2\na: 5\n"),
        ("{\"a\": 1, 'b': 2}\n", &["a -> x", "b -> y"], "{\"x\": 1, 'y': 2}\n"),
    ]);
    assert!(edited("a: 1\nb: 2\n", &["a -> b"]).is_err());
}

#[test]
fn a_map_becomes_the_first_item_of_a_list() {
    rows(&[
        (
            "c:\n  t:\n    a: 1 # x\n    b:\n      c: 2\n  d: 3\n",
            &["c.t += p=9", "c.t.0.e = 5", "c.t.0.b.f = 6"],
            "c:\n  t:\n    - a: 1 # x\n      b:\n        c: 2\n        f: 6\n      e: 5\n    - p: 9\n  d: 3\n",
        ),
        ("t: {a: 1}\n", &["t += p=9"], "t: [{a: 1}, {p: 9}]\n"),
        ("t:\n  a: 1\nu: 2", &["t += p=9"], "t:\n  - a: 1\n  - p: 9\nu: 2"),
    ]);
}

#[test]
fn anchors_keep_their_meaning() {
    rows(&[
        // An alias of a single value is a value of its own.
        ("a: &x 1\nb: *x\n", &["b = 5"], "a: &x 1\nb: 5\n"),
        // One of a block becomes a copy.
        ("a: &x {b: 1, c: 2}\nd: *x # own\n", &["d.b = 5"], "a: &x {b: 1, c: 2}\nd: # own\n  b: 5\n  c: 2\n"),
        ("a: &x\n  b: 1\nl:\n- *x\n- 2\n", &["l.0.b = 5"], "a: &x\n  b: 1\nl:\n- b: 5\n- 2\n"),
        ("a: &x {b: 1}\nd: {e: *x}\n", &["d.e.b = 5"], "a: &x {b: 1}\nd: {e: {b: 5}}\n"),
        // What is merged is overridden where it is used.
        ("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n", &["d.b = 5"], "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  b: 5\n"),
        (
            "a: &x {b: {c: 1, e: 2}}\nd:\n  <<: *x\n  f: 3\n",
            &["d.b.c = 5"],
            "a: &x {b: {c: 1, e: 2}}\nd:\n  <<: *x\n  f: 3\n  b:\n    c: 5\n    e: 2\n",
        ),
        ("a: &x {b: 1}\nd: {<<: *x}\n", &["d.b = 5"], "a: &x {b: 1}\nd: {<<: *x, b: 5}\n"),
        // Without a user an anchor is nothing to care about.
        ("a: &x\n  b: 1\n", &["a.b = 5", "a.c = 6"], "a: &x\n  b: 5\n  c: 6\n"),
    ]);
    for (text, change) in [
        ("a: &x 1\nb: *x\n", "a = 5"),
        ("a: &x {b: 1}\nb: *x\n", "a.b = 5"),
        ("a: &x {b: 1}\nb: *x\n", "a.c = 5"),
        ("a: &x\n  b: 1\nb:\n  <<: *x\n", "a.b = 5"),
        ("a: &x\n  b: 1\nb:\n  <<: *x\n", "a.c = 5"),
        ("a: &x\n  b: 1\nb:\n  <<: *x\n", "- a.b"),
        ("a: &x {b: 1}\nb: *x\n", "- a"),
        ("a: &x {b: 1}\nb: {<<: *x}\n", "- b.b"),
        ("a:\n  b: &x 1\nc: *x\n", "- a"),
    ] {
        assert!(edited(text, &[change]).is_err(), "{change} in {text} gives {:?}", edited(text, &[change]));
    }
}

const META: RuleMeta = RuleMeta {
    code: "HR000",
    name: "test",
    severity: Severity::Warning,
    summary: "",
    rationale: "",
    sources: &[],
};

/// An audit with one finding for each list of changes; clusters and routes are given by index.
pub fn audit_with(
    text: &str,
    fixes: Vec<(Option<usize>, Option<usize>, Vec<Change>)>,
) -> (Vec<Input>, Audit) {
    let mut audit = judge(text, "");
    audit.findings = fixes
        .into_iter()
        .map(|(cluster, route, changes)| {
            let fix = Fix { label: String::new(), changes };
            Finding { cluster, route, ..META.found(&[], &Place::default(), "x") }.fix(fix)
        })
        .collect();
    (vec![Input::new("test.yaml", text)], audit)
}

fn set(setting: Setting, value: Value) -> Vec<Change> {
    vec![Change::Set(setting, value)]
}

#[test]
fn fixes_that_contradict_each_other_are_refused() {
    let text = "route:\n  cluster: a\n  timeout: 1s\n";
    let to = |ms: f64| set(Setting::RouteTimeout, Value::Duration(crate::engine::units::Millis(ms)));
    let clear = vec![Change::Clear(Setting::RouteTimeout)];
    let fixes = vec![
        (None, Some(0), to(2000.0)),
        (None, Some(0), to(2000.0)),
        (None, Some(0), to(3000.0)),
        (None, Some(0), clear.clone()),
        (None, Some(0), clear),
    ];
    let (inputs, audit) = audit_with(text, fixes);
    let twice = apply(&inputs, &audit, &[3, 4]);
    assert_eq!((twice.inputs[0].text.as_str(), twice.done), ("route:\n  cluster: a\n", vec![3, 4]));
    let Applied { inputs: new, done, refused } = apply(&inputs, &audit, &[0, 1, 2, 3, 7]);
    assert_eq!(new[0].text, "route:\n  cluster: a\n  timeout: 2s\n");
    assert_eq!(done, [0, 1]);
    let whys: Vec<&str> = refused.iter().map(|(_, why)| why.as_str()).collect();
    assert_eq!(refused.iter().map(|r| r.0).collect::<Vec<_>>(), [2, 3, 7], "{whys:?}");
}

#[test]
fn a_new_name_may_bring_to_light_what_is_wrong() {
    let text = "name: a\noutlier_detecton:\n  interval: 250ms\n";
    let read = judge(text, "").configuration;
    assert_eq!(read.clusters.len(), 0, "{read:#?}");
    let text = "name: a\nconnect_timeout: 1s\noutlier_detecton:\n  interval: 250ms\n  base: 1\n";
    let at = judge(text, "").configuration.problems[0].at.clone();
    let rename = vec![Change::Rename(at, "outlier_detection".to_owned())];
    let (inputs, audit) = audit_with(text, vec![(Some(0), None, rename)]);
    assert_eq!(apply(&inputs, &audit, &[0]).inputs[0].text, text.replace("detecton", "detection"));
}

#[test]
fn a_fix_that_breaks_the_text_is_refused() {
    let text = "retry_on: reset\nretry_back_off: {base_interval: 0.1s, max_interval: 1s}\n";
    let below = set(Setting::BackOffMax, Value::Duration(crate::engine::units::Millis(50.0)));
    let (inputs, audit) = audit_with(text, vec![(None, Some(0), below)]);
    let applied = apply(&inputs, &audit, &[0]);
    assert_eq!(applied.inputs[0].text, text);
    assert!(applied.refused[0].1.contains("max_interval"), "{:?}", applied.refused);
    assert!(preview(&inputs, &audit, 0).is_err());
}
