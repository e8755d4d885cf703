use super::*;
use serde::Serialize;

#[derive(Serialize)]
struct Doc {
    list: Vec<Item>,
    after: u32,
}

#[derive(Serialize)]
struct Item {
    name: String,
    inner: Inner,
}

#[derive(Serialize)]
struct Inner {
    limits: Vec<Limit>,
    last: u32,
}

#[derive(Serialize)]
struct Limit {
    max: u32,
    min: u32,
}

fn doc(names: [&str; 2]) -> Doc {
    let item = |name: &str| Item {
        name: name.to_owned(),
        inner: Inner { limits: vec![Limit { max: 1, min: 2 }, Limit { max: 3, min: 4 }], last: 5 },
    };
    Doc { list: names.map(item).into(), after: 6 }
}

#[track_caller]
fn check(names: [&str; 2], comments: &[(&str, &str)], expected: &str) {
    let comments: Vec<Comment> = comments.iter().map(|(path, text)| Comment::new(*path, *text)).collect();
    assert_eq!(to_yaml(&doc(names), &[], &comments), expected);
}

#[test]
fn comments_stand_above_their_setting() {
    check(
        ["a", "b"],
        &[
            ("list[0].inner.limits[1].min", "one"),
            ("list[1]", "never: an item is no line of its own"),
            ("list[1].name", "two"),
            ("list[1].inner.limits[0].max", "three"),
            ("list[1].inner.last", "four"),
            ("after", "five"),
            ("elsewhere", "never"),
        ],
        "\
list:
- name: a
  inner:
    limits:
    - max: 1
      min: 2
    - max: 3
      # one
      min: 4
    last: 5
# two
- name: b
  inner:
    limits:
    # three
    - max: 1
      min: 2
    - max: 3
      min: 4
    # four
    last: 5
# five
after: 6
",
    );
}

#[test]
fn values_are_never_taken_for_keys() {
    let yaml = to_yaml(
        &doc(["x\n    limits:\n    - max: 1", "- inner: {last: 1}"]),
        &[],
        &[Comment::new("list[0].inner.last", "here")],
    );
    assert_eq!(yaml.matches("# here").count(), 1, "{yaml}");
    assert!(yaml.contains("    # here\n    last: 5\n"), "{yaml}");
}

#[test]
fn comments_cannot_be_broken_out_of() {
    let yaml = to_yaml(
        &doc(["a", "b"]),
        &paragraph("x\nadmin: {}\r\u{2028}y\u{85}z \u{202e}w", 0),
        &[Comment::new("after", "a\nafter: 7")],
    );
    assert!(yaml.starts_with("# x admin: {} y z w\nlist:"), "{yaml}");
    assert!(yaml.ends_with("# a after: 7\nafter: 6\n"), "{yaml}");
}

#[test]
fn lines_are_broken_at_spaces_but_not_within_a_number_and_its_unit() {
    assert_eq!(wrap("aaaa bbbb cccc dddd", 16), ["aaaa bbbb cccc", "dddd"]);
    assert_eq!(wrap("aaaa bbbb cc 10\u{a0}ms", 16), ["aaaa bbbb cc", "10 ms"]);
    assert_eq!(wrap(&"x".repeat(20), 16), ["x".repeat(16), "xxxx".to_owned()]);
    assert_eq!(wrap("", 16), Vec::<String>::new());
}
