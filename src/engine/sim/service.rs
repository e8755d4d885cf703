//! Times in service.

use super::logarithm::minus_ln;
use super::rng::unit;
use super::{Nanos, Service};

impl Service {
    /// The time in service that these random bits stand for.
    ///
    /// The inverse of the distribution function: more bits, more time, so that the same request
    /// takes its time under every policy.
    #[inline]
    pub fn sample(&self, bits: u64) -> Nanos {
        match self {
            Self::Constant(time) => *time,
            Self::Exponential(mean) => Nanos::rounded(minus_ln(1.0 - unit(bits)) * mean.0 as f64),
            Self::Percentiles { model, scale } => Nanos::of(model.quantile(unit(bits)) * *scale),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::latency::{LatencyModel, Point};
    use crate::engine::sim::rng::{Purpose, Stream};
    use crate::engine::units::Millis;

    fn model() -> LatencyModel {
        let points = [(0.5, 35.0), (0.9, 70.0), (0.99, 110.0)];
        LatencyModel::from_points(&points.map(|(quantile, at)| Point { quantile, at: Millis(at) })).unwrap()
    }

    #[test]
    fn a_constant_is_constant() {
        assert_eq!(Service::Constant(Nanos(7)).sample(1), Nanos(7));
    }

    #[test]
    fn percentiles_are_the_models_own() {
        let service = Service::Percentiles { model: model(), scale: 1.3 };
        let mut stream = Stream::new(5, Purpose::Service, 0);
        let edges = [0, 1, u64::MAX, 1 << 63, (1 << 63) - 1];
        for bits in (0..10_000).map(|_| stream.bits()).chain(edges) {
            let want = model().quantile(unit(bits)).0 * 1.3 * 1e6;
            let got = service.sample(bits).0 as f64;
            assert!((got - want).abs() <= 0.5 + 1e-9 * want, "{got} is not {want}");
        }
    }

    #[test]
    fn means_are_those_of_the_distributions() {
        let mean = |service: &Service| {
            let mut stream = Stream::new(6, Purpose::Service, 0);
            (0..200_000).map(|_| service.sample(stream.bits()).as_millis().0).sum::<f64>() / 200_000.0
        };
        // Standard errors: 10 / √200,000, and 26 (its standard deviation is below) / √200,000.
        let exponential = mean(&Service::Exponential(Nanos(10_000_000)));
        assert!((exponential - 10.0).abs() < 3.0 * 0.0224, "{exponential}");
        let measured = mean(&Service::Percentiles { model: model(), scale: 1.0 });
        assert!((measured - model().mean().0).abs() < 3.0 * 0.0582, "{measured}");
    }
}
