//! The six lessons: each is one pair of the four core risks.

use super::{Choice, Control, Lesson, Second, Sets};
use crate::engine::sim::FaultKind;

/// Four gateways in front of six hosts: small enough to follow, large enough that chance is small.
const GATEWAYS: &[(&str, &str)] = &[
    ("name", "catalog"),
    ("protocol", "http2"),
    ("rps", "600"),
    ("p50", "20"),
    ("p99", "60"),
    ("clients", "4"),
    ("hosts", "6"),
    ("host_concurrency", "24"),
    ("burst", "1"),
    ("skew", "1"),
    ("idempotent", "true"),
    ("deadline_ms", "1000"),
];

/// The same with twelve proxies: each sees little of every host.
const SIDECARS: &[(&str, &str)] = &[
    ("name", "catalog"),
    ("protocol", "http2"),
    ("rps", "600"),
    ("p50", "20"),
    ("p99", "60"),
    ("clients", "12"),
    ("hosts", "6"),
    ("host_concurrency", "24"),
    ("burst", "1"),
    ("skew", "1"),
    ("idempotent", "true"),
    ("deadline_ms", "1000"),
];

const fn choice(label: &'static str, sets: Sets) -> Choice {
    Choice { label, sets }
}

/// Every lesson, in the order of the pages.
pub const LESSONS: &[Lesson] = &[
    Lesson {
        id: "retry-amplification",
        scenario: GATEWAYS,
        fault: FaultKind::BreakerOverflow,
        span_s: (10.0, 20.0),
        length_s: 40.0,
        second: Second::Failed,
        both: &[("fault.strength", "6")],
        wrong: &[
            ("max_requests", "1024"),
            ("max_connections", "1024"),
            ("max_pending_requests", "1024"),
            ("retry_on", "5xx"),
        ],
        controls: &[
            Control {
                key: "retries",
                label: "Retries",
                choices: &[
                    choice("0", &[("num_retries", "0")]),
                    choice("1", &[("num_retries", "1")]),
                    choice("2", &[("num_retries", "2")]),
                    choice("3", &[("num_retries", "3")]),
                    choice("5", &[("num_retries", "5")]),
                ],
                default: 3,
            },
            Control {
                key: "limit",
                label: "Limit on retries",
                choices: &[
                    choice("none", &[("max_retries", "4294967295")]),
                    choice("max_retries 3", &[("max_retries", "3")]),
                    choice("budget 20%", &[("budget_percent", "20"), ("min_retry_concurrency", "1")]),
                ],
                default: 0,
            },
        ],
    },
    Lesson {
        id: "breaker-feedback",
        scenario: GATEWAYS,
        fault: FaultKind::BreakerOverflow,
        span_s: (10.0, 20.0),
        length_s: 40.0,
        second: Second::Refused,
        both: &[("fault.strength", "8"), ("caller.retries", "2")],
        wrong: &[("max_connections", "1024"), ("max_pending_requests", "1024")],
        controls: &[
            Control {
                key: "limit",
                label: "max_requests of a proxy",
                choices: &[
                    choice("4", &[("max_requests", "4")]),
                    choice("8", &[("max_requests", "8")]),
                    choice("16", &[("max_requests", "16")]),
                    choice("32", &[("max_requests", "32")]),
                    choice("128", &[("max_requests", "128")]),
                    choice("1,024", &[("max_requests", "1024")]),
                ],
                default: 5,
            },
            Control {
                key: "callers",
                label: "Callers ask again",
                choices: &[
                    choice("never", &[("caller.retries", "0")]),
                    choice("once", &[("caller.retries", "1")]),
                    choice("twice", &[("caller.retries", "2")]),
                ],
                default: 2,
            },
        ],
    },
    Lesson {
        id: "outlier-cascade",
        scenario: GATEWAYS,
        fault: FaultKind::RetryBudgetExhaustion,
        span_s: (10.0, 20.0),
        length_s: 60.0,
        second: Second::Failed,
        both: &[("fault.share", "30")],
        wrong: &[("healthy_panic_threshold", "0"), ("consecutive_5xx", "3"), ("base_ejection_time", "30")],
        controls: &[
            Control {
                key: "share",
                label: "max_ejection_percent",
                choices: &[
                    choice("0", &[("max_ejection_percent", "0")]),
                    choice("17", &[("max_ejection_percent", "17")]),
                    choice("50", &[("max_ejection_percent", "50")]),
                    choice("100", &[("max_ejection_percent", "100")]),
                ],
                default: 3,
            },
            Control {
                key: "panic",
                label: "Panic threshold",
                choices: &[
                    choice("off", &[("healthy_panic_threshold", "0")]),
                    choice("50%", &[("healthy_panic_threshold", "50")]),
                ],
                default: 0,
            },
        ],
    },
    Lesson {
        id: "timeout-inversion",
        scenario: GATEWAYS,
        fault: FaultKind::Partition,
        span_s: (10.0, 20.0),
        length_s: 40.0,
        second: Second::Refused,
        both: &[("fault.hosts", "1"), ("fault.clients", "4"), ("outlier_detection", "off")],
        wrong: &[],
        controls: &[
            Control {
                key: "per-try",
                label: "per_try_timeout",
                choices: &[
                    choice("none", &[("per_try_timeout", "off")]),
                    choice("950 ms", &[("per_try_timeout", "950")]),
                    choice("400 ms", &[("per_try_timeout", "400")]),
                    choice("160 ms", &[("per_try_timeout", "160")]),
                ],
                default: 1,
            },
            Control {
                key: "route",
                label: "timeout of the route",
                choices: &[
                    choice("950 ms", &[("timeout", "950")]),
                    choice("15 s, Envoy’s default", &[("timeout", "15000")]),
                ],
                default: 0,
            },
        ],
    },
    Lesson {
        id: "hedging-spike",
        scenario: GATEWAYS,
        fault: FaultKind::Latency,
        span_s: (10.0, 20.0),
        length_s: 40.0,
        second: Second::Failed,
        both: &[("fault.strength", "4"), ("fault.hosts", "6")],
        wrong: &[
            ("max_requests", "1024"),
            ("max_connections", "1024"),
            ("max_pending_requests", "1024"),
            ("max_retries", "1024"),
            ("retry_on", "5xx"),
            ("hedge_on_per_try_timeout", "on"),
        ],
        controls: &[
            Control {
                key: "hedge-after",
                label: "Hedge after",
                choices: &[
                    choice("never", &[("hedge_on_per_try_timeout", "off")]),
                    choice("60 ms, the p99", &[("per_try_timeout", "60")]),
                    choice("45 ms, the p95", &[("per_try_timeout", "45")]),
                    choice("30 ms, the p80", &[("per_try_timeout", "30")]),
                ],
                default: 2,
            },
            Control {
                key: "hedges",
                label: "Hedges a request",
                choices: &[
                    choice("1", &[("num_retries", "1")]),
                    choice("2", &[("num_retries", "2")]),
                    choice("3", &[("num_retries", "3")]),
                ],
                default: 2,
            },
        ],
    },
    Lesson {
        id: "misread-failures",
        scenario: SIDECARS,
        fault: FaultKind::Partition,
        span_s: (10.0, 30.0),
        length_s: 40.0,
        second: Second::Failed,
        both: &[("fault.hosts", "1"), ("fault.clients", "12")],
        wrong: &[],
        controls: &[
            Control {
                key: "split",
                label: "Split local-origin errors",
                choices: &[
                    choice("on", &[("split_external_local_origin_errors", "on")]),
                    choice("off", &[("split_external_local_origin_errors", "off")]),
                ],
                default: 0,
            },
            Control {
                key: "retries",
                label: "Retries",
                choices: &[
                    choice("0", &[("num_retries", "0")]),
                    choice("1", &[("num_retries", "1")]),
                    choice("2", &[("num_retries", "2")]),
                ],
                default: 0,
            },
        ],
    },
];
