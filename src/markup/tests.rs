use super::read::find;
use super::{Changes, Exchange, Html, Icon, LabeledIcon, Piece, Rich, tenths};

const HOSTILE: [&str; 6] = [
    "\"><img src=x onerror=alert(1)>",
    "&lt;b&gt;",
    "</p><script>alert(1)</script>",
    "{} {}",
    "a`<b>`c",
    "' onmouseover='x",
];

fn html(write: impl FnOnce(&mut Html)) -> Html {
    let mut out = Html::default();
    write(&mut out);
    out
}

#[test]
fn texts_never_become_markup() {
    for text in HOSTILE {
        let pieces: [&dyn Piece; 3] = [&text, &Rich(text), &LabeledIcon("ok", "", text)];
        for piece in pieces {
            let out = html(|out| out.put("<p title=\"{}\"></p>", &[&text])).into_string();
            let inside = out.strip_prefix("<p title=\"").and_then(|rest| rest.strip_suffix("\"></p>"));
            assert!(inside.is_some_and(|inside| !inside.contains(['<', '>', '"'])), "{out}");
            let out = html(|out| piece.write(out)).into_string();
            for word in ["<img", "<script", "<b>", "</p", "\">\""] {
                assert!(!out.contains(word), "{out}");
            }
        }
    }
}

#[test]
fn what_is_escaped_reads_as_it_was() {
    let out = html(|out| out.put("<p>{}</p>", &[&"a < b & \"c\" > &lt;é"])).into_string();
    assert_eq!(out, "<p>a &lt; b &amp; &quot;c&quot; &gt; &amp;lt;é</p>");
}

#[test]
fn a_piece_is_not_read_for_places() {
    assert_eq!(html(|out| out.put("<i>{}</i>{}", &[&"{}", &"x"])).as_str(), "<i>{}</i>x");
}

#[test]
fn backticks_are_code() {
    let out = html(|out| Rich("set `max_requests` <7>").write(out));
    assert_eq!(out.as_str(), "set <code>max_requests</code> &lt;7&gt;");
}

#[test]
fn icons_name_a_symbol_of_the_sprite() {
    let out = html(|out| Icon("ok", "hr-ok").write(out)).into_string();
    assert!(out.contains("aria-hidden=\"true\"") && out.contains("\"#i-ok\""), "{out}");
}

#[test]
fn tenths_are_decimal_numbers() {
    let text = |value| {
        let mut out = String::new();
        tenths(&mut out, value);
        out
    };
    assert_eq!([0, 5, 10, -123, 4095].map(text), ["0", "0.5", "1", "-12.3", "409.5"]);
}

#[test]
fn a_sign_is_found_where_it_stands_first() {
    let text = "aé\u{80}\u{1}<<b>=\"c d e f g h i j k l m n o p q r s t\";{}";
    for sign in [b'<', b'>', b'"', b'{', b'a', b'z', b';', 1] {
        for from in 0..=text.len() {
            let expected = text.bytes().skip(from).position(|byte| byte == sign).map(|at| from + at);
            let found = text.is_char_boundary(from).then(|| find(text, from, sign));
            assert!(found.is_none_or(|found| found == expected), "{sign} from {from}");
        }
    }
}

/// `<p id=a>{a}<b id=b>{b}</b></p>` after the given words.
fn panel(words: &'static str, a: &str, b: &str) -> Html {
    html(|out| {
        out.raw(words);
        out.begin("<p id=\"{}\">", "a");
        out.text(a);
        out.slot("<b id=\"{}\">", "b", &b, "</b>");
        out.end("</p>");
        out.slot("<i id=\"{}\">", "c", &b, "</i>");
    })
}

#[test]
fn only_the_innermost_slots_that_differ_are_exchanged() {
    let before = panel("x", "1", "2");
    let slot = |id, before, now| Exchange { id, before, now };
    assert_eq!(panel("x", "1", "2").changes(&before), Changes::Slots(vec![]));
    let inner = panel("x", "1", "<3");
    let slots = vec![slot("b", "2", "&lt;3"), slot("c", "2", "&lt;3")];
    assert_eq!(inner.changes(&before), Changes::Slots(slots));
    let (old, new) = ("1<b id=\"b\">2</b>", "9<b id=\"b\">2</b>");
    assert_eq!(panel("x", "9", "2").changes(&before), Changes::Slots(vec![slot("a", old, new)]));
    let both = panel("x", "9", "3");
    let slots = vec![slot("a", old, "9<b id=\"b\">3</b>"), slot("c", "2", "3")];
    assert_eq!(both.changes(&before), Changes::Slots(slots));
    assert_eq!(panel("y", "1", "2").changes(&before), Changes::All);
}

#[test]
fn a_slot_that_comes_or_goes_exchanges_what_it_is_in() {
    let list = |ids: &[&str]| {
        html(|out| {
            out.begin("<ul id=\"{}\">", "list");
            for id in ids {
                out.slot("<li id=\"{}\">", id, id, "</li>");
            }
            out.end("</ul>");
        })
    };
    let (one, two, other) = (list(&["a"]), list(&["a", "b"]), list(&["c"]));
    for (now, before) in [(&two, &one), (&one, &two), (&other, &one)] {
        assert!(matches!(now.changes(before), Changes::Slots(all) if all.len() == 1 && all[0].id == "list"));
    }
    assert_eq!(one.changes(&Html::default()), Changes::All);
}
