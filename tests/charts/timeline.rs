//! Charts over time: what is drawn where, and that no input breaks them.

use headroom::chart::heat::{Heat, Strip};
use headroom::chart::svg::Role;
use headroom::chart::timeline::{Curve, Frame, Mark, Scale, Timeline, times};
use headroom::markup::Html;

const FRAME: Frame = Frame { width: 800.0, text_px: 12.0 };

fn curve(role: Role, label: &str, points: Vec<(f64, Option<f64>)>) -> Curve {
    Curve { role, label: label.to_owned(), points }
}

fn chart(points: Vec<(f64, Option<f64>)>) -> Timeline {
    let other = (0..60).map(|t| (f64::from(t) + 0.5, Some(0.7))).collect();
    Timeline {
        duration: 60.0,
        fault: Some((20.0, 40.0)),
        scale: Scale::whole_share(),
        curves: vec![curve(Role::Chosen, "recommended", points), curve(Role::Other, "pasted 70%", other)],
        marks: Vec::new(),
        lines: 13.0,
        alt: "Both <policies>".to_owned(),
    }
}

fn steps(value: impl Fn(f64) -> Option<f64>) -> Vec<(f64, Option<f64>)> {
    (0..60).map(|t| (f64::from(t) + 0.5, value(f64::from(t)))).collect()
}

/// Texts of a drawing.
fn labels(svg: &str) -> Vec<&str> {
    svg.split("<text")
        .skip(1)
        .filter_map(|t| t.split_once('>')?.1.split_once("</text>").map(|(text, _)| text))
        .collect()
}

#[test]
fn both_lines_have_their_names_and_the_fault_is_shaded() {
    let svg = chart(steps(|_| Some(1.0))).svg(&FRAME);
    let names = labels(&svg);
    for name in ["recommended", "pasted 70%", "fault", "0%", "100%", "60\u{a0}s"] {
        assert!(names.contains(&name), "{name} is missing in {names:?}");
    }
    // 5 em on the left, 4/3 em on the right: 60 px to 784 px, so a third of it begins at 301.3 and is 241.3 wide.
    assert!(svg.contains("<rect x=\"301.3\" y=\"8.4\" width=\"241.3\""), "{svg}");
    assert!(svg.contains("aria-label=\"Both &lt;policies&gt;\""), "{svg}");
    // The line at 100% lies at the top of the plot.
    assert!(svg.contains("class=\"hr-main\" d=\"M66 8.4L"), "{svg}");
    assert!(!svg.contains("style="));
}

#[test]
fn a_step_without_a_value_is_a_gap() {
    let whole = chart(steps(|_| Some(0.5))).svg(&FRAME);
    let broken = chart(steps(|t| (!(30.0..=32.0).contains(&t)).then_some(0.5))).svg(&FRAME);
    assert_eq!(whole.matches("class=\"hr-main\"").count(), 1);
    assert_eq!(broken.matches("class=\"hr-main\"").count(), 2);
}

#[test]
fn a_limit_on_the_axis_is_drawn_and_one_beyond_it_is_not() {
    let mut chart = chart(steps(|_| Some(3.0)));
    chart.scale = Scale::count(8.0);
    chart.marks = [7.0, 1024.0].map(|value| Mark { value, label: format!("limit {value}") }).to_vec();
    let svg = chart.svg(&FRAME);
    let names = labels(&svg);
    assert!(names.contains(&"limit 7") && !names.contains(&"limit 1024"), "{names:?}");
}

#[test]
fn no_number_breaks_a_drawing() {
    for value in [f64::NAN, f64::INFINITY, -1.0, 1e300] {
        let mut chart = chart(steps(|_| Some(value)));
        chart.fault = Some((f64::NAN, value));
        chart.scale = Scale::millis(value);
        let svg = chart.svg(&Frame { width: value, ..FRAME });
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{value}: {svg}");
    }
    let empty = Timeline { duration: 0.0, curves: Vec::new(), fault: None, ..chart(Vec::new()) };
    assert!(empty.svg(&FRAME).contains("</svg>"));
}

#[test]
fn ticks_of_time_are_those_of_a_clock() {
    assert_eq!(
        times(60.0, 12.0),
        [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 55.0, 60.0]
    );
    assert_eq!(times(90.0, 6.0), [0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0]);
    assert_eq!(times(3600.0, 6.0), [0.0, 600.0, 1200.0, 1800.0, 2400.0, 3000.0, 3600.0]);
}

#[test]
fn a_strip_says_who_is_out_and_for_how_long() {
    let strip = |label: &str, shares: Vec<f64>| Strip { label: label.to_owned(), is_hit: true, shares };
    let heat = Heat {
        duration: 10.0,
        step: 1.0,
        fault: Some((2.0, 6.0)),
        rows: vec![
            strip("host-1", vec![0.0, 0.0, 0.2, 0.6, 1.0, 1.0, 1.0, 1.0, 0.3, 0.0]),
            strip("<b>", vec![0.0; 10]),
        ],
        full: "all 100".to_owned(),
        alt: "host-1".to_owned(),
    };
    let mut out = Html::default();
    heat.write(&mut out, 700.0, 12.0);
    let svg = out.as_str();
    // Four seconds of ten, all 100 proxies.
    assert!(svg.contains("fill-opacity=\"1\" x=\"40.00%\" y=\"1\" width=\"40.00%\""), "{svg}");
    assert_eq!(svg.matches("all 100").count(), 1);
    assert!(svg.contains("&lt;b&gt;") && !svg.contains("<b>"), "{svg}");
    let mut narrow = Html::default();
    heat.write(&mut narrow, 120.0, 12.0);
    assert!(!narrow.as_str().contains("all 100"), "a label that does not fit is not written");
}
