//! Outlier detection has ejected all it may, or wants to eject more.

use super::query::Metric;
use super::{Alert, Plan, Severity};
use crate::engine::units::display;

/// Alerts at the number of hosts that may be ejected, and beyond; none where nothing is ejected.
pub fn alerts(p: Plan<'_>) -> Vec<Alert> {
    let a = p.analysis;
    let most = a.ejection.hosts;
    if a.outlier.is_none() || most == 0 {
        return Vec::new();
    }
    let hosts = display::plural(f64::from(most), "host", "hosts");
    let of = display::count(f64::from(a.scenario.hosts));
    vec![
        Alert {
            name: "HeadroomEjectionsAtCap".to_owned(),
            expr: format!("max({}) >= {most}", p.query.each(Metric::EjectionsActive)),
            hold: "2m",
            severity: Severity::Warning,
            summary: format!("a proxy has ejected {{{{ $value }}}} of {of} hosts, and no more may go"),
            description: format!(
                "At most {hosts} may be ejected at once, since the others have to carry the peak. See which hosts are ejected (/clusters of the proxy's admin shows failed_outlier_check) and what they share: a rollout, a zone, a dependency."
            ),
        },
        Alert {
            name: "HeadroomEjectionsBlocked".to_owned(),
            expr: format!("{} > 0", p.query.increase(Metric::EjectionsOverflow)),
            hold: "5m",
            severity: Severity::Critical,
            summary: "hosts fail that outlier detection may not eject".to_owned(),
            description: format!(
                "More than {hosts} of {of} fail, and those beyond stay in rotation: this is no matter of single hosts. Look at what they all depend on, and roll back what was rolled out last."
            ),
        },
    ]
}
