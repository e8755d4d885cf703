//! What people ask their system for: more contrast, its own colors, and a sheet of paper.

use crate::png::shoot;
use crate::site::Site;
use serde_json::{Value, json};

impl Site {
    fn rendered(&self, media: &str, features: &Value) {
        self.browser.cdp("Emulation.setEmulatedMedia", &json!({"media": media, "features": features}));
    }
}

/// The least contrast of what is drawn or written in the page's own tokens, with all three grounds.
const CONTRAST: &str = r"
const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
const probe = document.body.appendChild(document.createElement('i'));
const light = (token) => {
  probe.setAttribute('class', '');
  probe.attributeStyleMap.set('color', `var(--hr-${token})`);
  canvas.fillStyle = getComputedStyle(probe).color;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
const least = (token) => Math.min(...['ground', 'surface', 'sunken'].map((ground) => contrast(token, ground)));
const all = Object.fromEntries(['ink', 'ink-2', 'ink-3', 'edge', 'line', 'accent', 'ok', 'caution', 'danger'].map((token) => [token, least(token)]));
probe.remove();
return all;";

#[test]
fn more_contrast_leaves_no_pale_ink() {
    let site = Site::open();
    for theme in ["light", "dark"] {
        let normal = json!({"name": "prefers-color-scheme", "value": theme});
        site.rendered("", &json!([normal]));
        let before = site.browser.script(CONTRAST);
        site.rendered("", &json!([normal, {"name": "prefers-contrast", "value": "more"}]));
        let after = site.browser.script(CONTRAST);
        let at = |found: &Value, token: &str| found[token].as_f64().unwrap_or(0.0);
        for token in ["ink", "ink-2", "ink-3"] {
            assert!(at(&after, token) >= 14.0, "{theme}: {token}: {after}");
        }
        for token in ["edge", "line"] {
            assert!(
                at(&after, token) >= 4.5 && at(&after, token) > at(&before, token),
                "{theme}: {token}: {after}"
            );
        }
        for token in ["accent", "ok", "caution", "danger"] {
            assert!(at(&after, token) >= 4.5, "{theme}: {token}: {after}");
        }
        shoot(&site.browser, &format!("contrast-{theme}"), 1280);
    }
}

#[test]
fn the_colors_of_the_system_reach_drawings_and_keep_every_sign() {
    let site = Site::open();
    site.browser.wait_for("document.querySelector('.hr-notice')");
    for theme in ["light", "dark"] {
        // A theme chosen in the page does not fight with the system's colors.
        for chosen in ["light", "dark"] {
            site.browser
                .script_with("document.documentElement.dataset.theme = arguments[0]", &json!([chosen]));
            site.rendered("", &json!([{"name": "forced-colors", "value": "active"}, {"name": "prefers-color-scheme", "value": theme}]));
            let found = site.browser.script(CONTRAST);
            for token in ["ink", "ink-2", "ink-3", "edge", "accent", "ok", "caution", "danger"] {
                assert!(
                    found[token].as_f64().unwrap_or(0.0) >= 4.5,
                    "{theme}, {chosen} chosen: {token}: {found}"
                );
            }
        }
        let signs = site.browser.script(
            "const style = (selector) => getComputedStyle(document.querySelector(selector));
             return [
               style('.hr-tabs [aria-current]').borderBottomColor !== style('.hr-tabs a:not([aria-current])').borderBottomColor,
               style('.hr-seg [aria-pressed=true]').backgroundColor !== style('.hr-seg [aria-pressed=false]').backgroundColor,
             ]",
        );
        assert_eq!(signs, json!([true, true]), "{theme}: what is chosen is seen");
        shoot(&site.browser, &format!("forced-{theme}"), 1280);
    }
}

#[test]
fn nothing_moves_for_those_who_ask_in_any_view() {
    let site = Site::open();
    site.browser.wait_for("document.querySelector('.hr-notice')");
    site.browser.click("[data-view-of=audit]");
    site.browser.wait_for("document.querySelector('#audit-text')");
    site.browser.click("[data-view-of=simulate]");
    site.browser.wait_for("document.querySelector('#sim-plot-served')?.firstChild");
    site.rendered("", &json!([{"name": "prefers-reduced-motion", "value": "reduce"}]));
    let moving = site.browser.script(
        "return [...document.querySelectorAll('*')].filter(e => { const s = getComputedStyle(e); return s.transitionDuration.split(',').some(d => parseFloat(d) > 0) || s.animationName !== 'none' || s.scrollBehavior === 'smooth'; }).map(e => e.className)",
    );
    assert_eq!(moving, json!([]));
}

#[test]
fn the_size_view_prints_a_clean_sheet() {
    let site = Site::open();
    site.browser.wait_for("document.querySelector('.hr-notice')");
    site.prefer("prefers-color-scheme", "dark");
    site.browser.script("document.documentElement.dataset.theme = 'dark'");
    site.rendered("print", &json!([{"name": "prefers-color-scheme", "value": "dark"}]));
    shoot(&site.browser, "print", 718);
    let shown = site.browser.script(
        "const seen = (selector) => [...document.querySelectorAll(selector)].filter(e => e.getClientRects().length).length;
         return { controls: seen('button, input, select, summary, nav, .hr-skip, .hr-foot, .hr-notice, .hr-resultbar'), say: seen('.hr-say'), yaml: seen('#yaml'),
           ground: getComputedStyle(document.documentElement).backgroundColor, ink: getComputedStyle(document.querySelector('.hr-say')).color,
           wide: document.documentElement.scrollWidth - innerWidth, cut: [...document.querySelectorAll('pre')].filter(e => e.getClientRects().length && e.scrollWidth > e.clientWidth + 1).length }",
    );
    assert_eq!(shown["controls"], json!(0), "{shown}");
    assert_eq!((&shown["say"], &shown["yaml"]), (&json!(1), &json!(1)), "{shown}");
    assert_eq!(shown["ground"], "rgb(255, 255, 255)", "paper is white, whatever the theme: {shown}");
    assert!(
        shown["wide"].as_i64().is_some_and(|wide| wide <= 0) && shown["cut"] == 0,
        "nothing is cut off: {shown}"
    );
    let pdf = site.browser.cdp("Page.printToPDF", &json!({"paperWidth": 8.27, "paperHeight": 11.69}));
    let bytes = crate::png::base64::decode(pdf["data"].as_str().expect("a PDF"));
    let pages = String::from_utf8_lossy(&bytes).matches("/Type /Page\n").count();
    assert!((1..=6).contains(&pages), "{pages} pages");
}
