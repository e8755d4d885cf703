//! What is remembered of a host.

/// What an attempt reports about its host.
///
/// Nothing is reported of own overflows, of callers who left, of idle timeouts, and of statuses in
/// trailers. A gRPC status in the headers is reported as the HTTP status it maps to: 4 as 504, 14 as
/// 503 (see [`Self::grpc`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A good answer.
    Success,
    /// The status of the answer.
    Status(u16),
    /// A route, per-try or soft timeout.
    LocalTimeout,
    /// The stream or connection was reset before the answer.
    LocalReset,
    /// Connect refused or timed out.
    ConnectFailed,
    /// The attempt is attached to a connection.
    ConnectSucceeded,
}

impl Outcome {
    /// A gRPC status in the headers of an answer with HTTP 200.
    ///
    /// Source: envoyproxy/envoy, `Grpc::Utility::grpcToHttpStatus`.
    pub(crate) const fn grpc(status: u8) -> Self {
        match status {
            0 => Self::Success,
            1 => Self::Status(499),
            3 | 9 | 11 => Self::Status(400),
            4 => Self::Status(504),
            5 => Self::Status(404),
            6 | 10 => Self::Status(409),
            7 => Self::Status(403),
            8 => Self::Status(429),
            12 => Self::Status(501),
            14 => Self::Status(503),
            16 => Self::Status(401),
            _ => Self::Status(500),
        }
    }

    /// What the host itself said, or what that is taken for where origins are not told apart.
    pub(super) const fn status(self, split: bool) -> Option<u16> {
        match self {
            Self::Success => Some(200),
            Self::Status(status) => Some(status),
            Self::LocalTimeout if !split => Some(504),
            Self::LocalReset | Self::ConnectFailed if !split => Some(503),
            _ => None,
        }
    }

    /// Whether the local origin is fine; only where origins are told apart.
    pub(super) const fn local(self) -> Option<bool> {
        match self {
            Self::LocalTimeout | Self::LocalReset | Self::ConnectFailed => Some(false),
            Self::ConnectSucceeded => Some(true),
            Self::Success | Self::Status(_) => None,
        }
    }
}

/// Requests in the interval that runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rate {
    pub total: u32,
    pub success: u32,
}

impl Rate {
    pub fn add(&mut self, success: bool) {
        self.total += 1;
        self.success += u32::from(success);
    }
}

/// Runs and shares of a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Monitor {
    pub run_5xx: u32,
    pub run_gateway: u32,
    pub run_local: u32,
    pub external: Rate,
    pub local: Rate,
}

impl Monitor {
    pub fn forget_runs(&mut self) {
        (self.run_5xx, self.run_gateway, self.run_local) = (0, 0, 0);
    }
}

/// Hosts a page.
const PAGE: usize = 64;
const BLANK: Monitor =
    Monitor { run_5xx: 0, run_gateway: 0, run_local: 0, external: NOTHING, local: NOTHING };
const NOTHING: Rate = Rate { total: 0, success: 0 };

/// Monitors of hosts, kept only for those with something to remember: 200 proxies with 100,000
/// hosts each would need gigabytes otherwise.
#[derive(Clone, Debug)]
pub(super) struct Monitors {
    pages: Vec<Option<Box<[Monitor; PAGE]>>>,
}

impl Monitors {
    pub fn new(n_hosts: u32) -> Self {
        Self { pages: vec![None; (n_hosts as usize).div_ceil(PAGE)] }
    }

    /// The monitor of a host; `None` beyond the last page.
    #[inline]
    pub fn of(&mut self, host: u32) -> Option<&mut Monitor> {
        let page = self.pages.get_mut(host as usize / PAGE)?;
        Some(&mut page.get_or_insert_with(|| Box::new([BLANK; PAGE]))[host as usize % PAGE])
    }

    /// What is remembered, by host, in order.
    #[allow(clippy::cast_possible_truncation, reason = "an index of a host")]
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Monitor)> {
        self.pages.iter().enumerate().filter_map(|(n, page)| Some((n * PAGE, page.as_ref()?))).flat_map(
            |(first, page)| page.iter().enumerate().map(move |(at, monitor)| ((first + at) as u32, monitor)),
        )
    }

    /// A new interval begins.
    pub fn forget_rates(&mut self) {
        for page in &mut self.pages {
            let Some(monitors) = page else { continue };
            for monitor in monitors.iter_mut() {
                (monitor.external, monitor.local) = (NOTHING, NOTHING);
            }
            if **monitors == [BLANK; PAGE] {
                *page = None;
            }
        }
    }
}
