//! New tables.
//!
//! Only one table satisfies the equations, so its nodes may be searched in any order that ends. They
//! are taken out of buckets of similar price, and taken again if they get a better offer later. This
//! writes straight into the table, and takes less time than a search in order of price. That search
//! takes over if prices differ too much in scale.

use super::{BEYOND, HomeCosts, Label, price_of_time};
use crate::agent::Situation;
use crate::graph::NodeId;
use crate::index::Leader;
use crate::plan::{CheapestPaths, Heading, RoadCosts};

/// The number of nodes sampled for the usual cost of entering one.
const SAMPLE: usize = 16;

impl HomeCosts {
    /// Searches the paths home that cost at most `radius`. If the path from `now.at` is one of them,
    /// goes on to the paths that cost at most `reach` of it.
    pub(in crate::planner::hunt) fn search(
        &mut self,
        now: &Situation<'_>,
        home: &Leader,
        paths: &mut CheapestPaths,
        (radius, log): (f64, usize),
        reach: impl Fn(f64) -> f64,
    ) {
        self.home = *home;
        self.repair.forget();
        self.stale = 0.0;
        self.clear(now.graph.len());
        let is_by_road = now.graph.roads().is_some();
        let by_buckets =
            if is_by_road { None } else { self.search_by_buckets(now, (radius, &reach)) };
        let radius = by_buckets.unwrap_or_else(|| {
            self.clear(now.graph.len());
            self.search_in_order(now, paths, (radius, &reach))
        });
        (self.widest, self.limit) = (radius, radius);
        // The last nodes reached are beyond the radius.
        let labels = &mut self.labels;
        self.members.retain(|&node| {
            let is_within = labels[node as usize].cost <= radius;
            if !is_within {
                labels[node as usize] = BEYOND;
            }
            is_within
        });
        self.settle(log);
    }

    /// Forgets all labels.
    fn clear(&mut self, nodes: usize) {
        for node in self.members.drain(..) {
            self.labels[node as usize] = BEYOND;
        }
        self.labels.resize(nodes, BEYOND);
    }

    /// Searches as far as `radius`; once it has reached here, as far as `reach` says. Returns how far
    /// it came, or `None` if it should rather go in order of price.
    fn search_by_buckets(
        &mut self,
        now: &Situation<'_>,
        (radius, reach): (f64, &impl Fn(f64) -> f64),
    ) -> Option<f64> {
        let (graph, home, step) = (now.graph, self.home, self.step);
        let entry = |node| home.gap(now.estimates, node) + step;
        let sample = graph.nodes().step_by(graph.len().div_ceil(SAMPLE));
        let usual = sample.clone().map(entry).sum::<f64>() / sample.count() as f64;
        if !(usual > 0.0 && usual < f64::INFINITY) {
            return None;
        }
        let mut buckets = std::mem::take(&mut self.buckets);
        buckets.start(usual, graph.len());
        buckets.push(0.0, home.node);
        self.labels[home.node as usize] = Label { cost: 0.0, entry: entry(home.node) };
        self.members.push(home.node);
        let mut is_reached = now.at == home.node;
        let mut radius = if is_reached { reach(0.0) } else { radius };
        let came_to = loop {
            let Some((price, node)) = buckets.pop() else { break Some(f64::INFINITY) };
            // Costs below this are final.
            let floor = buckets.floor();
            let here = self.labels[now.at as usize].cost;
            if !is_reached && here < floor {
                is_reached = true;
                radius = reach(here);
            }
            if floor > radius {
                break Some(radius);
            }
            if buckets.is_too_costly() {
                break None;
            }
            // A node that later got a better offer waits twice.
            if price > self.price(node) {
                continue;
            }
            for &neighbor in graph.neighborhood(node) {
                let label = &mut self.labels[neighbor as usize];
                if price < label.cost {
                    if label.entry == BEYOND.entry {
                        label.entry = entry(neighbor);
                        self.members.push(neighbor);
                    }
                    label.cost = price;
                    buckets.push(price + label.entry, neighbor);
                }
            }
        };
        self.buckets = buckets;
        came_to
    }

    /// The same in order of price.
    fn search_in_order(
        &mut self,
        now: &Situation<'_>,
        paths: &mut CheapestPaths,
        (radius, reach): (f64, &impl Fn(f64) -> f64),
    ) -> f64 {
        let (home, step) = (self.home, self.step);
        let entry = |node| home.gap(now.estimates, node) + step;
        let is_by_road = now.graph.roads().is_some();
        let came_to = if is_by_road {
            let costs = RoadCosts { entry, time: price_of_time(&home) };
            search_by_road(now, &costs, home.node, paths, (radius, reach))
        } else {
            search_by_node(now, entry, home.node, paths, (radius, reach))
        };
        for &node in if is_by_road { paths.settled() } else { paths.reached() } {
            self.labels[node as usize] = Label { cost: paths.cost(node), entry: entry(node) };
            self.members.push(node);
        }
        came_to
    }
}

/// Searches from home as far as `radius`; once it has reached here, as far as `reach` says. Returns
/// how far it came.
fn search_by_node(
    now: &Situation<'_>,
    entry: impl Fn(NodeId) -> f64,
    home: NodeId,
    paths: &mut CheapestPaths,
    (radius, reach): (f64, &impl Fn(f64) -> f64),
) -> f64 {
    paths.begin(now.graph, home);
    let mut radius = if now.at == home { reach(0.0) } else { radius };
    while let Some(expanded) = paths.step(now.graph, &entry, |_, _| true, |_, _| true) {
        if expanded.price > radius {
            return radius;
        }
        if expanded.new.contains(&now.at) {
            radius = reach(expanded.price);
        }
    }
    f64::INFINITY
}

/// The same on roads that run one way or take time.
fn search_by_road(
    now: &Situation<'_>,
    costs: &RoadCosts<impl Fn(NodeId) -> f64>,
    home: NodeId,
    paths: &mut CheapestPaths,
    (radius, reach): (f64, &impl Fn(f64) -> f64),
) -> f64 {
    paths.start_roads(now.graph, [home]);
    let mut radius = radius;
    while let Some((cost, node)) = paths.settle() {
        if cost > radius {
            return radius;
        }
        if node == now.at {
            radius = reach(cost);
        }
        paths.offer((now.graph, Heading::There), costs, (cost, node), |_, _| true);
    }
    f64::INFINITY
}
