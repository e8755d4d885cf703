//! Screenshots of whole pages.

use crate::driver::Browser;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Where screenshots are written.
pub fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/screenshots");
    std::fs::create_dir_all(&folder).expect("target can be written");
    folder
}

/// A window of that size, and a screenshot of all of the page in it.
pub fn shoot(browser: &Browser, name: &str, width: u32) {
    resize(browser, width, 900);
    let height = browser.script("return document.documentElement.scrollHeight").as_u64().unwrap_or(900);
    resize(browser, width, u32::try_from(height).unwrap_or(900));
    // Two frames: one to lay out, one for charts to draw themselves anew.
    browser.script_async(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))",
        &json!([]),
    );
    let shot = browser.cdp("Page.captureScreenshot", &json!({"format": "png"}));
    let bytes = base64(shot["data"].as_str().expect("a screenshot has data"));
    std::fs::write(folder().join(format!("{name}.png")), bytes).expect("target can be written");
}

/// Gives the page a viewport of that size.
pub fn resize(browser: &Browser, width: u32, height: u32) {
    browser.cdp(
        "Emulation.setDeviceMetricsOverride",
        &json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}),
    );
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(u32::from(c - b'A')),
        b'a'..=b'z' => Some(u32::from(c - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(c - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(digit).collect();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for quad in digits.chunks(4) {
        let word = quad.iter().fold(0, |word, digit| word << 6 | digit) << (6 * (4 - quad.len()));
        bytes.extend(word.to_be_bytes()[1..quad.len()].iter());
    }
    bytes
}
