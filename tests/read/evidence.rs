//! Evidence of running proxies: every sample file, against what its description says a correct reader finds.

use crate::support::{config, problems, sample};
use headroom::engine::read::Place;
use headroom::engine::read::config::{
    AdminPage, ClusterReport, Configuration, Effect, Histogram, LogGroup, ProblemKind, Report, Resource,
    RoutingPriority,
};
use headroom::engine::units::Share;

const DEFAULT: RoutingPriority = RoutingPriority::Default;

/// The only report of a text.
fn report(config: &Configuration, page: AdminPage) -> &Report {
    assert_eq!((config.evidence.reports.len(), config.clusters.len()), (1, 0));
    assert_eq!(problems(config), []);
    assert_eq!(config.evidence.reports[0].page, page);
    &config.evidence.reports[0]
}

fn cluster<'r>(report: &'r Report, name: &str) -> &'r ClusterReport {
    report.clusters.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("{name}"))
}

/// Values of all limits of the DEFAULT priority, and whether they are certain.
fn limits(cluster: &ClusterReport) -> Vec<Option<(u64, bool)>> {
    Resource::ALL.iter().map(|r| cluster.limit(DEFAULT, *r).map(|l| (l.value, l.exact))).collect()
}

#[track_caller]
fn close(value: Option<f64>, wanted: f64) {
    let value = value.expect("a value");
    assert!((value - wanted).abs() < 5e-3 * wanted.abs(), "{value} is not {wanted}");
}

fn quantile(cluster: &ClusterReport, percent: f64) -> Option<f64> {
    cluster.latency.as_ref()?.quantile(Share(percent / 100.0)).map(|time| time.0)
}

#[test]
fn a01_clusters() {
    let config = sample("a01-clusters.txt");
    let report = report(&config, AdminPage::Clusters);
    assert_eq!(
        report.clusters.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(),
        ["wharf", "ledger-stream", "local_app"]
    );
    let wharf = cluster(report, "wharf");
    assert_eq!(limits(wharf), [Some((1024, true)); 3]);
    // 342 + 341 + 341.
    assert_eq!((wharf.used(Resource::Connections), wharf.used(Resource::Requests)), (Some(1024), Some(1024)));
    assert_eq!(wharf.stated[0].max_retries.as_ref().map(|r| (r.value, r.at.line())), Some((3, 10)));
    assert_eq!(wharf.hosts(), Some((3, 2)));
    let out = wharf.hosts.iter().find(|h| !h.health_flags.is_empty()).unwrap();
    assert_eq!((out.address.as_str(), out.rq_error), ("10.44.0.13:8080", Some(40_213)));
    assert_eq!(out.health_flags, ["failed_outlier_check"]);
    let stream = cluster(report, "ledger-stream");
    assert_eq!(limits(stream)[2], Some((20_000, true)));
    assert_eq!((stream.used(Resource::Connections), stream.used(Resource::Requests)), (Some(16), Some(32)));
    assert_eq!(stream.hosts[1].health_flags, ["failed_active_hc", "failed_outlier_check"]);
    let local = cluster(report, "local_app");
    assert_eq!((limits(local)[2], local.used(Resource::Requests)), (Some((1024, true)), Some(1024)));
}

#[test]
fn a02_stats_with_histograms() {
    let config = sample("a02-stats.txt");
    let report = report(&config, AdminPage::Stats);
    let pier = cluster(report, "pier");
    // What is left of connections and requests is 0: no more than that.
    assert_eq!(limits(pier), [Some((80, false)), Some((100, true)), Some((80, false))]);
    assert_eq!(pier.is_open(DEFAULT, Resource::Requests), Some(true));
    assert_eq!(pier.is_open(DEFAULT, Resource::Pending), Some(false));
    close(report.rate(pier).map(|r| r.0), 340.0);
    assert_eq!((quantile(pier, 50.0), quantile(pier, 99.0)), (Some(171.5), Some(1240.0)));
    assert_eq!(pier.latency.as_ref().unwrap().quantiles.len(), 10);
    assert_eq!(pier.refused(), 20_349);
    close(pier.refused_share().map(|s| 100.0 * s.0), 1.6625);
    assert_eq!((pier.count("upstream_rq_retry"), pier.count("upstream_rq_retry_overflow")), (3, 58));
    assert_eq!(report.workers.as_ref().map(|w| w.value), Some(4));
    assert_eq!(pier.hosts(), Some((3, 3)));
    // 2^64 - 3 is kept whole.
    assert_eq!(pier.count("circuit_breakers.default.remaining_cx_pools"), 18_446_744_073_709_551_613);
    // nan of the interval is no reason to drop the whole; no recorded value is.
    close(pier.connect.as_ref().and_then(|c| c.quantile(Share(0.99))).map(|t| t.0), 11.0);
    assert!(report.clusters.iter().all(|c| c.name == "pier" || c.latency.is_none()));
    assert_eq!(pier.stat("upstream_rq_pending_overflow").map(|s| s.at.line()), Some(46));
}

#[test]
fn a03_prometheus() {
    let config = sample("a03-prometheus.txt");
    let report = report(&config, AdminPage::Prometheus);
    let slip = cluster(report, "slip");
    close(report.rate(slip).map(|r| r.0), 200.0);
    close(slip.latency.as_ref().and_then(Histogram::mean).map(|m| m.0), 81.761);
    close(quantile(slip, 50.0), 33.333);
    close(quantile(slip, 95.0), 247.2);
    close(quantile(slip, 99.0), 860.0);
    assert_eq!(limits(slip)[2], Some((100, true)));
    assert_eq!((slip.refused(), slip.is_open(DEFAULT, Resource::Requests)), (311, Some(false)));
    assert_eq!((slip.count("upstream_rq_retry_overflow"), slip.count("upstream_rq_5xx")), (640, 2951));
    assert_eq!(report.workers.as_ref().map(|w| w.value), Some(2));
    let stream = cluster(report, "ledger-stream");
    close(report.rate(stream).map(|r| r.0), 40.0);
    close(quantile(stream, 99.0), 49.6);
}

#[test]
fn a07_stats_json() {
    let config = sample("a07-stats.json");
    let report = report(&config, AdminPage::StatsJson);
    let pier = cluster(report, "pier");
    close(report.rate(pier).map(|r| r.0), 340.0);
    assert_eq!((quantile(pier, 50.0), quantile(pier, 99.0)), (Some(171.5), Some(1240.0)));
    assert_eq!((pier.refused(), pier.count("circuit_breakers.default.rq_open")), (20_349, 1));
    let at = &pier.stat("upstream_rq_pending_overflow").unwrap().at;
    let text = include_str!("../samples/a07-stats.json");
    assert_eq!(&text[at.span.start as usize..at.span.end as usize], "20349");
}

fn groups(config: &Configuration) -> Vec<(u32, String, u64, u32)> {
    let line = |g: &LogGroup| g.places.first().map_or(0, Place::line);
    config.evidence.groups().map(|(_, g)| (g.status, g.flag_text(), g.count, line(g))).collect()
}

#[test]
fn a05_access_log_in_two_formats() {
    let config = sample("a05-access.log");
    let log = &config.evidence.logs[0];
    assert_eq!((log.lines, log.parsed), (13, 12));
    assert_eq!(problems(&config), [(13, ProblemKind::Syntax, Effect::Unread)]);
    let flag = |s: &str| s.to_owned();
    assert_eq!(
        groups(&config),
        [
            (200, flag(""), 1, 1),
            (503, flag("UO"), 1, 2),
            (503, flag("UF,URX"), 1, 3),
            (503, flag("UF,UO"), 1, 4),
            (504, flag("UT"), 1, 5),
            (200, flag("UT"), 1, 6),
            (0, flag("DC"), 1, 7),
            (503, flag("UC"), 1, 8),
            (503, flag("UH"), 1, 9),
            (200, flag("SI"), 1, 10),
            (503, flag("UO"), 1, 11),
            (503, flag("URX"), 1, 12),
        ]
    );
    let of = |at: usize| &log.groups[at];
    // A pending refusal has no host.
    assert!(!of(1).host && of(2).host && !of(6).tcp);
    assert_eq!(of(6).longest.map(|d| d.0), Some(30_000.0));
    assert!(of(10).detailed("overflow") && of(11).detailed("via_upstream"));
    assert_eq!(of(10).cluster.as_deref(), Some("outbound|8080||quay.dock.svc.cluster.local"));
}

#[test]
fn a06_access_log_of_json_lines() {
    let config = sample("a06-access-json.log");
    let log = &config.evidence.logs[0];
    assert_eq!((log.lines, log.parsed, problems(&config).len()), (4, 4, 0));
    let overflow: Vec<_> = log.groups.iter().filter(|g| g.has("UO")).collect();
    assert_eq!(overflow.iter().map(|g| g.count).sum::<u64>(), 2);
    assert_eq!(overflow.iter().map(|g| g.tcp).collect::<Vec<_>>(), [false, true]);
    assert_eq!(overflow[1].cluster.as_deref(), Some("mq-1"));
}

#[test]
fn logs_are_known_by_their_content() {
    let long = config(
        "2026 stdout F [t] \"GET / HTTP/2\" 503 UpstreamOverflow 0 81 0 - \"-\" \"-\" \"-\" \"-\" \"-\"\n",
    );
    assert_eq!(groups(&long), [(503, "UO".to_owned(), 1, 1)]);
    let many = "[t] \"GET / HTTP/1.1\" 200 - 0 5 3 2 \"-\" \"-\" \"-\" \"-\" \"h:1\"\n".repeat(20)
        + &"cut\n".repeat(9);
    let config = config(&many);
    assert_eq!((config.evidence.logs[0].parsed, config.evidence.logs[0].groups[0].places.len()), (20, 20));
    let found = problems(&config);
    assert_eq!((found.len(), found[0].0, found[5].0), (6, 21, 29));
    assert!(config.problems[5].message.starts_with("4 more lines"), "{}", config.problems[5].message);
}

#[test]
fn evidence_and_configuration_together() {
    use headroom::engine::read::{read, source::Input};
    let inputs = [
        Input::new("shop.yaml", "name: pier\nconnect_timeout: 1s\n"),
        Input::new("stats", include_str!("../samples/a02-stats.txt")),
        Input::new("clusters", include_str!("../samples/a01-clusters.txt")),
    ];
    let config = read(&inputs);
    assert_eq!((config.clusters.len(), config.evidence.reports.len(), config.problems.len()), (1, 2, 0));
    assert_eq!(config.evidence.reports[1].at.file, 2);
    let json = serde_json::to_string(&config).unwrap();
    assert_eq!(serde_json::from_str::<Configuration>(&json).unwrap(), config);
    // What was not read is not sent.
    let none = serde_json::to_string(&read(&inputs[..1])).unwrap();
    assert!(!none.contains("evidence"));
}

#[test]
fn what_is_missing_is_not_known() {
    let config = config("cluster.a.upstream_rq_pending_overflow: 5\ncluster.a.upstream_rq_active: 3\n");
    let report = report(&config, AdminPage::Stats);
    let a = cluster(report, "a");
    assert_eq!((a.requests(), a.refused_share(), a.hosts(), report.rate(a)), (None, None, None, None));
    assert_eq!((a.limit(DEFAULT, Resource::Requests), a.is_open(DEFAULT, Resource::Requests)), (None, None));
}
