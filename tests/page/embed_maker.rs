//! The snippet maker, and the pages of other generators that hold embeds.

use crate::png::{resize, shoot};
use crate::site::Site;
use serde_json::{Value, json};

impl Site {
    fn open_maker(&self, fragment: &str) {
        self.browser.go("about:blank");
        self.browser.go(&format!("{}?view=embed{fragment}", self.server.address()));
        self.wait_ready();
        self.browser.wait_for("document.querySelector('#maker iframe')?.style.height && document.querySelector('#maker-code').textContent.includes('rps')");
    }
}

#[test]
fn a_snippet_is_chosen_seen_and_copied() {
    let site = Site::start();
    site.open_maker("#v=1&name=checkout&rps=500&p50=35&p99=110&clients=100");
    let code = || site.browser.text_of("document.querySelector('#maker-code').textContent");
    let address = site.server.address().to_owned();
    assert!(code().starts_with(&format!("<script type=\"module\" src=\"{address}embed.js\"></script>\n<headroom-calculator name=\"checkout\"\n  rps=\"500\"")), "{}", code());
    site.browser.click("#maker-ladder");
    site.browser.script("const t = document.querySelector('#maker-theme'); t.value = 'dark'; t.dispatchEvent(new Event('input', { bubbles: true })); document.querySelector('#maker-form details').open = true; const r = document.querySelector('#maker-of-rps'); r.value = 'lock'; r.dispatchEvent(new Event('input', { bubbles: true }))");
    assert!(code().contains("panels=\"form,ladder\"\n  lock=\"rps\"\n  theme=\"dark\""), "{}", code());
    site.browser.enter("#maker iframe");
    site.browser.wait_for("document.querySelector('#s-ladder') && document.documentElement.dataset.theme === 'dark' && document.querySelector('#rps').readOnly");
    site.browser.leave();
    site.browser.type_into("#maker-accent", "#nocolor");
    assert!(site.text("#maker-accent-error").contains("is not a color"));
    site.browser.click("[data-kind=iframe]");
    site.browser.wait_for("parseFloat(document.querySelector('#maker-code').textContent.match(/height=\"(\\d+)\"/)[1]) === Math.ceil(parseFloat(document.querySelector('#maker iframe').style.height))");
    assert!(code().contains(&format!("src=\"{address}embed.html?embed&amp;panels=form%2Cladder&amp;lock=rps&amp;theme=dark#v=1&amp;name=checkout&amp;rps=500")), "{}", code());
    site.browser.click("[data-kind=markdown]");
    let text = code();
    assert!(text.starts_with("headroom size --name checkout --rps 500 --p50 35 --p99 110 --clients 100 --output svg > checkout.svg"), "{text}");
    assert!(
        text.contains(&format!("[![Limits of checkout](checkout.svg)]({address}#v=1&name=checkout&rps=500")),
        "{text}"
    );
    site.clipboard_may("granted");
    site.browser.click("#maker-copy");
    site.browser.wait_for("document.querySelector('#maker-copy').textContent === 'Copied'");
    assert_eq!(site.clipboard(), text);
}

#[test]
fn a_snippet_escapes_everything() {
    let site = Site::start();
    site.open_maker("#v=1&rps=500&p50=35&name=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E%27%5D%28x%29");
    for kind in ["element", "iframe"] {
        site.browser.click(&format!("[data-kind={kind}]"));
        let found = site.browser.script("const t = document.createElement('template'); t.innerHTML = document.querySelector('#maker-code').textContent; return [t.content.querySelectorAll('script:not([src])').length, t.content.querySelectorAll('*').length]");
        assert_eq!(found, if kind == "element" { json!([0, 2]) } else { json!([0, 1]) }, "{kind}");
    }
    site.browser.click("[data-kind=markdown]");
    let text = site.browser.text_of("document.querySelector('#maker-code').textContent");
    assert!(text.contains("--name '\">") && text.contains("'\\''](x)'"), "{text}");
    assert!(
        text.contains("\\<script\\>") && text.contains("\\](x)](script-alert-1-script-x.svg)]"),
        "{text}"
    );
    assert_eq!(site.browser.text_of("document.querySelectorAll('#maker-code *').length"), "0");
}

#[test]
fn the_maker_is_for_everyone() {
    let site = Site::start();
    site.open_maker("");
    for theme in ["light", "dark"] {
        site.prefer("prefers-color-scheme", theme);
        assert_eq!(site.axe(), Vec::<String>::new(), "{theme}");
        for width in [390, 1280] {
            shoot(&site.browser, &format!("maker-{width}-{theme}"), width);
            let wide = site.browser.script("return document.documentElement.scrollWidth - innerWidth");
            assert_eq!(wide, json!(0), "{width}");
        }
        resize(&site.browser, 1280, 900);
    }
    // Back to the calculator, with its form.
    site.browser.click("[data-view-of=size]");
    site.browser.wait_for("document.activeElement.id === 'answer'");
}

#[test]
fn pages_of_other_generators_hold_two_embeds() {
    let site = Site::start();
    for name in ["plain", "mdbook", "docusaurus", "mkdocs"] {
        site.browser.go(&format!("{}examples/{name}.html", site.server.address()));
        site.browser.script("document.querySelectorAll('iframe').forEach(f => f.loading = 'eager')");
        site.browser.wait_for("document.querySelectorAll('iframe').length === 2");
        for at in [1, 2] {
            site.browser.script(&format!(
                "document.querySelectorAll('headroom-calculator, iframe')[{at}]?.scrollIntoView()"
            ));
            site.browser.enter(&format!("headroom-calculator:nth-of-type({at}) iframe"));
            site.browser.wait_for("document.querySelector('#s-say')");
            assert!(site.text("#s-say").len() > 20, "{name}");
            site.browser.wait_for("document.documentElement.scrollHeight <= innerHeight");
            site.browser.leave();
        }
        // These pages lie on the embed's own origin, where a sandbox cannot part the two: Chromium says so.
        let messages: Vec<String> = site
            .browser
            .log("browser")
            .iter()
            .map(|l| l["message"].to_string())
            .filter(|m| !m.contains("escape its sandboxing"))
            .collect();
        assert_eq!(messages, Vec::<String>::new(), "{name}");
        for theme in ["light", "dark"] {
            site.prefer("prefers-color-scheme", theme);
            assert_eq!(site.axe(), Vec::<String>::new(), "{name}, {theme}");
        }
        site.prefer("prefers-color-scheme", "light");
        shoot(&site.browser, &format!("host-{name}"), 1000);
        resize(&site.browser, 320, 900);
        let wide = site.browser.script("return document.documentElement.scrollWidth - innerWidth");
        assert!(wide.as_i64().is_some_and(|wide| wide <= 0), "{name}: {wide} px too wide");
        resize(&site.browser, 1280, 900);
        assert_ne!(
            site.browser.script("return document.querySelectorAll('headroom-calculator').length"),
            Value::Null
        );
    }
}

#[test]
fn the_picture_can_be_read_at_both_widths() {
    let site = Site::start();
    // The golden picture of the worked example, as a document shows it.
    let svg = include_str!("../golden/svg/worked-example.svg");
    site.browser.go("about:blank");
    site.browser.script_with(
        "document.body.innerHTML = ''; for (const width of [320, 700]) { const i = new Image(width); i.alt = 'Limits of checkout'; i.src = 'data:image/svg+xml,' + encodeURIComponent(arguments[0]); document.body.append(i) }",
        &json!([svg]),
    );
    site.browser.wait_for("[...document.images].every(i => i.complete && i.naturalWidth === 400)");
    for theme in ["light", "dark"] {
        site.prefer("prefers-color-scheme", theme);
        shoot(&site.browser, &format!("card-{theme}"), 1060);
    }
    // In the document itself, so that its texts can be measured: none leaves the picture, none is below 10 px at 320.
    site.browser.script_with("document.body.innerHTML = arguments[0]; document.querySelector('svg').setAttribute('width', 320); document.querySelector('svg').removeAttribute('height')", &json!([svg]));
    let found = site.browser.script(
        "const card = document.querySelector('svg').getBoundingClientRect(); const scale = card.width / 400; const texts = [...document.querySelectorAll('svg text')];
         return [texts.filter(t => { const b = t.getBoundingClientRect(); return b.left < card.left - 1 || b.right > card.right + 1 || b.bottom > card.bottom }).map(t => t.textContent),
                 Math.min(...texts.map(t => parseFloat(getComputedStyle(t).fontSize) * scale)) >= 10]",
    );
    assert_eq!(found, json!([[], true]));
    assert_eq!(
        site.axe()
            .into_iter()
            .filter(|v| v.contains("svg") && !v.contains("html-has-lang") && !v.contains("region"))
            .collect::<Vec<_>>(),
        Vec::<String>::new()
    );
}
