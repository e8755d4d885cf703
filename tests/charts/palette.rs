//! The palettes are the style sheet's tokens.

use headroom::chart::palette::{DARK, LIGHT};

#[test]
fn palettes_are_the_tokens_of_the_style_sheet() {
    let css = include_str!("../../style/tokens.css");
    for ((name, light), (_, dark)) in LIGHT.tokens().into_iter().zip(DARK.tokens()) {
        let rule = format!("--hr-{name}: light-dark({light}, {dark});");
        assert!(css.contains(&rule), "style/tokens.css has no {rule}");
    }
    // Colors of code are the YAML pane's own; no chart has code in it. What a query changes is a token that is there already.
    let colors = css.lines().filter(|line| {
        line.contains("light-dark(") && !line.contains("--hr-code-") && !line.starts_with("@media")
    });
    assert_eq!(colors.count(), LIGHT.tokens().len(), "every color token has a palette entry");
}
