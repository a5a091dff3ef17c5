//! g-horizon transcribed plainly: five steps, plain vectors, textbook searches. It uses nothing of
//! the library except its inputs.

use super::g_star::{expected_improvement, lay_to_unvisited, path, variances, ways_from};
use graph_bandit::{Agent, Leg, Raised, Situation, Stream};

/// g-horizon with these parameters.
pub(crate) struct PlainGHorizon {
    /// Declared scale.
    pub(crate) h: f64,
    /// The total number of visits, if known.
    pub(crate) horizon: Option<f64>,
    /// Multiplies the variance when it decides whether to stay.
    pub(crate) caution: f64,
    /// From 0, for the least mean regret, to 1.
    pub(crate) steady: f64,
}

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

        // What steadiness decides.
        let mix = |a: f64, b: f64| a + self.steady * (b - a);
        let caution = self.caution * mix(1.0, 4.0 / 3.0);

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

        // Expected improvement, and what it is worth: the remaining visits, shared among rivals.
        let s2 = variances(seen, h2, 0.0);
        let ei = |v: usize, caution: f64| {
            if v == l { 0.0 } else { expected_improvement(gap[v], (caution * s2[v] / n[v]).sqrt()) }
        };
        let all: Vec<f64> = (0..k).map(|v| ei(v, caution.min(mix(1.2, 2.0)))).collect();
        let most = all.iter().copied().fold(0.0, f64::max);
        let total: f64 = all.iter().sum();
        let worth = if total > 0.0 { r * most / total } else { 0.0 };

        // The cost of a look, a short stay.
        let look = |v: usize| (mix(1.0, 0.0) + mix(2.0, 0.75) * n[v]) * gap[v];
        let few = |v: usize| (count(v) / 16).max(1);

        // 1. Stay until resolved; settle the leader; the leader first.
        let unresolved = worth * ei(u, caution) > look(u) && n[u] < mix(8.0, 16.0) * n[l];
        if (u != l && unresolved) || (u == l && n[l] < mix(20.0, 40.0)) {
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
        let gain = |v: usize| worth * all[v];
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
        if u == l && candidates.iter().any(|&v| n[l] < mix(10.0, 2.0) * n[v]) {
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
