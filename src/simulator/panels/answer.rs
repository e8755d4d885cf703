//! The answer: verdict, charts, the moment that is looked at, all faults.

use super::{ejections, faults, figures, hero, moment};
use crate::markup::Html;
use crate::simulator::cells::Quantity;
use crate::simulator::desk::Desk;

/// All of it.
pub fn answer(out: &mut Html, desk: &Desk) {
    out.raw("<h1 class=\"hr-vh\">Simulation of a failure</h1>");
    hero::hero(out, desk);
    out.raw("<div class=\"hr-sim-charts\" id=\"sim-charts\"><section class=\"hr-block\" aria-labelledby=\"h-sim\"><div class=\"hr-head\"><h2 id=\"h-sim\" tabindex=\"-1\">Served and refused</h2>");
    out.begin("<p class=\"hr-sub\" id=\"{}\">", "s-sim-what");
    figures::condition(out, desk);
    out.end("</p></div>");
    figures::figure(out, desk, Quantity::Served);
    figures::figure(out, desk, Quantity::Refused);
    ejections::ejections(out, desk);
    out.raw("</section><section class=\"hr-block\" aria-labelledby=\"h-sim-load\"><div class=\"hr-head\"><h2 id=\"h-sim-load\">Load and latency</h2><p class=\"hr-sub\">Limits are those of one proxy; latency is that of served requests, from arrival to the end of the answer.</p></div><div class=\"hr-pair\">");
    figures::figure(out, desk, Quantity::InFlightMax);
    figures::figure(out, desk, Quantity::InFlight);
    figures::figure(out, desk, Quantity::P50);
    figures::figure(out, desk, Quantity::P99);
    out.raw("</div>");
    figures::figure(out, desk, Quantity::Retries);
    out.raw("</section>");
    moment::moment(out, desk);
    out.raw("</div>");
    faults::faults(out, desk);
}
