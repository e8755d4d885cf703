//! The arguments of `headroom simulate`.

use super::{
    ARRIVALS, CALLERS, COMPARE, CONFIG, DURATION, FAULT, FAULTS, LINK, MAX_REQUESTS, OUTPUT, POLICY, PRESET,
    RUNS, SCENARIO, SEED, SET, THINK, WARM_UP, input, preset_keys, text, words,
};
use clap::{Arg, ArgAction, Command};
use headroom::engine::params::PARAMS;
use headroom::engine::sim::FAULTS as KINDS;
use headroom::engine::sim::custom::KNOBS;

/// The policies that need no file.
pub const POLICIES: [&str; 2] = ["recommended", "envoy-defaults"];
/// How arrivals come.
pub const ARRIVAL_WORDS: [&str; 3] = ["poisson", "paced", "closed"];
/// The output formats.
pub const SIMULATE_OUTPUTS: [&str; 3] = ["text", "json", "csv"];

pub const EXAMPLES: &str = "\
Examples:
  headroom simulate --scenario checkout.json --fault latency:from=20,to=50,hosts=2
  headroom simulate --scenario checkout.json --config envoy.yaml --faults outage.json --compare --runs 5
  headroom simulate --rps 500 --p50 35 --p99 110 --clients 100 --hosts 12 --set max_requests=4 --output csv
  headroom simulate --preset sidecar-mesh --policy envoy-defaults --fault zone_loss --output json";

/// `headroom simulate`.
pub fn command() -> Command {
    let kinds = KINDS.iter().map(|spec| spec.word).collect::<Vec<_>>().join(", ");
    let knobs = KNOBS.iter().map(|knob| knob.key).collect::<Vec<_>>().join(", ");
    Command::new("simulate")
        .about("Play a scenario and a failure against a policy, request by request")
        .long_about(format!(
            "Play a scenario and a failure against a policy, request by request, as Envoy would.\n\n\
             Rate and latency are required as for headroom size. The policy is the recommended one, unless \
             --policy or --config says otherwise; --set changes single settings of it. Every proxy sends at the \
             rate of the busiest one in the worst second; with --callers, as fast as its callers are answered. The same seed gives the same run on every machine, and \
             with --compare both policies meet the same arrivals and the same times in service.\n\n\
             Faults are a JSON list, [{{\"kind\": \"latency\", \"from_s\": 20, \"to_s\": 50, \"hosts\": 2, \"strength\": 40}}], \
             or --fault KIND:field=value,… with the fields from, to, hosts, clients, share, strength and add_ms. \
             hosts and clients are a number, or a list of indices from 0 (hosts=#3+#7 in --fault). \
             What is left out has a default; a fault lasts for the middle third of the run.\n\n\
             Kinds: {kinds}.\n\n\
             Settings: {knobs}.\n\n\
             A run that is too large is played by fewer proxies, and the answer says so. \
             Exit codes: 0 fine; 2 the input cannot be used, with every problem on standard error."
        ))
        .arg_required_else_help(true)
        .next_help_heading("Input")
        .arg(text(SCENARIO, "FILE", "Scenario JSON to start from, - for standard input; flags override it".to_owned()))
        .arg(text(LINK, "URL", crate::link::help()))
        .arg(text(PRESET, "KEY", format!("Worked example to start from: {}", preset_keys().join(", "))))
        .arg(text(
            CONFIG,
            "FILE",
            "Configuration to play: Envoy (fragment, bootstrap, dump), Istio, Envoy Gateway and others".to_owned(),
        ))
        .arg(text(POLICY, "POLICY", format!("Policy to play: {} [default: recommended]", words(&POLICIES))))
        .arg(repeated(SET, "KEY=VALUE", "Change a setting of the policy; may be repeated"))
        .next_help_heading("Faults")
        .arg(text(FAULTS, "FILE", "JSON list of faults, - for standard input".to_owned()))
        .arg(repeated(FAULT, "KIND[:FIELD=VALUE,…]", "A fault; may be repeated"))
        .next_help_heading("Run")
        .arg(text(DURATION, "S", "Arrivals end after this, up to 86,400 s [default: 60]".to_owned()))
        .arg(text(WARM_UP, "S", "What arrives before this is not counted [default: 0]".to_owned()))
        .arg(text(SEED, "N", "Seed of the first run; further runs have the next ones [default: 42]".to_owned()))
        .arg(text(RUNS, "N", "Runs, 1 to 1,000: means come with 95% intervals [default: 1]".to_owned()))
        .arg(text(
            ARRIVALS,
            "HOW",
            format!("{} [default: poisson, closed with --callers]", words(&ARRIVAL_WORDS)),
        ))
        .arg(text(
            CALLERS,
            "N",
            "Closed loop: callers of each proxy, who ask again once they are answered [default: 10]".to_owned(),
        ))
        .arg(text(THINK, "MS", "Closed loop: mean time from an answer to the next request [default: 1000]".to_owned()))
        .arg(
            Arg::new(COMPARE)
                .long(COMPARE)
                .value_name("BOOL")
                .num_args(0..=1)
                .help("Play a second policy: the recommended one against --config, else Envoy's defaults"),
        )
        .arg(text(
            MAX_REQUESTS,
            "N",
            "Requests of one run, about; above it fewer proxies are simulated [default: 50M]".to_owned(),
        ))
        .next_help_heading("Output")
        .arg(text(OUTPUT, "FORMAT", format!("{} [default: text]", words(&SIMULATE_OUTPUTS))))
        .args(PARAMS.iter().map(input))
        .after_help(EXAMPLES)
}

fn repeated(id: &'static str, value_name: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(id).value_name(value_name).help(help).action(ArgAction::Append)
}
