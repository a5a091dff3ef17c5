//! g-star transcribed plainly: eight steps, plain vectors, textbook searches. It uses nothing of
//! the library except its inputs.

use graph_bandit::{Agent, Graph, Leg, NodeId, Raised, Sample, Situation, Stream};

/// g-star with default parameters except for these.
pub(crate) struct PlainGStar {
    /// Declared scale.
    pub(crate) h: f64,
    /// The total number of visits, if known.
    pub(crate) horizon: Option<f64>,
    /// Multiplies the variance; g-star has 1.5.
    pub(crate) caution: f64,
    /// The weight of the declared variance in that of one node; g-star has 0.
    pub(crate) doubt: f64,
    /// The share of its caution that it gives up for a quiet leader; g-star has 0.
    pub(crate) trust: f64,
    /// How strongly the trip back counts before it leaves a rival; g-star has 0.
    pub(crate) foresight: f64,
    /// A bargain among this many nodes nearest by cost is enough.
    pub(crate) near: usize,
}

impl PlainGStar {
    /// g-star as it is.
    pub(crate) const DEFAULT: Self = Self {
        h: 0.5,
        horizon: None,
        caution: 1.5,
        doubt: 0.0,
        trust: 0.0,
        foresight: 0.0,
        near: usize::MAX,
    };
}

/// The sum of squared deviations from the mean.
pub(super) fn scatter(seen: &Sample) -> f64 {
    (seen.sum_of_squares - seen.sum * seen.sum / seen.count as f64).max(0.0)
}

/// The variance of each node: its own rewards, those of all nodes as ten visits, and the declared
/// variance `h2` as `doubt` visits.
pub(super) fn variances(seen: &[Sample], h2: f64, doubt: f64) -> Vec<f64> {
    let (mut sum, mut weight) = (2.0 * h2, 2.0);
    for s in seen.iter().filter(|s| s.count >= 2) {
        let freedom = s.count as f64 - 1.0;
        let weighs = freedom.min(5.0);
        sum += scatter(s) * weighs / freedom;
        weight += weighs;
    }
    let pooled = (sum / weight).min(h2);
    let own = |s: &Sample| {
        let lent = 10.0 * pooled + doubt * h2;
        ((scatter(s) + lent) / (s.count as f64 - 1.0 + 10.0 + doubt)).min(h2)
    };
    seen.iter().map(own).collect()
}

/// By how much a normal variable of this deviation, and a mean `gap` below zero, is expected to
/// exceed zero.
pub(super) fn expected_improvement(gap: f64, sd: f64) -> f64 {
    let z = gap / sd;
    if sd == 0.0 || z > 8.0 {
        return 0.0;
    }
    let phi = libm::exp(-0.5 * z * z) * 0.398_942_280_401_432_7;
    let above = 0.5 * libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2);
    sd * (phi - z * above).max(0.0)
}

/// For entry costs `cost[s]`: the cost of the nodes between `x` and every node on the cheapest
/// path, and each node's predecessor on that path; ties go to the lowest number.
pub(super) fn ways_from(graph: &Graph, cost: &[f64], x: usize) -> (Vec<f64>, Vec<usize>) {
    let nodes = graph.len();
    let mut d = vec![f64::INFINITY; nodes];
    let mut done = vec![false; nodes];
    let leaving = |d: &[f64], u: usize| if u == x { 0.0 } else { d[u] + cost[u] };
    d[x] = 0.0;
    for _ in 0..nodes {
        let mut next = None;
        for u in (0..nodes).filter(|&u| !done[u] && d[u].is_finite()) {
            if next.is_none_or(|v| leaving(&d, u) < leaving(&d, v)) {
                next = Some(u);
            }
        }
        let Some(u) = next else { break };
        done[u] = true;
        for v in graph.neighbors(u as NodeId).map(|v| v as usize) {
            if !done[v] && leaving(&d, u) < d[v] {
                d[v] = leaving(&d, u);
            }
        }
    }
    let before = |v: usize| {
        let near = graph.neighbors(v as NodeId).map(|u| u as usize);
        near.filter(|&u| u != v && leaving(&d, u) == d[v]).min()
    };
    let before = (0..nodes).map(|v| if v == x { x } else { before(v).unwrap() }).collect();
    (d, before)
}

pub(super) fn path(before: &[usize], x: usize, v: usize) -> Vec<NodeId> {
    let mut path = Vec::new();
    let mut u = v;
    while u != x {
        path.push(u as NodeId);
        u = before[u];
    }
    path.reverse();
    path
}

/// The next node on the lowest-numbered path of fewest hops to `target`.
fn hops_to(graph: &Graph, target: usize) -> Vec<usize> {
    let mut hops = vec![usize::MAX; graph.len()];
    hops[target] = 0;
    for _ in 0..graph.len() {
        for (a, b) in graph.edges() {
            let (a, b) = (a as usize, b as usize);
            hops[a] = hops[a].min(hops[b].saturating_add(1));
            hops[b] = hops[b].min(hops[a].saturating_add(1));
        }
    }
    hops
}

/// Makes the way to the nearest unvisited node the leg, if there is one; ties go to the lowest number.
pub(super) fn lay_to_unvisited(now: &Situation<'_>, leg: &mut Leg) -> bool {
    let x = now.at as usize;
    let unvisited = (0..now.graph.len()).filter(|&v| now.estimates.count(v as NodeId) == 0);
    let from_x = hops_to(now.graph, x);
    let Some(target) = unvisited.min_by_key(|&v| (from_x[v], v)) else { return false };
    leg.stay = u64::from(target == x);
    let to_target = hops_to(now.graph, target);
    let mut u = x;
    while u != target {
        let near = now.graph.neighbors(u as NodeId).map(|v| v as usize);
        u = near.filter(|&v| to_target[v] + 1 == to_target[u]).min().unwrap();
        leg.path.push(u as NodeId);
    }
    true
}

impl Agent for PlainGStar {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let (k, x, h2) = (now.graph.len(), now.at as usize, self.h * self.h);
        let seen = now.estimates.samples();
        leg.path.clear();
        leg.stay = 0;

        // 1. Unvisited nodes first: the nearest by hops, lowest number, one visit.
        if lay_to_unvisited(now, leg) {
            return Ok(());
        }

        let t = now.estimates.visits() as f64;
        let n: Vec<f64> = seen.iter().map(|s| s.count as f64).collect();
        let m: Vec<f64> = seen.iter().map(|s| s.sum / s.count as f64).collect();
        let mut b = x;
        for v in 0..k {
            if m[v] > m[b] {
                b = v;
            }
        }
        let gap: Vec<f64> = m.iter().map(|mean| m[b] - mean).collect();

        // 2. and 3. The variance of each node.
        let own = variances(seen, h2, self.doubt);
        let own = |v: usize| own[v];
        // By how much the best node is quieter than the others.
        let (mut lead, mut weight) = (0.0, 2.0);
        for v in (0..k).filter(|&v| v != b && seen[v].count >= 2) {
            let weighs = (n[v] - 1.0).min(5.0);
            let variance = scatter(&seen[v]) / (n[v] - 1.0);
            if variance > own(b) {
                lead += weighs * (1.0 - own(b) / variance);
            }
            weight += weighs;
        }
        let lead: f64 = lead / weight;
        let caution = self.caution * (1.0 - self.trust * lead * lead * lead);
        let sd = |v: usize| (caution * own(v) / n[v]).sqrt();

        // 4. Expected improvement.
        let ei = |v: usize| if v == b { 0.0 } else { expected_improvement(gap[v], sd(v)) };
        let ei: Vec<f64> = (0..k).map(ei).collect();

        // 5. to 8. Gain, detour, price, and the best bargain.
        let future = self.horizon.map_or(t, |all| (all - t).max(1.0));
        let most = ei.iter().copied().fold(0.0, f64::max);
        let total: f64 = ei.iter().sum();
        let step = 2e-9 * self.h;
        let cost: Vec<f64> = gap.iter().map(|gap| gap + step).collect();
        let (from_x, before) = ways_from(now.graph, &cost, x);
        let (from_b, _) = ways_from(now.graph, &cost, b);
        let visits = |v: usize| {
            let hops = path(&before, x, v).len() as u64;
            (seen[v].count / 2 + hops).max(1)
        };
        let best_within = |limit: f64| {
            let (mut destination, mut bargain) = (b, 1.0);
            for v in (0..k).filter(|&v| ei[v] > 0.0 && (v == x || from_x[v] < limit)) {
                let mut gain = future * most / total * ei[v];
                let detour = (from_x[v] + 0.5 * from_b[v] - from_x[b]).max(0.0);
                let price = detour + gap[v] * visits(v) as f64 + step;
                if v == x {
                    // To come back, the agent would walk from the best node, and half the way home.
                    let trip = 1.5 * from_x[b];
                    gain *= libm::pow(1.0 + trip / price, self.foresight);
                }
                if gain > bargain * price {
                    (destination, bargain) = (v, gain / price);
                }
            }
            destination
        };
        let mut nearest = from_x.clone();
        nearest.sort_by(f64::total_cmp);
        let mut destination =
            nearest.get(self.near).map_or(b, |_| best_within(nearest[self.near - 1]));
        if destination == b {
            destination = best_within(f64::INFINITY);
        }
        leg.path = path(&before, x, destination);
        leg.stay = visits(destination) - u64::from(destination != x);
        Ok(())
    }
}
