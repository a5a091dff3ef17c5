//! Simulated agents: a world inside the process pays rewards, and asks and reports like a robot.
//!
//! A simulation has no state. The next reward follows from the agent's definition and reports, so every simulation of
//! an agent continues with the same luck. Its reports name the robot [`ROBOT`].

use crate::agent::{Definition, Order, WalkerName};
use crate::fleet::{Fleet, FleetError, Holding, Remarks, Report, Reported, Told, for_client};
use graph_bandit::random::label;
use graph_bandit::team::WalkerId;
use graph_bandit::{Law, NodeId, Raised, Seed, SpecError, Tape, Time};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval};

/// The name of the robot in the reports of simulations.
pub const ROBOT: &str = "simulation";
/// How often a visit is reported to a simulated agent.
pub const REPORTS_PER_SECOND: u32 = 8;
/// A simulation ends after this many reports: nobody may be watching any more.
pub const MOST_REPORTS: u32 = 10_000;

/// The mean rewards and the noise of simulated worlds, as in `gbandit run`.
const MEANS: &str = "uniform:0.5,9.5";
const NOISE: &str = "uniform:0.5";
/// The label of the simulated world's randomness, below the agent's seed.
const WORLDS: u64 = 32;
/// A simulation ends after this many failures in a row.
const MOST_FAILURES: u32 = 20;

/// Why an agent is not simulated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// This service does not simulate agents.
    #[error("this service does not simulate agents; start it without --no-demo")]
    Off,
    /// Too many simulations.
    #[error("{most} agents are already simulated, which is the limit; stop one of them first")]
    TooMany {
        /// How many there may be.
        most: usize,
    },
    /// The fleet's error.
    #[error(transparent)]
    Fleet(#[from] FleetError),
}

/// All simulations of a process.
pub struct Simulations {
    fleet: Arc<Fleet>,
    most: usize,
    running: Arc<Mutex<Running>>,
    /// How many simulations have begun so far.
    begun: AtomicU64,
}

/// The running simulations, by the name of the agent.
type Running = BTreeMap<String, Simulated>;

struct Simulated {
    /// Distinguishes a simulation of an agent from a later one.
    turn: u64,
    _stop: oneshot::Sender<()>,
}

impl Simulations {
    /// Simulations of this fleet's agents, at most `most` at once.
    pub fn new(fleet: Arc<Fleet>, most: usize) -> Self {
        Self { fleet, most, running: Arc::default(), begun: AtomicU64::new(0) }
    }

    /// How many there may be at once.
    pub fn most(&self) -> usize {
        self.most
    }

    /// The simulated agents, in the order of their names.
    pub fn agents(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts to simulate an agent, unless it is already simulated.
    ///
    /// # Errors
    /// When there is no such agent, too many are simulated, or simulations are off.
    pub async fn start(&self, id: &str) -> Result<(), SimulationError> {
        if self.most == 0 {
            return Err(SimulationError::Off);
        }
        let world = self.fleet.look(id, |live| World::of(live.definition(), live.graph().len()));
        let world = world.await?.map_err(|error| {
            tracing::error!(%error, "a simulated world cannot be made");
            FleetError::Defect
        })?;
        let mut running = self.lock();
        if running.contains_key(id) {
            return Ok(());
        }
        if running.len() >= self.most {
            return Err(SimulationError::TooMany { most: self.most });
        }
        let (stop, stopped) = oneshot::channel();
        let turn = self.begun.fetch_add(1, Ordering::Relaxed);
        running.insert(id.to_owned(), Simulated { turn, _stop: stop });
        let simulation = Simulation { fleet: Arc::clone(&self.fleet), id: id.to_owned(), world };
        let (all, id) = (Arc::clone(&self.running), id.to_owned());
        let work = for_client(ROBOT.into(), Holding::default(), async move {
            tokio::select! {
                () = simulation.run() => {}
                // The sender is gone, which also means to stop.
                _ = stopped => {}
            }
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            if all.get(&id).is_some_and(|there| there.turn == turn) {
                all.remove(&id);
            }
        });
        tokio::spawn(work);
        Ok(())
    }

    /// Stops simulating an agent, if it is simulated.
    ///
    /// # Errors
    /// When there is no such agent.
    pub async fn stop(&self, id: &str) -> Result<(), SimulationError> {
        self.lock().remove(id);
        Ok(self.fleet.look(id, |_| ()).await?)
    }

    /// Stops all simulations.
    pub fn stop_all(&self) {
        self.lock().clear();
    }
}

/// The rewards of a simulated agent's nodes.
#[derive(Debug, Clone)]
struct World {
    laws: Vec<Law>,
    tape: Tape,
}

impl World {
    fn of(definition: &Definition, nodes: usize) -> Result<Self, SpecError> {
        Self::new(definition.seed.child(WORLDS), nodes)
    }

    fn new(seed: Seed, nodes: usize) -> Result<Self, SpecError> {
        let means = MEANS.parse::<graph_bandit::MeansSpec>()?.draw(nodes, seed)?;
        let laws = NOISE.parse::<graph_bandit::RewardSpec>()?.laws(&means)?;
        Ok(Self { laws, tape: Tape::new(seed) })
    }

    /// What visit number `visit` to a node pays.
    fn reward(&self, node: NodeId, visit: u64, at: Time) -> Result<f64, Raised> {
        let law = self.laws.get(node as usize);
        // The agent may have been replaced by one on a larger graph since the world was made.
        let law = law
            .ok_or_else(|| Raised::new("the agent has another graph than its world".to_owned()))?;
        law.draw(self.tape.node(node), visit, at)
    }
}

/// One simulation.
struct Simulation {
    fleet: Arc<Fleet>,
    id: String,
    world: World,
}

/// The outcome of a report.
enum Outcome {
    Told,
    /// It failed this time.
    Failed(FleetError),
    /// The agent is gone.
    Gone,
}

impl Simulation {
    async fn run(self) {
        let mut ticks = interval(Duration::from_secs(1) / REPORTS_PER_SECOND);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut number, mut failures) = (None, 0);
        for _ in 0..MOST_REPORTS {
            ticks.tick().await;
            match self.report(&mut number).await {
                Outcome::Told => failures = 0,
                Outcome::Gone => return,
                Outcome::Failed(error) => {
                    failures += 1;
                    if failures == MOST_FAILURES {
                        tracing::warn!(agent = self.id, %error, "a simulation ended");
                        return;
                    }
                }
            }
        }
    }

    /// Makes the next visit of the order, and reports its reward. `number` is the agent's number, once it is known.
    async fn report(&self, number: &mut Option<u64>) -> Outcome {
        match self.told(number).await {
            Ok(outcome) => outcome,
            Err(FleetError::NoSuchAgent { .. } | FleetError::OtherAgent { .. }) => Outcome::Gone,
            Err(error) => Outcome::Failed(error),
        }
    }

    async fn told(&self, number: &mut Option<u64>) -> Result<Outcome, FleetError> {
        let walkers =
            self.fleet.look(&self.id, |live| live.team().map(|team| team.walkers().to_vec()));
        match walkers.await? {
            None => self.told_by(None, number).await,
            // Every walker of a team makes a visit.
            Some(walkers) => {
                for walker in walkers {
                    if let Outcome::Gone = self.told_by(Some(walker), number).await? {
                        return Ok(Outcome::Gone);
                    }
                }
                Ok(Outcome::Told)
            }
        }
    }

    /// Makes a visit, of this walker if it is a team.
    async fn told_by(
        &self,
        walker: Option<WalkerId>,
        number: &mut Option<u64>,
    ) -> Result<Outcome, FleetError> {
        let walker = walker.map(WalkerName::Number);
        let order = self.fleet.ask_for(&self.id, walker.clone()).await?;
        if *number.get_or_insert(order.number) != order.number {
            // Another agent has the name, perhaps on another graph.
            return Ok(Outcome::Gone);
        }
        let node = order.path.first().map_or(order.at.node, |place| place.node);
        let seen = self.fleet.look(&self.id, move |live| {
            let known = (node as usize) < live.graph().len();
            let (at, time) = live
                .alone()
                .map_or((Time::START, None), |live| (Time(live.time()), live.expected_time()));
            known.then(|| (live.estimates().count(node), at, time))
        });
        let Some((visit, at, time)) = seen.await? else { return Ok(Outcome::Gone) };
        let reward = self.world.reward(node, visit, at).map_err(|error| {
            tracing::error!(%error, "a simulated law failed");
            FleetError::Defect
        })?;
        let paid = paid(order, reward, time);
        self.fleet.report(&self.id, Reported { walker, ..paid }).await?;
        Ok(Outcome::Told)
    }
}

/// The report of one visit as ordered; `time` is when it ended, if the agent's clock follows times.
fn paid(order: Order, reward: f64, time: Option<f64>) -> Reported {
    let told = Told::One { reward, at: None, took: None, time };
    let remarks = Remarks { robot: Some(ROBOT.to_owned()), ..Remarks::default() };
    Reported {
        remarks,
        number: Some(order.number),
        seal: Some(order.seal),
        ..Reported::new(order.sequence, Report::Told(told))
    }
}

// The label must not be one of the core's.
const _: () = assert!(WORLDS > label::WALKERS);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::AgentRequest;
    use crate::fleet::FleetLimits;
    use crate::metrics::Metrics;
    use crate::store::MemoryStore;
    use serde_json::{from_value, json};

    fn fleet() -> Arc<Fleet> {
        let store = Arc::new(MemoryStore::default());
        Fleet::new(store, FleetLimits::default(), Arc::<Metrics>::default())
    }

    async fn create(fleet: &Arc<Fleet>, id: &str) {
        let request: AgentRequest =
            from_value(json!({"id": id, "graph": "grid:3x3", "seed": 4})).unwrap();
        fleet.create(request).await.unwrap();
    }

    async fn until(fleet: &Arc<Fleet>, id: &str, reports: u64) {
        let mut watcher = fleet.watch(id);
        while fleet.look(id, |live| live.sequence()).await.unwrap() < reports {
            watcher.changed().await;
        }
    }

    /// Every node was paid the first rewards of its tape, and the log names the robot.
    #[tokio::test]
    async fn a_simulated_agent_gets_the_rewards_of_its_world() {
        let fleet = fleet();
        create(&fleet, "demo").await;
        let simulations = Simulations::new(Arc::clone(&fleet), 2);
        simulations.start("demo").await.unwrap();
        simulations.start("demo").await.unwrap();
        assert_eq!(simulations.agents(), ["demo"]);
        until(&fleet, "demo", 5).await;
        simulations.stop("demo").await.unwrap();
        assert!(simulations.agents().is_empty());
        let samples = fleet.look("demo", |live| live.estimates().samples().to_vec()).await.unwrap();
        let world = World::new(Seed(4).child(WORLDS), 9).unwrap();
        for (node, sample) in (0..).zip(&samples) {
            let rewards = (0..sample.count).map(|k| world.reward(node, k, Time::START).unwrap());
            assert_eq!(sample.sum, rewards.fold(0.0, |sum, reward| sum + reward), "{node}");
        }
        assert!(samples.iter().map(|sample| sample.count).sum::<u64>() >= 5);
    }

    #[tokio::test]
    async fn simulations_are_limited_and_can_be_off() {
        let fleet = fleet();
        for id in ["a", "b", "c"] {
            create(&fleet, id).await;
        }
        let simulations = Simulations::new(Arc::clone(&fleet), 2);
        simulations.start("b").await.unwrap();
        simulations.start("a").await.unwrap();
        let refused = simulations.start("c").await.unwrap_err();
        assert!(matches!(refused, SimulationError::TooMany { most: 2 }), "{refused}");
        assert_eq!(simulations.agents(), ["a", "b"]);
        let nobody = simulations.start("nobody").await.unwrap_err();
        assert!(matches!(nobody, SimulationError::Fleet(FleetError::NoSuchAgent { .. })));
        simulations.stop_all();
        assert!(simulations.agents().is_empty());
        let off = Simulations::new(fleet, 0).start("a").await.unwrap_err();
        assert_eq!(
            off.to_string(),
            "this service does not simulate agents; start it without --no-demo"
        );
    }

    #[tokio::test]
    async fn a_simulation_ends_with_its_agent() {
        let fleet = fleet();
        create(&fleet, "brief").await;
        let simulation = |fleet: &Arc<Fleet>| Simulation {
            fleet: Arc::clone(fleet),
            id: "brief".to_owned(),
            world: World::new(Seed(4).child(WORLDS), 9).unwrap(),
        };
        let mut number = None;
        assert!(matches!(simulation(&fleet).report(&mut number).await, Outcome::Told));
        fleet.delete("brief").await.unwrap();
        assert!(matches!(simulation(&fleet).report(&mut number).await, Outcome::Gone));
        // Another agent of the name is not the one to simulate.
        create(&fleet, "brief").await;
        assert!(matches!(simulation(&fleet).report(&mut number).await, Outcome::Gone));
    }
}
