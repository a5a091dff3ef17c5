//! Theorems L1 and L2: no agent does better, and some come near.
//!
//! # How near
//!
//! - Theorem L1: for two nodes and coins, dynamic programming finds the least regret of any agent
//!   in the hard case. It is above the bound; for some `T` it is only 1.68 times the bound. On a
//!   complete graph and a line of four nodes, all agents of the registry are above the bound; the
//!   lowest regret is 1.63 times the bound.
//! - Theorem L2: the tests use a plain agent whose regret can be computed. Its epochs grow by a
//!   fixed factor; in each it compares the two contenders and stays on the better. We take the
//!   least `C` for which it keeps the promise of the theorem for large `t`, where travel hardly
//!   counts. (With a larger gap, this agent has more regret than `C h sqrt(t)`: it looks at the
//!   worse contender for a fixed share of every epoch. The theorem covers it all the same.) Then it
//!   crosses 4.2 times as often as the bound says if its epochs grow a millionfold (`C` is about
//!   950), and 6.7 times as often if they grow a hundredfold (`C` is about 11). So with five times
//!   its constant, the bound would be false. The agent does not keep the promise for a `C` whose
//!   `lambda` is far below the factor by which its epochs grow. The step "at the tie" is checked
//!   exactly, over all that an agent can see in ten visits: some agents reach more than half of the
//!   divergence that it allows.
//!
//! # What is loose or missing
//!
//! - *Constants.* The 550 is under a logarithm, but at usual `T` it matters. At the tie of
//!   `crossings.rs`, an agent with `C = 2` must cross half a time per stretch, and in a stretch `t` grows by
//!   a factor of 1,102. `g-star` crosses about three times while `t` grows that much.
//! - *What agents promise.* Nobody has proven `E regret(t) <= C h sqrt(t)` for `g-star`, so the
//!   theorem does not apply to it, and its crossings are an observation.
//! - *Fixed gaps.* Both theorems are about the worst means. For fixed means, the lower bound is
//!   that of Lai and Robbins, of order `log T` and without travel.
//! - *Roads.* If roads take time, a crossing also takes their time. We state Theorem L2 only for
//!   steps of one unit, and Theorem L1 for visits.

use super::changing_floor::least_regret;
use graph_bandit::theory::{HardNoise, NoiseFloor, TravelFloor};
use graph_bandit::{AgentSpec, Graph, Law, Preset, RunPlan, Seed, Stream, World, run};

const COIN: NoiseFloor =
    NoiseFloor { nodes: 2, scale: 0.5, noise: HardNoise::TwoValues, steps: 8, init_steps: 0 };

#[test]
fn the_best_agent_of_all_is_above_theorem_l1_and_near_it() {
    let mut closest = f64::INFINITY;
    for steps in [8, 20, 50, 100] {
        let floor = NoiseFloor { steps, ..COIN };
        let least = least_regret(0.5, floor.hard_gap(), steps as usize);
        let bound = floor.regret().unwrap();
        assert!(least >= bound, "{least} {bound}");
        closest = closest.min(least / bound);
    }
    assert!(closest < 1.7, "{closest}");
}

#[test]
fn every_agent_is_above_theorem_l1() {
    const CASES: u64 = 60;
    let mut closest = f64::INFINITY;
    for graph in [Graph::complete(4).unwrap(), Graph::line(4).unwrap()] {
        // Some agents need a complete graph, and the oracle knows the best node.
        let takes_it = |spec: &AgentSpec| spec.build(&graph).is_ok() && spec.name() != "oracle";
        for spec in AgentSpec::all(Preset::Paper).into_iter().filter(takes_it) {
            let (mut mean, mut bound) = (0.0, 0.0);
            for k in 0..CASES {
                let best = Seed(711).child(k).stream().below(4) as usize;
                let plan = RunPlan::new(2_000, 1);
                let floor = NoiseFloor { nodes: 4, steps: 2_000, init_steps: 8, ..COIN };
                let gap = floor.hard_gap();
                let law = |s| Law::bernoulli(if s == best { 0.5 + gap } else { 0.5 }).unwrap();
                let world = World::new(graph.clone(), (0..4).map(law).collect()).unwrap();
                let mut agent = spec.build(&graph).unwrap();
                let record = run(&world, agent.as_mut(), &plan, Seed(712).child(k)).unwrap();
                assert!(record.init.steps <= 8, "the gap is that of a later time");
                mean += record.checkpoints[0].regret / CASES as f64;
                bound = floor.regret().unwrap();
            }
            assert!(mean >= bound, "{}: {mean} {bound}", spec.name());
            closest = closest.min(mean / bound);
        }
    }
    assert!(closest < 1.7, "{closest}");
}

/// A plain agent for two equal contenders whose regret can be computed, with noise of scale one.
///
/// Its epochs grow by a factor `growth`. At the start of each it goes to the contender it is not on,
/// until that one has `share` times as many visits as there were steps so far. Then it compares the
/// means of equally many visits of both, and spends the rest of the epoch on the better. At a tie
/// that is one crossing, and a second with probability 1/2.
#[derive(Clone, Copy)]
struct Epochs {
    growth: f64,
    share: f64,
}

impl Epochs {
    /// At least its expected regret until `t` if one contender is better by `gap`, without travel.
    fn regret(&self, gap: f64, t: f64) -> f64 {
        let (mut start, mut regret) = (1.0_f64, 0.0);
        while start < t {
            let length = (start * self.growth).min(t) - start;
            let trial = (self.share * start).min(length);
            let signal = gap * (self.share * start / 2.0).sqrt();
            let wrong = 0.5 * libm::erfc(signal / std::f64::consts::SQRT_2);
            regret += gap * (trial + (length - trial) * wrong);
            start *= self.growth;
        }
        regret
    }

    /// The least `C`, up to 2%, for which the agent keeps what the proof of Theorem L2 uses: regret
    /// of at most `C sqrt(lambda t)` at `lambda t`, if a contender is better by
    /// `0.388 sqrt(2 / t)`, for every `t`.
    fn rate(&self) -> f64 {
        let from = self.growth * self.growth * self.growth;
        let mut rate = 0.35;
        loop {
            let stretch = two_contenders(rate).stretch();
            let keeps = |k: u32| {
                let t = from * libm::pow(self.growth, f64::from(k) / 40.0);
                let regret = self.regret(0.388 * (2.0 / t).sqrt(), stretch * t);
                regret <= rate * (stretch * t).sqrt()
            };
            if (0..=40).all(keeps) {
                return rate;
            }
            rate *= 1.02;
        }
    }
}

/// Theorem L2 for two contenders and regret of at most `rate sqrt(t)`.
fn two_contenders(rate: f64) -> TravelFloor {
    TravelFloor { contenders: 2, apart: 2, gap: 1.0, rate, first: 16, last: u64::MAX }
}

#[test]
fn theorem_l2_with_five_times_its_constant_fails() {
    let mut closest = f64::INFINITY;
    for growth in [100.0, 1e4, 1e6] {
        for share in [0.05, 0.1] {
            let agent = Epochs { growth, share };
            let floor = two_contenders(agent.rate());
            // Crossings per factor e of time.
            let bound = 0.5 / libm::log(floor.stretch());
            let made = 1.5 / libm::log(growth);
            assert!(made >= bound, "{growth} {share}");
            closest = closest.min(made / bound);
        }
    }
    assert!(closest < 4.5, "{closest}");
}

#[test]
fn crossing_less_often_breaks_the_promise() {
    // Epochs far longer than lambda: none of these C will do, as the theorem says.
    let lazy = Epochs { growth: 1e12, share: 0.1 };
    for rate in [0.35, 1.0, 10.0, 100.0, 1e4] {
        let stretch = two_contenders(rate).stretch();
        assert!(stretch < lazy.growth / 30.0);
        let t = 1e36;
        let regret = lazy.regret(0.388 * (2.0_f64 / t).sqrt(), stretch * t);
        assert!(regret > rate * (stretch * t).sqrt(), "{rate}");
    }
}

fn divergence(p: f64, q: f64) -> f64 {
    let part = |p: f64, q: f64| if p == 0.0 { 0.0 } else { p * libm::log(p / q) };
    part(p, q) + part(1.0 - p, 1.0 - q)
}

/// What an agent does with two contenders that pay 0 or 1: which one it visits next, and after the
/// last visit, which ones it leaves out from then on.
trait Comparison {
    fn visits(&mut self, seen: [[u32; 2]; 2]) -> usize;
    fn leaves_out(&mut self, seen: [[u32; 2]; 2]) -> [bool; 2];
}

/// Visits the contender with fewer visits, or always the same; leaves out the one with fewer
/// successes, if any.
struct ByMean {
    balanced: bool,
}

impl Comparison for ByMean {
    fn visits(&mut self, seen: [[u32; 2]; 2]) -> usize {
        let counts = seen.map(|[failures, successes]| failures + successes);
        usize::from(self.balanced && counts[1] < counts[0])
    }

    fn leaves_out(&mut self, seen: [[u32; 2]; 2]) -> [bool; 2] {
        let lead = |s: usize| f64::from(seen[s][1]) - f64::from(seen[s][0]);
        if self.balanced { [lead(0) < lead(1), lead(1) < lead(0)] } else { [lead(0) < 0.0, true] }
    }
}

/// Decides everything by lot.
struct ByLot(Stream);

impl Comparison for ByLot {
    fn visits(&mut self, _seen: [[u32; 2]; 2]) -> usize {
        self.0.below(2) as usize
    }

    fn leaves_out(&mut self, _seen: [[u32; 2]; 2]) -> [bool; 2] {
        [self.0.below(3) == 0, self.0.below(3) == 0]
    }
}

/// Sums over all that can be seen in `left` more visits: visits at the tie, and the probability that
/// a contender is left out, at the tie and if that contender is better.
#[derive(Default)]
struct Sums {
    visits: [f64; 2],
    left_out: [f64; 2],
    left_out_if_better: [f64; 2],
}

impl Sums {
    fn add(
        &mut self,
        agent: &mut dyn Comparison,
        (seen, left): ([[u32; 2]; 2], u32),
        (tie, better): (f64, [f64; 2]),
        high: f64,
    ) {
        if left == 0 {
            let out = agent.leaves_out(seen);
            for v in 0..2 {
                self.visits[v] += tie * f64::from(seen[v][0] + seen[v][1]);
                self.left_out[v] += if out[v] { tie } else { 0.0 };
                self.left_out_if_better[v] += if out[v] { better[v] } else { 0.0 };
            }
            return;
        }
        let visited = agent.visits(seen);
        for reward in 0..2 {
            let mut seen = seen;
            seen[visited][reward] += 1;
            let chance = |v: usize| match (v == visited, reward) {
                (false, _) => 0.5,
                (true, 1) => high,
                (true, _) => 1.0 - high,
            };
            let better = [better[0] * chance(0), better[1] * chance(1)];
            self.add(agent, (seen, left - 1), (tie / 2.0, better), high);
        }
    }
}

/// The step "At the tie" of the proof, exactly: whoever leaves out a contender at the tie with some
/// probability, but hardly ever if it is better, must have visited it.
#[test]
fn to_leave_out_a_contender_takes_visits() {
    const VISITS: u32 = 10;
    let mut closest = 0.0_f64;
    let mut check = |agent: &mut dyn Comparison, high: f64| {
        let mut sums = Sums::default();
        sums.add(agent, ([[0; 2]; 2], VISITS), (1.0, [1.0; 2]), high);
        assert!((sums.visits[0] + sums.visits[1] - f64::from(VISITS)).abs() < 1e-9);
        for v in 0..2 {
            let told = divergence(sums.left_out[v], sums.left_out_if_better[v]);
            let most = sums.visits[v] * divergence(0.5, high);
            assert!(told <= most + 1e-12, "{told} {most}");
            closest = closest.max(if most > 0.0 { told / most } else { 0.0 });
        }
    };
    for high in [0.55, 0.65, 0.8] {
        check(&mut ByMean { balanced: true }, high);
        check(&mut ByMean { balanced: false }, high);
        for k in 0..20 {
            check(&mut ByLot(Seed(713).child(k).stream()), high);
        }
    }
    assert!(closest > 0.5, "{closest}");
}
