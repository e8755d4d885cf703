//! Random numbers that are the same everywhere.
//!
//! Two kinds. A [`Stream`] is drawn from in order: one a purpose, so that a policy that draws more
//! back-offs does not move the arrivals. A [`draw`] belongs to a request and an attempt: its value
//! does not depend on what was drawn before, so the same attempt of the same request takes the same
//! time under every policy (common random numbers), and the difference of two policies is not
//! drowned in chance.
//!
//! Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014): the mixing
//! function of `SplitMix64`; integers only, so native and Wasm agree to the bit.

use super::Nanos;
use super::logarithm::minus_ln;

/// What random numbers are for; each purpose has streams of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u64)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Purpose {
    Arrivals = 1,
    Service,
    Failure,
    Priority,
    Worker,
    BackOff,
    Balancing,
    Enforcing,
    Jitter,
    Fault,
    Caller,
    Connect,
    HostRetry,
    Stagger,
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The mixing function of `SplitMix64`: every bit of the result depends on every bit of `x`.
#[inline]
pub const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A random number of a request and an attempt (or any two numbers), whatever was drawn before.
#[inline]
pub const fn draw(seed: u64, purpose: Purpose, a: u64, b: u64) -> u64 {
    Draws::new(seed, purpose).draw(a, b)
}

/// The [`draw`]s of one seed and purpose, their common part worked out once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    key: u64,
}

impl Draws {
    /// For that seed and purpose.
    pub const fn new(seed: u64, purpose: Purpose) -> Self {
        Self { key: mix(seed.wrapping_add((purpose as u64).wrapping_mul(GOLDEN))) }
    }

    /// As [`draw`].
    #[inline]
    pub const fn draw(&self, a: u64, b: u64) -> u64 {
        let request = mix(self.key.wrapping_add(a.wrapping_mul(GOLDEN)));
        mix(request.wrapping_add(b.wrapping_add(1).wrapping_mul(GOLDEN)))
    }
}

/// Uniform in the open interval (0, 1): never 0, never 1, so that logarithms are finite.
#[inline]
pub fn unit(bits: u64) -> f64 {
    const SCALE: f64 = 1.0 / (1_u64 << 53) as f64;
    ((bits >> 11) as f64 + 0.5) * SCALE
}

/// Uniform in `0..n`; 0 for `n` = 0.
///
/// Source: Lemire, "Fast random integer generation in an interval" (2019), without the rejection:
/// the bias is below n / 2^64.
#[inline]
pub const fn below(bits: u64, n: u64) -> u64 {
    ((bits as u128 * n as u128) >> 64) as u64
}

/// Numbers drawn in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    state: u64,
}

impl Stream {
    /// The stream of a purpose; `of` tells apart streams of one purpose (a client, a host).
    pub const fn new(seed: u64, purpose: Purpose, of: u64) -> Self {
        Self { state: draw(seed, purpose, of, u64::MAX - 1) }
    }

    /// The next 64 bits.
    #[inline]
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// The next number in (0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        unit(self.bits())
    }

    /// The next number in `0..n`.
    #[inline]
    pub const fn below(&mut self, n: u64) -> u64 {
        below(self.bits(), n)
    }

    /// The next exponentially distributed span with that mean, in nanoseconds.
    #[inline]
    pub fn exponential(&mut self, mean_nanos: f64) -> Nanos {
        Nanos::rounded(minus_ln(self.unit()) * mean_nanos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mixing_function_is_the_published_one() {
        // The first outputs of SplitMix64 seeded with 1234567, from Vigna's reference program.
        let mut state = 1_234_567_u64;
        let mut next = || {
            state = state.wrapping_add(GOLDEN);
            mix(state)
        };
        assert_eq!(next(), 6_457_827_717_110_365_317);
        assert_eq!(next(), 3_203_168_211_198_807_973);
        assert_eq!(next(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn an_attempt_draws_the_same_whatever_was_drawn_before() {
        let alone = draw(42, Purpose::Service, 7, 1);
        let mut stream = Stream::new(42, Purpose::BackOff, 0);
        for _ in 0..10 {
            stream.bits();
        }
        assert_eq!(draw(42, Purpose::Service, 7, 1), alone);
        assert_ne!(draw(42, Purpose::Service, 7, 2), alone);
        assert_ne!(draw(42, Purpose::Failure, 7, 1), alone);
        assert_ne!(draw(43, Purpose::Service, 7, 1), alone);
    }

    #[test]
    fn units_stay_inside_and_spread_evenly() {
        let mut stream = Stream::new(1, Purpose::Arrivals, 0);
        let mut tenths = [0_u32; 10];
        for _ in 0..100_000 {
            let u = stream.unit();
            assert!(u > 0.0 && u < 1.0);
            let at = tenths.len()
                - tenths.iter().enumerate().skip(1).filter(|&(n, _)| u < n as f64 / 10.0).count()
                - 1;
            tenths[at] += 1;
        }
        // Chi-square with nine degrees of freedom: 99.9% lie below 27.9.
        let chi: f64 = tenths.iter().map(|&n| (f64::from(n) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 27.9, "chi-square {chi}");
    }
}
