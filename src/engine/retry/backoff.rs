//! The wait before a retry.

use crate::engine::units::Millis;

/// Envoy counts back-off in whole milliseconds and rounds a shorter base up to one.
const SHORTEST: Millis = Millis(1.0);

/// Envoy's exponential back-off with full jitter: `retry_back_off` of a retry policy.
///
/// # Formula
///
/// Retry `n` waits a uniformly random whole number of milliseconds in `[0, R_n)`, with
/// `R_1 = base` and `R_{n+1} = 2 R_n` while `R_n < ⌊max / 2⌋`, else `max`. So the last step may be
/// more than a doubling, and `max` is reached. The manual's `(2^n - 1) · base` is not what Envoy
/// does.
///
/// # Units and range
///
/// Whole milliseconds, `1 <= base <= max`; Envoy rejects a `max` below `base`. A base below 1, or
/// not a number, counts as 1, a `max` below the base, or not a number, as the base.
///
/// # Source
///
/// Envoy 1.40, `source/common/common/backoff_strategy.{h,cc}`; measured for base 25 and 100 ms.
/// API: `config.route.v3.RetryPolicy.RetryBackOff` (`base_interval`, `max_interval`).
///
/// # Examples
///
/// Envoy's default: 25 ms doubles three times, then 250 ms stays.
///
/// ```
/// use headroom::engine::retry::backoff::BackOff;
/// use headroom::engine::units::Millis;
///
/// let default = BackOff { base: Millis(25.0), max: Millis(250.0) };
/// let bounds: Vec<_> = (1..=6).map(|n| default.upper_bound(n).0).collect();
/// assert_eq!(bounds, [25.0, 50.0, 100.0, 200.0, 250.0, 250.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackOff {
    /// `base_interval`: the bound of the first wait.
    pub base: Millis,
    /// `max_interval`: the bound of late waits.
    pub max: Millis,
}

impl BackOff {
    /// The bound `R_n` below which the wait before retry `n` lies.
    ///
    /// # Formula
    ///
    /// That of [`BackOff`].
    ///
    /// # Units and range
    ///
    /// `n` counts from 1; there is no wait before the first attempt, so 0 gives 0.
    ///
    /// # Source
    ///
    /// As [`BackOff`].
    ///
    /// # Examples
    ///
    /// 40 is below half of 90 and doubles; 80 is not, so the maximum follows.
    ///
    /// ```
    /// use headroom::engine::retry::backoff::BackOff;
    /// use headroom::engine::units::Millis;
    ///
    /// let short = BackOff { base: Millis(40.0), max: Millis(90.0) };
    /// assert_eq!(short.upper_bound(2), Millis(80.0));
    /// assert_eq!(short.upper_bound(3), Millis(90.0));
    /// ```
    pub fn upper_bound(self, n: u32) -> Millis {
        let rising = self.rising(n);
        if n as usize > rising.len() { self.longest() } else { last_or_zero(&rising) }
    }

    /// The bound of all waits of a request with `n_retries` retries: what a timeout ladder must
    /// leave room for.
    ///
    /// # Formula
    ///
    /// `Σ_{n=1}^{n_retries} R_n`.
    ///
    /// # Units and range
    ///
    /// Milliseconds; 0 for no retries.
    ///
    /// # Source
    ///
    /// As [`BackOff`].
    ///
    /// # Examples
    ///
    /// ```
    /// use headroom::engine::retry::backoff::BackOff;
    /// use headroom::engine::units::Millis;
    ///
    /// let default = BackOff { base: Millis(25.0), max: Millis(250.0) };
    /// assert_eq!(default.total_bound(3), Millis(25.0 + 50.0 + 100.0));
    /// ```
    pub fn total_bound(self, n_retries: u32) -> Millis {
        let rising = self.rising(n_retries);
        let at_most_longest = f64::from(n_retries) - rising.len() as f64;
        let flat = if at_most_longest > 0.0 { self.longest() * at_most_longest } else { Millis(0.0) };
        rising.into_iter().sum::<Millis>() + flat
    }

    /// The mean wait before retry `n`.
    ///
    /// # Formula
    ///
    /// `(R_n - 1) / 2`: uniform over the whole milliseconds 0 to `R_n - 1`.
    ///
    /// # Units and range
    ///
    /// Milliseconds; `n` counts from 1, 0 gives 0.
    ///
    /// # Source
    ///
    /// As [`BackOff`].
    ///
    /// # Examples
    ///
    /// ```
    /// use headroom::engine::retry::backoff::BackOff;
    /// use headroom::engine::units::Millis;
    ///
    /// let default = BackOff { base: Millis(25.0), max: Millis(250.0) };
    /// assert_eq!(default.mean(1), Millis(12.0));
    /// ```
    pub fn mean(self, n: u32) -> Millis {
        let bound = self.upper_bound(n) - SHORTEST;
        bound.max(Millis(0.0)) * 0.5
    }

    /// The first bounds, up to `n` of them, as long as they are below the longest.
    ///
    /// From 1 ms a double cannot double more than 1,024 times, so the list is short for every
    /// number of retries.
    fn rising(self, n: u32) -> Vec<Millis> {
        let longest = self.longest();
        let limit = (longest.0 / 2.0).floor();
        let next = |r: &Millis| Some(if r.0 < limit { *r * 2.0 } else { longest });
        std::iter::successors(Some(self.shortest()), next)
            .take(n as usize)
            .take_while(|r| *r < longest)
            .collect()
    }

    fn shortest(self) -> Millis {
        self.base.max(SHORTEST)
    }

    fn longest(self) -> Millis {
        self.max.max(self.shortest())
    }
}

fn last_or_zero(bounds: &[Millis]) -> Millis {
    bounds.last().copied().unwrap_or_default()
}
