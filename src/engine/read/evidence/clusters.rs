//! The text of `/clusters`: `name::host::stat::value`.

use super::gather::{Gathered, count};
use super::{LeftOut, Page};
use crate::engine::read::config::{AdminPage, ClusterReport, HostReport, Report};
use crate::engine::read::{Place, Spanned};

/// Reads the page.
pub fn read(page: Page<'_>, left_out: &mut Vec<LeftOut>) -> Report {
    let mut gathered = Gathered::new(AdminPage::Clusters, page);
    for line in page.lines() {
        let mut parts = line.text.rsplitn(3, "::");
        let (Some(value), Some(key), Some(subject)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let at = page.place(&line);
        // The first colons end the name: a host of IPv6 has colons of its own.
        let (name, of) = subject.split_once("::").unwrap_or((subject, ""));
        let Some(cluster) = gathered.cluster(name, &at) else { continue };
        match of {
            "" | "outlier" => {}
            "default_priority" | "high_priority" => {
                let first = limit(cluster, usize::from(of == "high_priority"), (key, value), &at);
                if let Some(first) = first {
                    gathered.repeats(key, &first, &at);
                }
            }
            address => host(cluster, address, (key, value), at),
        }
    }
    gathered.end(left_out)
}

/// Keeps a limit; where it stood already, if it did: a page has each once.
fn limit(
    cluster: &mut ClusterReport,
    priority: usize,
    (key, value): (&str, &str),
    at: &Place,
) -> Option<Place> {
    let (limits, value) = (cluster.stated.get_mut(priority)?, count(value)?);
    let limit = match key {
        "max_connections" => &mut limits.max_connections,
        "max_pending_requests" => &mut limits.max_pending_requests,
        "max_requests" => &mut limits.max_requests,
        "max_retries" => &mut limits.max_retries,
        _ => return None,
    };
    limit.replace(Spanned::new(value, at.clone())).map(|before| before.at)
}

fn host(cluster: &mut ClusterReport, address: &str, (key, value): (&str, &str), at: Place) {
    // Lines of a host stand together.
    if cluster.hosts.last().is_none_or(|host| host.address != address) {
        cluster.hosts.push(HostReport { address: address.to_owned(), at, ..HostReport::default() });
    }
    let Some(host) = cluster.hosts.last_mut() else { return };
    let field = match key {
        "health_flags" => {
            let flags = value.split('/').filter(|flag| !flag.is_empty() && *flag != "healthy");
            host.health_flags = flags.map(str::to_owned).collect();
            return;
        }
        "cx_active" => &mut host.cx_active,
        "cx_total" => &mut host.cx_total,
        "cx_connect_fail" => &mut host.cx_connect_fail,
        "rq_active" => &mut host.rq_active,
        "rq_total" => &mut host.rq_total,
        "rq_success" => &mut host.rq_success,
        "rq_error" => &mut host.rq_error,
        "rq_timeout" => &mut host.rq_timeout,
        _ => return,
    };
    *field = count(value);
}
