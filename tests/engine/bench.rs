//! How many requests a second the simulator plays, beside `SimPy` on the same queue.
//!
//! `make bench` runs this after the page's own. The queue is M/M/c/K, for the simulator a proxy with
//! an HTTP/1.1 pool. Speed is the best of a few runs: what disturbs a run makes it slower, never
//! faster.

#[path = "sim/setting.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod setting;

use headroom::engine::sim::Nanos;
use std::process::Command;
use std::time::Instant;

/// The aim on one core, in requests a second.
const AIM: f64 = 5e6;
const OFFERED: f64 = 20.5;
const SERVERS: u32 = 20;
const PLACES: u32 = 30;
const N_RUNS: u64 = 5;
/// Long enough that the start does not count.
const N_NATIVE: u32 = 5_000_000;
const N_SIMPY: u32 = 200_000;
/// Both simulate the same queue: their refusals differ by chance only, far less than this.
const ALIKE: f64 = 0.01;

/// Requests a second and the share refused.
#[derive(Clone, Copy)]
struct Speed {
    rate: f64,
    refused: f64,
}

fn best(runs: impl Iterator<Item = Speed>) -> Speed {
    runs.max_by(|a, b| a.rate.total_cmp(&b.rate)).expect("there are runs")
}

fn native(n_requests: u32, seed: u64) -> Speed {
    let mut experiment = setting::mmck(OFFERED, SERVERS, PLACES, n_requests, seed);
    experiment.run.warm_up = Nanos::ZERO;
    // As many steps of time however long the run, so that memory tells what requests cost.
    experiment.run.bucket = Nanos(experiment.run.duration.0 / 60);
    let start = Instant::now();
    let report = setting::run(experiment);
    let secs = start.elapsed().as_secs_f64();
    Speed { rate: report.requests as f64 / secs, refused: report.refused }
}

fn simpy(python: &str, seed: u64) -> Speed {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/mmck.py");
    let args = [SERVERS.to_string(), PLACES.to_string(), OFFERED.to_string(), N_SIMPY.to_string()];
    let output = Command::new(python).arg(script).args(args).arg(seed.to_string()).output();
    let output = output.unwrap_or_else(|e| panic!("{python}: {e}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().map(|n| n.parse::<f64>().expect("SimPy's run prints numbers"));
    let mut next = || numbers.next().expect("SimPy's run prints two numbers");
    let (refused, secs) = (next(), next());
    Speed { rate: f64::from(N_SIMPY) / secs, refused: refused / f64::from(N_SIMPY) }
}

/// The most memory that this process has had, in megabytes; `None` where the system does not tell.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

fn main() {
    native(N_NATIVE / 10, 1);
    let after_a_tenth = peak_memory();
    let native = best((1..=N_RUNS).map(|seed| native(N_NATIVE, seed)));
    let after_all = peak_memory();
    println!(
        "simulator, M/M/{SERVERS}/{PLACES} at {OFFERED} erlangs on one core, native: {:.2} million requests/s, \
         {:.2} % refused (best of {N_RUNS} runs of {N_NATIVE})",
        native.rate / 1e6,
        100.0 * native.refused,
    );
    if let (Some(tenth), Some(all)) = (after_a_tenth, after_all) {
        println!(
            "  most memory: {tenth:.1} MB after {} requests, {all:.1} MB after {N_NATIVE}",
            N_NATIVE / 10
        );
    }
    match std::env::var("HEADROOM_SIMPY") {
        Ok(python) => {
            let simpy = best((1..=N_RUNS).map(|seed| simpy(&python, seed)));
            println!(
                "  SimPy: {:.3} million requests/s, {:.2} % refused (best of {N_RUNS} runs of {N_SIMPY}): native is \
                 {:.0} times as fast",
                simpy.rate / 1e6,
                100.0 * simpy.refused,
                native.rate / simpy.rate,
            );
            assert!((native.refused - simpy.refused).abs() < ALIKE, "the two simulate different queues");
        }
        Err(_) => println!("  not compared with SimPy: HEADROOM_SIMPY names no Python (make bench sets it)"),
    }
    let verdict = if native.rate >= AIM { "within" } else { "BELOW" };
    println!("{verdict} the aim of {:.0} million requests/s native", AIM / 1e6);
}
