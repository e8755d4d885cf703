//! What can happen, apart from the arrivals of a Poisson stream and the clocks of constant length.

/// An event of variable delay.
///
/// Those with a `generation` may come after their subject is gone, and are then ignored. An attempt
/// keeps its number until the one event that is on its way to it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the doc of each variant names its fields")]
pub enum Event {
    /// A paced proxy gets its next request.
    Paced { client: u32 },
    /// A caller of a closed loop asks.
    Ask { caller: u32 },
    /// A host has finished an attempt.
    Served { attempt: u32 },
    /// The headers of a stream come.
    Headers { attempt: u32 },
    /// The connection under an attempt breaks.
    Broken { attempt: u32 },
    /// The host refuses a stream beyond what it allows.
    Refused { attempt: u32 },
    /// The wait before a retry is over.
    BackOff { request: u32, generation: u32 },
    /// The peer's SETTINGS have arrived.
    Settings { conn: u32, generation: u32 },
    /// A connect whose packets were lost runs into its timeout.
    ConnectLost { conn: u32, generation: u32 },
    /// Envoy learns that the server has closed an idle connection.
    Fin { conn: u32, generation: u32 },
    /// A connect is refused.
    ConnectRefused { conn: u32, generation: u32 },
    /// The interval of outlier detection.
    Tick { client: u32 },
    /// What workers are told of health, at the end of a merge window.
    Merge { client: u32 },
    /// A fault begins or ends.
    Edge { fault: u32 },
    /// A rolling deploy stops or starts a host; `step` counts the stops.
    Deploy { fault: u32, step: u32 },
}

impl Event {
    /// Whether a request may be waiting for it: a run is over when none is on its way.
    #[inline]
    pub const fn moves_requests(self) -> bool {
        !matches!(self, Self::Tick { .. } | Self::Merge { .. } | Self::Fin { .. })
    }
}
