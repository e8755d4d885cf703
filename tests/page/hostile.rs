//! Names, links, files and messages that mean harm: no script runs, nothing is asked for, and a message says what is wrong.

use crate::simulate::{RESTS, SHORT};
use crate::site::Site;
use serde_json::{Value, json};

/// Texts that run something where they are taken for markup, code or an address.
const TEXTS: [&str; 7] = [
    "<img src=evil.png onerror=window.hit=1>",
    "\"><script>window.hit=1</script>",
    "'\" onfocus=window.hit=1 autofocus x='",
    "</title></style></textarea></script><svg onload=window.hit=1>",
    "javascript:window.hit=1",
    "${window.hit=1}{{window.hit=1}}",
    "\u{202e}gnp.live\u{0}\u{7}<iframe srcdoc='<script>parent.hit=1</script>'>",
];

/// What no text may make of the page.
const HARM: &str = r#"return {
  hit: window.hit ?? null,
  made: [...document.querySelectorAll('img, iframe, object, embed, base, audio, video, link[rel=stylesheet]:not([href^="./"], [href^="http"]), meta[http-equiv=refresh], [srcdoc], [style*="url"]')].map(e => e.outerHTML.slice(0, 120)),
  handlers: [...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).map(e => e.outerHTML.slice(0, 120)),
  addresses: [...document.querySelectorAll('[href], [src], [action], [formaction]')].filter(e => /^\s*(javascript|data|vbscript):/i.test(e.getAttribute('href') ?? e.getAttribute('src') ?? '')).map(e => e.outerHTML.slice(0, 120)),
  scripts: [...document.scripts].filter(s => !s.src || new URL(s.src).origin !== location.origin).length,
}"#;

impl Site {
    /// Nothing ran, nothing was asked for, nothing is on the page that could.
    fn is_unharmed(&self, context: &str) {
        let nothing = json!({"hit": null, "made": [], "handlers": [], "addresses": [], "scripts": 0});
        assert_eq!(self.browser.script(HARM), nothing, "{context}");
        let is_foreign = |url: &String| !(url.starts_with(self.server.address()) || url.starts_with("blob:"));
        let foreign: Vec<String> = self.requests().into_iter().filter(is_foreign).collect();
        assert_eq!(foreign, Vec::<String>::new(), "{context}: requests");
        let asked = self.server.take_asked();
        assert!(!asked.iter().any(|path| path.contains("evil")), "{context}: {asked:?}");
        assert_eq!(self.browser.log("browser"), Vec::<Value>::new(), "{context}: violations and errors");
    }

    /// Drops a file on the Audit view, and waits for what it says.
    fn drop_on_audit(&self, name: &str, text: &str) {
        self.drop_file("audit", name, text);
        self.browser.wait_for("document.getElementById('audit').ariaBusy !== 'true' && document.querySelector('#audit .hr-status')");
    }

    fn open_audit(&self) {
        self.browser.go(&format!("{}?view=audit", self.server.address()));
        self.wait_ready();
        self.browser.wait_for("document.querySelector('#audit-text')");
    }
}

/// A text as it stands in a link.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        use std::fmt::Write as _;
        _ = write!(out, "%{byte:02X}");
        out
    })
}

#[test]
fn links_with_hostile_texts_are_texts() {
    let site = Site::open();
    site.browser.log("performance");
    for text in TEXTS {
        site.visit(&format!("#v=1&rps=500&p50=35&p99=110&name={}", encoded(text)));
        site.browser.script("document.querySelectorAll('details').forEach(d => d.open = true)");
        site.is_unharmed(&format!("name {text:?}"));
        for key in ["rps", "protocol", "nonsense", "v"] {
            site.visit(&format!("#v=1&p50=35&{key}={}", encoded(text)));
            let said = site.text("#notices") + &site.text("#s-attention");
            assert!(said.len() > 20, "{key}={text:?}: a message says what is wrong, not {said:?}");
            site.is_unharmed(&format!("{key} {text:?}"));
        }
        // As it is typed into the address, without any care.
        site.visit(&format!("#{}", text.replace(['\0', '\u{7}'], "")));
        site.is_unharmed(&format!("raw {text:?}"));
    }
    for link in [
        "#v=1&__proto__=1&constructor=2".to_owned(),
        "#%00%ff%c0%af".to_owned(),
        format!("#v=1&name={}", "a".repeat(100_000)),
        format!("#{}", "&".repeat(50_000)),
    ] {
        site.visit(&link);
        assert!(!site.text("#notices").is_empty(), "a message says what is wrong");
        site.is_unharmed(&link[..link.len().min(40)]);
    }
}

#[test]
fn queries_with_hostile_texts_show_a_view_that_there_is() {
    let site = Site::open();
    for name in ["constructor", "__proto__", "toString", "size%00", &encoded(TEXTS[0]), "../../evil"] {
        site.browser.go(&format!("{}?view={name}", site.server.address()));
        site.wait_ready();
        let current = site.browser.text_of("document.querySelector('[aria-current=page]').textContent");
        assert_eq!(current, "Size", "{name}");
        site.is_unharmed(name);
    }
    for text in TEXTS {
        let query = ["fault", "seeds", "a", "b", "duration", "load", "nonsense"]
            .map(|key| format!("{key}={}", encoded(text)))
            .join("&");
        site.browser.go(&format!("{}?view=simulate&{query}", site.server.address()));
        site.wait_ready();
        site.browser.wait_for("document.querySelector('#sim-plot-served')");
        site.is_unharmed(&format!("simulate {text:?}"));
    }
}

#[test]
fn typed_names_stay_texts_in_every_view_and_file() {
    let site = Site::open();
    site.browser.script("window.saved = []; HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download); }");
    for text in TEXTS.into_iter().chain(["../../etc/passwd", "..\\..\\evil", "a\u{202e}lmay.b"]) {
        // Control characters cannot be typed.
        let text = text.replace(['\0', '\u{7}'], "");
        site.browser.script_with(
            "const input = document.getElementById('name'); input.value = arguments[0]; input.dispatchEvent(new InputEvent('input', { bubbles: true }))",
            &json!([text]),
        );
        site.browser.wait_for("document.title.includes('Headroom')");
        site.browser.click("#save");
        site.is_unharmed(&text);
    }
    let saved = site.browser.script("return window.saved");
    let saved = saved.as_array().expect("a list");
    assert!(!saved.is_empty());
    for name in saved.iter().map(|name| name.as_str().unwrap_or_default()) {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
        assert!(
            is_plain && name.split_once('.').is_some_and(|(_, end)| end == "yaml") && !name.starts_with('.'),
            "{name:?} is no name of a file"
        );
    }
}

#[test]
fn hostile_files_are_answered_and_stay_texts() {
    let site = Site::start();
    site.open_audit();
    for text in TEXTS {
        let cluster = serde_json::to_string(text).expect("a text is JSON");
        let yaml = format!(
            "name: {cluster}\nconnect_timeout: {cluster}\n{cluster}: 1\nload_assignment: {{endpoints: {cluster}}}\ncircuit_breakers:\n  thresholds:\n  - max_requests: {cluster}\n# {}\n",
            text.replace('\0', "")
        );
        site.drop_on_audit(&format!("{}.yaml", text.replace('\0', "")), &yaml);
        site.browser.script("document.querySelectorAll('#audit details').forEach(d => d.open = true)");
        assert!(!site.text("#audit .hr-say").is_empty());
        site.is_unharmed(&format!("file {text:?}"));
    }
    // Nine of the line before in each line: a billion at the end.
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for pair in ["ab", "bc", "cd", "de", "ef", "fg", "gh", "hi", "ij"] {
        let (last, next) = pair.split_at(1);
        let nine = vec![format!("*{last}"); 9].join(", ");
        bomb = format!("{bomb}{next}: &{next} [{nine}]\n");
    }
    for (name, text) in [
        ("bomb.yaml", bomb),
        ("deep.json", "[".repeat(100_000)),
        ("page.html", format!("<!doctype html><html><body>{}</body></html>", TEXTS.join("\n"))),
        ("picture.svg", "<svg xmlns='http://www.w3.org/2000/svg' onload='window.hit=1'><script>window.hit=1</script></svg>".to_owned()),
        ("bytes.bin", (0u8..32).cycle().take(4096).map(char::from).collect()),
        ("line.yaml", format!("name: {}\n", "x".repeat(500_000))),
        ("empty.yaml", "---\n---\n".to_owned()),
    ] {
        site.drop_on_audit(name, &text);
        let said = site.text("#audit .hr-say");
        assert!(said.len() > 20, "{name}: a message says what is wrong, not {said:?}");
        site.is_unharmed(name);
    }
}

#[test]
fn a_hostile_policy_is_refused_by_the_simulator_with_a_reason() {
    let site = Site::start();
    site.browser.go(&format!("{}{SHORT}", site.server.address()));
    site.wait_ready();
    site.browser.wait_for("document.getElementById('sim-b')");
    site.browser.script("const b = document.getElementById('sim-b'); b.value = 'pasted'; b.dispatchEvent(new Event('input', { bubbles: true }))");
    site.browser.wait_for("document.querySelector('#sim-pasted')");
    for text in TEXTS {
        site.browser.script_with(
            "const area = document.getElementById('sim-pasted'); area.value = arguments[0]; area.dispatchEvent(new InputEvent('input', { bubbles: true }))",
            &json!([format!("name: {}\n", serde_json::to_string(text).expect("a text is JSON"))]),
        );
        site.browser.wait_for(
            "document.querySelector('#s-sim-n-pasted .hr-field__error, #s-sim-read')?.innerText.length > 10",
        );
        site.is_unharmed(&format!("pasted {text:?}"));
    }
}

#[test]
fn messages_of_others_change_nothing() {
    let site = Site::open();
    for (query, ready) in [
        ("", "document.querySelector('#rps')"),
        ("?view=audit", "document.querySelector('#audit-text')"),
        (SHORT, RESTS),
    ] {
        site.browser.go("about:blank");
        site.browser.go(&format!("{}{query}#v=1&name=cart&rps=700&p50=35&p99=110", site.server.address()));
        site.wait_ready();
        site.browser.wait_for(ready);
        site.browser.script_async("setTimeout(arguments[0], 600)", &json!([]));
        let seen = "[location.href, document.title, document.body.innerText.length, document.getElementById('yaml').textContent].join()";
        let before = site.browser.text_of(seen);
        site.browser.script_with(
            "const values = [...arguments[0], null, 0, [], {}, { type: 'headroom', scenario: { rps: 1 } }, { headroom: 1, height: 1e9 }, ['fix-all', null, null], 'go', 'start', { build: '' },
               { type: 'theme', theme: '<img>' }, { href: 'javascript:window.hit=1' }, new Error('x'), new Map([[1, 2]]), new ArrayBuffer(8)];
             for (const data of values) {
               window.postMessage(data, '*');
               dispatchEvent(new MessageEvent('message', { data, origin: 'https://evil.example', source: window }));
             }",
            &json!([TEXTS]),
        );
        site.browser.script_async("setTimeout(arguments[0], 600)", &json!([]));
        assert_eq!(site.browser.text_of(seen), before, "{query}");
        site.is_unharmed(query);
    }
}
