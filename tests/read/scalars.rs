//! Single values in every form, against what Envoy 1.40 was seen to do with them.

use crate::support::{cluster_with, problems};
use headroom::engine::read::config::{Effect, ProblemKind, RoutingPriority};
use headroom::engine::read::duration::{duration, go_duration};
use headroom::engine::read::scalar::Notation;
use headroom::engine::read::source::Input;
use headroom::engine::read::{documents, value};
use headroom::engine::units::Millis;

/// What a field of a cluster says, in milliseconds, and the kind of its problem.
#[track_caller]
fn timeout(text: &str, want: Option<f64>, problem: Option<ProblemKind>) {
    let config = cluster_with(&format!("connect_timeout: {text}"));
    assert_eq!(value(&config.clusters[0].connect_timeout), want.map(Millis), "{text}");
    let kinds: Vec<ProblemKind> = config.problems.iter().map(|p| p.kind.clone()).collect();
    assert_eq!(kinds, problem.into_iter().collect::<Vec<_>>(), "{text}");
    if let [(line, _, effect)] = problems(&config)[..] {
        assert_eq!((line, effect), (2, Effect::Rejected), "{text}");
    }
}

#[test]
fn durations_of_envoy() {
    use ProblemKind::{BadDuration, OutOfRange};
    for (text, ms) in [
        ("0.25s", 250.0),
        ("\"1s\"", 1000.0),
        ("1.005s", 1005.0),
        ("30s", 30_000.0),
        ("{seconds: 30}", 30_000.0),
        ("{seconds: 0x1e}", 30_000.0),
        ("{seconds: 1, nanos: 5000000}", 1005.0),
        ("{seconds: \"1\", nanos: 5e6}", 1005.0),
    ] {
        timeout(text, Some(ms), None);
    }
    // Refused by Envoy, but what is meant is clear.
    for (text, ms) in [
        ("250ms", 250.0),
        ("1h", 3_600_000.0),
        ("1h5m", 3_900_000.0),
        (".5s", 500.0),
        ("1.s", 1000.0),
        ("+1s", 1000.0),
    ] {
        timeout(text, Some(ms), Some(BadDuration));
    }
    timeout("1.0000000001s", Some(1000.0), Some(BadDuration));
    timeout("-1s", Some(-1000.0), Some(OutOfRange));
    timeout("0s", Some(0.0), Some(OutOfRange));
    for text in ["5", "0.25", "1S", "soon", "0x1s", "{secs: 1}", "{seconds: 1.5}"] {
        timeout(text, None, Some(BadDuration));
    }
    timeout("[1s]", None, Some(ProblemKind::WrongShape));
}

#[test]
fn a_template_is_unread_and_not_rejected() {
    let config = cluster_with("connect_timeout: \"${TIMEOUT}\"");
    assert_eq!(problems(&config), [(2, ProblemKind::Template, Effect::Unread)]);
}

#[test]
fn durations_of_go() {
    for (text, ms) in [
        ("1h5m", Some(3_900_000.0)),
        ("0.25s", Some(250.0)),
        ("250ms", Some(250.0)),
        ("1m30s", Some(90_000.0)),
        ("1.5h", Some(5_400_000.0)),
        ("100us", Some(0.1)),
        ("0", Some(0.0)),
        ("-2s", Some(-2000.0)),
        ("5", None),
        ("", None),
        ("s", None),
        ("1x", None),
        ("1..5s", None),
    ] {
        assert_eq!(go_duration(text), ms.map(Millis), "{text}");
    }
}

#[test]
fn durations_of_gateway_api() {
    let read = |text: &str| {
        let parsed = documents(&[Input::new("x", text)]);
        let reading = duration(&parsed.documents[0].root, Notation::GatewayApi);
        (reading.value.map(|v| v.0), reading.flaw.is_none())
    };
    assert_eq!(read("250ms"), (Some(250.0), true));
    assert_eq!(read("1h5m10s1ms"), (Some(3_910_001.0), true));
    assert_eq!(read("99999ms"), (Some(99_999.0), true));
    // Fractions, six digits, five units.
    assert_eq!(read("0.25s"), (Some(250.0), false));
    assert_eq!(read("100000ms"), (Some(100_000.0), false));
    assert_eq!(read("1h1m1s1ms1ms"), (Some(3_661_002.0), false));
    assert_eq!(read("500us"), (Some(0.5), false));
}

#[track_caller]
fn limit(text: &str, want: Option<u32>, problem: Option<ProblemKind>) {
    let config = cluster_with(&format!("circuit_breakers: {{thresholds: [{{max_requests: {text}}}]}}"));
    assert_eq!(value(&config.clusters[0].thresholds[0].max_requests), want, "{text}");
    let kinds: Vec<ProblemKind> = config.problems.iter().map(|p| p.kind.clone()).collect();
    assert_eq!(kinds, problem.into_iter().collect::<Vec<_>>(), "{text}");
}

#[test]
fn whole_numbers_as_envoy_reads_them() {
    use ProblemKind::{BadNumber, OutOfRange};
    for (text, number) in [
        ("0", 0),
        ("1024", 1024),
        ("\"4\"", 4),
        ("'4'", 4),
        ("0xffffffff", 4_294_967_295),
        ("0X1f", 31),
        ("\"0xff\"", 255),
        ("010", 8),
        ("\"010\"", 10),
        ("+5", 5),
        ("1e3", 1000),
        ("\"1e3\"", 1000),
        ("10.0", 10),
        ("4294967295", 4_294_967_295),
    ] {
        limit(text, Some(number), None);
    }
    for text in ["1_024", "\"1,024\"", "0o17", "many", "10.5", "0x", "\" 5\"", "true", "0x+5"] {
        limit(text, None, Some(BadNumber));
    }
    for text in ["-1", "4294967296", "1e99"] {
        limit(text, None, Some(OutOfRange));
    }
    limit("{value: 5}", None, Some(ProblemKind::WrongShape));
    limit("null", None, None);
    limit("~", None, None);
}

#[test]
fn truth_values_as_envoy_reads_them() {
    for (text, want) in [
        ("true", Some(true)),
        ("yes", Some(true)),
        ("\"true\"", Some(true)),
        ("\"yes\"", Some(true)),
        ("On", Some(true)),
        ("off", Some(false)),
        ("False", Some(false)),
        ("1", None),
        ("maybe", None),
    ] {
        let config =
            cluster_with(&format!("circuit_breakers: {{thresholds: [{{track_remaining: {text}}}]}}"));
        assert_eq!(value(&config.clusters[0].thresholds[0].track_remaining), want, "{text}");
        assert_eq!(config.problems.is_empty(), want.is_some(), "{text}");
    }
}

#[test]
fn words_in_any_case_or_as_numbers() {
    use RoutingPriority::{Default, High};
    for (text, want) in [
        ("HIGH", Some(High)),
        ("high", Some(High)),
        ("\"High\"", Some(High)),
        ("1", Some(High)),
        ("\"1\"", Some(High)),
        ("default", Some(Default)),
        ("0", Some(Default)),
        ("7", None),
        ("hihg", None),
    ] {
        let config = cluster_with(&format!("circuit_breakers: {{thresholds: [{{priority: {text}}}]}}"));
        assert_eq!(value(&config.clusters[0].thresholds[0].priority), want, "{text}");
        assert_eq!(config.problems.is_empty(), want.is_some(), "{text}");
    }
    let config = cluster_with("circuit_breakers: {thresholds: [{priority: hihg}]}");
    assert_eq!(config.problems[0].help, "did you mean HIGH?");
}

#[test]
fn percentages_are_messages() {
    for (text, want, problem) in [
        ("{value: 20}", Some(20.0), None),
        ("{value: \"20\"}", Some(20.0), None),
        ("{}", Some(0.0), None),
        ("20", Some(20.0), Some(ProblemKind::WrongShape)),
        ("20%", Some(20.0), Some(ProblemKind::WrongShape)),
        ("{value: 101}", Some(101.0), Some(ProblemKind::OutOfRange)),
        ("{value: -1}", Some(-1.0), Some(ProblemKind::OutOfRange)),
        ("{value: 20%}", None, Some(ProblemKind::BadNumber)),
        ("[20]", None, Some(ProblemKind::WrongShape)),
    ] {
        let config =
            cluster_with(&format!("type: STATIC\ncommon_lb_config: {{healthy_panic_threshold: {text}}}"));
        assert_eq!(value(&config.clusters[0].healthy_panic_threshold).map(|p| p.0), want, "{text}");
        let kinds: Vec<ProblemKind> = config.problems.iter().map(|p| p.kind.clone()).collect();
        assert_eq!(kinds, problem.into_iter().collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn the_last_of_two_fields_counts_and_snake_case_before_camel_case() {
    let limits = |text: &str| {
        let config = cluster_with(&format!("circuit_breakers: {{thresholds: [{{{text}}}]}}"));
        (value(&config.clusters[0].thresholds[0].max_connections), config.problems.len())
    };
    assert_eq!(limits("maxConnections: 7"), (Some(7), 0));
    assert_eq!(limits("max_connections: 7, max_connections: 8"), (Some(8), 1));
    assert_eq!(limits("max_connections: 6, maxConnections: 5"), (Some(6), 0));
    assert_eq!(limits("maxConnections: 5, max_connections: 6"), (Some(6), 0));
}
