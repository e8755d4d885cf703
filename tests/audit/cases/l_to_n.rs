//! Kinds L to N: ejection share on small clusters, panic, what counts as an error; samples of them.

use crate::support::{Case, all_words, asked};
use headroom::engine::audit::audit;
use headroom::engine::export::{Target, export};
use headroom::engine::read::{read, source::Input};
use headroom::engine::rules::Severity;
use headroom::engine::scenario::{Draft, PRESETS, Preset, Scenario};
use headroom::engine::{analyze, audit::Asked};

/// Nothing ejects or only one thing is said: the rules of these kinds.
const EJECTION: &[&str] = &["HR401", "HR405", "HR408", "HR409", "HR410", "HR411", "HR412"];

const HALF_OF_THREE: &str = "\
name: shop
connect_timeout: 1s
outlier_detection:
  consecutive_5xx: 5
  max_ejection_percent: 50
";

#[test]
fn o30_half_the_pool_means_two_of_three() {
    Case {
        id: "O-30, envoyproxy/envoy#26877, #27624, on a release from before the change",
        texts: &[HALF_OF_THREE],
        asked: "hosts=3 envoy_version=1.26",
        expects: &[(
            "HR412",
            &[
                "50 lets 2 of 3 hosts go in Envoy 1.26",
                "from 1.27 on 1",
                "33% of the hosts",
                "50%, a default",
            ],
        )],
        never: &["1.5"],
        silent: &["HR401", "HR409"],
    }
    .check();
    Case {
        id: "O-30, the release not named",
        texts: &[HALF_OF_THREE],
        asked: "hosts=3",
        expects: &[("HR412", &["lets 1 of 3 hosts go, before Envoy 1.27 2"])],
        never: &[],
        silent: &["HR401", "HR409"],
    }
    .check();
    Case {
        id: "O-30, a new release",
        texts: &[HALF_OF_THREE],
        asked: "hosts=3 envoy_version=1.28",
        expects: &[],
        never: &[],
        silent: EJECTION,
    }
    .check();
}

const DEFAULTS: &str = "name: shop\nconnect_timeout: 1s\noutlier_detection: {}\n";

#[test]
fn o31_default_10_percent_on_two_or_three_hosts() {
    Case {
        id: "O-31, envoyproxy/envoy#3263, #3347, #27909",
        texts: &[DEFAULTS],
        asked: "hosts=3",
        expects: &[(
            "HR401",
            &[
                "`max_ejection_percent` 10, a default, can never eject",
                "10% of 3 hosts is less than one host",
                "to 34",
                "before 1.28 ejected one",
            ],
        )],
        never: &["at least one host is always ejected"],
        silent: &["HR408", "HR411"],
    }
    .check();
    Case {
        id: "O-31, two hosts",
        texts: &[DEFAULTS],
        asked: "hosts=2",
        expects: &[("HR401", &["10% of 2 hosts", "to 50"])],
        never: &[],
        silent: &[],
    }
    .check();
    for before_or_enough in ["hosts=3 envoy_version=1.27", "hosts=10"] {
        Case {
            id: "O-31, where one may go",
            texts: &[DEFAULTS],
            asked: before_or_enough,
            expects: &[],
            never: &[],
            silent: &["HR401"],
        }
        .check();
    }
}

const ONE_HOST: &str = "\
name: shop
connect_timeout: 1s
outlier_detection: {consecutive_5xx: 3, max_ejection_percent: 100}
";

#[test]
fn o32_ejected_but_still_served() {
    Case {
        id: "O-32, envoyproxy/envoy#2671, #10770",
        texts: &[ONE_HOST],
        asked: "hosts=1",
        expects: &[(
            "HR408",
            &[
                "0% healthy is below `healthy_panic_threshold` 50%, a default",
                "every request still reaches",
                "to 0 if failing fast",
            ],
        )],
        never: &["broken"],
        silent: &["HR401", "HR409", "HR410"],
    }
    .check();
    Case {
        id: "O-32, with the threshold at 0",
        texts: &["name: shop\nconnect_timeout: 1s\noutlier_detection: {consecutive_5xx: 3, max_ejection_percent: 100}\n\
                  common_lb_config: {healthy_panic_threshold: {value: 0}}\n"],
        asked: "hosts=1",
        expects: &[("HR408", &["panic is off", "after 3 failures in a row", "503 with the flag UH"])],
        never: &[],
        silent: &["HR410"],
    }
    .check();
}

const ALL_OUT: &str = "\
apiVersion: networking.istio.io/v1beta1
kind: DestinationRule
metadata: {name: shop}
spec:
  host: shop
  trafficPolicy:
    outlierDetection:
      consecutive5xxErrors: 10
      interval: 10s
      baseEjectionTime: 1m
      maxEjectionPercent: 75
";

/// The second run.
const WITH_PANIC: &str = "\
apiVersion: networking.istio.io/v1beta1
kind: DestinationRule
metadata: {name: shop}
spec:
  host: shop
  trafficPolicy:
    outlierDetection: {consecutive5xxErrors: 10, interval: 10s, baseEjectionTime: 1m, maxEjectionPercent: 75, minHealthPercent: 25}
";

#[test]
fn o33_every_endpoint_out_and_nothing_left_to_serve() {
    Case {
        id: "O-33, istio/istio#20135",
        texts: &[ALL_OUT],
        asked: "hosts=4",
        expects: &[(
            "HR410",
            &[
                "75 with panic off: `healthy_panic_threshold` 0, a default",
                "3 of 4 hosts may be out",
                "locality can lose all",
                "UH",
                "`minHealthPercent`",
            ],
        )],
        never: &["25% of each", "25% of the hosts stay"],
        silent: &["HR401", "HR409"],
    }
    .check();
    // 25% of 4 hosts is not below 25.
    Case {
        id: "O-33, minHealthPercent 25",
        texts: &[WITH_PANIC],
        asked: "hosts=4",
        expects: &[],
        never: &[],
        silent: &["HR410", "HR409"],
    }
    .check();
    Case {
        id: "O-33, the sample: all hosts may go, and `healthy_panic_threshold: {}` is 0",
        texts: &[include_str!("../../samples/a04-config-dump.json")],
        asked: "",
        expects: &[
            (
                "HR410",
                &["`max_ejection_percent` 100 with panic off", "every request gets a 503 with the flag UH"],
            ),
            ("HR413", &["`consecutive_gateway_failure` 1", "500s ejects none"]),
            // The other cluster, `outlier_detection: {}`.
            ("HR401", &["10, a default, ejects from 10 hosts on"]),
        ],
        never: &[],
        silent: &["HR405", "HR409"],
    }
    .check();
}

const GATEWAY_ERRORS: &str = "\
apiVersion: networking.istio.io/v1alpha3
kind: DestinationRule
metadata: {name: shop}
spec:
  host: shop
  trafficPolicy:
    outlierDetection: {consecutiveErrors: 1, interval: 1s, baseEjectionTime: 3m, maxEjectionPercent: 100}
";

#[test]
fn o34_500s_never_eject() {
    Case {
        id: "O-34, istio/istio#8846, istio/api#909, istio/istio#12349",
        texts: &[GATEWAY_ERRORS],
        asked: "",
        expects: &[(
            "HR413",
            &[
                "only 502, 503 and 504 eject a host",
                "one answer of 503 ejects a host, any number of 500s ejects none",
                "consecutive5xxErrors",
            ],
        )],
        never: &[],
        silent: &["HR405", "HR414"],
    }
    .check();
    Case {
        id: "O-34, its dump",
        texts: &[
            "name: shop\nconnect_timeout: 1s\noutlier_detection: {interval: 1s, base_ejection_time: 180s, \
                  max_ejection_percent: 100, enforcing_consecutive_5xx: 0, consecutive_gateway_failure: 1, \
                  enforcing_consecutive_gateway_failure: 100, enforcing_success_rate: 0}\n",
        ],
        asked: "",
        expects: &[("HR413", &["one answer of 503 ejects a host"])],
        never: &[],
        silent: &["HR405", "HR414"],
    }
    .check();
    Case {
        id: "O-34, the sample",
        texts: &[include_str!("../../samples/y08-istio-unknown-keys.yaml")],
        asked: "",
        expects: &[
            ("HR413", &["5 answers of 503 in a row eject a host"]),
            ("HR410", &["`max_ejection_percent` 100 with panic off"]),
        ],
        never: &[],
        silent: &["HR401", "HR405", "HR414", "HR421"],
    }
    .check();
}

const SPLIT: &str = "\
name: shop
connect_timeout: 1s
circuit_breakers: {thresholds: [{max_requests: 10}]}
outlier_detection:
  consecutive_local_origin_failure: 1
  split_external_local_origin_errors: true
";

#[test]
fn o35_the_breaker_ejects_innocent_hosts() {
    Case {
        id: "O-35, envoyproxy/envoy#25487, #25488",
        texts: &[SPLIT],
        asked: "envoy_version=1.25",
        expects: &[(
            "HR418",
            &[
                "in Envoy 1.25",
                "`max_requests` 10",
                "one refusal ejects a host that made no error",
                "run 1.26 or later",
            ],
        )],
        never: &["blame", "the host is broken"],
        silent: &[],
    }
    .check();
    Case {
        id: "O-35, with the fix",
        texts: &[SPLIT],
        asked: "envoy_version=1.26",
        expects: &[],
        never: &[],
        silent: &["HR418"],
    }
    .check();
}

#[test]
fn samples_with_outlier_detection() {
    Case {
        id: "y01: max_ejection_percent 0 is no ejection",
        texts: &[include_str!("../../samples/y01-bootstrap-thresholds-as-map.yaml")],
        asked: "hosts=4",
        expects: &[("HR401", &["`max_ejection_percent` 0 can never eject"])],
        never: &[],
        silent: &["HR405", "HR409", "HR410"],
    }
    .check();
    Case {
        id: "y06: 34% is one of three; before 1.27 two, and panic",
        texts: &[include_str!("../../samples/y06-anchors-and-merge-keys.yaml")],
        asked: "hosts=3",
        expects: &[("HR412", &["34 lets 1 of 3 hosts go, before Envoy 1.27 2"])],
        never: &[],
        silent: &["HR401", "HR405", "HR409", "HR410", "HR413", "HR414", "HR417"],
    }
    .check();
    Case {
        id: "y07: half may go, panic off: nothing to say without traffic",
        texts: &[include_str!("../../samples/y07-istio-dr-vs-multidoc.yaml")],
        asked: "",
        expects: &[],
        never: &[],
        silent: EJECTION,
    }
    .check();
    Case {
        id: "y09: 10% ejects nobody below 10 hosts",
        texts: &[include_str!("../../samples/y09-envoy-gateway-btp.yaml")],
        asked: "hosts=9",
        expects: &[(
            "HR401",
            &["`max_ejection_percent` 10 can never eject", "10% of 9 hosts", "alwaysEjectOneEndpoint"],
        )],
        never: &[],
        silent: &["HR409", "HR410"],
    }
    .check();
    Case {
        id: "y12: 99% are enforced",
        texts: &[include_str!("../../samples/y12-consul-proxy-defaults.yaml")],
        asked: "",
        expects: &[("HR415", &["`enforcing_consecutive_5xx` 99: 1 in 100 outliers stay in"])],
        never: &[],
        silent: &["HR405", "HR414"],
    }
    .check();
    Case {
        id: "y13: gateway errors 3, 30%",
        texts: &[include_str!("../../samples/y13-crlf.yaml")],
        asked: "hosts=3",
        expects: &[("HR401", &["30% of 3 hosts", "to 34"])],
        never: &["alwaysEjectOneEndpoint", "always_eject_one_host"],
        silent: &["HR410", "HR413", "HR414"],
    }
    .check();
    Case {
        id: "y16: 20% needs five hosts",
        texts: &[include_str!("../../samples/y16-kuma-policies.yaml")],
        asked: "hosts=4",
        expects: &[("HR401", &["`max_ejection_percent` 20 can never eject", "20% of 4 hosts", "to 25"])],
        never: &[],
        silent: &["HR405", "HR413", "HR414", "HR417"],
    }
    .check();
}

/// Codes of outlier detection above a note, on exactly what was recommended.
fn complaints(scenario: &Scenario) -> Vec<String> {
    let Ok(analysis) = analyze(scenario) else { return Vec::new() };
    let text = export(&analysis, Target::Envoy);
    let asked = Asked::new(Draft::of(scenario)).expect("a scenario is valid");
    let found = audit(read(&[Input::new("own.yaml", text)]), &asked).findings;
    found
        .iter()
        .filter(|f| f.severity < Severity::Info && f.code.starts_with("HR4"))
        .map(|f| format!("{}: {}", f.code, all_words(f)))
        .collect()
}

#[test]
fn what_we_recommend_raises_no_warning() {
    let base = Preset::first_paint().scenario();
    let mut scenarios: Vec<Scenario> = PRESETS.iter().map(Preset::scenario).collect();
    for hosts in [1, 2, 3, 4, 5, 7, 9, 10, 11, 33, 100, 1000] {
        for each in [None, Some(0.5), Some(4.0), Some(64.0), Some(1000.0)] {
            for clients in [1, 100, 3000] {
                scenarios.push(Scenario {
                    hosts,
                    hosts_lost: u32::from(hosts > 1),
                    host_concurrency: each,
                    clients,
                    ..base.clone()
                });
            }
        }
    }
    for error_rate in [0.0, 0.01, 0.3, 1.0] {
        scenarios.push(Scenario { error_rate: headroom::engine::units::Share(error_rate), ..base.clone() });
    }
    for scenario in &scenarios {
        let wrong = complaints(scenario);
        assert!(wrong.is_empty(), "{scenario:?}\n{}", wrong.join("\n"));
    }
    assert!(asked("").is_empty());
}
