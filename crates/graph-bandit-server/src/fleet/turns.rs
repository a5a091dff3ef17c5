//! A few work benches, and whose turn it is when one becomes free.
//!
//! Clients take turns, and so do the agents of a client. So a client with much work waits for itself, and
//! a client with little work waits for at most one piece of work of each other client.

use super::asker::Asker;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Benches for one kind of work.
#[derive(Debug)]
pub(super) struct Benches(Mutex<State>);

#[derive(Debug)]
struct State {
    free: usize,
    all: usize,
    /// The client whose turn is next comes first.
    clients: VecDeque<Line<Line<Waiting>>>,
}

/// The waiting work of one client or agent.
#[derive(Debug)]
struct Line<T> {
    name: Arc<str>,
    waiting: VecDeque<T>,
}

#[derive(Debug)]
struct Waiting {
    since: Instant,
    turn: oneshot::Sender<Bench>,
}

/// A taken bench; dropping it passes it on.
#[derive(Debug)]
pub(super) struct Bench(Option<Arc<Benches>>);

impl Drop for Bench {
    fn drop(&mut self) {
        if let Some(benches) = self.0.take() {
            Benches::pass_on(&benches);
        }
    }
}

impl Benches {
    pub(super) fn new(number: usize) -> Arc<Self> {
        Arc::new(Self(Mutex::new(State { free: number, all: number, clients: VecDeque::new() })))
    }

    fn open(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn and returns a bench. A caller that stops waiting loses its turn.
    pub(super) async fn take(self: &Arc<Self>, asker: &Asker) -> Bench {
        loop {
            let turn = {
                let mut state = self.open();
                if state.free > 0 {
                    state.free -= 1;
                    return Bench(Some(Arc::clone(self)));
                }
                let (turn, told) = oneshot::channel();
                let line = line_of(&mut state.clients, &asker.client);
                let line = line_of(line, &asker.agent);
                line.push_back(Waiting { since: Instant::now(), turn });
                told
            };
            // Nobody drops waiting work, so the first answer is the last.
            if let Ok(bench) = turn.await {
                return bench;
            }
        }
    }

    /// Gives a bench to the next caller that still waits.
    fn pass_on(benches: &Arc<Self>) {
        let mut state = benches.open();
        while let Some(next) = next(&mut state.clients) {
            match next.turn.send(Bench(Some(Arc::clone(benches)))) {
                Ok(()) => return,
                // The caller is gone. The bench that comes back must not be dropped: that would pass it on twice.
                Err(mut bench) => bench.0 = None,
            }
        }
        state.free += 1;
    }

    /// How many benches are taken, and how many callers wait.
    pub(super) fn count(&self) -> (usize, usize) {
        let state = self.open();
        (state.all - state.free, waiting(&state).count())
    }

    /// The longest present wait.
    pub(super) fn longest_wait(&self) -> Option<Duration> {
        waiting(&self.open()).map(|waiting| waiting.since.elapsed()).max()
    }
}

fn waiting(state: &State) -> impl Iterator<Item = &Waiting> {
    let agents = state.clients.iter().flat_map(|client| &client.waiting);
    agents.flat_map(|agent| &agent.waiting).filter(|waiting| !waiting.turn.is_closed())
}

fn line_of<'a, T>(lines: &'a mut VecDeque<Line<T>>, name: &Arc<str>) -> &'a mut VecDeque<T> {
    let at = lines.iter().position(|line| line.name == *name).unwrap_or_else(|| {
        lines.push_back(Line { name: Arc::clone(name), waiting: VecDeque::new() });
        lines.len() - 1
    });
    &mut lines[at].waiting
}

/// The next work of the next client. A line goes to the end after its turn.
fn next(clients: &mut VecDeque<Line<Line<Waiting>>>) -> Option<Waiting> {
    let mut client = clients.pop_front()?;
    let found = client.waiting.pop_front().and_then(|mut agent| {
        let found = agent.waiting.pop_front();
        if !agent.waiting.is_empty() {
            client.waiting.push_back(agent);
        }
        found
    });
    if !client.waiting.is_empty() {
        clients.push_back(client);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::future::Future;
    use std::pin::Pin;

    type Taking<'a> = Pin<Box<dyn Future<Output = Bench> + 'a>>;

    fn asker(name: &str) -> Asker {
        let (client, agent) = name.split_once('/').unwrap();
        Asker { client: client.into(), agent: agent.into() }
    }

    /// The order in which these get their turns on one bench.
    async fn turns(names: &[&'static str], gone: &[usize]) -> Vec<&'static str> {
        let benches = Benches::new(1);
        let mut bench = benches.take(&asker("x/x")).await;
        let askers: Vec<Asker> = names.iter().map(|name| asker(name)).collect();
        let mut waiting: Vec<(usize, Taking<'_>)> = Vec::new();
        for (at, asker) in askers.iter().enumerate() {
            let mut taking: Taking<'_> = Box::pin(benches.take(asker));
            assert!((&mut taking).now_or_never().is_none());
            waiting.push((at, taking));
        }
        waiting.retain(|(at, _)| !gone.contains(at));
        assert_eq!(benches.count(), (1, names.len() - gone.len()));
        let mut order = Vec::new();
        while !waiting.is_empty() {
            drop(bench);
            let ready = |(at, (_, taking)): (usize, &mut (usize, Taking<'_>))| {
                Some((at, taking.now_or_never()?))
            };
            let (at, next) = waiting.iter_mut().enumerate().find_map(ready).unwrap();
            order.push(names[waiting.remove(at).0]);
            bench = next;
        }
        drop(bench);
        assert_eq!((benches.count(), benches.longest_wait()), ((0, 0), None));
        order
    }

    #[tokio::test]
    async fn clients_and_their_agents_take_turns() {
        let names = ["a/1", "a/1", "a/1", "a/2", "a/3", "b/1", "b/1", "c/"];
        let order = turns(&names, &[]).await;
        assert_eq!(order, ["a/1", "b/1", "c/", "a/2", "b/1", "a/3", "a/1", "a/1"]);
    }

    #[tokio::test]
    async fn callers_that_left_are_skipped() {
        let names = ["a/1", "a/2", "b/1", "b/1", "c/1"];
        assert_eq!(turns(&names, &[0, 2, 4]).await, ["a/2", "b/1"]);
        assert_eq!(turns(&names, &[0, 1, 2, 3, 4]).await, [""; 0]);
    }
}
