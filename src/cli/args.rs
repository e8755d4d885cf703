//! The arguments, derived from the table of inputs, and their help.
//!
//! Every value is taken as text: reading and checking is the scenario draft's job, so that all
//! problems are reported at once and in the same words as on the page.

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command};
use headroom::engine::export::Target;
use headroom::engine::params::{Default, Group, Kind, PARAMS, Param, ParamId, Unit};
use headroom::engine::scenario::{PRESETS, range_words};
use headroom::engine::units::display;

/// The argument of the scenario file.
pub const SCENARIO: &str = "scenario";
/// The argument of the preset.
pub const PRESET: &str = "preset";
/// The argument of the kind of configuration.
pub const TARGET: &str = "target";
/// The argument of the output format.
pub const OUTPUT: &str = "output";

const EXAMPLES: &str = "\
Examples:
  headroom size --rps 500 --p50 35 --p99 110 --clients 100 --hosts 12
  headroom size --scenario checkout.json --clients 200 --output markdown
  headroom size --preset edge-gateway --target envoy-bootstrap > envoy.yaml
  jq .checkout services.json | headroom size --scenario - --output json";

/// The whole command line.
pub fn command() -> Command {
    Command::new("headroom")
        .version(env!("CARGO_PKG_VERSION"))
        .about(
            "Sizes Envoy clusters: circuit breakers, timeouts, retries and outlier detection that fit together",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(size())
        .after_help(EXAMPLES)
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
        .arg(text(PRESET, "KEY", format!("Worked example to start from: {}", preset_keys().join(", "))))
        .next_help_heading("Output")
        .arg(text(TARGET, "TARGET", format!("Kind of configuration: {} [default: envoy]", words(&targets()))))
        .arg(text(OUTPUT, "FORMAT", format!("{} [default: yaml]", words(&OUTPUTS))))
        .args(PARAMS.iter().map(input))
        .after_help(EXAMPLES)
}

/// The words for the kinds of configuration.
pub fn targets() -> Vec<&'static str> {
    Target::ALL.iter().map(|target| target.as_str()).collect()
}

/// The output formats.
pub const OUTPUTS: [&str; 3] = ["yaml", "json", "markdown"];

/// The keys of the presets.
pub fn preset_keys() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.key).collect()
}

/// The flag of an input: its key with dashes.
pub fn flag(p: &Param) -> String {
    p.key.replace('_', "-")
}

/// The inputs' flags and those that are none, each with the key of its value.
pub fn flags() -> impl Iterator<Item = Flag> {
    let own = [SCENARIO, PRESET, TARGET, OUTPUT];
    let own = own.into_iter().map(|key| Flag { name: key.to_owned(), key, is_switch: false });
    own.chain(PARAMS.iter().map(|p| Flag { name: flag(p), key: p.key, is_switch: p.kind == Kind::Flag }))
}

/// A flag of `headroom size`.
pub struct Flag {
    /// What is typed after the dashes.
    pub name: String,
    /// The key of its value.
    pub key: &'static str,
    /// Whether it means yes without a value.
    pub is_switch: bool,
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
