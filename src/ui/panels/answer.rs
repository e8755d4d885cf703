//! The answer's column.

use super::findings::Findings;
use super::hero::Hero;
use super::ladder::LadderPanel;
use super::outlier::OutlierPanel;
use super::retry::RetryPanel;
use super::stale::stale_notice;
use super::thresholds::Thresholds;
use super::window::WindowPanel;
use crate::ui::charts::{HeadroomRows, SweepChart};
use crate::ui::reactive::{part, text};
use crate::ui::state::Derived;
use leptos::prelude::*;

/// Everything Headroom says about the scenario, but the YAML.
#[component]
pub fn Answer() -> impl IntoView {
    let derived: Derived = expect_context();
    view! {
        <main class="hr-answer" class:hr-stale=derived.stale() id="answer" tabindex="-1">
            <h1 class="hr-vh">{text(move || derived.read(|a| format!("Size of {}", a.scenario.name)))}</h1>
            {part(stale_notice)}
            <Hero/>
            <WindowPanel/>
            <Thresholds/>
            <Findings/>
            <div class="hr-block">
                <div class="hr-pair hr-pair--wide">
                    <HeadroomRows analysis=derived.analysis()/>
                    <SweepChart analysis=derived.analysis()/>
                </div>
            </div>
            <LadderPanel/>
            <div class="hr-block">
                <div class="hr-pair">
                    <RetryPanel/>
                    <OutlierPanel/>
                </div>
            </div>
        </main>
    }
}
