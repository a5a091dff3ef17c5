//! g-star for teams: whoever finishes its leg is planned for; the legs of others are commitments.
//!
//! Every walker has a home: a seat of the best allocation under the means so far. A node is worth to
//! a walker what it would *add* there, `f(c + 1) - f(c)` times the mean, where `c` counts the others
//! who are going there or have their home there. With values and prices of this kind, a walker plans
//! as g-star does alone: it goes where the expected improvement on its home is the largest multiple
//! of the price of the trip, else home. A team of one makes g-star's decisions.
//!
//! If even home pays less than nothing, walkers share one loss: a further walker there costs little or
//! nothing, and alone elsewhere each would cost more. Then nobody would look for a better node for its own
//! sake, so a node is scored by what each of several would gain if they left that home together.

mod claims;
mod settled;

use super::nearest::Nearest;
use crate::agents::g_drift::Level;
use crate::clock::Time;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::index::{Horizon, Noise};
use crate::leg::Leg;
use crate::normal;
use crate::plan::{CheapestPaths, Heading, RoadCosts};
use crate::planner::{SharedFuture, step_cost};
use crate::raised::Raised;
use crate::random::Stream;
use crate::schedule::Amortized;
use crate::team::planning::{Allocator, Limits, Seats, confined_seats};
use crate::team::{Manner, Post, TeamAgent, TeamSituation};
use claims::{Claims, Looks};
use settled::Settled;
use std::sync::Arc;

/// The share of the way home that counts: after its stay, the walker may go elsewhere instead.
const WAY_HOME: f64 = 0.5;

/// g-star for teams.
#[derive(Debug, Clone)]
pub struct TeamStar {
    noise: Noise,
    caution: f64,
    horizon: Horizon,
    stays: Amortized,
    /// The cost of entering a node besides its gap.
    step: f64,
    claims: Claims,
    settled: Settled,
    allocator: Option<Allocator>,
    values: Vec<f64>,
    scores: Vec<f64>,
    nearest: Nearest,
    out: CheapestPaths,
    back: CheapestPaths,
}

/// The parameters of [`TeamStar`]; those of g-star.
#[derive(Debug, Clone, Copy)]
pub struct StarParameters {
    /// What it knows of the noise.
    pub noise: Noise,
    /// The declared noise scale.
    pub noise_scale: f64,
    /// Multiplies the variance.
    pub caution: f64,
    /// How far it plans ahead.
    pub horizon: Horizon,
    /// How long it stays.
    pub stays: Amortized,
}

/// A walker that is planned for.
#[derive(Clone, Copy)]
pub(super) struct Planned<'a> {
    pub(super) now: &'a TeamSituation<'a>,
    pub(super) walker: usize,
    pub(super) at: NodeId,
}

/// Walkers that leave their home together for another node.
struct Moved {
    /// How many they are.
    movers: f64,
    /// What they have at home, as a multiple of one draw there.
    left: f64,
    /// What they add at the other node, as a multiple of one draw there.
    added: f64,
}

/// Where a walker is best off by the means so far, and what it adds there per step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Home {
    pub(super) node: NodeId,
    pub(super) value: f64,
}

impl TeamStar {
    /// An agent with these parameters.
    pub fn new(parameters: StarParameters) -> Self {
        Self {
            noise: parameters.noise,
            caution: parameters.caution,
            horizon: parameters.horizon,
            stays: parameters.stays,
            step: step_cost(parameters.noise_scale),
            claims: Claims::default(),
            settled: Settled::default(),
            allocator: None,
            values: Vec::new(),
            scores: Vec::new(),
            nearest: Nearest::default(),
            out: CheapestPaths::default(),
            back: CheapestPaths::default(),
        }
    }

    /// Plans one walker, given the legs of those that are `planned` already.
    fn plan_one(
        &mut self,
        of: Planned<'_>,
        legs: &mut [Leg],
        planned: &[bool],
    ) -> Result<(), Raised> {
        let Planned { now, walker, at } = of;
        let Some(home) = self.settle(of, legs, planned)? else { return Ok(()) };
        let leg = &mut legs[walker];
        let worth = self.score(of, home);
        let worthless = |node: NodeId| {
            let gap = self.gap(now, home, node);
            worth * self.scores[node as usize] <= gap
        };
        let mut destination = home.node;
        if now.graph.nodes().all(worthless) {
            if at != home.node {
                self.search_out(of, home);
            }
        } else {
            self.search_out(of, home);
            self.search_back(of, home);
            destination = self.bargain(of, home, worth);
        }
        let visits = self.visits_on(of, destination);
        self.lay(of, (destination, visits), leg);
        Ok(())
    }

    /// Notes what the others have taken, and gives the walker its seat. `None` if it was sent to a node
    /// without a draw instead.
    pub(super) fn settle(
        &mut self,
        of: Planned<'_>,
        legs: &mut [Leg],
        planned: &[bool],
    ) -> Result<Option<Home>, Raised> {
        let destinations = self.commitments(of, legs, planned);
        if self.look_at_unseen(of, legs, planned) {
            return Ok(None);
        }
        let home = if of.now.posts.iter().any(Post::is_confined) {
            self.home_of_confined(of, legs, planned)
        } else {
            self.home(of, &destinations)
        };
        home.map(Some)
    }

    /// Notes where the others are going and which nodes they will pass. Returns the destinations of
    /// all walkers that have one.
    fn commitments(&mut self, of: Planned<'_>, legs: &[Leg], planned: &[bool]) -> Vec<NodeId> {
        let Planned { now, walker, .. } = of;
        self.claims.clear(now.graph.len());
        let mut destinations = Vec::with_capacity(now.walkers());
        for (other, post) in now.posts.iter().enumerate() {
            if other == walker {
                continue;
            }
            let Some(destination) = destination_of(now, legs, (other, planned)) else {
                // In a session, where walkers are planned one by one, it has not asked yet.
                if now.idle.len() == 1 {
                    self.claims.look(Looks::WhoeverStandsThere, &[post.at()]);
                }
                continue;
            };
            let path = if post.is_idle() { &legs[other].path } else { post.ahead() };
            self.claims.look(Looks::WhoeverIsSent, path);
            self.claims.look(Looks::WhoeverIsSent, &[destination]);
            destinations.push(destination);
        }
        destinations
    }

    /// Sends the walker to the nearest node without a draw that no other walker will look at. A walker that
    /// joined on such a node, or was carried there, looks at it even if others are on their way there. Nodes
    /// where others stand without an order come last: those may never ask.
    fn look_at_unseen(&mut self, of: Planned<'_>, legs: &mut [Leg], planned: &[bool]) -> bool {
        let Planned { now, walker, at } = of;
        let claims = &self.claims;
        let is_unseen = |node: NodeId| now.estimates.count(node) == 0;
        let is_taken = claims.looks[at as usize] != Looks::Nobody
            && is_unseen(at)
            && someone_begins_at(of, legs, planned);
        let leg = &mut legs[walker];
        let mut nearest = |most: Looks| {
            let is_wanted = |node: NodeId| {
                let is_free =
                    if node == at { !is_taken } else { claims.looks[node as usize] <= most };
                is_free && is_unseen(node)
            };
            self.nearest.path(now.graph, &now.posts[walker], is_wanted, &mut leg.path)
        };
        let is_last = |&node: &NodeId| {
            claims.looks[node as usize] == Looks::WhoeverStandsThere && is_unseen(node)
        };
        let found = nearest(Looks::Nobody)
            || claims.looked_at.iter().any(is_last) && nearest(Looks::WhoeverStandsThere);
        if found {
            leg.stay = u64::from(leg.destination(at) == at);
        }
        found
    }

    /// Learns what each node pays by the means so far.
    fn value(&mut self, now: &TeamSituation<'_>) {
        self.values.clear();
        let all = now.estimates.all().iter().map(|seen| seen.mean);
        let lowest = all.clone().filter(|mean| mean.is_finite()).fold(f64::INFINITY, f64::min);
        let lowest = if lowest.is_finite() { lowest } else { 0.0 };
        // A node without a draw is on somebody's way; nobody is sent there for its value.
        self.values.extend(all.map(|mean| if mean.is_finite() { mean } else { lowest }));
    }

    /// The seat of this walker, if some walkers are confined to some nodes. Every walker has a seat of the best
    /// matching, even while it is going elsewhere. Many matchings are equally good. So seats first go to the
    /// walkers that are going there. Then this walker trades its seat for the nearest one that nobody is going to.
    fn home_of_confined(
        &mut self,
        of: Planned<'_>,
        legs: &[Leg],
        planned: &[bool],
    ) -> Result<Home, Raised> {
        let Planned { now, walker, .. } = of;
        self.value(now);
        let may_be = |walker: usize, node: NodeId| now.allows(walker, node);
        let best = confined_seats(now.sharing, &self.values, now.seats, (now.walkers(), may_be))?;
        let mut places = best.places;
        let destination = |other: usize| destination_of(now, legs, (other, planned));
        give_seats_to_those_who_go_there(of, &mut places, destination);
        let other = self.nearest_seat(of, &places, destination);
        places.swap(walker, other);
        self.settled.count(&places, now.graph.len());
        self.settled.seats.extend(&places);
        for (other, &seat) in places.iter().enumerate().filter(|(other, _)| *other != walker) {
            self.claims.add(seat);
            let destination = destination_of(now, legs, (other, planned));
            if let Some(destination) = destination.filter(|&destination| destination != seat) {
                self.claims.add(destination);
            }
        }
        let node = places[walker];
        let value = self.marginal(now, node) * self.values[node as usize];
        Ok(Home { node, value })
    }

    /// The walker whose seat this one takes. Of its own seat and the seats that it may trade its own for,
    /// it takes the one to which the way costs least.
    fn nearest_seat(
        &mut self,
        of: Planned<'_>,
        places: &[NodeId],
        destination: impl Fn(usize) -> Option<NodeId>,
    ) -> usize {
        let Planned { now, walker, at } = of;
        let mine = places[walker];
        let may_trade = |other: usize| {
            let seat = places[other];
            seat != mine
                && now.allows(walker, seat)
                && now.allows(other, mine)
                && destination(other) != Some(seat)
        };
        let others: Vec<usize> = (0..places.len()).filter(|&other| may_trade(other)).collect();
        if mine == at || others.is_empty() {
            return walker;
        }
        // What the way costs hardly depends on which of the best seats is home.
        let home = Home { node: at, value: self.values[mine as usize] };
        self.search_out(of, home);
        let cost = |other: usize| self.out.cost(places[other]);
        others
            .into_iter()
            .fold(walker, |best, other| if cost(other) < cost(best) { other } else { best })
    }

    /// The seat of this walker. The seats of the best allocation go first to those who are going
    /// there; of the rest, the walker takes the nearest by what the way costs, and the others get
    /// what is left.
    fn home(&mut self, of: Planned<'_>, destinations: &[NodeId]) -> Result<Home, Raised> {
        let Planned { now, walker, at } = of;
        self.value(now);
        let limits = Limits { walkers: now.walkers(), seats: Seats::Each(now.seats) };
        let fresh = || Allocator::new(Arc::clone(now.sharing));
        let best = self.allocator.get_or_insert_with(fresh).best(&self.values, limits)?;
        let mut free: Vec<NodeId> = best.places().collect();
        self.settled.count(&free, now.graph.len());
        for &destination in destinations {
            self.claims.add(destination);
        }
        remove_each(&mut free, destinations);
        free.retain(|&place| now.allows(walker, place));
        let node = if free.contains(&at) {
            at
        } else if let [only] = free[..] {
            only
        } else if free.is_empty() {
            at
        } else {
            // What the way costs hardly depends on which of the best seats is home.
            let home = Home { node: at, value: self.values[free[0] as usize] };
            self.search_out(of, home);
            let cheapest = |a: &NodeId, b: &NodeId| {
                self.out.cost(*a).total_cmp(&self.out.cost(*b)).then(a.cmp(b))
            };
            free.iter().copied().min_by(cheapest).unwrap_or(at)
        };
        // The seats that are left belong to the walkers that are not going to any.
        let mut is_mine = true;
        for &place in &free {
            if place == node && is_mine {
                is_mine = false;
            } else {
                self.claims.add(place);
            }
        }
        let value = self.marginal(now, node) * self.values[node as usize];
        Ok(Home { node, value })
    }

    /// What the walker adds on `node`, as a multiple of one draw.
    #[inline]
    fn marginal(&self, now: &TeamSituation<'_>, node: NodeId) -> f64 {
        let others = self.claims.of(node).min(now.walkers() - 1);
        now.sharing.marginal(node, others)
    }

    /// How far what the walker adds on `node` is below what it adds at home.
    #[inline]
    pub(super) fn gap(&self, now: &TeamSituation<'_>, home: Home, node: NodeId) -> f64 {
        let there = if self.claims.of(node) == 0 {
            self.values[node as usize]
        } else {
            self.marginal(now, node) * self.values[node as usize]
        };
        (home.value - there).max(0.0)
    }

    /// Scores every node by the expected improvement on home; returns the factor that turns a score
    /// into a gain.
    fn score(&mut self, of: Planned<'_>, home: Home) -> f64 {
        let now = of.now;
        self.noise.prepare(now.estimates);
        self.scores.clear();
        let mut future = SharedFuture::default();
        for node in now.graph.nodes() {
            let score = self.improvement(of, home, node);
            self.scores.push(score);
            future.add(score);
        }
        let left = self.horizon.left(Time(exact(now.step)));
        (future.visits(left) * together(now.walkers())).min(left)
    }

    fn improvement(&self, of: Planned<'_>, home: Home, node: NodeId) -> f64 {
        let now = of.now;
        if !self.is_rival(of, home, node) {
            return 0.0;
        }
        let sample = now.estimates.sample(node);
        let deviation = (self.caution * self.noise.of(sample) / sample.n()).sqrt();
        if self.values[home.node as usize] < 0.0 {
            let (here, there) = (self.values[home.node as usize], self.values[node as usize]);
            let gain = |Moved { movers, left, added }| {
                let gap = left * here - added * there;
                expected_excess(added * deviation, gap.max(0.0)) / movers
            };
            return self.moves(of, home.node, node).map(gain).fold(0.0, f64::max);
        }
        expected_excess(self.multiple(now, node) * deviation, self.gap(now, home, node))
    }

    /// Whether `node` may be an improvement on home: it was seen, and the walker may go there.
    fn is_rival(&self, of: Planned<'_>, home: Home, node: NodeId) -> bool {
        let Planned { now, walker, .. } = of;
        let is_taken = self.claims.of(node) >= now.seats;
        now.estimates.count(node) > 0 && node != home.node && !is_taken && now.allows(walker, node)
    }

    /// What a draw of `node` is multiplied by for the walker.
    #[inline]
    fn multiple(&self, now: &TeamSituation<'_>, node: NodeId) -> f64 {
        if self.claims.of(node) == 0 { 1.0 } else { self.marginal(now, node) }
    }

    /// The most that `node` may bring the walker, by what it is `worth` above a level; zero if it cannot
    /// be an improvement on home.
    pub(super) fn best_offer(
        &self,
        of: Planned<'_>,
        (home, node): (Home, NodeId),
        worth: impl Fn(Level) -> f64,
    ) -> f64 {
        if !self.is_rival(of, home, node) {
            return 0.0;
        }
        let worth = |level: Level| if level.multiple > 0.0 { worth(level) } else { 0.0 };
        let here = self.values[home.node as usize];
        if here < 0.0 {
            let each = |Moved { movers, left, added }| {
                worth(Level { value: left * here, multiple: added }) / movers
            };
            return self.moves(of, home.node, node).map(each).fold(0.0, f64::max);
        }
        worth(Level { value: home.value, multiple: self.multiple(of.now, node) })
    }

    /// The ways in which walkers that share a home may move to `node` together: one of them, two, four and so on,
    /// or all. Walkers are counted by the best allocation, not by their destinations. In that allocation, nobody
    /// can gain by the means alone, so the improvement fades as the node is visited.
    fn moves(&self, of: Planned<'_>, home: NodeId, node: NodeId) -> impl Iterator<Item = Moved> {
        let now = of.now;
        let (here, there) = (self.settled.on(home).max(1), self.settled.on(node));
        let room = now.seats.min(now.walkers()).saturating_sub(there);
        let most = self.settled.may_move(of, home, node).min(here).min(room);
        let share = |node: NodeId, more: usize, less: usize| {
            now.sharing.multiple(node, more) - now.sharing.multiple(node, less)
        };
        let moved = move |movers: usize| Moved {
            movers: exact(movers as u64),
            left: share(home, here, here - movers),
            added: share(node, there + movers, there),
        };
        let doubling = std::iter::successors(Some(1), |movers| Some(2 * movers));
        let all = (most > 0).then_some(most);
        doubling.take_while(move |&movers| movers < most).chain(all).map(moved)
    }

    /// Finds the cheapest trips from where the walker is.
    pub(super) fn search_out(&mut self, of: Planned<'_>, home: Home) {
        let mut out = std::mem::take(&mut self.out);
        self.search(of, home, (&mut out, of.at), Heading::FromHere);
        self.out = out;
    }

    /// Finds the cheapest trips home.
    pub(super) fn search_back(&mut self, of: Planned<'_>, home: Home) {
        let mut back = std::mem::take(&mut self.back);
        self.search(of, home, (&mut back, home.node), Heading::There);
        self.back = back;
    }

    fn search(
        &self,
        of: Planned<'_>,
        home: Home,
        (paths, from): (&mut CheapestPaths, NodeId),
        heading: Heading,
    ) {
        let Planned { now, walker, .. } = of;
        let entry = |node: NodeId| {
            if now.allows(walker, node) {
                self.gap(now, home, node) + self.step
            } else {
                f64::INFINITY
            }
        };
        if now.graph.roads().is_some() {
            // A slow walker misses more on a road than the map's time says.
            let speed = now.posts[walker].speed();
            let costs = RoadCosts { entry, time: home.value.max(0.0) / speed };
            paths.search_all_roads((now.graph, heading), &costs, [from]);
        } else {
            paths.search(now.graph, entry, [from], None);
        }
    }

    /// The best bargain, or home.
    fn bargain(&self, of: Planned<'_>, home: Home, worth: f64) -> NodeId {
        let now = of.now;
        let (mut best, mut ratio) = (home.node, 1.0);
        for (node, score) in now.graph.nodes().zip(&self.scores) {
            let gain = worth * score;
            let gap = self.gap(now, home, node);
            // One visit is the minimum; a node not worth that needs no path.
            if gain <= gap {
                continue;
            }
            let detour = self.detour(home, node);
            if gain <= detour + gap {
                continue;
            }
            let stay = self.visits_on(of, node);
            // No price is below one step, so that ratios stay finite.
            let price = detour + gap * exact(stay) + self.step;
            if gain > ratio * price {
                (best, ratio) = (node, gain / price);
            }
        }
        best
    }

    /// The cost of going to `node` before going home, once the trips out and back are known.
    pub(super) fn detour(&self, home: Home, node: NodeId) -> f64 {
        let way = self.out.cost(node) + WAY_HOME * self.back.cost(node);
        (way - self.out.cost(home.node)).max(0.0)
    }

    /// Whether another walker has an order that leads to `node`. One that stands there without an order may
    /// never draw again.
    pub(super) fn is_looked_at(&self, node: NodeId) -> bool {
        self.claims.looks[node as usize] == Looks::WhoeverIsSent
    }

    /// Whether the walker may go to `node`, and the trips out lead there.
    pub(super) fn reaches(&self, of: Planned<'_>, node: NodeId) -> bool {
        of.now.allows(of.walker, node) && self.out.cost(node).is_finite()
    }

    /// The node before `node` on the cheapest trip there.
    pub(super) fn before(&self, node: NodeId) -> NodeId {
        self.out.next(node)
    }

    /// How many visits a stay on `node` has.
    pub(super) fn visits_on(&self, of: Planned<'_>, node: NodeId) -> u64 {
        let steps = if node == of.at { 0 } else { self.steps_to(of, node) };
        self.stays.visits(of.now.estimates.count(node), exact(steps))
    }

    /// The cost of entering a node besides its gap.
    pub(super) fn step(&self) -> f64 {
        self.step
    }

    /// The steps of the trip to `node`.
    fn steps_to(&self, of: Planned<'_>, node: NodeId) -> u64 {
        let Planned { now, walker, at } = of;
        let (mut steps, mut to) = (0, node);
        while to != at {
            let from = self.out.next(to);
            steps += 1 + now.posts[walker].steps_on_road(now.graph, from, to);
            to = from;
        }
        steps
    }

    /// Fills in the leg for this many visits to `node`.
    pub(super) fn lay(&self, of: Planned<'_>, (node, visits): (NodeId, u64), leg: &mut Leg) {
        leg.path.clear();
        let mut on_way = node;
        while on_way != of.at {
            leg.path.push(on_way);
            on_way = self.out.next(on_way);
        }
        leg.path.reverse();
        leg.stay = visits - u64::from(!leg.path.is_empty());
    }
}

/// Where another walker is going, if it has a leg.
fn destination_of(
    now: &TeamSituation<'_>,
    legs: &[Leg],
    (other, planned): (usize, &[bool]),
) -> Option<NodeId> {
    let post = &now.posts[other];
    if !post.is_idle() {
        return Some(post.destination());
    }
    planned[other].then(|| legs[other].destination(post.at()))
}

/// Removes each of `gone` once from `places`, if it is there. `places` must be ascending.
fn remove_each(places: &mut Vec<NodeId>, gone: &[NodeId]) {
    let mut gone = gone.to_vec();
    gone.sort_unstable();
    let mut gone = gone.into_iter().peekable();
    places.retain(|&place| {
        while gone.next_if(|&other| other < place).is_some() {}
        gone.next_if_eq(&place).is_none()
    });
}

/// Trades seats so that a walker that is going to a seat of the matching gets it, if both walkers may be on their new
/// seats.
/// The walker that is planned for gives its seat up first.
fn give_seats_to_those_who_go_there(
    of: Planned<'_>,
    places: &mut [NodeId],
    destination: impl Fn(usize) -> Option<NodeId>,
) {
    let Planned { now, walker, .. } = of;
    for other in (0..places.len()).filter(|&other| other != walker) {
        let Some(seat) = destination(other).filter(|&seat| seat != places[other]) else { continue };
        let gives = |&holder: &usize| {
            holder != other
                && places[holder] == seat
                && (holder == walker || destination(holder) != Some(seat))
                && now.allows(holder, places[other])
        };
        if let Some(holder) = std::iter::once(walker).chain(0..places.len()).find(gives) {
            places.swap(other, holder);
        }
    }
}

/// Whether another walker will draw on the node where this walker is: it stands there with an order, or it was
/// planned just now and its leg leads there. Walkers that are on their way from earlier do not count: they were sent
/// when nobody was there.
fn someone_begins_at(of: Planned<'_>, legs: &[Leg], planned: &[bool]) -> bool {
    let Planned { now, walker, at } = of;
    now.posts.iter().enumerate().filter(|(other, _)| *other != walker).any(|(other, post)| {
        if !post.is_idle() {
            return post.at() == at && !post.is_moving();
        }
        let leg = &legs[other];
        planned[other] && (leg.destination(post.at()) == at || leg.path.contains(&at))
    })
}

/// The expected value of `max(X, 0)`, where `X` is normal with mean `-gap` and this standard deviation: by how much
/// a value is expected to exceed a level that is `gap` above its mean.
fn expected_excess(deviation: f64, gap: f64) -> f64 {
    if deviation == 0.0 { 0.0 } else { deviation * normal::excess(gap / deviation) }
}

/// How many rivals a team tries while a walker alone would try one: `M^(3/4)`. Alone, rivals share
/// the future, because each is tried only until the next one is. A team has more seats to fill and
/// more walkers to try rivals with. The exponent was chosen on runs that no page reports.
pub(super) fn together(walkers: usize) -> f64 {
    let root = exact(walkers as u64).sqrt();
    root * root.sqrt()
}

impl TeamAgent for TeamStar {
    fn manner(&self) -> Manner {
        Manner::Apart
    }

    fn plan(
        &mut self,
        now: &TeamSituation<'_>,
        _stream: &mut Stream,
        legs: &mut [Leg],
    ) -> Result<(), Raised> {
        let mut planned = vec![false; now.walkers()];
        for &walker in now.idle {
            let of = Planned { now, walker, at: now.posts[walker].at() };
            self.plan_one(of, legs, &planned)?;
            planned[walker] = true;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn each_is_removed_once_as_from_a_list() {
        let mut stream = Seed(5).stream();
        for _ in 0..500 {
            let mut some = |most: u64| -> Vec<NodeId> {
                (0..stream.below(most)).map(|_| stream.below(6) as NodeId).collect()
            };
            let (mut places, gone) = (some(12), some(12));
            places.sort_unstable();
            let mut one_by_one = places.clone();
            for node in &gone {
                if let Some(place) = one_by_one.iter().position(|place| place == node) {
                    one_by_one.remove(place);
                }
            }
            remove_each(&mut places, &gone);
            assert_eq!(places, one_by_one, "without {gone:?}");
        }
    }
}
