//! The arguments, derived from the table of inputs, and their help.
//!
//! Every value is taken as text: reading and checking is the scenario draft's job, so that all
//! problems are reported at once and in the same words as on the page.

mod diff;
mod inputs;
mod simulate;

pub use diff::DIFF_OUTPUTS;
pub use inputs::INPUTS_OUTPUTS;
pub use simulate::{ARRIVAL_WORDS, POLICIES, SIMULATE_OUTPUTS};

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command};
use headroom::engine::export::Target;
use headroom::engine::params::{Default, Group, Kind, PARAMS, Param, ParamId, Unit};
use headroom::engine::scenario::{PRESETS, range_words};
use headroom::engine::units::display;

/// The argument of the scenario file.
pub const SCENARIO: &str = "scenario";
/// The argument of the link.
pub const LINK: &str = "link";
/// The argument of the address that links of the answer lead to.
pub const BASE_URL: &str = "base-url";
/// The argument of the preset.
pub const PRESET: &str = "preset";
/// The argument of the kind of configuration.
pub const TARGET: &str = "target";
/// The argument that leaves the simulation out of a document.
pub const NO_SIMULATION: &str = "no-simulation";
/// The argument of the output format.
pub const OUTPUT: &str = "output";

/// The argument of the configuration that is played.
pub const CONFIG: &str = "config";
/// The argument of the file of faults.
pub const FAULTS: &str = "faults";
/// The argument of a single fault.
pub const FAULT: &str = "fault";
/// The argument of the policy that is played.
pub const POLICY: &str = "policy";
/// The argument of a changed setting.
pub const SET: &str = "set";
/// The argument of the length of a run.
pub const DURATION: &str = "duration";
/// The argument of the part that is not counted.
pub const WARM_UP: &str = "warm-up";
/// The argument of the first seed.
pub const SEED: &str = "seed";
/// The argument of the number of runs.
pub const RUNS: &str = "runs";
/// The argument of how arrivals come.
pub const ARRIVALS: &str = "arrivals";
/// The argument of the callers in a closed loop.
pub const CALLERS: &str = "callers";
/// The argument of the time that they think.
pub const THINK: &str = "think-ms";
/// The argument that plays a second policy.
pub const COMPARE: &str = "compare";
/// The argument of the bound of a run.
pub const MAX_REQUESTS: &str = "max-requests";

/// The argument of the severity that fails an audit.
pub const FAIL_ON: &str = "fail-on";
/// The argument of the cluster that is meant.
pub const CLUSTER: &str = "cluster";
/// The argument that takes percentiles of the last interval.
pub const LAST_INTERVAL: &str = "last-interval";
/// The configurations that an audit reads.
const FILES: &str = "FILE";

const EXAMPLES: &str = "\
Examples:
  headroom size --rps 500 --p50 35 --p99 110 --clients 100 --hosts 12
  headroom size --scenario checkout.json --clients 200 --output markdown
  headroom size --preset edge-gateway --target envoy-bootstrap > envoy.yaml
  headroom size --preset sidecar-mesh --target istio | kubectl apply --dry-run=server -f -
  headroom size --link 'https://headroom.example/#v=1&rps=500&p50=35' --output alerts
  jq .checkout services.json | headroom size --scenario - --output json";

const AUDIT_EXAMPLES: &str = "\
Examples:
  headroom audit envoy.yaml
  headroom audit mesh/ --scenario checkout.json --output sarif > audit.sarif
  curl -s localhost:9901/config_dump | headroom audit - --rps 500 --p50 35 --clients 100
  headroom audit values.yaml --fail-on warning --output markdown";

const AUDIT_ABOUT: &str = "\
Judge configurations of Envoy, Istio, Envoy Gateway and others.

Files are read together, so that routes find their clusters. Folders are searched for .yaml, .yml, .json, .txt, .log, .text, .conf, \
.cfg, .out and .dump; hidden files, binaries and files above 10 MB are left out, with a note. What is in force is judged, written or \
not: defaults are those of the program that the text is for.

Without a scenario the findings say what follows from the text alone. With rate and latency (--scenario, or --rps with --p50, --mean \
or another) they have numbers; every other input sharpens them. With --name they are about the cluster of that name only.

Exit codes: 0 fine; 1 findings at or above --fail-on; 2 the input cannot be used, with every problem on standard error: a file that is \
missing, unreadable, binary or too large when it is named itself, a scenario that is wrong, or nothing that could be read in all files \
together. While anything could be read, a file that could not is a finding (HR901 and following) and counts like one: broken text is \
an error, a template that is not rendered a warning.";

/// What is asked of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// A scenario in, a configuration out.
    Size,
    /// A configuration in, findings out.
    Audit,
    /// A scenario, a policy and faults in, what happens out.
    Simulate,
    /// Two scenarios or policies in, what differs out.
    Diff,
    /// Admin pages, dumps and logs in, a scenario out.
    Inputs,
}

impl Task {
    /// All.
    pub const ALL: [Self; 5] = [Self::Size, Self::Audit, Self::Simulate, Self::Diff, Self::Inputs];

    /// The word on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Size => "size",
            Self::Audit => "audit",
            Self::Simulate => "simulate",
            Self::Diff => "diff",
            Self::Inputs => "inputs",
        }
    }

    /// Its own flags.
    fn own(self) -> &'static [&'static str] {
        match self {
            Self::Size => &[SCENARIO, LINK, PRESET, TARGET, BASE_URL, OUTPUT, NO_SIMULATION],
            Self::Audit => &[SCENARIO, LINK, OUTPUT, FAIL_ON],
            Self::Diff => &[SCENARIO, PRESET, OUTPUT, NO_SIMULATION],
            Self::Inputs => &[CLUSTER, LAST_INTERVAL, OUTPUT],
            Self::Simulate => &[
                SCENARIO,
                LINK,
                PRESET,
                CONFIG,
                FAULTS,
                FAULT,
                POLICY,
                SET,
                DURATION,
                WARM_UP,
                SEED,
                RUNS,
                ARRIVALS,
                CALLERS,
                THINK,
                COMPARE,
                OUTPUT,
                MAX_REQUESTS,
            ],
        }
    }

    /// Its own flags and those of the inputs, each with the key of its value.
    pub fn flags(self) -> impl Iterator<Item = Flag> {
        let own = self.own().iter();
        let own = own.map(|key| Flag { name: (*key).to_owned(), key, takes: takes(key) });
        let input = |p: &Param| if p.kind == Kind::Flag { Takes::Switch } else { Takes::Text };
        own.chain(PARAMS.iter().map(move |p| Flag { name: flag(p), key: p.key, takes: input(p) }))
    }

    /// Whether words that belong to no flag are files.
    pub fn takes_files(self) -> bool {
        matches!(self, Self::Audit | Self::Diff | Self::Inputs)
    }
}

/// The whole command line.
pub fn command() -> Command {
    Command::new("headroom")
        .version(env!("CARGO_PKG_VERSION"))
        .about(
            "Sizes, audits, simulates and compares Envoy clusters: circuit breakers, timeouts, retries and outlier detection that fit together",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(size())
        .subcommand(audit())
        .subcommand(simulate::command())
        .subcommand(diff::command())
        .subcommand(inputs::command())
        .after_help(format!(
            "{EXAMPLES}{}{}{}{}",
            &AUDIT_EXAMPLES["Examples:".len()..],
            &simulate::EXAMPLES["Examples:".len()..],
            &diff::EXAMPLES["Examples:".len()..],
            &inputs::EXAMPLES["Examples:".len()..]
        ))
}

fn size() -> Command {
    Command::new("size")
        .about("Size a cluster and print its configuration")
        .long_about(
            "Size a cluster and print its configuration.\n\n\
             The rate and one latency (or the life of a stream) are required; everything else has a default. \
             Numbers may have a unit: 250ms, 1.5s, 2k, 1,200, 0.01%. \
             Findings do not change the exit code: it is 0, or 2 when the input cannot be used.",
        )
        .arg_required_else_help(true)
        .next_help_heading("Input")
        .arg(text(
            SCENARIO,
            "FILE",
            "Scenario JSON to start from, - for standard input; flags override it".to_owned(),
        ))
        .arg(text(LINK, "URL", crate::link::help()))
        .arg(text(PRESET, "KEY", format!("Worked example to start from: {}", preset_keys().join(", "))))
        .next_help_heading("Output")
        .arg(text(TARGET, "TARGET", format!("Kind of configuration: {} [default: envoy]", words(&targets()))))
        .arg(text(
            OUTPUT,
            "FORMAT",
            format!("{} [default: yaml]; markdown is the whole design-review pack", words(&OUTPUTS)),
        ))
        .arg(text(
            BASE_URL,
            "URL",
            "Address at which Headroom is served, for the link in the output [default: the part from # on]"
                .to_owned(),
        ))
        .arg(
            Arg::new(NO_SIMULATION)
                .long(NO_SIMULATION)
                .value_name("BOOL")
                .num_args(0..=1)
                .help("Leave the ten simulated faults out of the markdown"),
        )
        .args(PARAMS.iter().map(input))
        .after_help(EXAMPLES)
}

fn audit() -> Command {
    Command::new("audit")
        .about("Judge configurations and print what is wrong with them")
        .long_about(AUDIT_ABOUT)
        .arg_required_else_help(true)
        .arg(Arg::new(FILES).num_args(1..).help("Configurations: files, folders, or - for standard input"))
        .next_help_heading("Input")
        .arg(text(
            SCENARIO,
            "FILE",
            "Scenario JSON, - for standard input; flags override it, and parts of one will do".to_owned(),
        ))
        .arg(text(LINK, "URL", crate::link::help()))
        .next_help_heading("Output")
        .arg(text(OUTPUT, "FORMAT", format!("{} [default: text]", words(&AUDIT_OUTPUTS))))
        .arg(text(
            FAIL_ON,
            "SEVERITY",
            format!("{}: exit with 1 from there on [default: error]", words(&FAILS_ON)),
        ))
        .args(PARAMS.iter().map(input))
        .after_help(AUDIT_EXAMPLES)
}

/// The words for the kinds of configuration.
pub fn targets() -> Vec<&'static str> {
    Target::ALL.iter().map(|target| target.as_str()).collect()
}

/// The output formats.
pub const OUTPUTS: [&str; 5] = ["yaml", "json", "markdown", "svg", "alerts"];

/// The output formats of an audit.
pub const AUDIT_OUTPUTS: [&str; 4] = ["text", "json", "sarif", "markdown"];

/// The severities that fail an audit.
pub const FAILS_ON: [&str; 4] = ["error", "warning", "info", "never"];

/// The keys of the presets.
pub fn preset_keys() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.key).collect()
}

/// The flag of an input: its key with dashes.
pub fn flag(p: &Param) -> String {
    p.key.replace('_', "-")
}

/// A flag.
pub struct Flag {
    /// What is typed after the dashes.
    pub name: String,
    /// The key of its value.
    pub key: &'static str,
    /// What it takes.
    pub takes: Takes,
}

/// What a flag takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A text, once.
    Text,
    /// A path, once: it need not be text.
    File,
    /// A text, as often as one likes.
    List,
    /// A truth; without a value it means yes.
    Switch,
}

fn takes(key: &str) -> Takes {
    match key {
        SCENARIO | CONFIG | FAULTS => Takes::File,
        FAULT | SET => Takes::List,
        COMPARE | NO_SIMULATION | LAST_INTERVAL => Takes::Switch,
        _ => Takes::Text,
    }
}

fn words(list: &[&str]) -> String {
    list.join(", ")
}

fn text(id: &'static str, value_name: &'static str, help: String) -> Arg {
    Arg::new(id).long(id).value_name(value_name).help(help)
}

fn input(p: &Param) -> Arg {
    let arg = Arg::new(p.key)
        .long(flag(p))
        .value_name(value_name(p))
        .action(ArgAction::Set)
        .help_heading(heading(p.group))
        .help(summary(p))
        .long_help(details(p));
    if p.kind == Kind::Flag { arg.num_args(0..=1) } else { arg }
}

fn heading(group: Group) -> &'static str {
    match group {
        Group::Traffic => "Traffic",
        Group::Clients => "Clients",
        Group::Upstream => "Upstream",
        Group::Margins => "Margins",
        Group::More => "More",
    }
}

fn value_name(p: &Param) -> &'static str {
    match (p.id, p.unit) {
        (ParamId::Name, _) => "NAME",
        (ParamId::Protocol, _) => "PROTOCOL",
        (ParamId::EnvoyVersion, _) => "VERSION",
        (_, Unit::Ms) => "MS",
        (_, Unit::S) => "S",
        (_, Unit::Share) => "SHARE",
        (_, Unit::Times) => "TIMES",
        (_, Unit::PerSecond | Unit::Count) => "N",
        (_, Unit::None) => "BOOL",
    }
}

fn summary(p: &Param) -> StyledStr {
    let unit = if p.unit_label.is_empty() { String::new() } else { format!(", {}", p.unit_label) };
    format!("{}{unit} [{}]", p.label, default_words(p)).into()
}

fn details(p: &Param) -> StyledStr {
    format!("{}\n[{}; {}]", p.help, range_words(p), default_words(p)).into()
}

fn default_words(p: &Param) -> String {
    match p.default {
        Default::Required => "required".to_owned(),
        Default::Absent => "default: none".to_owned(),
        Default::Number(value) => format!("default: {}", display::input(value)),
        Default::Word(word) => format!("default: {word}"),
        Default::Derived(sentence) => format!("default: {sentence}"),
    }
}
