//! The paths home, to the leader: what is known about them, and how more is found out.

use super::Span;
use super::home_costs::HomeCosts;
use super::prices::Home;
use super::walk::Walk;
use crate::agent::Situation;
use crate::graph::NodeId;
use crate::index::Leader;
use crate::plan::CheapestPaths;

/// The leaders for which costs of paths home are kept. A lucky node often leads only for a while.
const HOMES: usize = 3;

/// A new table of paths home reaches this many times the price that searches usually come to.
const WIDE: f64 = 3.0;

/// A table that knows the path from here reaches this many times as far as that path, so that the next
/// leg rarely needs more.
const FAR_ENOUGH: f64 = 1.25;

/// A table is repaired this many times as far as needed.
const ROOM: f64 = 1.25;

/// How fast the usual reach of searches falls after one that went far.
const FORGETTING: f64 = 0.7;

/// If a lower bound on the cost of the path home was not enough, later legs use a lower bound only if
/// it is above this multiple of that cost.
const FARTHER: f64 = 1.1;

/// With every leg for which a lower bound was enough, that threshold is multiplied by this.
const TRY_AGAIN: f64 = 0.99;

/// After this many searches for trips that had to know more about the paths home, all paths are searched.
const TRIES: usize = 5;

/// If a search from here does not meet the table, the table is made again with this multiple of its
/// radius.
const FARTHER_OUT: f64 = 2.0;

/// How much a search for trips must know about the paths home.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Need {
    /// A lower bound on the cost of the path from here, if one is enough.
    Bound,
    /// The cost of the path from here.
    Path,
    /// That, and the costs of all paths that cost at most this.
    Within(f64),
}

/// Tables of the paths to the last leaders, and the path to the current one.
#[derive(Debug, Clone)]
pub(super) struct Homes {
    step: f64,
    /// The most recently used first.
    tables: Vec<HomeCosts>,
    /// The path home from here, if it was searched.
    straight: CheapestPaths,
    /// Roughly the price that recent searches for trips came to.
    usual: f64,
    /// Lower bounds on the cost of the path home are used only above these: for a search nearby, and
    /// for one everywhere.
    asked: [f64; 2],
}

impl Homes {
    /// Nothing known, where entering a node costs `step` besides its gap.
    pub(super) fn new(step: f64) -> Self {
        Self {
            step,
            tables: Vec::new(),
            straight: CheapestPaths::default(),
            usual: 0.0,
            asked: [0.0; 2],
        }
    }

    /// Forgets all costs.
    pub(super) fn forget(&mut self) {
        self.tables.clear();
    }

    /// The search that found the path home.
    pub(super) fn straight(&self) -> &CheapestPaths {
        &self.straight
    }

    /// Finds the path home.
    pub(super) fn go(&mut self, now: &Situation<'_>, leader: &Leader, log: &[NodeId]) {
        if now.at == leader.node {
            self.straight.begin(now.graph, now.at);
        } else if now.graph.roads().is_some() {
            self.know_by_road(now, leader, log, 0.0);
        } else {
            self.know(now, leader, log, Span::All, Need::Path);
        }
    }

    /// Finds out at least as much about the paths home as a search for trips must know (`need`). The
    /// `log` holds all visits since the tables were forgotten.
    pub(super) fn know(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        log: &[NodeId],
        span: Span,
        need: Need,
    ) -> Home<'_> {
        let radius = if let Need::Within(radius) = need { radius } else { 0.0 };
        if now.graph.roads().is_some() {
            return self.know_by_road(now, leader, log, radius);
        }
        if now.at == leader.node {
            return Home::Here;
        }
        let at_least = self.bound(now, leader, log, span).filter(|_| need == Need::Bound);
        if let Some((at_least, is_old)) = at_least {
            let table = &self.tables[0];
            let is_edge = table.of(now.at) == f64::INFINITY && !is_old;
            return Home::Far { at_least, table: is_edge.then_some(table) };
        }
        self.update(now, leader, log, radius);
        let is_outside = self.tables[0].of(now.at) == f64::INFINITY;
        if is_outside && need == Need::Bound {
            let table = &self.tables[0];
            return Home::Far { at_least: table.radius(), table: Some(table) };
        }
        if self.tables[0].radius() < radius {
            self.search(now, leader, log, (radius, radius));
        }
        loop {
            let walk = Walk { now, leader, step: self.step, home: &self.tables[0] };
            let Some(price) = walk.on_foot(&mut self.straight) else { break };
            let wider = (FARTHER_OUT * self.tables[0].radius()).max(WIDE * self.usual);
            self.search(now, leader, log, (wider.max(price), 0.0));
        }
        Home::Known { straight: self.straight.cost(leader.node), costs: &self.tables[0] }
    }

    /// What is known on roads that run one way or take time: the path from here, and all paths that
    /// cost at most `radius`.
    ///
    /// The table is needed even at home, because the way back differs from the way there. From a node
    /// nearby, the way back may be long: a lower bound on the path from here says little about it.
    fn know_by_road(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        log: &[NodeId],
        radius: f64,
    ) -> Home<'_> {
        let usual = WIDE * self.usual;
        let is_known = self.bring_forth(now, leader, log);
        let (table, paths) = (&mut self.tables[0], &mut self.straight);
        let is_kept = is_known && table.is_quick_to_repair();
        if is_kept {
            table.repair(now.graph, now.estimates, log, f64::INFINITY);
        }
        if !is_kept || table.of(now.at) == f64::INFINITY || table.radius() < radius {
            let reach = |straight: f64| FAR_ENOUGH * radius.max(straight + usual);
            table.search(now, leader, paths, (f64::INFINITY, log.len()), reach);
        }
        Walk { now, leader, step: self.step, home: table }.by_road(paths);
        Home::Known { straight: paths.cost(leader.node), costs: table }
    }

    /// Brings the table of this leader to the front, or an empty or old one to fill. Returns whether
    /// the leader had a table.
    fn bring_forth(&mut self, now: &Situation<'_>, leader: &Leader, log: &[NodeId]) -> bool {
        let place = self.tables.iter().position(|table| table.is_for(leader));
        if let Some(place) = place {
            self.tables[..=place].rotate_right(1);
            self.tables[0].doubt(now.estimates, log);
        } else {
            if self.tables.len() < HOMES {
                self.tables.push(HomeCosts::new(self.step));
            }
            self.tables.rotate_right(1);
        }
        place.is_some()
    }

    /// Brings the table of this leader to the front, or one to fill. Returns a lower bound on the cost of
    /// the path home, if the table has one that may be enough. The flag says whether the bound is an old
    /// one: from before the table stopped keeping costs above its radius up to date.
    fn bound(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        log: &[NodeId],
        span: Span,
    ) -> Option<(f64, bool)> {
        if !self.bring_forth(now, leader, log) {
            return None;
        }
        let table = &self.tables[0];
        let (mut least, was) = (table.at_least(now.at), table.was_at_least(now.at));
        let is_old = table.of(now.at) == f64::INFINITY && was > least;
        if is_old {
            least = was;
        }
        (least > entry_here(now, leader, self.step) && least > self.asked[place_of(span)])
            .then_some((least, is_old))
    }

    /// Makes the first table account for all visits. If it knew the path from here, it still does; if a
    /// repair can find all paths that cost at most `radius`, it knows these, too. A new table reaches
    /// about as far as searches usually come.
    fn update(&mut self, now: &Situation<'_>, leader: &Leader, log: &[NodeId], radius: f64) {
        let table = &mut self.tables[0];
        if !(table.is_for(leader) && table.is_quick_to_repair()) {
            self.search(now, leader, log, (WIDE * self.usual, 0.0));
            return;
        }
        let (about, widest) = table.about(now.at);
        let limit = if about < f64::INFINITY { ROOM * about + 2.0 * self.step } else { widest };
        // If nothing has changed, keeping what is known costs nothing.
        let kept = if table.accounts_for(log) { table.radius() } else { 0.0 };
        table.repair(now.graph, now.estimates, log, limit.max(radius).max(kept));
        if table.of(now.at) == f64::INFINITY && table.radius() < widest {
            table.repair(now.graph, now.estimates, log, widest);
        }
    }

    /// Makes the first table anew, up to this radius. If the path from here costs less, the table ends
    /// a little beyond that path, or at `least` if that is farther.
    fn search(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        log: &[NodeId],
        (radius, least): (f64, f64),
    ) {
        let paths = &mut self.straight;
        let reach = |straight: f64| (FAR_ENOUGH * straight).max(least);
        self.tables[0].search(now, leader, paths, (radius, log.len()), reach);
    }

    /// Notes that a search for trips came to this price and found what it looked for. `straight` is
    /// the cost of the path home, if the search had to know it.
    pub(super) fn found(&mut self, span: Span, price: f64, straight: Option<f64>) {
        self.came_to(price);
        let asked = &mut self.asked[place_of(span)];
        *asked = straight.map_or(TRY_AGAIN * *asked, |straight| FARTHER * straight);
    }

    /// Notes that a search for trips, number `tries` of this leg, came to this price and must know more
    /// about the paths home, and returns how much. `wanted` is `None` if the search does not know the
    /// path from here; otherwise it must know all paths that cost at most `wanted`.
    pub(super) fn ask(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        (price, tries): (f64, usize),
        wanted: Option<f64>,
    ) -> Need {
        self.came_to(price);
        let known = self.tables[0].radius();
        if now.graph.roads().is_some() {
            let wider = (4.0 * (price + entry_here(now, leader, self.step))).max(2.0 * known);
            let is_wider = wider > known && tries < TRIES;
            return Need::Within(if is_wider { wider } else { f64::INFINITY });
        }
        match wanted {
            None => Need::Path,
            Some(wanted) if wanted > known && tries < TRIES => Need::Within(wanted),
            Some(_) => Need::Within(f64::INFINITY),
        }
    }

    fn came_to(&mut self, price: f64) {
        self.usual = price.max(FORGETTING * self.usual);
    }
}

fn place_of(span: Span) -> usize {
    usize::from(span == Span::All)
}

/// The cost of entering the node where the agent stands.
fn entry_here(now: &Situation<'_>, leader: &Leader, step: f64) -> f64 {
    leader.gap(now.estimates, now.at) + step
}
