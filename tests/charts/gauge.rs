//! The window gauge.

use crate::support::{assert_clean, assert_well_formed, is_shown, many, written};
use headroom::chart::gauge::{Gauge, MARGINS, State, Subject, WIDTHS, ZoneKind};
use headroom::chart::scale::At;
use headroom::chart::text::{Label, Tone};
use headroom::engine::analysis::Window;
use proptest::prelude::*;

fn window(floor: u32, recommended: u32, ceiling: Option<u32>) -> Window {
    let chosen = recommended.clamp(floor, ceiling.unwrap_or(u32::MAX).max(floor));
    Window { floor, recommended, ceiling, chosen }
}

fn gauge(floor: u32, recommended: u32, ceiling: Option<u32>, clients: u32) -> Gauge {
    Gauge::new(Subject { window: &window(floor, recommended, ceiling), clients, hosts_survive: None })
}

/// All labels, those of the ticks too.
fn labels(gauge: &Gauge) -> impl Iterator<Item = &Label> {
    gauge.labels.iter().chain(&gauge.tick_labels)
}

fn zones(gauge: &Gauge) -> Vec<(ZoneKind, String, String)> {
    gauge.zones.iter().map(|z| (z.kind, z.from.to_string(), z.to.to_string())).collect()
}

fn at(position: Option<At>) -> String {
    position.map_or_else(|| "nowhere".to_owned(), |at| at.to_string())
}

/// Texts shown at a width, in rows from the top, each row from the left.
fn words(gauge: &Gauge, width: f64) -> Vec<Vec<String>> {
    let mut labels: Vec<_> = labels(gauge).filter(|label| is_shown(label, width)).collect();
    labels.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.span(width).0.total_cmp(&b.span(width).0)));
    labels
        .chunk_by(|a, b| a.y == b.y)
        .map(|row| row.iter().map(|label| label.text.clone()).collect())
        .collect()
}

/// Design §4: the ceiling of each priority is what the floor of the other leaves of the same hosts.
#[test]
fn high_priority_has_a_gauge_of_its_own() {
    let mut scenario = many().swap_remove(0).1.scenario;
    scenario.high_priority_share = headroom::engine::units::Share(0.25);
    let answer = headroom::engine::analyze(&scenario).expect("it has an answer");
    let high = answer.high_window.clone().expect("a quarter is HIGH");
    assert_eq!(high.chosen, answer.thresholds[1].max_requests);
    let gauge = Gauge::of_high(&answer).expect("a quarter is HIGH");
    let table = Subject::of_high(&answer).expect("a quarter is HIGH").table();
    assert_eq!(table.rows[0][1], high.floor.to_string());
    assert!(!gauge.alt.contains("hosts survive"), "that is for both together: {}", gauge.alt);
    if let Some(ceiling) = high.ceiling {
        let per_proxy = answer.forecast.hosts_survive.expect("hosts are known") / f64::from(scenario.clients);
        assert_eq!(f64::from(ceiling), per_proxy.floor() - f64::from(answer.window.floor));
    }
}

#[test]
fn a_window_of_one_value_is_where_the_look_has_it() {
    let window = window(5, 7, Some(5));
    let subject = Subject { window: &window, clients: 100, hosts_survive: Some(576.0) };
    let (gauge, table) = (Gauge::new(subject), subject.table());
    assert_eq!(gauge.state, State::Open);
    assert_eq!(gauge.end, 12.0);
    let text = |s: &str| s.to_owned();
    assert_eq!(
        zones(&gauge),
        [
            (ZoneKind::TooTight, text("0.00%"), text("37.50%")),
            (ZoneKind::Window, text("37.50%"), text("45.83%")),
            (ZoneKind::Overruns, text("45.83%"), text("100.00%")),
        ]
    );
    assert_eq!(at(gauge.chosen), "41.67%");
    assert_eq!(at(gauge.recommended), "58.33%");
    assert_eq!(
        words(&gauge, 900.0),
        [
            vec!["chosen", "5", "7 recommended"],
            vec!["floor 5", "ceiling 5"],
            vec!["too tight", "overruns the hosts"],
            vec!["0", "2", "4", "6", "8", "10", "12"],
            vec!["0", "200", "400", "600", "800", "1,000", "1,200"],
        ]
    );
    assert_eq!(words(&gauge, 212.0)[4], ["0", "400", "800", "1,200"], "every second stays when narrow");
    assert_eq!(
        gauge.alt,
        "Window of max_requests per proxy: floor 5, chosen 5, ceiling 5; recommended 7 lies above the ceiling. \
         Fleet sum of the choice is 500, the hosts survive 576."
    );
    assert_eq!(table.head, ["max_requests", "a proxy", "fleet of 100 proxies"]);
    assert_eq!(table.rows[1], ["Chosen", "5", "500"]);
}

#[test]
fn the_gauge_is_written_as_the_look_has_it() {
    let markup = written(|out| gauge(5, 7, Some(5), 100).write(out));
    for element in [
        r#"<rect fill="url(#hr-hatch)" x="0.00%" y="70" width="37.50%" height="28"/>"#,
        r#"<rect class="hr-window" x="37.50%" y="70" width="8.33%" height="28"/>"#,
        r#"<rect fill="url(#hr-hatch-back)" x="45.83%" y="70" width="54.17%" height="28"/>"#,
        r#"<line class="hr-alt" x1="58.33%" x2="58.33%" y1="24" y2="106"/>"#,
        r#"<line class="hr-main" x1="41.67%" x2="41.67%" y1="42" y2="106"/>"#,
        r#"<text x="37.50%" dx="-2" y="60" class="hr-t-end hr-t-ink">floor 5</text>"#,
        r#"<text x="41.67%" y="34" class="hr-t-mid hr-t-read">5</text>"#,
        r#"<text x="16.67%" y="138" class="hr-t-mid hr-odd">200</text>"#,
    ] {
        assert!(markup.contains(element), "{element} is not in {markup}");
    }
}

/// A keystroke changes attributes and texts, and no element comes or goes.
#[test]
fn all_windows_have_the_same_elements() {
    let kinds = |gauge: &Gauge| -> Vec<String> {
        let markup = written(|out| gauge.write(out));
        markup.split('<').map(|part| part.chars().take_while(char::is_ascii_alphabetic).collect()).collect()
    };
    let one = kinds(&gauge(5, 7, Some(5), 100));
    for other in [
        gauge(4, 5, Some(1), 400),
        gauge(13, 22, Some(57), 10),
        gauge(5, 7, None, 1),
        gauge(1, 1, Some(9000), 1_000_000),
    ] {
        assert_eq!(kinds(&other), one, "{other:?}");
    }
    for (name, analysis) in many() {
        assert_eq!(kinds(&Gauge::of(&analysis)), one, "{name}");
    }
}

#[test]
fn an_open_window_says_that_the_recommendation_was_chosen() {
    let gauge = gauge(13, 22, Some(57), 10);
    assert_eq!(gauge.end, 100.0);
    assert_eq!(gauge.zones[1].from.to_string(), "12.50%");
    assert_eq!(gauge.zones[1].to.to_string(), "57.50%");
    assert_eq!(at(gauge.chosen), "22.00%");
    assert_eq!(at(gauge.recommended), "nowhere");
    assert_eq!(words(&gauge, 900.0)[0], ["22", "chosen, as recommended"]);
    assert_eq!(words(&gauge, 212.0)[0], ["22", "chosen"]);
}

#[test]
fn in_a_trap_the_forbidden_spans_overlap_and_nothing_is_chosen() {
    let gauge = gauge(4, 5, Some(1), 400);
    assert_eq!(gauge.state, State::Trap);
    assert_eq!(gauge.end, 8.0);
    let text = |s: &str| s.to_owned();
    assert_eq!(
        zones(&gauge),
        [
            (ZoneKind::TooTight, text("0.00%"), text("43.75%")),
            (ZoneKind::Overruns, text("18.75%"), text("100.00%")),
            (ZoneKind::Both, text("18.75%"), text("43.75%")),
        ]
    );
    assert_eq!((gauge.chosen, gauge.recommended), (None, None));
    assert_eq!(words(&gauge, 900.0)[..2], [vec!["no number works"], vec!["ceiling 1", "floor 4"]]);
    assert!(gauge.labels.iter().filter(|l| l.tone == Tone::Danger).count() >= 3);
    assert_eq!(
        gauge.alt,
        "Window of max_requests per proxy: ceiling 1 lies below floor 4, so no number works."
    );
}

#[test]
fn a_trap_of_one_is_as_wide_as_a_value() {
    let gauge = gauge(5, 6, Some(4), 130);
    assert_eq!((gauge.state, gauge.end), (State::Trap, 10.0));
    let both = gauge.zones.iter().find(|zone| zone.kind == ZoneKind::Both).expect("a trap has one");
    assert_eq!((both.from.to_string(), both.to.to_string()), ("40.00%".to_owned(), "50.00%".to_owned()));
    assert_eq!(words(&gauge, 900.0)[1], ["ceiling 4", "floor 5"]);
}

#[test]
fn in_a_narrow_trap_the_floor_stands_behind_the_ceiling() {
    let gauge = gauge(39_421, 125_001, Some(10_000), 100);
    assert_eq!(words(&gauge, 212.0)[1], ["ceiling 10,000", "floor 39,421"]);
}

#[test]
fn without_a_ceiling_the_window_is_open_to_the_right() {
    let gauge = gauge(22, 42, None, 4);
    assert_eq!(gauge.state, State::NoCeiling);
    assert_eq!(gauge.end, 80.0);
    assert_eq!((gauge.zones.len(), gauge.zones[1].to), (2, At::END));
    assert_eq!(at(gauge.chosen), "52.50%");
    assert_eq!(
        words(&gauge, 900.0)[..2],
        [vec!["chosen, as recommended", "42"], vec!["floor 22", "no ceiling known"]]
    );
}

#[test]
fn a_far_ceiling_becomes_a_label_with_an_arrow() {
    // Four times the recommendation is still drawn, one more is not.
    assert_eq!(gauge(3, 10, Some(40), 1).state, State::Open);
    let gauge = gauge(3, 10, Some(41), 1);
    assert_eq!(gauge.state, State::FarCeiling);
    assert_eq!(gauge.end, 16.0);
    assert_eq!(words(&gauge, 900.0)[1], ["floor 3", "ceiling 41 →"]);
}

#[test]
fn the_largest_limits_stay_on_the_axis() {
    let most = u32::MAX;
    for gauge in
        [gauge(most, most, Some(most), 1_000_000), gauge(1, most, None, 1), gauge(most, most, Some(0), 1)]
    {
        assert_eq!(gauge.end, 8e9);
        assert_clean("most", &format!("{gauge:?}"));
    }
    assert_eq!(gauge(1, 1, Some(1), 1).end, 2.0);
}

#[test]
fn every_scenario_has_a_gauge() {
    for (name, analysis) in many() {
        let gauge = Gauge::of(&analysis);
        let table = Subject::of(&analysis).table();
        assert_clean(&name, &format!("{gauge:?} {table:?}"));
        assert_well_formed(&name, &written(|out| gauge.write(out)));
        assert_well_formed(&name, &written(|out| table.write(out)));
        assert!(table.rows.iter().all(|row| row.len() == table.head.len()), "{name}");
    }
}

/// Limits of every size, not only large ones.
fn limit() -> impl Strategy<Value = u32> {
    (0u32..32, any::<u32>()).prop_map(|(shift, bits)| (bits >> shift).max(1))
}

proptest! {
    #[test]
    fn labels_never_touch_and_never_leave_the_margins(
        floor in limit(),
        more in limit(),
        ceiling in prop::option::of(prop_oneof![limit(), Just(0)]),
        clients in 1u32..=1_000_000,
    ) {
        let gauge = gauge(floor, floor.saturating_add(more - 1), ceiling, clients);
        for width in [WIDTHS.0, 260.0, WIDTHS.1, 500.0, 1200.0] {
            let shown: Vec<_> = labels(&gauge).filter(|label| is_shown(label, width)).collect();
            for (k, label) in shown.iter().enumerate() {
                let (left, right) = label.span(width);
                prop_assert!(left >= -MARGINS.0 - 1.0 && right <= width + MARGINS.1 + 1.0, "{label:?} at {width}");
                for other in &shown[..k] {
                    let (other_left, other_right) = other.span(width);
                    let is_apart = right <= other_left || other_right <= left;
                    prop_assert!(is_apart || (label.y - other.y).abs() >= 12.0, "{label:?} {other:?} at {width}");
                }
            }
        }
    }

    #[test]
    fn what_matters_is_always_said(floor in 1u32..100_000, more in 1u32..100_000, ceiling in prop::option::of(1u32..200_000)) {
        let gauge = gauge(floor, floor + more - 1, ceiling, 100);
        for width in [WIDTHS.0, WIDTHS.1, 900.0] {
            let has = |text: &str| gauge.labels.iter().any(|l| is_shown(l, width) && l.text.contains(text));
            prop_assert!(has("floor"), "{gauge:?} at {width}");
            prop_assert!(has("ceiling"), "{gauge:?} at {width}");
            prop_assert_eq!(has("no number works"), gauge.state == State::Trap);
            prop_assert_eq!(has("recommended"), gauge.recommended.is_some() || has("as recommended"));
        }
    }
}
