//! The data behind the charts, as tables that are written only while they are open.

use crate::chart::Table;
use crate::engine::sim::HostSeries;
use crate::engine::units::Share;
use crate::engine::units::display;
use crate::markup::Html;
use crate::simulator::cells::{Quantity, seconds};
use crate::simulator::desk::{Desk, Live};

/// "Show as table"; the rows come when it is opened.
pub fn disclosure(out: &mut Html, desk: &Desk, word: &str, title: &str, rows: impl Fn(&Live) -> Table) {
    out.put(
        "<details class=\"hr-sub\" id=\"sim-table-{}\" data-table=\"{}\"><summary>Show as table</summary>",
        &[&word, &word],
    );
    out.begin("<div id=\"{}\">", &format!("s-sim-t-{word}"));
    if let Some(live) = desk.live.as_ref().filter(|_| desk.open_tables.contains(word)) {
        out.put("<table class=\"hr-table\" aria-label=\"{}\">", &[&title]);
        rows(live).write(out);
        out.raw("</table>");
    }
    out.end("</div></details>");
}

/// Hosts that have a row each, whatever happened to them, and rows at most.
const ALL_HOSTS: usize = 100;
const MOST_HOSTS: usize = 1000;

/// A quantity in every step of time.
pub fn over_time(live: &Live, quantity: Quantity) -> Table {
    let step = live.setup.prepared[0].experiment.run.bucket.as_secs();
    let [a, b] = &live.reports;
    let rows = a.series.iter().enumerate().map(|(k, bucket)| {
        let other = b.series.get(k).and_then(|bucket| quantity.of(bucket, step));
        vec![seconds(bucket.t_s), quantity.shown(quantity.of(bucket, step)), quantity.shown(other)]
    });
    let names = live.setup.names.map(|name| name.title().to_owned());
    Table { head: [vec!["From".to_owned()], names.to_vec()].concat(), rows: rows.collect() }
}

/// Every host of a policy: when it was ejected, and by how many. Of many hosts, those that ever were.
pub fn of_hosts(live: &Live, side: usize) -> Table {
    let hosts = &live.reports[side].hosts;
    let is_shown = |series: &&HostSeries| hosts.len() <= ALL_HOSTS || ejected(series, live).is_some();
    let rows = hosts.iter().filter(is_shown).take(MOST_HOSTS).map(|series| {
        let name = format!("host-{}", series.host + 1);
        match ejected(series, live) {
            Some((first, last, most)) => {
                vec![name, seconds(first), seconds(last), display::share(Share(most))]
            }
            None => vec![name, "never".to_owned(), "never".to_owned(), "0%".to_owned()],
        }
    });
    Table {
        head: ["Host", "First ejected", "Last ejected", "By at most"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}

/// Since when and until when a host was ejected by somebody, and the largest share of proxies.
pub fn ejected(series: &HostSeries, live: &Live) -> Option<(f64, f64, f64)> {
    let step = live.setup.prepared[0].experiment.run.bucket.as_secs();
    let is_out = |share: f64| share > 0.001;
    let first = series.buckets.iter().position(|b| is_out(b.ejected))?;
    let last = series.buckets.iter().rposition(|b| is_out(b.ejected))?;
    let most = series.buckets.iter().map(|b| b.ejected).fold(0.0, f64::max);
    let end = live.setup.plan.duration.as_secs();
    Some((first as f64 * step, ((last + 1) as f64 * step).min(end), most.min(1.0)))
}
