//! The command that plays the same runs on the command line: one for both policies where it compares
//! just these two, else one for each.

use crate::engine::params::{Kind, param};
use crate::engine::scenario::Draft;
use crate::engine::sim::compare::PolicyName::{self, Custom, EnvoyDefaults, Pasted, Recommended};
use crate::engine::sim::{Arrivals, Fault, Hosts};
use crate::engine::units::display;
use crate::markup::Html;
use crate::simulator::desk::{Desk, Live};

/// The command, and what has to be beside it.
pub fn command(out: &mut Html, desk: &Desk, live: &Live) {
    if matches!(live.setup.plan.arrivals, Arrivals::Closed { .. }) {
        out.raw("<p class=\"hr-sub\">The command line plays open loops only.</p>");
        return;
    }
    if live.setup.names.contains(&Pasted) {
        out.raw("<p class=\"hr-sub\">Save the pasted text as <code>envoy.yaml</code> first.</p>");
    }
    out.put(
        "<pre class=\"hr-yaml\" tabindex=\"0\" role=\"region\" aria-label=\"Command\"><code>{}</code></pre>",
        &[&text(desk, live)],
    );
}

fn text(desk: &Desk, live: &Live) -> String {
    let compared = match live.setup.names {
        [Recommended, EnvoyDefaults] | [EnvoyDefaults, Recommended] => Some(Recommended),
        [Recommended, Pasted] | [Pasted, Recommended] => Some(Pasted),
        [Custom, EnvoyDefaults] | [EnvoyDefaults, Custom] => Some(Custom),
        _ => None,
    };
    let [a, b] = live.setup.names;
    match compared {
        Some(name) => format!("{} \\\n  --compare", one(desk, live, name)),
        None if a == b => one(desk, live, a),
        None => format!("{}\n{}", one(desk, live, a), one(desk, live, b)),
    }
}

/// The command that plays a policy.
fn one(desk: &Desk, live: &Live, name: PolicyName) -> String {
    let setup = &live.setup;
    let mut words = vec!["headroom simulate".to_owned()];
    for (id, text) in Draft::of(&setup.analysis.scenario).entries() {
        let row = param(id);
        let flag = row.key.replace('_', "-");
        match row.kind {
            Kind::Flag => words.push(format!("--{flag} {text}")),
            _ => words.push(format!("--{flag} {}", quoted(text))),
        }
    }
    words.push(format!("--fault {}", quoted(&shorthand(&setup.fault))));
    let run =
        format!("--duration {} --seed {}", display::input(setup.plan.duration.as_secs()), setup.plan.seed);
    words.push(format!("{run} --runs {}", setup.runs));
    if setup.plan.arrivals == Arrivals::Paced {
        words.push("--arrivals paced".to_owned());
    }
    match name {
        Recommended => {}
        EnvoyDefaults => words.push("--policy envoy-defaults".to_owned()),
        Pasted => words.push("--config envoy.yaml".to_owned()),
        Custom => words.extend(
            desk.texts.settings().map(|(key, text)| format!("--set {}", quoted(&format!("{key}={text}")))),
        ),
    }
    words.join(" \\\n  ")
}

/// A fault as the flag takes it: `latency:from=20,to=40,hosts=2,share=1,strength=40`.
fn shorthand(fault: &Fault) -> String {
    let spec = fault.kind.spec();
    let n = display::input;
    let mut text = format!("{}:from={},to={}", spec.word, n(fault.from.as_secs()), n(fault.to.as_secs()));
    let mut add = |is_taken: bool, key: &str, value: Option<String>| {
        if let Some(value) = value.filter(|_| is_taken) {
            text.extend([",", key, "=", &value]);
        }
    };
    let count = |part: &Hosts| if let Hosts::Count(n) = part { Some(n.to_string()) } else { None };
    add(spec.takes.hosts, "hosts", count(&fault.hosts));
    add(spec.takes.clients, "clients", count(&fault.clients));
    add(spec.takes.share, "share", Some(n(fault.share)));
    add(spec.strength.is_some(), "strength", Some(n(fault.strength)));
    add(fault.add.0 > 0, "add_ms", Some(n(fault.add.as_millis().0)));
    text
}

/// A word as a shell takes it.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:/=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
