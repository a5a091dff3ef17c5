//! Where the walker may be after each number of visits, and how much time it may have spent on roads.

use super::error::BayesError;
use super::problem::{BayesProblem, MOST_STATES};
use crate::graph::NodeId;

/// One visit, in the units in which travel is counted: nine decimals of a written time are exact.
pub(super) const VISIT: u64 = 1_000_000_000;

/// A place and the time spent on roads so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Post {
    pub(super) travel: u64,
    pub(super) place: NodeId,
}

/// A visit that a walker may make next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) node: NodeId,
    /// The post in the next layer; `None` if no time is left there for another visit.
    pub(super) then: Option<usize>,
}

/// All posts after equally many visits from which another visit is possible.
#[derive(Debug, Clone, Default)]
pub(super) struct Layer {
    /// Ascending.
    pub(super) posts: Vec<Post>,
    /// Every next visit, each once.
    pub(super) steps: Vec<Step>,
    /// The next visits possible from each post, as positions in `steps`: staying first, then in the
    /// order of the neighbourhood. The first best one is taken.
    pub(super) choices: Vec<Vec<usize>>,
}

/// The time of a road in units of [`VISIT`].
pub(super) fn units(time: f64) -> u64 {
    // Roads take at most MAX_TRAVEL, so the product is far below 2^63.
    (time * VISIT as f64).round() as u64
}

/// All layers with posts, from no visits on.
///
/// # Errors
/// When the layers hold too many states.
pub(super) fn layers(problem: &BayesProblem<'_>) -> Result<Vec<Layer>, BayesError> {
    let end = problem.steps().saturating_mul(VISIT);
    let parts = 2.0 * problem.graph().len() as f64;
    let mut layers: Vec<Layer> = Vec::new();
    let mut posts = vec![Post { travel: 0, place: problem.start() }];
    // C(visits + m - 1, m - 1), and the states so far.
    let (mut counts, mut states) = (1.0, 0.0);
    while !posts.is_empty() {
        let visits = layers.len() as u64;
        states += counts * posts.len() as f64;
        if states > MOST_STATES {
            return Err(problem.too_many_states());
        }
        counts *= (visits as f64 + parts) / (visits as f64 + 1.0);
        let begun = (visits + 1).saturating_mul(VISIT);
        let (layer, next) = layer(problem, posts, end.saturating_sub(begun));
        layers.push(layer);
        posts = next;
    }
    Ok(layers)
}

/// The layer of these posts, and the posts of the next one; `left` is the time for travel and for
/// all later visits.
fn layer(problem: &BayesProblem<'_>, posts: Vec<Post>, left: u64) -> (Layer, Vec<Post>) {
    let graph = problem.graph();
    let reached = |post: &Post| {
        let stay = (post.place, 0);
        let roads = graph.roads_from(post.place).map(|(to, time)| (to, units(time)));
        let after = [stay]
            .into_iter()
            .chain(roads)
            .map(|(place, time)| Post { place, travel: post.travel.saturating_add(time) });
        after.filter(|after| after.travel <= left).collect::<Vec<_>>()
    };
    let reached: Vec<Vec<Post>> = posts.iter().map(reached).collect();
    let mut all: Vec<Post> = reached.iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    let is_before_the_end = |post: &Post| left - post.travel >= VISIT;
    // Those with time left come first, since posts are sorted by travel.
    let next: Vec<Post> = all.iter().copied().filter(is_before_the_end).collect();
    let step =
        |(i, post): (usize, &Post)| Step { node: post.place, then: (i < next.len()).then_some(i) };
    let steps = all.iter().enumerate().map(step).collect();
    let number = |post: &Post| all.binary_search(post).unwrap_or_else(|place| place);
    let choices = reached.iter().map(|after| after.iter().map(number).collect()).collect();
    (Layer { posts, steps, choices }, next)
}
