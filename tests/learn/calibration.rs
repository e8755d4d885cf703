//! What a real Envoy did (`tests/vectors/envoy`) beside what closed forms and the simulator say.

#[allow(dead_code, reason = "the suite with a real Envoy uses the rest")]
#[path = "../envoy/experiments/case.rs"]
mod case;
#[allow(dead_code, reason = "as above")]
#[path = "../envoy/experiments/groups.rs"]
mod groups;
#[allow(dead_code, reason = "as above")]
#[path = "../envoy/experiments/simulator.rs"]
mod simulator;

/// A recorded run, as much of it as the simulator is set up from.
mod run {
    pub struct Run {
        pub requests: u64,
        pub service_ms: f64,
        pub connect_ms: Option<f64>,
    }
}

use crate::markdown::{classed_table, escaped};
use case::{Case, Failing, Measure, Service};
use headroom::engine::queueing;
use headroom::engine::sim::{RetryLimit, Simulation};
use headroom::engine::units::{Erlangs, display};
use run::Run;
use serde_json::Value;

/// Simulated runs of a case.
const N_SEEDS: u64 = 10;

/// A measure of a case.
pub struct Row {
    pub case: Case,
    pub measure: Measure,
    pub closed: Option<f64>,
    pub simulated: Option<f64>,
    pub measured: f64,
    pub sigma: f64,
}

impl Row {
    /// Two standard deviations of a run, or a tenth of what was measured.
    fn bar(&self) -> f64 {
        (2.0 * self.sigma).max(0.1 * self.measured.abs())
    }

    fn is_within(&self, value: f64) -> bool {
        (value - self.measured).abs() <= self.bar()
    }
}

fn recorded(letter: &str) -> Value {
    let path = format!("{}/tests/vectors/envoy/{letter}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).expect("vectors are JSON")
}

/// Every measure of every case that is a share, a number of attempts, or a count of ejections.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for group in groups::groups() {
        let file = recorded(group.letter);
        for case in &group.cases {
            let cases = file["cases"].as_array().expect("a list of cases");
            let of = cases.iter().find(|of| of["case"]["id"] == *case.id).expect("every case is recorded");
            rows.extend(of_case(case, of));
        }
    }
    rows
}

fn of_case(case: &Case, recorded: &Value) -> Vec<Row> {
    let runs: Vec<Run> = recorded["runs"].as_array().expect("runs").iter().map(run_of).collect();
    let reports: Vec<_> = (1..=N_SEEDS)
        .filter_map(|seed| simulator::experiment(case, &runs, seed))
        .map(|experiment| {
            let mut simulation = Simulation::new(experiment);
            simulation.run();
            simulation.report()
        })
        .collect();
    let shown = case.measures.iter().filter(|measure| {
        !matches!(measure, Measure::Counter(name) if !name.contains("ejections_enforced") && !name.contains("cx_active"))
    });
    let row = |measure: &Measure| {
        let of = &recorded["measures"][measure.name()];
        let values: Vec<f64> = reports.iter().map(|report| simulator::value(report, *measure)).collect();
        Row {
            case: case.clone(),
            measure: *measure,
            closed: closed(case, &runs, *measure),
            simulated: (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64),
            measured: of["mean"].as_f64().expect("a mean"),
            sigma: of["sigma"].as_f64().expect("a deviation"),
        }
    };
    shown.map(row).collect()
}

fn run_of(run: &Value) -> Run {
    Run {
        requests: run["requests"].as_u64().expect("requests"),
        service_ms: run["service_ms"].as_f64().expect("service_ms"),
        connect_ms: run["connect_ms"].as_f64(),
    }
}

/// What a formula says, where one applies.
fn closed(case: &Case, runs: &[Run], measure: Measure) -> Option<f64> {
    const NEVER: u32 = 100_000;
    let settings = &case.settings;
    let n = runs.len() as f64;
    let rate = runs.iter().map(|run| run.requests as f64).sum::<f64>() / n / case.load.seconds;
    let offered = rate * runs.iter().map(|run| run.service_ms).sum::<f64>() / n / 1_000.0;
    let is_plain = case.connect.is_none() && case.failing == Failing::Nothing;
    match (measure, case.failing) {
        (Measure::Refused, _) if is_plain && settings.max_requests < NEVER => {
            Some(queueing::erlang_b::blocking(u64::from(settings.max_requests), Erlangs(offered)).0)
        }
        (Measure::Refused, _)
            if is_plain && case.hosts * case.workers == 1 && settings.max_pending_requests < NEVER =>
        {
            let servers = u64::from(settings.max_connections);
            let places = servers + u64::from(settings.max_pending_requests);
            Some(queueing::mmck::blocking(Erlangs(offered), servers, places).0)
        }
        (Measure::Amplification, Failing::Attempts(p))
            if settings.retry_limit == RetryLimit::MaxRetries(NEVER) =>
        {
            let attempts = 1 + settings.num_retries?;
            Some((0..attempts).map(|k| p.powi(i32::try_from(k).expect("few"))).sum())
        }
        _ => None,
    }
}

/// What was set up, in words.
fn words(case: &Case) -> String {
    let settings = &case.settings;
    let defaults = case::Settings::ample();
    let mut parts = Vec::new();
    let mut limit = |name: &str, value: u32, ample: u32| {
        if value != ample {
            parts.push(format!("{name} {value}"));
        }
    };
    limit("max_requests", settings.max_requests, defaults.max_requests);
    limit("max_connections", settings.max_connections, defaults.max_connections);
    limit("max_pending_requests", settings.max_pending_requests, defaults.max_pending_requests);
    if let Some(n) = settings.num_retries {
        parts.push(format!("num_retries {n}"));
    }
    match settings.retry_limit {
        _ if settings.num_retries.is_none() => {}
        RetryLimit::MaxRetries(100_000) => parts.push("no limit on retries".to_owned()),
        RetryLimit::MaxRetries(n) => parts.push(format!("max_retries {n}")),
        RetryLimit::Budget(b) => {
            parts.push(format!("budget {}%, at least {}", b.budget_percent, b.min_retry_concurrency));
        }
    }
    for (name, value) in [("timeout", settings.timeout), ("per_try_timeout", settings.per_try_timeout)] {
        parts.extend(value.map(|ms| format!("{name} {ms} ms")));
    }
    parts.extend(settings.consecutive_5xx.map(|n| format!("consecutive_5xx {n}")));
    match case.failing {
        Failing::Nothing => {}
        Failing::Attempts(share) => {
            parts.push(format!("{}% of attempts fail", display::number(share * 100.0)));
        }
        Failing::Requests(share) => {
            parts.push(format!("{}% of requests fail on every attempt", display::number(share * 100.0)));
        }
        Failing::FirstHost => parts.push("one host fails".to_owned()),
    }
    let time = match case.service {
        Service::Constant(ms) => format!("{ms} ms"),
        Service::Exponential(ms) => format!("{ms} ms exponential"),
    };
    parts.push(format!(
        "{}/s × {time}, {} × {}",
        display::number(case.load.rate),
        display::plural(f64::from(case.hosts), "host", "hosts"),
        display::plural(f64::from(case.workers), "worker", "workers"),
    ));
    parts.extend(case.connect.map(|ms| format!("connecting takes {ms} ms")));
    parts.join(", ")
}

fn what(measure: Measure) -> &'static str {
    match measure {
        Measure::Served => "served",
        Measure::Refused => "refused",
        Measure::TimedOut => "timed out",
        Measure::UpstreamError => "failed",
        Measure::Amplification => "attempts a request",
        Measure::Counter(name) if name.contains("ejections") => "ejections",
        Measure::Counter(_) => "connections open",
    }
}

fn shown(value: f64, measure: Measure) -> String {
    match measure {
        Measure::Amplification => format!("×{}", display::significant(value, 3)),
        Measure::Counter(_) => display::number(display::round_to(value, 3)),
        _ => format!("{}%", display::significant(value * 100.0, 3)),
    }
}

/// The standard deviation of a run, without the sign of its unit.
fn spread(row: &Row) -> String {
    let scale = if matches!(row.measure, Measure::Amplification | Measure::Counter(_)) { 1.0 } else { 100.0 };
    display::significant(row.sigma * scale, 2)
}

/// The table.
pub fn table(rows: &[Row]) -> String {
    let cell = |value: Option<f64>, row: &Row| {
        value.map_or("–".to_owned(), |value| {
            let mark = if row.is_within(value) { "" } else { " <b>beyond the bar</b>" };
            format!("{}{mark}", shown(value, row.measure))
        })
    };
    let cells = rows.iter().map(|row| {
        vec![
            format!("{}<small>{}</small>", what(row.measure), escaped(&words(&row.case))),
            cell(row.closed, row),
            cell(row.simulated, row),
            format!("{} ± {}", shown(row.measured, row.measure), spread(row)),
        ]
    });
    classed_table(
        "hr-learn-wide hr-learn-nums",
        &["What, and under which settings", "Closed form", "Simulator", "Envoy 1.40, ± σ of a run"],
        &cells.collect::<Vec<_>>(),
    )
}

/// What the table shows, counted.
pub fn summary(rows: &[Row]) -> String {
    let runs: u64 = groups::groups().iter().flat_map(|group| &group.cases).map(|case| case.runs).sum();
    let cases = groups::groups().iter().map(|group| group.cases.len()).sum::<usize>();
    let count = |of: fn(&Row) -> Option<f64>| {
        let values: Vec<(&Row, f64)> =
            rows.iter().filter_map(|row| of(row).map(|value| (row, value))).collect();
        (values.iter().filter(|(row, value)| row.is_within(*value)).count(), values.len())
    };
    let ((closed, all_closed), (simulated, all_simulated)) =
        (count(|row| row.closed), count(|row| row.simulated));
    format!(
        "<p>{cases} experiments, {runs} runs on a real Envoy 1.40.0. The bar is two standard deviations of a run, or a tenth of what was measured. \
         Within it: {closed} of {all_closed} closed forms, {simulated} of {all_simulated} means of {N_SEEDS} simulated runs. \
         Each case names its settings; what it leaves out does not bind.</p>\n"
    )
}

/// The page would say so, and it must not come to that.
#[test]
fn what_is_predicted_is_within_the_bar() {
    for row in rows() {
        for value in [row.closed, row.simulated].into_iter().flatten() {
            assert!(
                row.is_within(value),
                "{} {}: {value}, measured {}",
                row.case.id,
                row.measure.name(),
                row.measured
            );
        }
    }
}
