//! The pictures that are kept as files: icons from `favicon.svg`, the preview of a link from the page itself.
//!
//! `UPDATE_EXPECT=1` draws them anew. Otherwise each is compared with a new drawing in coarse
//! cells, since letters differ a little from machine to machine.

use crate::png::{base64, resize};
use crate::site::Site;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Draws an SVG into a PNG of that size, as base64.
const DRAW: &str = r"
const [svg, size, done] = arguments;
const image = new Image();
image.onload = () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  canvas.getContext('2d').drawImage(image, 0, 0, size, size);
  done(canvas.toDataURL('image/png').split(',')[1]);
};
image.onerror = () => done(null);
image.src = 'data:image/svg+xml,' + encodeURIComponent(svg);";

/// The mean difference of two PNGs in cells, from 0 to 255, with their sizes.
const COMPARE: &str = r"
const [a, b, done] = arguments;
const cells = async (png) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + png;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: 60, height: 60 });
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, 60, 60);
  return [image.naturalWidth, image.naturalHeight, context.getImageData(0, 0, 60, 60).data];
};
Promise.all([cells(a), cells(b)]).then(([[w, h, x], [v, u, y]]) => done({
  same: w === v && h === u, size: [w, h], off: x.reduce((sum, value, at) => sum + Math.abs(value - y[at]), 0) / x.length,
}), (error) => done(String(error)));";

/// The page as a preview: its name, its sentence, its window; nothing that only works when pressed.
const PREVIEW: &str = r"
document.body.replaceChildren(...(() => {
  const make = (tag, className, ...inside) => { const made = document.createElement(tag); made.className = className; made.append(...inside); return made; };
  const icon = new Image();
  icon.src = 'favicon.svg';
  icon.width = icon.height = 56;
  const head = make('header', '', icon, make('b', '', 'Headroom'));
  const claim = make('p', '', 'Sizes Envoy clusters: circuit breakers, timeouts, retries and outlier detection that fit together.');
  const say = document.querySelector('.hr-say').cloneNode(true);
  const window = document.querySelector('section[aria-labelledby=h-win] .hr-svg').closest('figure, div, section').cloneNode(true);
  return [document.querySelector('body > svg'), make('main', 'preview', head, claim, say, window)];
})());
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  html { background: var(--hr-surface); }
  .preview { display: grid; align-content: space-between; width: 1200px; height: 630px; padding: 48px 64px; container: answer / inline-size; }
  .preview header { display: flex; align-items: center; gap: 20px; font-size: 44px; }
  .preview > p { font-size: 27px; line-height: 1.35; color: var(--hr-ink-2); }
  .preview > .hr-say { font-size: 38px; line-height: 1.3; max-width: none; min-height: 0; color: var(--hr-ink); }
  .preview :is(.hr-head, details, button) { display: none; }
  .preview > :last-child { zoom: 1.5; }
`);
document.adoptedStyleSheets = [sheet];";

fn public(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("public").join(name)
}

/// Writes the picture, or compares it with the file.
fn check(site: &Site, name: &str, pixels: [u64; 2], picture: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(public(name), base64::decode(picture)).expect("public/ can be written");
        return;
    }
    let file =
        std::fs::read(public(name)).unwrap_or_else(|e| panic!("{name}: {e}: UPDATE_EXPECT=1 draws it"));
    let found = site.browser.script_async(COMPARE, &json!([base64::encode(&file), picture]));
    assert_eq!(found["size"], json!(pixels), "{name}: {found}");
    assert_eq!(found["same"], json!(true), "{name}: {found}");
    let off = found["off"].as_f64().unwrap_or(f64::INFINITY);
    assert!(off < 3.0, "{name} is {off} of 255 off: UPDATE_EXPECT=1 draws it anew");
}

#[test]
fn icons_are_drawn_from_the_favicon() {
    let site = Site::open();
    let icon = std::fs::read_to_string(public("favicon.svg")).expect("the icon");
    // Hosts of apps cut a round or square part out: the ground goes to the edge, the sign stays within.
    let (ground, sign) = icon.split_once("<path ").expect("a sign on a ground");
    let maskable =
        format!("{}<path transform=\"translate(4 4) scale(.75)\" {sign}", ground.replace(" rx=\"6\"", ""));
    for (name, svg, size) in [
        ("icon-192.png", &icon, 192),
        ("icon-512.png", &icon, 512),
        ("icon-maskable-512.png", &maskable, 512),
    ] {
        let drawn = site.browser.script_async(DRAW, &json!([svg, size]));
        check(&site, name, [size, size], drawn.as_str().expect("the icon is an SVG"));
    }
}

#[test]
fn the_preview_of_a_link_shows_the_page() {
    let site = Site::start();
    // The preview takes more than the page's own policy allows it: a sheet of its own.
    site.browser.cdp("Page.setBypassCSP", &json!({"enabled": true}));
    resize(&site.browser, 1200, 630);
    site.prefer("prefers-color-scheme", "light");
    site.visit("");
    site.browser.script(PREVIEW);
    site.browser.wait_for("document.querySelector('.preview img').complete");
    site.browser.script_async(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100)))",
        &json!([]),
    );
    let inside = site.browser.script(
        "const main = document.querySelector('.preview'); return main.scrollHeight <= 630 && main.scrollWidth <= 1200",
    );
    assert_eq!(inside, Value::Bool(true), "all of it is in the picture");
    let shot = site.browser.cdp("Page.captureScreenshot", &json!({"format": "png"}));
    check(&site, "social.png", [1200, 630], shot["data"].as_str().expect("a screenshot has data"));
}
