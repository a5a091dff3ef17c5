//! The ways home, to the leader: what is known about them, and how more is found out.

use super::home_costs::{HomeCosts, price_of_time};
use super::prices::Home;
use super::{MARGIN, Span};
use crate::agent::Situation;
use crate::graph::NodeId;
use crate::index::Leader;
use crate::plan::{CheapestPaths, Heading, RoadCosts};

/// The leaders for which costs of ways home are kept. A lucky node often leads only for a while.
const HOMES: usize = 3;

/// A new table of ways home reaches this many times as far as searches usually come.
const WIDE: f64 = 3.0;

/// A table is repaired this many times as far as needed.
const ROOM: f64 = 1.25;

/// How fast the usual reach of searches falls after one that went far.
const FORGETTING: f64 = 0.7;

/// A lower bound on the way home was not enough; for some legs, it is not tried again unless home is
/// this many times as far, a little less with every leg.
const FARTHER: f64 = 1.1;
const TRY_AGAIN: f64 = 0.99;

/// Searches that find out too little about the way home before it is searched whole.
const TRIES: usize = 5;

/// Tables of the ways to the last leaders, and the way to the current one.
#[derive(Debug, Clone)]
pub(super) struct Homes {
    step: f64,
    /// The last used first.
    tables: Vec<HomeCosts>,
    /// The way home from here, if it was searched.
    straight: CheapestPaths,
    /// About the price that the last searches for trips came to.
    usual: f64,
    /// Up to this cost of the way home, a lower bound was not enough last time: for a search nearby,
    /// and for one everywhere.
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

    /// The search that found the way home.
    pub(super) fn straight(&self) -> &CheapestPaths {
        &self.straight
    }

    /// Finds the way home.
    pub(super) fn go(&mut self, now: &Situation<'_>, leader: &Leader, log: &[NodeId]) {
        if now.at == leader.node {
            self.straight.begin(now.graph, now.at);
        } else if now.graph.roads().is_some() {
            self.know_by_road(now, leader, log, 0.0);
        } else {
            self.know(now, leader, log, (Span::All, 0.0), Some(f64::INFINITY));
        }
    }

    /// What trips with a detour of at most `dearest` need to know about the ways home: what these
    /// cost, or that here is outside of a table that reaches as far as `radius`. Without a radius,
    /// less may do. The `log` holds all visits since the tables were forgotten.
    pub(super) fn know(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        log: &[NodeId],
        (span, dearest): (Span, f64),
        radius: Option<f64>,
    ) -> Home<'_> {
        if now.graph.roads().is_some() {
            return self.know_by_road(now, leader, log, radius.unwrap_or(0.0));
        }
        if now.at == leader.node {
            return Home::Here;
        }
        let at_least = self.bound(now, leader, log, span).filter(|_| radius.is_none());
        if at_least.is_none() {
            self.learn(now, leader, log, dearest, radius);
        }
        let table = &self.tables[0];
        let is_outside = table.of(now.at) == f64::INFINITY;
        match at_least {
            Some((at_least, is_old)) => {
                let is_edge = is_outside && !is_old;
                Home::Far { at_least, table: is_edge.then_some(table) }
            }
            None if is_outside => Home::Far { at_least: table.radius(), table: Some(table) },
            None => {
                walk(&mut self.straight, now, leader, self.step, table);
                Home::Known { straight: self.straight.cost(leader.node), costs: table }
            }
        }
    }

    /// What is known on roads that run one way or take time: the way from here, and all ways that
    /// cost at most `radius`.
    ///
    /// Even at home, since the way back is another one. The way back from a node nearby may be long,
    /// too: a lower bound on the way home from here says little about it.
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
            let reach = |straight: f64| radius.max(straight + usual);
            table.search(now, leader, paths, (f64::INFINITY, log.len()), reach);
        }
        walk_by_road(paths, now, leader, self.step, table);
        Home::Known { straight: paths.cost(leader.node), costs: table }
    }

    /// Brings the table of this leader to the front, or one to fill; whether it was there.
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

    /// Brings the table of this leader to the front, or one to fill. The least that the way home
    /// costs, if the table says that, and that may be enough; and whether the table said so only
    /// before costs above its radius were left for later.
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

    /// Makes the first table know the way from here and all ways on trips with a detour of at most
    /// `dearest`, or reach as far as `radius`.
    fn learn(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        log: &[NodeId],
        dearest: f64,
        radius: Option<f64>,
    ) {
        let (entry, step) = (entry_here(now, leader, self.step), self.step);
        // A trip that may win has `out + back / 2 <= straight + dearest`. And one may go home by
        // returning here first: `back <= out + entry + straight`, with the entry cost of this node.
        let reach = |straight: f64| {
            2.0 / 3.0 * (2.0 * straight + dearest + entry) * (1.0 + MARGIN) + 2.0 * step
        };
        let (table, paths) = (&mut self.tables[0], &mut self.straight);
        let mut search = |table: &mut HomeCosts, radius: f64| {
            table.search(now, leader, paths, (radius, log.len()), reach);
        };
        if table.is_for(leader) && table.is_quick_to_repair() {
            let (about, widest) = table.about(now.at);
            let limit = if about < f64::INFINITY { ROOM * reach(about) } else { widest };
            table.repair(now.graph, now.estimates, log, limit);
            if table.of(now.at) == f64::INFINITY && table.radius() < widest {
                table.repair(now.graph, now.estimates, log, widest);
            }
            let needed = reach(table.of(now.at));
            if table.radius() < needed && needed <= widest {
                table.repair(now.graph, now.estimates, log, ROOM * needed);
            }
        } else {
            search(table, radius.unwrap_or(WIDE * self.usual));
        }
        if table.of(now.at) == f64::INFINITY && table.radius() < radius.unwrap_or(0.0) {
            search(table, radius.unwrap_or(0.0));
        }
        let straight = table.of(now.at);
        if straight < f64::INFINITY && table.radius() < reach(straight) {
            search(table, f64::INFINITY);
        }
    }

    /// A search for trips came to this price and found what it looked for; it had to ask for a way
    /// home that costs `straight`, if any.
    pub(super) fn found(&mut self, span: Span, price: f64, straight: Option<f64>) {
        self.came_to(price);
        let asked = &mut self.asked[place_of(span)];
        *asked = straight.map_or(TRY_AGAIN * *asked, |straight| FARTHER * straight);
    }

    /// A search for trips, the `tries`-th of this leg, came to this price and has to know more: how
    /// far the table must reach.
    pub(super) fn ask(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        price: f64,
        tries: usize,
    ) -> f64 {
        self.came_to(price);
        let known = self.tables[0].radius();
        let here = price + entry_here(now, leader, self.step);
        // Trips that cost a third of the way home are free: this leaves room for longer ones.
        let wider = (4.0 * here).max(2.0 * known);
        if wider > known && tries < TRIES { wider } else { f64::INFINITY }
    }

    fn came_to(&mut self, price: f64) {
        self.usual = price.max(FORGETTING * self.usual);
    }
}

fn place_of(span: Span) -> usize {
    usize::from(span == Span::All)
}

/// Searches from here for the way home, only along cheapest ways.
fn walk(
    paths: &mut CheapestPaths,
    now: &Situation<'_>,
    leader: &Leader,
    step: f64,
    home: &HomeCosts,
) {
    let entry = |node| leader.gap(now.estimates, node) + step;
    let limit = home.of(now.at) * (1.0 + MARGIN) + step;
    let admits = |node: NodeId, beyond: f64| beyond + home.of(node) <= limit;
    paths.begin(now.graph, now.at);
    let mut arrived = f64::INFINITY;
    while let Some(expanded) = paths.step(now.graph, entry, admits, |_, _| true) {
        // Other nodes of this price may still offer a lower number.
        if expanded.price > arrived {
            break;
        }
        if expanded.new.contains(&leader.node) {
            arrived = expanded.price;
        }
    }
}

/// The same on roads that run one way or take time.
fn walk_by_road(
    paths: &mut CheapestPaths,
    now: &Situation<'_>,
    leader: &Leader,
    step: f64,
    home: &HomeCosts,
) {
    let entry = |node| leader.gap(now.estimates, node) + step;
    let costs = RoadCosts { entry, time: price_of_time(leader) };
    let limit = home.of(now.at) * (1.0 + MARGIN) + step;
    paths.start_roads(now.graph, [now.at]);
    while let Some((cost, node)) = paths.settle() {
        if node == leader.node {
            break;
        }
        let admits = |to: NodeId, offer: f64| offer + entry(to) + home.of(to) <= limit;
        paths.offer((now.graph, Heading::FromHere), &costs, (cost, node), admits);
    }
}

/// The cost of entering the node where the agent stands.
fn entry_here(now: &Situation<'_>, leader: &Leader, step: f64) -> f64 {
    leader.gap(now.estimates, now.at) + step
}
