//! The arguments of `headroom diff`.

use super::{NO_SIMULATION, OUTPUT, PRESET, SCENARIO, input, preset_keys, text, words};
use clap::{Arg, Command};
use headroom::engine::params::PARAMS;

/// The output formats.
pub const DIFF_OUTPUTS: [&str; 3] = ["text", "json", "markdown"];

pub const EXAMPLES: &str = "\
Examples:
  headroom diff today.json next-year.json
  headroom diff checkout.json 'https://headroom.example/#v=1&rps=800&p50=35'
  headroom diff envoy.yaml recommended --scenario checkout.json
  headroom diff before.yaml after.yaml --scenario checkout.json --output markdown";

/// `headroom diff`.
pub fn command() -> Command {
    Command::new("diff")
        .about("Compare two scenarios or two policies, and print what differs and what that does")
        .long_about(
            "Compare two scenarios or two policies, and print what differs and what that does.\n\n\
             A and B are files of scenario JSON, links of Headroom (in quotes), configurations of Envoy, Istio, Envoy Gateway and \
             others, or the words recommended and envoy-defaults; - is standard input. A scenario stands for what is recommended \
             for it. Configurations are compared by what is in force, written or not, under the traffic of --scenario, --preset and \
             the flags, else under that of the scenario on the other side; --name picks the cluster. Without traffic only what is \
             in force is compared.\n\n\
             The answer has the inputs and settings that differ, refusals at peak and in the slowdown, the fleet's limit against what \
             the hosts survive, the most attempts in an outage, what ten simulated faults cost both, and the lines that differ.\n\n\
             Exit codes: 0 the same; 1 different; 2 the input cannot be used, with every problem on standard error.",
        )
        .arg_required_else_help(true)
        .arg(Arg::new("A").help("Scenario file, link, configuration, recommended or envoy-defaults"))
        .arg(Arg::new("B").help("The same"))
        .next_help_heading("Input")
        .arg(text(
            SCENARIO,
            "FILE",
            "Traffic of configurations: scenario JSON, - for standard input; flags override it".to_owned(),
        ))
        .arg(text(PRESET, "KEY", format!("Worked example to start from: {}", preset_keys().join(", "))))
        .next_help_heading("Output")
        .arg(text(OUTPUT, "FORMAT", format!("{} [default: text]", words(&DIFF_OUTPUTS))))
        .arg(
            Arg::new(NO_SIMULATION)
                .long(NO_SIMULATION)
                .value_name("BOOL")
                .num_args(0..=1)
                .help("Leave the ten simulated faults out"),
        )
        .args(PARAMS.iter().map(input))
        .after_help(EXAMPLES)
}
