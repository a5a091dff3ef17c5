//! The beta law, as the share of one of two gamma variables: `G_a / (G_a + G_b)`.
//!
//! Gamma variables by Marsaglia and Tsang, "A simple method for generating gamma variables" (2000).

use crate::random::{Seed, Stream, open_unit};

/// Beta(alpha, beta) on `[0, 1]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Beta {
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

impl Beta {
    pub(super) fn mean(self) -> f64 {
        self.alpha / (self.alpha + self.beta)
    }

    pub(super) fn variance(self) -> f64 {
        let total = self.alpha + self.beta;
        (self.alpha / total) * (self.beta / total) / (total + 1.0)
    }

    /// Rejection uses an unknown number of values, so every reward has its own stream.
    #[inline]
    pub(super) fn draw(self, tape: Seed, k: u64) -> f64 {
        let mut stream = Seed(tape.bits(k)).stream();
        if self.alpha >= 1.0 && self.beta >= 1.0 {
            beta_variable(self.alpha, self.beta, &mut stream)
        } else {
            // A gamma variable of tiny shape underflows; its logarithm does not.
            let a = log_gamma_variable(self.alpha, &mut stream);
            let b = log_gamma_variable(self.beta, &mut stream);
            1.0 / (1.0 + libm::exp(b - a))
        }
    }
}

/// A draw of Beta(alpha, beta), both at least 1, from a stream.
pub(crate) fn beta_variable(alpha: f64, beta: f64, stream: &mut Stream) -> f64 {
    let a = gamma(alpha, stream);
    a / (a + gamma(beta, stream))
}

/// A gamma variable of the given shape, at least 1.
#[inline]
pub(super) fn gamma(shape: f64, stream: &mut Stream) -> f64 {
    GammaShape::new(shape).draw(stream)
}

/// The shape of a gamma law, at least 1, ready for many draws.
#[derive(Debug, Clone, Copy)]
pub(super) struct GammaShape {
    d: f64,
    c: f64,
}

impl GammaShape {
    #[inline]
    pub(super) fn new(shape: f64) -> Self {
        let d = shape - 1.0 / 3.0;
        Self { d, c: 1.0 / (9.0 * d).sqrt() }
    }

    #[inline]
    pub(super) fn draw(self, stream: &mut Stream) -> f64 {
        let Self { d, c } = self;
        loop {
            let x = stream.normal();
            let root = 1.0 + c * x;
            if root <= 0.0 {
                continue;
            }
            let v = root * root * root;
            let u = open_unit(stream.bits());
            let x2 = x * x;
            if u < 1.0 - 0.0331 * x2 * x2 || libm::log(u) < 0.5 * x2 + d * (1.0 - v + libm::log(v))
            {
                return d * v;
            }
        }
    }
}

/// The logarithm of a gamma variable of any shape; below 1 by `G_a = G_(a+1) U^(1/a)`.
#[inline]
fn log_gamma_variable(shape: f64, stream: &mut Stream) -> f64 {
    if shape >= 1.0 {
        libm::log(gamma(shape, stream))
    } else {
        libm::log(gamma(shape + 1.0, stream)) + libm::log(open_unit(stream.bits())) / shape
    }
}
