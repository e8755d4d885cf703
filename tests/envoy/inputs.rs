//! What `inputs` reads of a real Envoy's admin pages is what the test itself sent through it.

use crate::live::{MOST_LATE, MOST_RUNS, bootstrap};
use crate::load::{self, Arrival};
use crate::process::{self, Envoy};
use crate::upstream::Upstream;
use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::envoy::emit::to_yaml;
use headroom::engine::inputs::{Ask, How, Inputs, derive};
use headroom::engine::params::ParamId;
use headroom::engine::read::{read, source::Input};
use headroom::engine::scenario::{Protocol, Scenario};
use std::time::{Duration, Instant};

const N_SENDERS: usize = 100;
const N_HOSTS: u32 = 3;
/// Long enough for a rate by `/server_info`, which counts whole seconds.
const DURATION: Duration = Duration::from_secs(12);

/// The pages after the load.
struct Pages {
    /// How long the proxy had been running.
    running: Duration,
    stats: Input,
    clusters: Input,
    dump: Input,
    info: Input,
    prometheus: Input,
}

fn analysis() -> Analysis {
    let json = format!(
        r#"{{"name": "service", "protocol": "http1", "rps": 120, "latency_ms": {{"p50": 35, "p99": 110}}, "hosts": {N_HOSTS}, "skew": 1}}"#
    );
    analyze(&Scenario::from_json(&json).expect("a valid scenario")).expect("an answer")
}

/// Sends the load through a proxy and keeps its pages; again if the machine was too busy.
fn measure(analysis: &Analysis, arrivals: &[Arrival]) -> Pages {
    let _machine = process::machine();
    for _ in 0..MOST_RUNS {
        let upstream = Upstream::start("inputs", N_HOSTS);
        let config = to_yaml(&bootstrap(analysis, &upstream), &[], &[]);
        // Histograms as of the moment that they are asked for.
        let config = format!("stats_flush_on_admin: true\n{config}");
        let start = Instant::now();
        let proxy = Envoy::start("inputs", &config, analysis.scenario.workers);
        let page = |path: &str| Input::new(path, proxy.page(path));
        let outcomes = load::send(proxy.listeners()[0].1, arrivals, N_SENDERS);
        assert!(outcomes.iter().all(|outcome| outcome.status == 200), "every request is served");
        let mut late: Vec<Duration> = outcomes.iter().map(|outcome| outcome.late).collect();
        late.sort();
        if late[late.len() * 99 / 100] <= MOST_LATE {
            // The first answer starts the merging, the second one has what was merged.
            page("/stats");
            std::thread::sleep(Duration::from_millis(200));
            let running = start.elapsed();
            let [stats, clusters, dump] = ["/stats", "/clusters", "/config_dump"].map(page);
            let [info, prometheus] = ["/server_info", "/stats/prometheus"].map(page);
            return Pages { running, stats, clusters, dump, info, prometheus };
        }
    }
    panic!("the machine is too busy to send in time");
}

#[track_caller]
fn number(inputs: &Inputs, id: ParamId) -> f64 {
    let field = inputs.fields.iter().find(|field| field.id == id).expect("every input is there");
    field.value.as_ref().unwrap_or_else(|| panic!("{id}: {}", field.note)).parse().expect("a number")
}

/// The times that were asked of the upstream: the smallest that at least that share does not exceed.
fn asked(arrivals: &[Arrival], share: f64) -> f64 {
    let mut times: Vec<u128> = arrivals.iter().map(|arrival| arrival.service.as_millis()).collect();
    times.sort_unstable();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a length")]
    let rank = (share * times.len() as f64).ceil() as usize;
    times[rank - 1] as f64
}

/// Percentiles lie where they were asked for: Envoy's own bins are up to a tenth wide, and timers,
/// the proxy and the way there add a few milliseconds.
#[track_caller]
fn check_percentiles(inputs: &Inputs, arrivals: &[Arrival], (below, above): (f64, f64)) {
    let ids = [
        (ParamId::P50, 0.5),
        (ParamId::P75, 0.75),
        (ParamId::P90, 0.9),
        (ParamId::P95, 0.95),
        (ParamId::P99, 0.99),
    ];
    for (id, share) in ids {
        let (read, asked) = (number(inputs, id), asked(arrivals, share));
        println!("{id}: {read:.1} ms read, {asked:.1} ms asked of the upstream");
        assert!((asked * below..=asked * above + 6.0).contains(&read), "{id}: {read} read, {asked} asked");
    }
}

#[test]
fn inputs_of_a_real_envoy_are_what_was_sent() {
    let analysis = analysis();
    let arrivals = load::poisson(41, analysis.load.client_rate.per_second(), (35.0, 110.0), DURATION);
    let pages = measure(&analysis, &arrivals);
    let ask = Ask { cluster: Some("service".to_owned()), ..Ask::default() };
    let texts = [pages.stats, pages.clusters, pages.dump, pages.info];
    let inputs = derive(&read(&texts), &ask).expect("the cluster is there");
    let scenario = &inputs.scenario;
    assert_eq!((scenario.protocol, scenario.hosts), (Protocol::Http1, N_HOSTS));
    assert_eq!((scenario.workers, scenario.name.as_str()), (analysis.scenario.workers, "service"));
    assert_eq!((scenario.envoy_version.to_string().as_str(), scenario.error_rate.0), ("1.40", 0.0));
    check_percentiles(&inputs, &arrivals, (0.9, 1.12));
    // The proxy runs what was emitted, and so the route and the budget are those of the analysis.
    let route = analysis.timeouts.route_ms.0;
    assert!((number(&inputs, ParamId::DeadlineMs) - route).abs() < 1e-9);
    assert!((number(&inputs, ParamId::RetryOverhead) - analysis.scenario.retry_overhead).abs() < 1e-9);
    assert!(inputs.needed.is_empty(), "{:?}", inputs.needed);
    let known = |id: ParamId| inputs.fields.iter().any(|f| f.id == id && f.how != How::Missing);
    assert!(!known(ParamId::Clients) && !known(ParamId::Idempotent));
    // Everything that was sent, over the seconds that the proxy says it has been running, of which the test knows as well.
    let (rate, sent) = (number(&inputs, ParamId::Rps), arrivals.len() as f64);
    let running = pages.running.as_secs_f64();
    println!("{rate:.1} a second read, {sent} sent in {running:.1} s");
    assert!((sent / rate - running).abs() <= 1.5, "{sent} requests at {rate} a second are {} s", sent / rate);
    // A bucket ends at up to 2.5 times its beginning, and the times in it are not spread evenly.
    let metrics = derive(&read(&[pages.prometheus]), &ask).expect("the cluster is there");
    check_percentiles(&metrics, &arrivals, (0.4, 2.5));
    let mean = load::mean_service(&arrivals).as_secs_f64() * 1000.0;
    let read = number(&metrics, ParamId::Mean);
    assert!((mean - 1.0..=mean + 4.0).contains(&read), "mean {read} read, {mean} asked");
}
