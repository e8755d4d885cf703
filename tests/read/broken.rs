//! Broken texts: place, kind, and what is read all the same.

use crate::support::{config, problems};
use headroom::engine::read::config::{Configuration, Effect, ProblemKind};
use headroom::engine::read::source::{Input, excerpt};
use headroom::engine::read::{read, value};

fn names(config: &Configuration) -> Vec<&str> {
    config.clusters.iter().filter_map(|c| c.name.as_ref().map(|n| n.value.as_str())).collect()
}

const THREE: &str = "\
static_resources:
  clusters:
  - name: a
    connect_timeout: 1s
  - name: b
    connect_timeout: 1s
     circuit_breakers: {thresholds: []}
  - name: c
    connect_timeout: 1s
";

#[test]
fn the_item_around_a_break_is_left_out_and_the_rest_is_read() {
    let config = config(THREE);
    assert_eq!(names(&config), ["a", "c"]);
    assert_eq!(problems(&config), [(7, ProblemKind::Syntax, Effect::Unread)]);
    assert!(config.problems[0].help.contains("line 5"), "{}", config.problems[0].help);
    // Places behind the break are right.
    assert_eq!(config.clusters[1].connect_timeout.as_ref().map(|t| t.at.line()), Some(9));
}

#[test]
fn documents_behind_a_break_are_read() {
    let config = config(&format!(
        "{THREE}---\nname: d\nconnect_timeout: 2s\n---\na: [\n---\nname: e\nconnect_timeout: 3s\n"
    ));
    assert_eq!(names(&config), ["a", "c", "d", "e"]);
    assert_eq!(config.clusters[2].connect_timeout.as_ref().map(|t| t.at.line()), Some(12));
    assert_eq!(config.clusters[3].connect_timeout.as_ref().map(|t| t.at.line()), Some(17));
    let lines: Vec<u32> = problems(&config).iter().map(|p| p.0).collect();
    assert!(lines.contains(&7) && lines.iter().any(|line| (14..=15).contains(line)), "{lines:?}");
}

#[test]
fn tabs_and_templates_are_named() {
    assert_eq!(problems(&config("a:\n\tb: 1\n")), [(2, ProblemKind::Tab, Effect::Unread)]);
    let template = config("clusters:\n- name: a\n  connect_timeout: {{ .Values.timeout }}\n");
    assert_eq!(problems(&template), [(3, ProblemKind::Template, Effect::Unread)]);
    let control = config("{{- if .Values.x }}\nclusters:\n- name: a\n  connect_timeout: 1s\n{{- end }}\n");
    assert_eq!(problems(&control), [(1, ProblemKind::Template, Effect::Unread)]);
    // In quotes and comments braces are text.
    let text = config("# {{ not here }}\nname: \"{{ here }}\"\nconnect_timeout: 1s\n");
    assert_eq!(problems(&text), []);
}

#[test]
fn a_dump_that_is_cut_off_keeps_what_is_whole() {
    let whole = crate::speed::dump(5, true);
    let second = whole.find("svc-3").unwrap();
    let cut = &whole[..second + 400];
    let config = read(&[Input::new("dump.json", cut)]);
    assert_eq!(config.clusters.len(), 3);
    let kinds: Vec<_> = config.problems.iter().map(|p| (&p.kind, p.effect)).collect();
    assert_eq!(kinds, [ProblemKind::Unfinished, ProblemKind::Syntax].each_ref().map(|k| (k, Effect::Unread)));
    assert!(config.problems[0].message.contains("svc-3"), "{}", config.problems[0].message);
}

#[test]
fn json_with_comments_is_yaml() {
    let config = config("{\n  # a comment\n  \"name\": \"a\", \"connect_timeout\": \"1s\",\n}\n");
    assert_eq!((names(&config), config.problems.len()), (vec!["a"], 0));
}

#[test]
fn marks_and_encodings() {
    let text = "name: a\r\nconnect_timeout: 1s\r\n";
    let wide = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let inputs = [
        text.as_bytes().to_vec(),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        [vec![0xff, 0xfe], wide(u16::to_le_bytes)].concat(),
        [vec![0xfe, 0xff], wide(u16::to_be_bytes)].concat(),
    ];
    for bytes in inputs {
        let input = [Input::from_bytes("x", &bytes)];
        let config = read(&input);
        let timeout = config.clusters[0].connect_timeout.as_ref().unwrap();
        assert_eq!((timeout.at.line(), timeout.at.span.column), (2, 18));
        let at = timeout.at.span;
        assert_eq!(&input[0].text[at.start as usize..at.end as usize], "1s");
        assert_eq!(excerpt(&input[0].text, at).text, "connect_timeout: 1s");
    }
    let bytes = Input::from_bytes("x", b"name: a\xff\nconnect_timeout: 1s\n");
    assert_eq!(read(&[bytes]).clusters.len(), 1);
}

#[test]
fn duplicate_keys_and_unknown_anchors() {
    let twice = config("name: a\nconnect_timeout: 1s\nconnect_timeout: 2s\n");
    assert_eq!(problems(&twice), [(3, ProblemKind::DuplicateKey, Effect::Ignored)]);
    assert_eq!(value(&twice.clusters[0].connect_timeout).map(|t| t.0), Some(2000.0));
    let unknown = config("name: a\nconnect_timeout: *t\ntype: STATIC\n");
    assert_eq!(problems(&unknown), [(2, ProblemKind::UnknownAnchor, Effect::Rejected)]);
    let own = config("a: &a [*a]\n");
    assert!(own.problems.iter().any(|p| p.kind == ProblemKind::UnknownAnchor));
}

#[test]
fn nothing_to_read() {
    for text in ["", " \n\n", "# only a comment\n", "---\n---\n"] {
        assert_eq!(problems(&config(text)), [(1, ProblemKind::NothingToRead, Effect::Unread)], "{text:?}");
    }
    for text in ["hello", "a: b", "[1, 2]", "42"] {
        assert_eq!(config(text).problems.len(), 1, "{text:?}");
    }
}

#[test]
fn several_files() {
    let inputs = [
        Input::new("a.yaml", "name: a\nconnect_timeout: 1s\n"),
        Input::new("b.yaml", "{"),
        Input::new("c.yaml", "match: {prefix: /}\nroute: {cluster: a}\n"),
    ];
    let config = read(&inputs);
    assert_eq!(config.files, ["a.yaml", "b.yaml", "c.yaml"]);
    assert_eq!(config.pairs.len(), 1);
    assert_eq!(config.routes[0].origin.block.file, 2);
    assert_eq!(config.problems[0].at.file, 1);
}
