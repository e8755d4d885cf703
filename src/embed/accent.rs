//! An accent of the host's choice, made readable.
//!
//! The accent is the color of numbers, links and the main button. A color of a brand is seldom
//! readable on both grounds, so it is moved towards black or white until it is.

use crate::chart::palette::{Color, DARK, LIGHT, Palette};

/// Least contrast of text (WCAG 2.2, 1.4.3).
const LEAST: f64 = 4.5;

/// An accent as it is used on one ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accent {
    /// Numbers, links, the main button.
    pub accent: Color,
    /// Text on the main button.
    pub on_accent: Color,
    /// The tint of the window and of what the pointer is on.
    pub soft: Color,
}

/// An accent for both themes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// As asked for.
    pub asked: Color,
    /// On light ground.
    pub light: Accent,
    /// On dark ground.
    pub dark: Accent,
}

impl Chosen {
    /// The accent of six hexadecimal digits, with or without a `#`.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        let is_hex = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let asked = Color(u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?);
        Some(Self { asked, light: fit(asked, &LIGHT, 0x00), dark: fit(asked, &DARK, 0xff) })
    }
}

/// The nearest readable color on the way to black or white, whichever the ground is not.
fn fit(asked: Color, palette: &Palette, towards: u8) -> Accent {
    let away = Color(u32::from_be_bytes([0, towards, towards, towards]));
    let at = |percent: u32| {
        let accent = mix(asked, away, percent);
        let soft = mix(palette.surface, accent, 12);
        let on_accent = [LIGHT.on_accent, DARK.on_accent]
            .into_iter()
            .max_by(|a, b| contrast(*a, accent).total_cmp(&contrast(*b, accent)))
            .unwrap_or(palette.on_accent);
        Accent { accent, on_accent, soft }
    };
    let reads = |look: &Accent| {
        let grounds = [palette.surface, palette.ground, palette.sunken, look.soft, look.on_accent];
        grounds.into_iter().all(|ground| contrast(look.accent, ground) >= LEAST)
    };
    // Black and white themselves are readable on their grounds, so the search ends.
    (0..=100).map(at).find(reads).unwrap_or_else(|| at(100))
}

/// `percent` of the way from one color to another.
fn mix(from: Color, to: Color, percent: u32) -> Color {
    let (from, to) = (from.0.to_be_bytes(), to.0.to_be_bytes());
    let mut mixed = [0u8; 4];
    for (mixed, (from, to)) in mixed.iter_mut().zip(from.into_iter().zip(to)) {
        let sum = u32::from(from) * (100 - percent) + u32::from(to) * percent;
        *mixed = u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX);
    }
    Color(u32::from_be_bytes(mixed))
}

/// Contrast of two colors, 1 to 21: `(L1 + 0.05) / (L2 + 0.05)` with relative luminances L1 ≥ L2
/// (WCAG 2.2).
pub fn contrast(a: Color, b: Color) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Relative luminance, 0 to 1 (sRGB, IEC 61966-2-1).
fn luminance(color: Color) -> f64 {
    let [_, red, green, blue] = color.0.to_be_bytes().map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_the_standard() {
        // Published: black on white 21, #767676 on white 4.54, #777777 on white 4.48.
        for (color, expected) in [(0x00_0000, 21.0), (0x76_7676, 4.54), (0x77_7777, 4.48)] {
            let found = contrast(Color(color), Color(0xff_ffff));
            assert!((found - expected).abs() < 0.005, "{color:06x}: {found}");
        }
    }

    #[test]
    fn a_readable_color_is_taken_as_it_is() {
        let chosen = Chosen::from_hex("2046b0").expect("a color");
        assert_eq!(chosen.light.accent, Color(0x20_46b0));
        assert_ne!(chosen.dark.accent, Color(0x20_46b0), "too dark for a dark ground");
    }

    #[test]
    fn every_accent_is_readable_everywhere() {
        for asked in
            ["000000", "ffffff", "ffff00", "#00FF00", "ff0000", "0000ff", "808080", "f4c542", "e91e63"]
        {
            let chosen = Chosen::from_hex(asked).expect(asked);
            for (look, palette) in [(chosen.light, &LIGHT), (chosen.dark, &DARK)] {
                for ground in [palette.surface, palette.ground, palette.sunken, look.soft, look.on_accent] {
                    assert!(contrast(look.accent, ground) >= 4.5, "{asked}: {} on {ground}", look.accent);
                }
            }
        }
    }

    #[test]
    fn anything_else_is_no_color() {
        for text in
            ["", "fff", "2046b", "2046b00", "2046bg", "red", "+2046b", "url(x)", "##2046b", "２０４６ｂ０"]
        {
            assert_eq!(Chosen::from_hex(text), None, "{text}");
        }
    }
}
