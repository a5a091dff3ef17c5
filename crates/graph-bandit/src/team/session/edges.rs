//! Edges that close and open while a team is under way.
//!
//! All walkers know of a closed edge at once. A walker whose leg would use it plans again; the others
//! go on. Closed edges may cut nodes off. Then every walker is confined to the part where it is, until
//! an edge opens or somebody carries it elsewhere.

use super::{SessionError, TeamSession, WalkerId};
use crate::field::Edge;
use crate::graph::NodeId;
use crate::team::planning::confined_seats;
use crate::team::post::Post;
use crate::team::setup::connected;
use std::collections::BTreeSet;
use std::sync::Arc;

impl TeamSession {
    /// Closes `edge` for all walkers; one direction only, if roads run one way or take time. Returns
    /// the walkers whose legs were dropped because they would use it: their next orders lead around
    /// it. Nodes that a walker cannot reach any more are left out of its orders.
    ///
    /// ```
    /// use graph_bandit::spec::TeamSpec;
    /// use graph_bandit::team::{Member, Sharing, TeamSession};
    /// use graph_bandit::{Graph, Preset, Seed};
    /// let agent = TeamSpec::parse("g-star", Preset::Paper)?.build();
    /// let mut team = TeamSession::new(Graph::circle(4)?, agent, Sharing::equal(2), Seed(0))?;
    /// let walker = team.join(Member::at(0))?;
    /// team.tell(walker, 0, 0.5)?;
    /// assert_eq!(team.ask(walker)?.path, [1]);
    /// assert_eq!(team.close((0, 1))?, [walker]);
    /// assert_eq!(team.ask(walker)?.path, [3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such edge, or it is already closed.
    pub fn close(&mut self, edge: Edge) -> Result<Vec<WalkerId>, SessionError> {
        let roads = self.field.closing(edge)?;
        self.field.change_roads(roads);
        Ok(self.after_change())
    }

    /// A node that would be cut off from node 0 without these edges, if they are open; all other
    /// closed edges count, too.
    ///
    /// # Errors
    /// When there is no such edge.
    pub fn cut_off_without(&self, edges: &[Edge]) -> Result<Option<NodeId>, SessionError> {
        let closed: BTreeSet<Edge> = self.field.closed().iter().chain(edges).copied().collect();
        Ok(self.field.closing_all(&closed)?.open.cut_off())
    }

    /// Whether some walker may not be sent everywhere, because of its own nodes or of closed edges.
    pub fn is_confined(&self) -> bool {
        self.posts.iter().any(Post::is_confined)
    }

    /// Opens a closed edge again. Returns the walkers whose legs were dropped because they can reach
    /// more nodes now; the others go on.
    ///
    /// # Errors
    /// When there is no such edge, or it is already open.
    pub fn open(&mut self, edge: Edge) -> Result<Vec<WalkerId>, SessionError> {
        let roads = self.field.opening(edge)?;
        self.field.change_roads(roads);
        Ok(self.after_change())
    }

    /// Confines all walkers anew, and drops the legs that they cannot follow or that were planned in
    /// a smaller part.
    fn after_change(&mut self) -> Vec<WalkerId> {
        let mut dropped = Vec::new();
        for place in 0..self.posts.len() {
            let before = self.posts[place].reach();
            self.confine(place);
            let post = &self.posts[place];
            let has_more = post.reach() > before;
            if !post.is_idle() && (has_more || !self.can_follow(post)) {
                self.posts[place].abandon();
                dropped.push(self.ids[place]);
            }
        }
        dropped
    }

    /// Whether the rest of the walker's leg is still possible.
    pub(super) fn can_follow(&self, post: &Post) -> bool {
        let graph = self.field.graph();
        let mut from = post.at();
        let mut steps = post.ahead().iter();
        steps.all(|&to| graph.allows(std::mem::replace(&mut from, to), to) && post.may_enter(to))
    }

    /// Confines a walker that has moved, if it is in another part now. Where roads run one way, it may
    /// have left nodes behind to which no way leads back.
    pub(super) fn confine_after_move(&mut self, place: usize) {
        if self.field.closed().is_empty() {
            return;
        }
        let (graph, post) = (self.field.graph(), &self.posts[place]);
        let is_one_way = graph.roads().is_some() && !graph.is_connected();
        if is_one_way || !post.may_enter(post.at()) {
            self.confine(place);
            // A stored team could not follow a leg out of the part where the walker is.
            if !self.can_follow(&self.posts[place]) {
                self.posts[place].abandon();
            }
        }
    }

    /// Confines a walker to the part where it is, if edges are closed.
    pub(super) fn confine(&mut self, place: usize) {
        let (graph, post) = (self.field.graph(), &self.posts[place]);
        let within = match post.allowed() {
            _ if self.field.closed().is_empty() => None,
            None if graph.is_connected() => None,
            None => Some(self.shared_part(place)),
            Some(allowed) => Some(Arc::new(connected(graph, post.at(), allowed))),
        };
        self.posts[place].confine(within);
    }

    /// The part where a walker is that may be everywhere. Walkers in one part share the list.
    fn shared_part(&self, place: usize) -> Arc<Vec<bool>> {
        let (graph, at) = (self.field.graph(), self.posts[place].at());
        let mut part = vec![false; graph.len()];
        for node in graph.within_reach(at) {
            part[node as usize] = true;
        }
        let others = self.posts[..place].iter().filter_map(Post::part);
        let same = others.into_iter().find(|other| ***other == part).map(Arc::clone);
        same.unwrap_or_else(|| Arc::new(part))
    }

    /// The most walkers to send to one node. If closed edges leave some walkers too few seats, the
    /// limit cannot be kept: they must be somewhere.
    pub(super) fn seats_within_reach(&self) -> usize {
        let walkers = self.posts.len();
        let seats = self.seats.min(walkers);
        let is_limited = seats < walkers && !self.field.closed().is_empty();
        let may_be = |walker: usize, node: NodeId| self.posts[walker].may_enter(node);
        if is_limited && !self.all_have_seats(seats, (walkers, may_be)) { walkers } else { seats }
    }

    /// Whether there is a seat for everybody if a walker like `post` joins.
    pub(super) fn has_seat_with(&self, post: &Post) -> bool {
        let walkers = self.posts.len() + 1;
        let is_confined = post.is_confined() || self.posts.iter().any(|it| it.allowed().is_some());
        let may_be =
            |walker: usize, node: NodeId| self.posts.get(walker).unwrap_or(post).may_be_on(node);
        self.seats >= walkers || !is_confined || self.all_have_seats(self.seats, (walkers, may_be))
    }

    fn all_have_seats(
        &self,
        seats: usize,
        walkers: (usize, impl Fn(usize, NodeId) -> bool),
    ) -> bool {
        let values = vec![0.0; self.field.graph().len()];
        confined_seats(&self.sharing, &values, seats, walkers).is_ok()
    }
}
