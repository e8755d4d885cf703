//! The load sweep.

use crate::support::{analysis, assert_clean, assert_well_formed, many, worked_example};
use headroom::chart::svg::Role;
use headroom::chart::sweep::{Frame, LEAST, MOST, Marker, Sweep};
use headroom::chart::text::{Anchor, Area, ems};
use headroom::engine::analysis::Analysis;
use headroom::engine::params::ParamId;
use headroom::engine::queueing::erlang_b::blocking;
use headroom::engine::units::{Erlangs, Share};

const FRAME: Frame = Frame { width: 560.0, text_px: 12.0 };

/// One server that is offered one erlang at the peak: it refuses m / (1 + m) at m times that.
fn one_server() -> Analysis {
    let mut analysis = analysis(worked_example(), &[]);
    analysis.window.chosen = 1;
    analysis.window.recommended = 1;
    analysis.load.offered = Erlangs(1.0);
    analysis
}

fn number(element: &str, name: &str) -> f64 {
    let from = element.find(&format!(" {name}=\"")).unwrap_or_else(|| panic!("no {name} in {element}"));
    let value = &element[from + name.len() + 3..];
    value[..value.find('"').expect("a closing quote")].parse().expect("a number")
}

/// All elements of a kind that something is seen of, each from its `<` up to the next.
fn elements<'a>(svg: &'a str, kind: &str) -> Vec<&'a str> {
    let start = format!("{kind} ");
    let is_kept = |part: &&str| ["text> ", " d=\"\"", " r=\"0\""].iter().any(|blank| part.contains(blank));
    svg.split('<').filter(|part| part.starts_with(&start) && !is_kept(part)).collect()
}

/// Points of a path.
fn points(path: &str) -> Vec<(f64, f64)> {
    let from = path.find(" d=\"M").expect("a path has points") + 5;
    let data = &path[from..];
    data[..data.find('"').expect("a closing quote")]
        .split('L')
        .map(|point| {
            let (x, y) = point.split_once(' ').expect("x and y");
            (x.parse().expect("x"), y.parse().expect("y"))
        })
        .collect()
}

#[test]
fn the_share_is_erlang_b_of_the_chosen_limit() {
    let sweep = Sweep::of(&one_server());
    for (multiple, share) in [(0.0, 0.0), (1.0, 0.5), (3.0, 0.75)] {
        assert!((sweep.share_at(multiple).0 - share).abs() < 1e-12, "{multiple}");
    }
    assert_eq!(
        sweep.describe(Marker { multiple: 1.8 }).replace('\u{a0}', " "),
        "×1.8: 900 req/s, refuses 64%"
    );
}

#[test]
fn the_curve_is_where_the_axes_say() {
    let svg = Sweep::of(&one_server()).svg(&FRAME, None);
    let curve = points(elements(&svg, "path class=\"hr-main\"").first().expect("the chosen curve"));
    let plot = FRAME.plot();
    // It starts where one in a million is refused, next to the left end of the axis.
    assert_eq!(curve.first(), Some(&(plot.left, plot.bottom)));
    // It ends at four erlangs: 4/5, which is log10(0.8) decades below the top of six.
    let &(x, y) = curve.last().expect("points");
    let top = plot.top + (plot.bottom - plot.top) * -0.8f64.log10() / 6.0;
    assert!((x - plot.right).abs() < 0.11 && (y - top).abs() < 0.11, "{x} {y} {top}");
    assert!(curve.is_sorted_by(|a, b| a.0 <= b.0 && a.1 >= b.1), "more load, more refused");
    // Tenths of a pixel, not whole ones.
    assert!(curve.iter().any(|(x, _)| x.fract() != 0.0));
}

/// The line through few points against Erlang B at two thousand, in the widest drawing of the page.
#[test]
fn the_line_is_nowhere_a_quarter_of_a_pixel_off() {
    let frame = Frame { width: 900.0, ..FRAME };
    let plot = frame.plot();
    let pixel = |(multiple, share): (f64, f64)| {
        let decades = share.clamp(LEAST, 1.0).log10() / LEAST.log10();
        (
            plot.left + (plot.right - plot.left) * multiple / MOST,
            plot.top + (plot.bottom - plot.top) * decades,
        )
    };
    let distance = |(x, y): (f64, f64), line: &[(f64, f64)]| {
        let to = |&[(x0, y0), (x1, y1)]: &[(f64, f64); 2]| {
            let (dx, dy) = (x1 - x0, y1 - y0);
            let along = (((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy).max(1e-9)).clamp(0.0, 1.0);
            (x - x0 - along * dx).hypot(y - y0 - along * dy)
        };
        line.array_windows().map(to).fold(f64::INFINITY, f64::min)
    };
    let alone = [("one server".to_owned(), one_server())];
    for (name, analysis) in many().into_iter().chain(alone) {
        let sweep = Sweep::of(&analysis);
        let offered = analysis.load.offered.0 * (1.0 - analysis.scenario.high_priority_share.0);
        for curve in sweep.curves.iter().filter(|curve| !curve.line.is_empty()) {
            let line: Vec<(f64, f64)> = curve.line.iter().copied().map(pixel).collect();
            for k in 0..=2000 {
                let multiple = MOST * f64::from(k) / 2000.0;
                let share = blocking(u64::from(curve.limit), Erlangs(offered * multiple)).0;
                if share > LEAST {
                    let off = distance(pixel((multiple, share)), &line);
                    assert!(off < 0.25, "{name}: {} is {off} px off at ×{multiple}", curve.label);
                }
            }
        }
    }
}

#[test]
fn a_pointer_finds_its_multiple() {
    let plot = FRAME.plot();
    let middle = f64::midpoint(plot.left, plot.right);
    for (x, multiple) in [(0.0, 0.0), (plot.left, 0.0), (middle, 2.0), (plot.right, 4.0), (9e9, 4.0)] {
        assert!((FRAME.multiple_at(x) - multiple).abs() < 1e-9, "{x}");
    }
}

#[test]
fn the_worked_example_says_its_points() {
    let sweep = Sweep::of(&analysis(worked_example(), &[]));
    let alt = sweep.alt(Some(Marker { multiple: 2.0 })).replace('\u{a0}', " ");
    assert_eq!(
        alt,
        "Refused share of the busiest proxy against fleet rate, logarithmic. With limit 5: 0.0033% at the peak of \
         500 req/s, 0.01% at 636 req/s, 1% at 1,914 req/s. With recommended 7 the tolerated share is reached at \
         1,482 req/s. Marked: ×2: 1,000 req/s, refuses 0.074%."
    );
    let roles: Vec<Role> = sweep.curves.iter().map(|curve| curve.role).collect();
    assert_eq!(roles, [Role::Chosen, Role::Other]);
    assert_eq!(sweep.table().head, ["req/s", "limit 5", "recommended 7"]);
    assert_eq!(sweep.table().rows[1], ["500", "0.0033%", "<\u{a0}0.0001%"]);
    assert_eq!(sweep.table().rows[5], ["2,000", "1.2%", "0.056%"]);
}

#[test]
fn envoys_default_is_a_line_only_where_it_refuses() {
    let small = Sweep::of(&analysis(worked_example(), &[]));
    assert!(small.curves.iter().all(|curve| curve.limit != 1024));
    let changes = [(ParamId::Rps, "52000"), (ParamId::Clients, "1"), (ParamId::HostConcurrency, "")];
    let large = Sweep::of(&analysis(worked_example(), &changes));
    assert_eq!(large.curves.last().map(|curve| (curve.limit, curve.role)), Some((1024, Role::Third)));
}

#[test]
fn a_mark_is_drawn_and_named() {
    let sweep = Sweep::of(&one_server());
    let (plain, marked) = (sweep.svg(&FRAME, None), sweep.svg(&FRAME, Some(Marker { multiple: 2.0 })));
    assert_eq!(elements(&plain, "path class=\"hr-probe\"").len(), 0);
    let probe = points(elements(&marked, "path class=\"hr-probe\"").first().expect("the mark's line"));
    let plot = FRAME.plot();
    assert!((probe[0].0 - f64::midpoint(plot.left, plot.right)).abs() < 0.11);
    assert_eq!(elements(&marked, "circle").len(), elements(&plain, "circle").len() + 1);
    assert!(marked.contains("×2: 67%"), "{marked}");
}

#[test]
fn the_style_sheet_has_the_colors() {
    let svg = Sweep::of(&analysis(worked_example(), &[])).svg(&FRAME, None);
    assert_clean("sweep", &svg);
    assert!(!svg.contains('#') && !svg.contains("stroke="), "{svg}");
}

/// Area of a text that was drawn, in CSS px.
fn area(element: &str) -> Area {
    let (x, y) = (number(element, "x"), number(element, "y"));
    let text = element.split_once('>').expect("a text").1.replace("&lt;", "<");
    let is_heavy = element.contains("hr-t-ink") || element.contains("hr-t-main");
    let width = ems(&text) * 12.0 * if is_heavy { 1.1 } else { 1.0 };
    let anchor = match element {
        e if e.contains("hr-t-end") => Anchor::End,
        e if e.contains("hr-t-mid") => Anchor::Middle,
        _ => Anchor::Start,
    };
    let (left, right) = anchor.span(x, width);
    Area { left, top: y - 10.0, right, bottom: y + 3.0 }
}

#[test]
fn every_scenario_is_drawn_clean_and_legible() {
    for (name, analysis) in many() {
        let sweep = Sweep::of(&analysis);
        assert!(sweep.curves.len() <= 3, "{name}: the mark is the fourth");
        for width in [288.0, 340.0, 444.0, 900.0] {
            for marker in [
                None,
                Some(Marker { multiple: 0.0 }),
                Some(Marker { multiple: 1.35 }),
                Some(Marker { multiple: 4.0 }),
            ] {
                let frame = Frame { width, ..FRAME };
                let svg = sweep.svg(&frame, marker);
                assert_well_formed(&name, &svg);
                let texts = elements(&svg, "text");
                let blanks = svg.matches("<text> </text>").count();
                assert_eq!(texts.len() + blanks, svg.matches("</text>").count(), "{name}");
                assert!(elements(&svg, "circle").len() <= 4, "{name}");
                let room = Area { left: -2.0, top: 0.0, right: width + 40.0, bottom: frame.height() };
                let areas: Vec<(&str, Area)> = texts.iter().map(|text| (*text, area(text))).collect();
                for (k, (text, at)) in areas.iter().enumerate() {
                    assert!(room.holds(at), "{name} at {width}: {text} leaves the picture");
                    for (other, other_at) in &areas[..k] {
                        assert!(!at.touches(other_at), "{name} at {width}: {text} touches {other}");
                    }
                }
            }
        }
    }
}

/// A keystroke changes attributes and texts, and no element comes or goes.
#[test]
fn all_scenarios_have_the_same_elements() {
    let kinds = |sweep: &Sweep, marker| -> Vec<String> {
        let svg = sweep.svg(&FRAME, marker);
        svg.split('<').map(|part| part.chars().take_while(char::is_ascii_alphabetic).collect()).collect()
    };
    let one = kinds(&Sweep::of(&one_server()), None);
    for (name, analysis) in many() {
        for marker in [None, Some(Marker { multiple: 2.0 })] {
            assert_eq!(kinds(&Sweep::of(&analysis), marker), one, "{name}");
        }
    }
}

#[test]
fn shares_below_the_axis_are_said_in_words() {
    let mut quiet = one_server();
    quiet.window.chosen = 1000;
    quiet.window.recommended = 1000;
    quiet.scenario.shed_target = Share(1e-9);
    quiet.forecast.multiple_at_target = 700.0;
    quiet.forecast.multiple_at_one_percent = 900.0;
    let sweep = Sweep::of(&quiet);
    assert!(sweep.curves[0].line.is_empty() && sweep.points.iter().all(Option::is_none));
    let svg = sweep.svg(&FRAME, None);
    assert!(svg.contains("limit 1,000 stays below 0.0001%"), "{svg}");
    assert!(!svg.contains("tolerated"), "it is below the axis too");
    assert!(sweep.share_at(4.0).0 < LEAST);
}
