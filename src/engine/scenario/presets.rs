//! Worked examples to start from.

use super::{Draft, Scenario};
use crate::engine::params::ParamId;

/// A scenario to start from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Stable key.
    pub key: &'static str,
    /// Name on the button.
    pub title: &'static str,
    /// Whom it serves, in a sentence.
    pub serves: &'static str,
    fields: &'static [(ParamId, &'static str)],
}

/// The presets; the first paint shows the sidecar mesh.
pub static PRESETS: &[Preset] = &[
    Preset {
        key: "worked-example",
        title: "One gateway",
        serves: "One gateway in front of an HTTP/1.1 service: small enough to check every number by hand.",
        fields: &[
            (ParamId::Name, "worked-example"),
            (ParamId::Protocol, "http1"),
            (ParamId::Rps, "500"),
            (ParamId::Mean, "40"),
            (ParamId::Skew, "1"),
        ],
    },
    Preset {
        key: "sidecar-mesh",
        title: "Sidecar mesh",
        serves: "A hundred sidecars that call a service of twelve hosts: each proxy sees little, together they can do much harm.",
        fields: &[
            (ParamId::Name, "checkout"),
            (ParamId::Rps, "500"),
            (ParamId::P50, "35"),
            (ParamId::P99, "110"),
            (ParamId::Clients, "100"),
            (ParamId::Hosts, "12"),
            (ParamId::HostConcurrency, "64"),
        ],
    },
    Preset {
        key: "edge-gateway",
        title: "Edge gateway",
        serves: "A few large edge proxies in front of a big fleet: 20,000 requests per second over HTTP/2.",
        fields: &[
            (ParamId::Name, "storefront"),
            (ParamId::Rps, "20000"),
            (ParamId::P50, "20"),
            (ParamId::P90, "60"),
            (ParamId::P99, "250"),
            (ParamId::P999, "500"),
            (ParamId::Clients, "6"),
            (ParamId::Workers, "8"),
            (ParamId::Hosts, "120"),
            (ParamId::HostConcurrency, "80"),
            (ParamId::HostsLost, "12"),
            (ParamId::DeadlineMs, "3000"),
            (ParamId::Idempotent, "true"),
            (ParamId::UpstreamKeepaliveS, "75"),
        ],
    },
    Preset {
        key: "grpc-unary",
        title: "gRPC, tight deadline",
        serves: "Unary gRPC calls between backends whose callers give up after 150 ms.",
        fields: &[
            (ParamId::Name, "inventory"),
            (ParamId::Protocol, "grpc"),
            (ParamId::Rps, "3000"),
            (ParamId::P50, "4"),
            (ParamId::P99, "18"),
            (ParamId::P999, "40"),
            (ParamId::Clients, "40"),
            (ParamId::Hosts, "8"),
            (ParamId::HostConcurrency, "100"),
            (ParamId::DeadlineMs, "150"),
            (ParamId::ConnectMs, "2"),
            (ParamId::Idempotent, "true"),
        ],
    },
    Preset {
        key: "streams",
        title: "Streams and WebSockets",
        serves: "Long-lived gRPC streams or WebSockets: what counts is how many are open, not how many start.",
        fields: &[
            (ParamId::Name, "live-updates"),
            (ParamId::Protocol, "grpc_stream"),
            (ParamId::Rps, "40"),
            (ParamId::StreamMean, "300"),
            (ParamId::StreamP99, "900"),
            (ParamId::Clients, "4"),
            (ParamId::Hosts, "6"),
            (ParamId::HostConcurrency, "12000"),
        ],
    },
];

impl Preset {
    /// The preset as a draft: what the form shows as typed.
    pub fn draft(&self) -> Draft {
        let mut draft = Draft::default();
        for (id, text) in self.fields {
            draft.set(*id, *text);
        }
        draft
    }

    /// The preset as a scenario.
    pub fn scenario(&self) -> Scenario {
        self.draft().check().expect("a test checks every preset")
    }

    /// The preset of the first paint.
    pub fn first_paint() -> &'static Self {
        PRESETS.iter().find(|p| p.key == "sidecar-mesh").expect("the table above has it")
    }
}
