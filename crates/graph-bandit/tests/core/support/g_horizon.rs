//! g-horizon transcribed plainly: five steps, plain vectors, textbook searches. It uses nothing of
//! the library except its inputs.

use super::g_star::{lay_to_unvisited, path, ways_from};
use graph_bandit::{Agent, Leg, Raised, Situation, Stream};

/// g-horizon with these parameters.
pub(crate) struct PlainGHorizon {
    /// Declared scale.
    pub(crate) h: f64,
    /// The total number of visits, if known.
    pub(crate) horizon: Option<f64>,
    /// Multiplies the variance when it decides whether to stay.
    pub(crate) caution: f64,
}

const KS: f64 = 1.0;
const KN: f64 = 3.0;
const SETTLE: u64 = 20;
const SREL: u64 = 10;

impl Agent for PlainGHorizon {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let (k, u, h2) = (now.graph.len(), now.at as usize, self.h * self.h);
        leg.path.clear();
        leg.stay = 0;
        if lay_to_unvisited(now, leg) {
            return Ok(());
        }

        // The remaining visits, the leader, the gaps.
        let t = now.estimates.visits() as f64;
        let r = self.horizon.map_or(3.0 * t, |all| (all - t).max(1.0));
        let seen = now.estimates.samples();
        let count = |v: usize| seen[v].count;
        let n: Vec<f64> = seen.iter().map(|s| s.count as f64).collect();
        let m: Vec<f64> = seen.iter().map(|s| s.sum / s.count as f64).collect();
        let mut l = u;
        for v in 0..k {
            if m[v] > m[l] {
                l = v;
            }
        }
        let gap: Vec<f64> = m.iter().map(|mean| m[l] - mean).collect();

        // The variance of all nodes, and of each.
        let w = |v: usize| (seen[v].sum_of_squares - seen[v].sum * seen[v].sum / n[v]).max(0.0);
        let (mut sum, mut weight) = (2.0 * h2, 2.0);
        for v in (0..k).filter(|&v| count(v) >= 2) {
            let weighs = (n[v] - 1.0).min(5.0);
            sum += w(v) * weighs / (n[v] - 1.0);
            weight += weighs;
        }
        let pooled = (sum / weight).min(h2);
        let s2 = |v: usize| ((w(v) + 10.0 * pooled) / (n[v] - 1.0 + 10.0)).min(h2);

        // Expected improvement, the cost of a look, a short stay.
        let ei = |v: usize, caution: f64| {
            let sd = (caution * s2(v) / n[v]).sqrt();
            let z = gap[v] / sd;
            if v == l || sd == 0.0 || z > 8.0 {
                return 0.0;
            }
            let phi = libm::exp(-0.5 * z * z) * 0.398_942_280_401_432_7;
            let above = 0.5 * libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2);
            sd * (phi - z * above).max(0.0)
        };
        let look = |v: usize| (KS + KN * n[v]) * gap[v];
        let few = |v: usize| (count(v) / 16).max(1);

        // 1. Stay until resolved; settle the leader; the leader first.
        let unresolved = r * ei(u, self.caution) > look(u) && count(u) < 8 * count(l);
        if (u != l && unresolved) || (u == l && count(l) < SETTLE) {
            leg.stay = few(u);
            return Ok(());
        }
        let step = 2e-9 * self.h;
        let cost: Vec<f64> = gap.iter().map(|gap| gap + step).collect();
        let (out, before) = ways_from(now.graph, &cost, u);
        let (back, _) = ways_from(now.graph, &cost, l);
        let straight = out[l];
        if u != l && count(l) < 4 {
            leg.path = path(&before, u, l);
            return Ok(());
        }

        // 2. Candidates.
        let gain = |v: usize| r * ei(v, self.caution.min(1.2));
        let is_candidate = |&v: &usize| {
            let detour = (out[v] + back[v] - straight).max(0.0);
            v != u
                && v != l
                && gain(v) > detour + look(v) + step
                && (u == l || count(v) < 2 * count(l))
        };
        let candidates: Vec<usize> = (0..k).filter(is_candidate).collect();

        // 3. None: go to the leader, or stay there.
        if candidates.is_empty() {
            leg.path = path(&before, u, l);
            leg.stay = if u == l { count(l) / 4 + 1 } else { 0 };
            return Ok(());
        }
        // 4. Wait until the leader is known well enough.
        if u == l && candidates.iter().any(|&v| count(l) < SREL * count(v)) {
            leg.stay = few(l);
            return Ok(());
        }
        // 5. Near, not on the way home, of high gain.
        let delay = |v: usize| {
            let homeward = (out[v] - back[v] + straight).max(0.0);
            (out[v] + 2.0 * homeward + 0.5 * self.h) / libm::pow(gain(v) / self.h, 0.2)
        };
        let mut first = candidates[0];
        for &v in &candidates {
            if delay(v) < delay(first) {
                first = v;
            }
        }
        leg.path = path(&before, u, first);
        Ok(())
    }
}
