//! What the proxy says of itself: name of the cluster, worker threads, release.

use super::field::Field;
use super::{Case, Remark};
use crate::engine::params::{ENVOY_VERSIONS, ParamId};
use crate::engine::read::Place;

/// The name of the cluster.
pub fn name(case: &Case<'_>) -> Field {
    let sources = case.sources;
    let Some(name) = &sources.name else {
        return Field::missing(ParamId::Name, "no text names the cluster");
    };
    let of_report = sources.reports.first().map(|(_, cluster)| &cluster.at);
    let of_log = sources.logs.first().map(|(_, traffic)| &traffic.at);
    let of_traffic = of_report.or(of_log).cloned().unwrap_or_default();
    // Stats have underscores for colons; the configuration has the name itself.
    let of_config = sources.cluster.and_then(|(_, cluster)| cluster.name.as_ref());
    let (name, at) = of_config.map_or((name, &of_traffic), |name| (&name.value, &name.at));
    Field::read(ParamId::Name, name.as_str(), "name of the cluster", at)
}

/// Worker threads.
pub fn workers(case: &Case<'_>) -> Field {
    let evidence = &case.sources.configuration.evidence;
    let reports = evidence.reports.iter().rev().filter(|report| case.sources.may_be_of_it(report));
    let of_stats = reports.into_iter().find_map(|report| report.workers.as_ref());
    let of_server = || evidence.servers.iter().rev().find_map(|server| server.workers.as_ref());
    match (of_stats, of_server()) {
        (Some(n), _) => Field::read(ParamId::Workers, n.value.to_string(), "server.concurrency", &n.at),
        (None, Some(n)) => Field::read(ParamId::Workers, n.value.to_string(), "--concurrency", &n.at),
        (None, None) => {
            Field::missing(ParamId::Workers, "no text has server.concurrency: add /stats or /server_info")
        }
    }
}

/// The release: what runs, and not what a text is written for.
pub fn version(case: &Case<'_>, notes: &mut Vec<Remark>) -> Field {
    const ID: ParamId = ParamId::EnvoyVersion;
    let servers = &case.sources.configuration.evidence.servers;
    let mut all = servers.iter().rev().filter_map(|server| server.version.as_ref());
    let Some(release) = all.next() else {
        return Field::missing(ID, "no text has the release: add /server_info or /config_dump");
    };
    let minor = |release: &str| release.split('.').take(2).collect::<Vec<_>>().join(".");
    let word = minor(&release.value);
    if let Some(other) = all.find(|other| minor(&other.value) != word) {
        let message =
            format!("{} runs here and {} elsewhere: the last one counts", other.value, release.value);
        notes.push(Remark { at: Some(other.at.clone()), message });
    }
    if !ENVOY_VERSIONS.contains(&word.as_str()) {
        let (oldest, newest) = (ENVOY_VERSIONS.first().unwrap_or(&""), ENVOY_VERSIONS.last().unwrap_or(&""));
        let why = format!("{} runs: releases from {oldest} to {newest} are known", release.value);
        return Field::missing(ID, why).standing(vec![release.at.clone()]);
    }
    let at: &Place = &release.at;
    Field::read(ID, word, format!("release {}", release.value), at)
}
