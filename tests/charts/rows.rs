//! The headroom rows.

use crate::support::{assert_clean, assert_well_formed, many, written};
use headroom::chart::rows::{Headroom, Reach, table, table_of};
use headroom::chart::scale::At;
use headroom::engine::analysis::Trip;
use headroom::engine::units::Share;

fn trip(
    setting: &'static str,
    value: &str,
    rate: Option<f64>,
    latency: Option<f64>,
    cause: &'static str,
) -> Trip {
    Trip { setting, value: value.to_owned(), rate_multiple: rate, latency_multiple: latency, cause }
}

/// The limits of the look, out of order.
fn trips() -> Vec<Trip> {
    vec![
        trip("max_connections", "40", None, None, "flat on HTTP/2"),
        trip("hosts", "9 × 64", Some(19.4), Some(19.4), "more or slower"),
        trip("per_try_timeout", "220 ms", None, Some(1.0), "slower"),
        trip("timeout", "950 ms", None, Some(4.35), "slower"),
        trip("max_requests", "5", Some(1.27), Some(1.27), "more or slower"),
        trip("max_pending_requests", "2", Some(1.91), None, "more"),
    ]
}

#[test]
fn rows_are_where_the_look_has_them() {
    let headroom = Headroom::new(&trips(), 2.0, Share(1e-4));
    // ln m / ln 20 for each multiple m.
    let expected = [
        ("per_try_timeout", "220 ms · slower", Some(("0.00%", true)), "×1.00"),
        ("max_requests", "5 · more or slower", Some(("7.98%", true)), "×1.27"),
        ("max_pending_requests", "2 · more", Some(("21.60%", false)), "×1.91"),
        ("timeout", "950 ms · slower", Some(("49.08%", false)), "×4.35"),
        ("hosts", "9 × 64 · more or slower", Some(("98.98%", false)), "×19.4"),
        ("max_connections", "40", None, "never"),
    ];
    assert_eq!(headroom.rows.len(), expected.len());
    for (row, (setting, note, reach, value)) in headroom.rows.iter().zip(expected) {
        assert_eq!((row.setting, row.note.as_str(), row.value.as_str()), (setting, note, value));
        match (&row.reach, reach) {
            (Reach::To { at, is_short }, Some((expected, expected_short))) => {
                assert_eq!((at.to_string().as_str(), *is_short), (expected, expected_short), "{setting}");
            }
            (Reach::Never(reason), None) => assert_eq!(*reason, "flat on HTTP/2"),
            other => panic!("{setting}: {other:?}"),
        }
    }
    assert_eq!(headroom.asked.map(|at| at.to_string()).as_deref(), Some("23.14%"));
    let said = headroom.labels.iter().filter(|label| !label.is_blank());
    let mut axis: Vec<&str> = said.map(|label| label.text.as_str()).collect();
    axis.sort_unstable();
    assert_eq!(axis, ["asked", "×1", "×10", "×2", "×20", "×5"]);
    assert_eq!(headroom.subtitle, "Growth until more than 1 in 10,000 fails, one cause at a time");
    assert!(headroom.alt.contains("max_requests at ×1.27, less than asked; max_pending_requests at ×1.91;"));
    assert_eq!(table(&trips()).rows[2], ["max_pending_requests", "2", "×1.91", "never", "more"]);
}

#[test]
fn what_already_fails_starts_at_the_left_and_keeps_its_number() {
    let headroom = Headroom::new(&[trip("timeout", "100 ms", None, Some(0.62), "slower")], 2.0, Share(1e-4));
    assert_eq!(headroom.rows[0].value, "×0.62");
    assert_eq!(headroom.rows[0].reach, Reach::To { at: At::START, is_short: true });
}

#[test]
fn what_the_peak_uses_up_is_marked_whatever_does_it() {
    let at = |rate: f64| trip("max_pending_requests", "2", Some(rate), None, "more");
    let of = |rate: f64, asked: f64| Headroom::new(&[at(rate)], asked, Share(1e-4));
    // Written as ×1.00, and ×1.01 is the first that is not.
    for (rate, lack) in
        [(0.8, "no room to grow"), (1.0, "no room to grow"), (1.0099, "no room to grow"), (1.01, "")]
    {
        for asked in [1.0, 2.0] {
            let headroom = of(rate, asked);
            assert_eq!(headroom.rows[0].lack, lack, "{rate}");
            let is_short = !lack.is_empty();
            assert!(
                matches!(headroom.rows[0].reach, Reach::To { is_short: it_is, .. } if it_is == is_short),
                "{rate}"
            );
        }
    }
    assert!(
        of(1.0, 1.0).alt.contains("max_pending_requests at ×1.00, no room to grow"),
        "{}",
        of(1.0, 1.0).alt
    );
}

#[test]
fn a_hundredfold_is_the_end_of_the_axis() {
    let far = trip("hosts", "9 × 64", Some(9e6), Some(9e6), "more or slower");
    let headroom =
        Headroom::new(&[far, trip("timeout", "1 s", None, Some(10.0), "slower")], 1.0, Share(1e-4));
    assert_eq!(headroom.rows[0].reach, Reach::To { at: At::log(10.0, 100.0), is_short: false });
    assert_eq!((&headroom.rows[1].reach, headroom.rows[1].value.as_str()), (&Reach::Beyond, "×9,000,000"));
    assert_eq!(headroom.asked, None, "a slowdown of ×1 asks for nothing");
}

#[test]
fn multiples_that_are_no_numbers_never_trip() {
    let odd = [f64::NAN, f64::INFINITY].map(|m| trip("timeout", "1 s", None, Some(m), "slower"));
    let headroom = Headroom::new(&odd, 2.0, Share(1e-9));
    assert!(headroom.rows.iter().all(|row| row.value == "never"));
    assert_clean("odd", &format!("{headroom:?}"));
}

#[test]
fn every_scenario_has_rows_in_rising_order() {
    for (name, analysis) in many() {
        let headroom = Headroom::of(&analysis);
        let table = table_of(&analysis);
        assert_clean(&name, &format!("{headroom:?} {table:?}"));
        assert_well_formed(&name, &written(|out| headroom.write(out)));
        assert_well_formed(&name, &written(|out| table.write(out)));
        assert_eq!(headroom.rows.len(), analysis.trips.len(), "{name}");
        let ends: Vec<At> = headroom
            .rows
            .iter()
            .map(|row| match row.reach {
                Reach::To { at, .. } => at,
                Reach::Beyond | Reach::Never(_) => At::END,
            })
            .collect();
        assert!(ends.is_sorted(), "{name}: {ends:?}");
        let said: Vec<_> = headroom.labels.iter().filter(|label| !label.is_blank()).collect();
        for (k, label) in said.iter().enumerate() {
            for other in said[..k].iter().filter(|other| other.y == label.y) {
                let ((left, right), (other_left, other_right)) = (label.span(190.0), other.span(190.0));
                assert!(right <= other_left || other_right <= left, "{name}: {label:?} {other:?}");
            }
        }
    }
}
