//! The counters of outlier detection.

/// A kind of detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Kind {
    Consecutive5xx,
    ConsecutiveGatewayFailure,
    ConsecutiveLocalOriginFailure,
    SuccessRate,
    LocalOriginSuccessRate,
    FailurePercentage,
    LocalOriginFailurePercentage,
}

/// Names by [`Kind`].
const DETECTED: [&str; 7] = [
    "outlier_detection.ejections_detected_consecutive_5xx",
    "outlier_detection.ejections_detected_consecutive_gateway_failure",
    "outlier_detection.ejections_detected_consecutive_local_origin_failure",
    "outlier_detection.ejections_detected_success_rate",
    "outlier_detection.ejections_detected_local_origin_success_rate",
    "outlier_detection.ejections_detected_failure_percentage",
    "outlier_detection.ejections_detected_local_origin_failure_percentage",
];
const ENFORCED: [&str; 7] = [
    "outlier_detection.ejections_enforced_consecutive_5xx",
    "outlier_detection.ejections_enforced_consecutive_gateway_failure",
    "outlier_detection.ejections_enforced_consecutive_local_origin_failure",
    "outlier_detection.ejections_enforced_success_rate",
    "outlier_detection.ejections_enforced_local_origin_success_rate",
    "outlier_detection.ejections_enforced_failure_percentage",
    "outlier_detection.ejections_enforced_local_origin_failure_percentage",
];

/// Counts so far; the deprecated ones included, because people read them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counters {
    detected: [u64; 7],
    enforced: [u64; 7],
    pub overflow: u64,
    /// `ejections_total`: also rises where a kind is not enforced.
    total: u64,
}

impl Counters {
    pub fn on_detected(&mut self, kind: Kind) {
        self.detected[kind as usize] += 1;
    }

    /// The cap lets the host go; whether it goes is another matter.
    pub fn on_allowed(&mut self, kind: Kind) {
        self.total += u64::from(matches!(kind, Kind::Consecutive5xx | Kind::SuccessRate));
    }

    pub fn on_enforced(&mut self, kind: Kind) {
        self.enforced[kind as usize] += 1;
    }

    pub fn list(&self, active: u64) -> impl Iterator<Item = (&'static str, u64)> {
        let by_kind = |names: [&'static str; 7], counts: [u64; 7]| names.into_iter().zip(counts);
        let rates =
            self.detected[Kind::SuccessRate as usize] + self.detected[Kind::LocalOriginSuccessRate as usize];
        by_kind(DETECTED, self.detected).chain(by_kind(ENFORCED, self.enforced)).chain([
            ("outlier_detection.ejections_active", active),
            ("outlier_detection.ejections_enforced_total", self.enforced.iter().sum()),
            ("outlier_detection.ejections_overflow", self.overflow),
            ("outlier_detection.ejections_total", self.total),
            ("outlier_detection.ejections_consecutive_5xx", self.detected[Kind::Consecutive5xx as usize]),
            ("outlier_detection.ejections_success_rate", rates),
        ])
    }
}
