//! The colors of the page, for pictures that leave it.
//!
//! Inside the page a chart carries class names and the style sheet colors it, so that a change of
//! theme needs no redraw. A picture that stands alone (a copied SVG) has no style sheet; it is
//! drawn with one of these palettes. `tests/charts.rs` compares them with `style/tokens.css`.

use std::fmt;

/// A color, written `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u32);

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:06x}", self.0)
    }
}

/// The colors of one theme, named as in `style/tokens.css`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Ground of form and rail.
    pub ground: Color,
    /// Ground of the answer, and so of every chart.
    pub surface: Color,
    /// Code, shaded spans, tracks.
    pub sunken: Color,
    /// Hairlines, grid, hatch.
    pub line: Color,
    /// Axes, input borders.
    pub edge: Color,
    /// Text and numbers.
    pub ink: Color,
    /// Secondary text, ticks, the line compared with.
    pub ink_2: Color,
    /// Units, reference lines.
    pub ink_3: Color,
    /// The chosen value.
    pub accent: Color,
    /// Text on the accent.
    pub on_accent: Color,
    /// A tint of the accent.
    pub accent_soft: Color,
    /// All is well.
    pub ok: Color,
    /// Less than was asked for.
    pub caution: Color,
    /// A tint of caution.
    pub caution_soft: Color,
    /// Nothing works.
    pub danger: Color,
    /// A tint of danger.
    pub danger_soft: Color,
}

/// The light theme.
pub const LIGHT: Palette = Palette {
    ground: Color(0xf3_f5f6),
    surface: Color(0xff_ffff),
    sunken: Color(0xea_eef0),
    line: Color(0xd8_dee1),
    edge: Color(0x7b_868e),
    ink: Color(0x12_181c),
    ink_2: Color(0x46_5059),
    ink_3: Color(0x59_646d),
    accent: Color(0x20_46b0),
    on_accent: Color(0xff_ffff),
    accent_soft: Color(0xe6_ecfa),
    ok: Color(0x1d_7362),
    caution: Color(0x95_5608),
    caution_soft: Color(0xfd_f1dc),
    danger: Color(0x96_093f),
    danger_soft: Color(0xfb_e7ec),
};

/// The dark theme.
pub const DARK: Palette = Palette {
    ground: Color(0x0f_1316),
    surface: Color(0x16_1b1f),
    sunken: Color(0x0b_0e10),
    line: Color(0x2a_3238),
    edge: Color(0x74_808a),
    ink: Color(0xe9_edef),
    ink_2: Color(0xb4_bdc4),
    ink_3: Color(0x98_a3ac),
    accent: Color(0x74_a9ff),
    on_accent: Color(0x0b_1220),
    accent_soft: Color(0x17_263d),
    ok: Color(0x62_dcc2),
    caution: Color(0xf5_bf4c),
    caution_soft: Color(0x33_270e),
    danger: Color(0xf4_807f),
    danger_soft: Color(0x3a_191d),
};

impl Palette {
    /// Every color with the name of its token, in the order of `style/tokens.css`.
    pub fn tokens(&self) -> [(&'static str, Color); 16] {
        [
            ("ground", self.ground),
            ("surface", self.surface),
            ("sunken", self.sunken),
            ("line", self.line),
            ("edge", self.edge),
            ("ink", self.ink),
            ("ink-2", self.ink_2),
            ("ink-3", self.ink_3),
            ("accent", self.accent),
            ("on-accent", self.on_accent),
            ("accent-soft", self.accent_soft),
            ("ok", self.ok),
            ("caution", self.caution),
            ("caution-soft", self.caution_soft),
            ("danger", self.danger),
            ("danger-soft", self.danger_soft),
        ]
    }
}
