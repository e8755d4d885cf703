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
    let bytes = base64::decode(shot["data"].as_str().expect("a screenshot has data"));
    std::fs::write(folder().join(format!("{name}.png")), bytes).expect("target can be written");
}

/// Gives the page a viewport of that size.
pub fn resize(browser: &Browser, width: u32, height: u32) {
    browser.cdp(
        "Emulation.setDeviceMetricsOverride",
        &json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}),
    );
}

/// Base64, as the browser's protocol writes pictures.
pub mod base64 {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    /// The bytes of a text.
    pub fn decode(text: &str) -> Vec<u8> {
        let digit = |c: u8| DIGITS.iter().position(|&d| d == c).and_then(|at| u32::try_from(at).ok());
        let digits: Vec<u32> = text.bytes().filter_map(digit).collect();
        let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
        for quad in digits.chunks(4) {
            let word = quad.iter().fold(0, |word, digit| word << 6 | digit) << (6 * (4 - quad.len()));
            bytes.extend(word.to_be_bytes()[1..quad.len()].iter());
        }
        bytes
    }

    /// The text of some bytes.
    pub fn encode(bytes: &[u8]) -> String {
        let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
        for part in bytes.chunks(3) {
            let word =
                part.iter().fold(0, |word, &byte| word << 8 | usize::from(byte)) << (8 * (3 - part.len()));
            for at in 0..4 {
                let digit = char::from(DIGITS[word >> (18 - 6 * at) & 63]);
                text.push(if at <= part.len() { digit } else { '=' });
            }
        }
        text
    }
}
