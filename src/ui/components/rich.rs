//! Text in which backticks mark code.

use leptos::prelude::*;

/// Text in which backticks mark code: every second piece is set as code.
pub fn rich(text: &str) -> AnyView {
    let set = |(at, piece): (usize, &str)| {
        let piece = piece.to_owned();
        if at % 2 == 1 { view! { <code>{piece}</code> }.into_any() } else { piece.into_any() }
    };
    text.split('`').enumerate().map(set).collect_view().into_any()
}
