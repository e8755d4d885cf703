//! Envoy's counters, under Envoy's names.

/// A counter of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are Envoy's, see NAMES")]
pub enum Counter {
    RqTotal,
    RqCompleted,
    Rq200,
    Rq2xx,
    Rq503,
    Rq504,
    Rq5xx,
    RqPendingTotal,
    RqPendingOverflow,
    RqPendingFailureEject,
    RqActiveOverflow,
    RqRetry,
    RqRetryBackoffExponential,
    RqRetrySuccess,
    RqRetryOverflow,
    RqRetryLimitExceeded,
    RetryCompleted,
    Retry200,
    Retry2xx,
    Retry503,
    Retry5xx,
    RqTimeout,
    RqPerTryTimeout,
    RqPerTryIdleTimeout,
    RqMaxDurationReached,
    RqTxReset,
    RqRxReset,
    CxTotal,
    CxOverflow,
    CxPoolOverflow,
    CxConnectFail,
    CxConnectTimeout,
    CxIdleTimeout,
    CxMaxRequests,
    CxNoneHealthy,
    CxDestroyLocal,
    CxDestroyRemote,
    CxDestroyLocalWithActiveRq,
    CxDestroyRemoteWithActiveRq,
    LbHealthyPanic,
}

const NAMES: [(Counter, &str); 40] = [
    (Counter::RqTotal, "upstream_rq_total"),
    (Counter::RqCompleted, "upstream_rq_completed"),
    (Counter::Rq200, "upstream_rq_200"),
    (Counter::Rq2xx, "upstream_rq_2xx"),
    (Counter::Rq503, "upstream_rq_503"),
    (Counter::Rq504, "upstream_rq_504"),
    (Counter::Rq5xx, "upstream_rq_5xx"),
    (Counter::RqPendingTotal, "upstream_rq_pending_total"),
    (Counter::RqPendingOverflow, "upstream_rq_pending_overflow"),
    (Counter::RqPendingFailureEject, "upstream_rq_pending_failure_eject"),
    (Counter::RqActiveOverflow, "upstream_rq_active_overflow"),
    (Counter::RqRetry, "upstream_rq_retry"),
    (Counter::RqRetryBackoffExponential, "upstream_rq_retry_backoff_exponential"),
    (Counter::RqRetrySuccess, "upstream_rq_retry_success"),
    (Counter::RqRetryOverflow, "upstream_rq_retry_overflow"),
    (Counter::RqRetryLimitExceeded, "upstream_rq_retry_limit_exceeded"),
    (Counter::RetryCompleted, "retry.upstream_rq_completed"),
    (Counter::Retry200, "retry.upstream_rq_200"),
    (Counter::Retry2xx, "retry.upstream_rq_2xx"),
    (Counter::Retry503, "retry.upstream_rq_503"),
    (Counter::Retry5xx, "retry.upstream_rq_5xx"),
    (Counter::RqTimeout, "upstream_rq_timeout"),
    (Counter::RqPerTryTimeout, "upstream_rq_per_try_timeout"),
    (Counter::RqPerTryIdleTimeout, "upstream_rq_per_try_idle_timeout"),
    (Counter::RqMaxDurationReached, "upstream_rq_max_duration_reached"),
    (Counter::RqTxReset, "upstream_rq_tx_reset"),
    (Counter::RqRxReset, "upstream_rq_rx_reset"),
    (Counter::CxTotal, "upstream_cx_total"),
    (Counter::CxOverflow, "upstream_cx_overflow"),
    (Counter::CxPoolOverflow, "upstream_cx_pool_overflow"),
    (Counter::CxConnectFail, "upstream_cx_connect_fail"),
    (Counter::CxConnectTimeout, "upstream_cx_connect_timeout"),
    (Counter::CxIdleTimeout, "upstream_cx_idle_timeout"),
    (Counter::CxMaxRequests, "upstream_cx_max_requests"),
    (Counter::CxNoneHealthy, "upstream_cx_none_healthy"),
    (Counter::CxDestroyLocal, "upstream_cx_destroy_local"),
    (Counter::CxDestroyRemote, "upstream_cx_destroy_remote"),
    (Counter::CxDestroyLocalWithActiveRq, "upstream_cx_destroy_local_with_active_rq"),
    (Counter::CxDestroyRemoteWithActiveRq, "upstream_cx_destroy_remote_with_active_rq"),
    (Counter::LbHealthyPanic, "lb_healthy_panic"),
];

/// All counters of all simulated proxies together.
#[derive(Clone, Copy, Debug)]
pub struct Counters {
    values: [u64; NAMES.len()],
}

impl Default for Counters {
    fn default() -> Self {
        Self { values: [0; NAMES.len()] }
    }
}

impl Counters {
    /// One more.
    #[inline]
    pub fn inc(&mut self, counter: Counter) {
        self.values[counter as usize] += 1;
    }

    /// So many more.
    pub fn add(&mut self, counter: Counter, n: u64) {
        self.values[counter as usize] += n;
    }

    /// A final answer with that status (the simulator knows 200, 503 and 504).
    #[inline]
    pub fn answer(&mut self, status: u16) {
        self.inc(Counter::RqCompleted);
        match status {
            200 => self.inc(Counter::Rq200),
            504 => self.inc(Counter::Rq504),
            _ => self.inc(Counter::Rq503),
        }
        self.inc(if status < 500 { Counter::Rq2xx } else { Counter::Rq5xx });
    }

    /// An answer that is retried away (F56).
    pub fn retried_answer(&mut self, status: u16) {
        self.inc(Counter::RetryCompleted);
        let counters = if status < 500 {
            [Counter::Retry200, Counter::Retry2xx]
        } else {
            [Counter::Retry503, Counter::Retry5xx]
        };
        for counter in counters {
            self.inc(counter);
        }
    }

    /// What has been counted since `earlier`, by name.
    pub fn since(&self, earlier: &Self) -> impl Iterator<Item = (&'static str, u64)> {
        let pairs = self.values.iter().zip(&earlier.values).map(|(now, then)| now - then);
        NAMES.iter().map(|(_, name)| *name).zip(pairs.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_where_the_counters_do() {
        for (at, (counter, _)) in NAMES.iter().enumerate() {
            assert_eq!(*counter as usize, at);
        }
    }
}
