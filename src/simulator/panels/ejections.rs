//! Who has ejected whom: a strip a host, for each policy that ejects at all.

use super::tables;
use crate::chart::heat::{Heat, Strip};
use crate::engine::sim::HostSeries;
use crate::engine::units::display;
use crate::markup::Html;
use crate::simulator::cells::seconds;
use crate::simulator::desk::{Desk, Live};

/// Hosts that have a row of their own.
pub const ROWS: usize = 24;

/// The figures of both policies.
pub fn ejections(out: &mut Html, desk: &Desk) {
    for (side, word) in [(0, "ejected-a"), (1, "ejected-b")] {
        out.begin("<figure class=\"hr-fig hr-sim-fig\" id=\"{}\">", &format!("s-sim-{word}"));
        if let Some(live) = &desk.live {
            figure(out, desk, live, side, word);
        }
        out.end("</figure>");
    }
}

fn figure(out: &mut Html, desk: &Desk, live: &Live, side: usize, word: &'static str) {
    let who = live.setup.names[side].title();
    out.put(
        "<figcaption class=\"hr-head\"><h3>Ejected, {}</h3>",
        &[&super::figures::name(live.setup.names[side])],
    );
    if live.setup.policies[side].outlier.is_none() {
        out.put("<p class=\"hr-sub\">{} has no outlier detection: it ejects none.</p></figcaption>", &[&who]);
        return;
    }
    let n = live.setup.prepared[side].experiment.fleet.simulated;
    let note = if n == 1 {
        "Color: the proxy has ejected the host.".to_owned()
    } else {
        format!(
            "Four steps of color: up to 25%, 50%, 75% and 100% of the {} proxies have ejected the host.",
            display::count(f64::from(n))
        )
    };
    let hosts = &live.reports[side].hosts;
    let more = hosts.len().saturating_sub(ROWS);
    let summed = if more > 0 {
        format!(
            " {} hosts have a row, those that are ejected most first; the other {} are one row, their mean.",
            display::count(ROWS as f64),
            display::count(more as f64)
        )
    } else {
        String::new()
    };
    out.put("<p class=\"hr-sub\">{}{}</p></figcaption>", &[&note, &summed]);
    let heat = heat(live, side, n);
    // The style sheet's margins of the plot, 3.75 and 1 rem.
    let width = desk.frame.map_or(600.0, |f| (f.width - 6.34 * f.text_px).max(100.0));
    out.raw("<div class=\"hr-sim-heat\">");
    heat.write(out, width, desk.frame.map_or(12.0, |f| f.text_px));
    out.raw("</div>");
    tables::disclosure(out, desk, word, &format!("Ejected, {who}"), |live| tables::of_hosts(live, side));
}

fn heat(live: &Live, side: usize, proxies: u32) -> Heat {
    let report = &live.reports[side];
    let experiment = &live.setup.prepared[side].experiment;
    let step = experiment.run.bucket.as_secs();
    let is_hit = |host: u32| live.setup.fault.hosts.has(host) && live.setup.fault.kind.spec().takes.hosts;
    let strip = |series: &HostSeries| Strip {
        label: format!("host-{}", series.host + 1),
        is_hit: is_hit(series.host),
        shares: series.buckets.iter().map(|b| b.ejected).collect(),
    };
    let order = order(&report.hosts);
    let mut rows: Vec<Strip> = order.iter().take(ROWS).map(|at| strip(&report.hosts[*at])).collect();
    let rest = &order[order.len().min(ROWS)..];
    if !rest.is_empty() {
        let n = rest.len() as f64;
        let at = |k: usize| {
            rest.iter().filter_map(|h| report.hosts[*h].buckets.get(k)).map(|b| b.ejected).sum::<f64>()
        };
        let shares = (0..report.series.len()).map(|k| at(k) / n).collect();
        rows.push(Strip { label: format!("{} more", display::count(n)), is_hit: false, shares });
    }
    let full = if proxies == 1 {
        "ejected".to_owned()
    } else {
        format!("all {}", display::count(f64::from(proxies)))
    };
    Heat {
        duration: live.setup.plan.duration.as_secs(),
        step,
        fault: Some(live.setup.span()),
        rows,
        full,
        alt: alt(live, side),
    }
}

/// Hosts in the order of their rows: as they are counted where all have one, else the most ejected first.
fn order(hosts: &[HostSeries]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..hosts.len()).collect();
    if hosts.len() > ROWS {
        let ejected = |at: &usize| hosts[*at].buckets.iter().map(|b| b.ejected).sum::<f64>();
        // Ties stay in their order.
        order.sort_by(|a, b| ejected(b).total_cmp(&ejected(a)));
    }
    order
}

fn alt(live: &Live, side: usize) -> String {
    let who = live.setup.names[side].subject();
    let ever: Vec<String> = live.reports[side]
        .hosts
        .iter()
        .filter_map(|series| {
            let (first, last, most) = tables::ejected(series, live)?;
            Some(format!(
                "host-{} by up to {} of the proxies between {} and {}",
                series.host + 1,
                display::share(crate::engine::units::Share(most)),
                seconds(first),
                seconds(last)
            ))
        })
        .collect();
    match ever.len() {
        0 => format!("Ejected hosts with {who}: none."),
        n if n <= 8 => format!("Ejected hosts with {who}: {}. No other host is ejected.", ever.join("; ")),
        n => format!("Ejected hosts with {who}: {n}, the first of them {}.", ever[0]),
    }
}
