//! The data behind a chart.

use leptos::prelude::*;

/// "Show as table": the rows are written only while they are shown, since a keystroke would pay
/// for them otherwise.
#[component]
pub fn DataTable(
    /// The inside of the table.
    rows: Signal<String>,
) -> impl IntoView {
    let (open, set_open) = signal(false);
    let toggled = move |event: web_sys::Event| {
        let details: web_sys::Element = event_target(&event);
        set_open.set(details.has_attribute("open"));
    };
    let shown = Signal::derive(move || if open.get() { rows.get() } else { String::new() });
    view! {
        <details class="hr-sub" on:toggle=toggled>
            <summary>"Show as table"</summary>
            <table class="hr-table" inner_html=shown></table>
        </details>
    }
}
