//! The JSON of `/stats?format=json`: `{"stats": [{"name": …, "value": …}, {"histograms": …}]}`.

use super::gather::{Gathered, count, millis};
use super::{LeftOut, Page, names};
use crate::engine::read::Place;
use crate::engine::read::build::Builder;
use crate::engine::read::config::{AdminPage, Quantile, Report};
use crate::engine::read::json::{Json, Stop};
use crate::engine::read::source::Budget;
use crate::engine::read::tree::Node;
use crate::engine::units::Share;

/// Whether a text is that page.
pub fn is_one(text: &str) -> bool {
    let mut rest = text.trim_start().strip_prefix('{').unwrap_or_default().trim_start();
    rest = rest.strip_prefix("\"stats\"").unwrap_or_default().trim_start();
    rest.starts_with(':')
}

/// Reads the page.
pub fn read(page: Page<'_>, left_out: &mut Vec<LeftOut>) -> Report {
    let mut gathered = Gathered::new(AdminPage::StatsJson, page);
    let mut budget = Budget::default();
    let mut tree = Builder::new(&mut budget);
    let stopped = Json::new(page.text, page.skip).value(&mut tree).err();
    let root = tree.end();
    for entry in root.iter().filter_map(|root| root.get("stats")?.items()).flatten() {
        if let Some(histograms) = entry.get("histograms") {
            // A list, or an object with `details`: buckets.
            if histograms.items().is_some() || histograms.get("details").is_some() {
                let at = Place { file: page.file, span: histograms.span, ..Place::default() };
                left_out.push(LeftOut::Buckets(at));
            }
            quantiles(&mut gathered, page, histograms);
        } else {
            stat(&mut gathered, page, entry);
        }
    }
    if let Some(Stop::Syntax(span, _) | Stop::Full(span, _)) = stopped {
        left_out.push(LeftOut::Json(Place { file: page.file, span, ..Place::default() }));
    }
    gathered.end(left_out)
}

fn stat(gathered: &mut Gathered, page: Page<'_>, entry: &Node) {
    let (Some(name), Some(value)) = (entry.text_of("name"), entry.get("value")) else { return };
    let Some(count) = value.text().and_then(count) else { return };
    let at = Place { file: page.file, span: value.span, ..Place::default() };
    if let Some(of_server) = name.strip_prefix("server.") {
        gathered.server(of_server, count, &at);
    } else if let Some((cluster, stat)) = names::split(name) {
        gathered.stat(cluster, stat, count, &at);
    }
}

/// One list of percentages for all, and the values of each histogram in its order.
fn quantiles(gathered: &mut Gathered, page: Page<'_>, histograms: &Node) {
    let listed = histograms.get("supported_quantiles").and_then(Node::items).unwrap_or_default();
    let percents: Vec<Option<f64>> = listed.iter().map(|p| p.text().and_then(|p| p.parse().ok())).collect();
    for one in histograms.get("computed_quantiles").and_then(Node::items).unwrap_or_default() {
        let Some((cluster, stat)) = one.text_of("name").and_then(names::split) else { continue };
        let at = Place { file: page.file, span: one.span, ..Place::default() };
        let values = one.get("values").and_then(Node::items).unwrap_or_default();
        let quantiles = percents
            .iter()
            .zip(values)
            .filter_map(|(percent, value)| {
                let percent = percent.filter(|p| (0.0..=100.0).contains(p))?;
                let time = value.text_of("cumulative").and_then(millis)?;
                let last = value.text_of("interval").and_then(millis);
                Some(Quantile { at: Share(percent / 100.0), time, last })
            })
            .collect();
        gathered.quantiles(cluster, stat, quantiles, &at);
    }
}
