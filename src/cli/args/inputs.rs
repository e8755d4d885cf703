//! The arguments of `headroom inputs`.

use super::{CLUSTER, FILES, LAST_INTERVAL, OUTPUT, input, text, words};
use clap::{Arg, Command};
use headroom::engine::params::PARAMS;

/// The output formats.
pub const INPUTS_OUTPUTS: [&str; 2] = ["text", "json"];

pub const EXAMPLES: &str = "\
Examples:
  headroom inputs stats.txt
  curl -s localhost:9901/stats | headroom inputs - --cluster checkout --clients 100 --output json > checkout.json
  headroom inputs stats.txt clusters.txt config_dump.json --cluster checkout --rps 500
  headroom inputs stats-9am.txt stats-10am.txt --cluster checkout
  headroom inputs stats.txt --output json | headroom size --scenario -";

/// `headroom inputs`.
pub fn command() -> Command {
    Command::new("inputs")
        .about("Read the inputs of a scenario from Envoy's admin pages, dumps and access logs")
        .long_about(
            "Read the inputs of a scenario from Envoy's admin pages, dumps and access logs.\n\n\
             Read are /stats (as text, as JSON, for Prometheus), /clusters, /config_dump, /server_info, configurations, and access \
             logs (Envoy's format, Istio's, JSON lines), several together. What a text is, is seen in it. Folders are searched as \
             by headroom audit.\n\n\
             Every input is given (by a flag, which wins), read (it stands in a text), derived (with its formula and the values put \
             in), or missing, with the reason: nothing is assumed. A rate needs a time that is known: server.uptime, two texts of one \
             page of one proxy, or the times of a log. Percentiles are those since the start; --last-interval takes those of the last \
             interval of /stats. One proxy knows neither the number of the others nor the peak: --clients and --rps.\n\n\
             The JSON is a scenario with one more key, provenance, which headroom size --scenario passes over.\n\n\
             Exit codes: 0 fine, also if inputs are missing; 2 the input cannot be used, with every problem on standard error.",
        )
        .arg_required_else_help(true)
        .arg(Arg::new(FILES).num_args(1..).help("Admin pages, dumps, logs: files, folders, or - for standard input"))
        .next_help_heading("Input")
        .arg(text(CLUSTER, "NAME", "The cluster, where the texts are about several".to_owned()))
        .arg(
            Arg::new(LAST_INTERVAL)
                .long(LAST_INTERVAL)
                .value_name("BOOL")
                .num_args(0..=1)
                .help("Percentiles of the last interval of /stats, not since the start"),
        )
        .next_help_heading("Output")
        .arg(text(OUTPUT, "FORMAT", format!("{} [default: text]", words(&INPUTS_OUTPUTS))))
        .args(PARAMS.iter().map(input))
        .after_help(EXAMPLES)
}
