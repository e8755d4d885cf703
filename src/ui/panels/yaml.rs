//! The generated configuration: tabs, copy, download, colors, changes.

use super::yaml_lines::YamlText;
use crate::engine::export::{Target, export};
use crate::engine::units::display;
use crate::ui::browser::{download, select_contents};
use crate::ui::components::yaml_tokens::tokens;
use crate::ui::components::{CopyButton, Piece, Segmented, patch_lines};
use crate::ui::reactive::part;
use crate::ui::state::Derived;
use leptos::prelude::*;

/// The formats, in the order of the tabs.
const NAMES: &[&str] = &["Envoy", "Bootstrap"];
const ABOUT: [&str; 2] = [
    "Cluster and route fragments, to paste into your own.",
    "A whole bootstrap with one listener, to start Envoy with.",
];

/// The id of the text, for selecting it when the clipboard refuses.
pub const YAML_ID: &str = "yaml";

/// The output rail.
#[component]
pub fn YamlPane() -> impl IntoView {
    let derived: Derived = expect_context();
    let tab = RwSignal::new(0usize);
    Effect::new(move |last: Option<YamlText>| {
        let now = derived
            .outcome
            .with(|o| YamlText::next(last.as_ref(), &o.answer, &o.before, Target::ALL[tab.get()]));
        patch_lines(YAML_ID, last.as_ref().map_or(&[], |last| &last.lines), &now.lines, cut);
        now
    });
    let text =
        move || derived.outcome.with_untracked(|o| export(&o.answer, Target::ALL[tab.get_untracked()]));
    let save = move |_| {
        if !untrack(|| derived.is_stale()) {
            download(&derived.outcome.with_untracked(|o| file_name(&o.answer.scenario.name)), &text());
        }
    };
    let note = move || match derived.problems().len() {
        0 => view! { <p class="hr-sub">{ABOUT[tab.get()]}</p> }.into_any(),
        n => view! { <p class="hr-sub" id="copy-off">{copy_is_off(n)}</p> }.into_any(),
    };
    view! {
        <aside class="hr-rail" class:hr-stale=derived.stale() aria-label="Output">
            <section class="hr-block" aria-labelledby="h-yaml">
                <div class="hr-head--row">
                    <h2 id="h-yaml">"YAML"</h2>
                    <div class="hr-actions">
                        <CopyButton
                            label="Copy"
                            icon="copy"
                            main=true
                            text=Callback::new(move |()| text())
                            on_failure=Callback::new(|()| select_contents(YAML_ID))
                            off_because=derived.off_because()
                        />
                        <button
                            class="hr-btn"
                            type="button"
                            aria-disabled=derived.disabled()
                            aria-describedby=derived.off_because()
                            on:click=save
                        >
                            "Download"
                        </button>
                    </div>
                </div>
                <Segmented label="Output format" options=NAMES chosen=tab/>
                <pre class="hr-yaml" tabindex="0" role="region" aria-label="Generated YAML"><code id=YAML_ID></code></pre>
                {part(note)}
            </section>
        </aside>
    }
}

fn cut(line: &str) -> Vec<Piece> {
    tokens(line).into_iter().map(|(token, text)| (token.class(), text.to_owned())).collect()
}

fn copy_is_off(n_problems: usize) -> String {
    let inputs = match u32::try_from(n_problems) {
        Ok(1) => "the input is".to_owned(),
        n => format!("the {} inputs are", display::words(n.unwrap_or(u32::MAX))),
    };
    format!("Copy is off until {inputs} fixed, so that no YAML leaves with numbers you did not ask for.")
}

/// A file name of the service's letters and digits.
fn file_name(service: &str) -> String {
    let safe: String = service.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{}.yaml", safe.trim_matches('-'))
}
