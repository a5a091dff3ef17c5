//! A closer look at the sum of all improvements.
//!
//! The improvement of a node is `E max(0, sd Z - gap)` with a standard normal `Z`: convex in `gap` and
//! `sd` together, and it grows with `sd`. The gap is the leader's mean minus that of the node. And `sd^2
//! = a u^2 + b s^2`, where `u` is the root of the caution, `s` is the root of caution times common
//! variance, and `a` and `b` depend on the node alone; so `sd` is convex in `u` and `s`. The sum of all
//! improvements is thus a convex function of three coordinates: the leader's mean, `s` and `u`. It is
//! computed at a centre and at two points on each axis, one on either side. Then it is bounded
//! everywhere between these points:
//! - from above by interpolation;
//! - from below by twice its value at the centre, minus its value at the mirror image of the point: the
//!   centre is in the middle between both.
//!
//! Both bounds are off by the curvature alone, so they hold much longer than bounds that are as close
//! but take the least and the highest value of each coordinate.
//!
//! A lucky node that leads for a while raises the leader's mean beyond the points. The sum is then at
//! most what it is at the farthest point, and at least what a line over the centre says: a convex
//! function lies above the lines that continue its chords.
//!
//! The declared variance is a cap on that of a node. A node that stays below the cap is convex, and so is
//! one that stays at it. The others are *bent*, and so are nodes whose mean may be above the leader's.
//! These count with the least and the most that they may improve.

use super::sums::{ROUNDING, SHRUNK};
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::index::ExpectedImprovement;

/// The leader's mean, `s` and `u`.
const AXES: usize = 3;
/// The centre, and two points on each axis.
const POINTS: usize = 1 + 2 * AXES;

/// How far the points are from the centre at first: in standard deviations of one reward, and as
/// shares of `s` and `u`.
const REACH: [f64; AXES] = [2.5e-2, 1e-2, 1e-2];
/// The points on each axis are chosen so that the curvature between them is about this share of the
/// sum.
const CURVATURE: f64 = 1e-2;
/// The points move this many times as far out at once, at most.
const ADAPTING: f64 = 2.0;
/// They are at most this many times as far from the centre as at first.
const FARTHEST: f64 = 8.0;

/// More than the improvement that is lost where it is taken for zero, in standard deviations.
const LOST: f64 = 1e-15;

/// How far beyond the points the leader's mean may be, as a multiple of their distance.
const BEYOND: f64 = 6.0;

/// The place of a node that has no terms.
const NO_PLACE: u32 = u32::MAX;

/// What one node adds, or all of them.
#[derive(Debug, Clone, Copy, Default)]
struct Terms {
    /// At most the improvement at the centre.
    least: f64,
    /// At least the improvement at each point.
    most: [f64; POINTS],
    /// At most the improvement anywhere between the points, of a node that is bent.
    bent: f64,
}

impl Terms {
    fn add(&mut self, more: &Self) {
        self.least += more.least;
        self.bent += more.bent;
        self.most.iter_mut().zip(&more.most).for_each(|(sum, more)| *sum += more);
    }

    fn replace(&mut self, before: &Self, now: &Self) {
        self.least += now.least - before.least;
        self.bent += now.bent - before.bent;
        let terms = before.most.iter().zip(&now.most);
        self.most.iter_mut().zip(terms).for_each(|(sum, (before, now))| *sum += now - before);
    }

    /// More than each of the sums.
    fn highest(&self) -> f64 {
        self.most.iter().sum()
    }
}

/// The points at which the sum is known.
#[derive(Debug, Clone)]
struct Frame {
    centre: [f64; AXES],
    reach: [f64; AXES],
    /// The centre; then, axis by axis, a point before it and one after it. Without those on the last
    /// axis if the caution never changes.
    points: Vec<ExpectedImprovement>,
    /// The same for nodes whose variance stays below the cap: points beyond it count, too.
    uncapped: Vec<ExpectedImprovement>,
    /// The least and the highest improvements anywhere between.
    least: ExpectedImprovement,
    most: ExpectedImprovement,
}

fn coordinates(scores: &ExpectedImprovement) -> [f64; AXES] {
    [scores.leader().mean, scores.spread(), scores.current_caution().sqrt()]
}

fn supposing(scores: &ExpectedImprovement, [mean, s, u]: [f64; AXES]) -> ExpectedImprovement {
    let ratio = s / u;
    scores.supposing(ratio * ratio, u * u, mean)
}

/// How far a place is from the centre, as a share of the way to the points.
fn distance(place: [f64; AXES]) -> f64 {
    place.iter().map(|share| share.abs()).sum()
}

impl Frame {
    fn around(scores: &ExpectedImprovement, wider: &[f64; AXES]) -> Self {
        let centre = coordinates(scores);
        let units = [centre[1], centre[1], centre[2]];
        let mut reach: [f64; AXES] = std::array::from_fn(|axis| wider[axis] * units[axis]);
        let mut axes = AXES;
        if !scores.changes_caution() {
            axes -= 1;
            reach[axes] = 0.0;
        }
        let mut points = vec![supposing(scores, centre)];
        for axis in 0..axes {
            for side in [-1.0, 1.0] {
                let mut point = centre;
                point[axis] += side * reach[axis];
                points.push(supposing(scores, point));
            }
        }
        let corner = |side: f64| {
            let u = centre[2] + side * reach[2];
            let ratio = (centre[1] + side * reach[1]) / (centre[2] - side * reach[2]);
            let common = (ratio * ratio).min(scores.declared());
            scores.supposing(common, u * u, centre[0] - side * reach[0])
        };
        let (least, most) = (corner(-1.0), corner(1.0));
        let uncapped = points.iter().map(ExpectedImprovement::uncapped).collect();
        Self { centre, reach, points, uncapped, least, most }
    }

    /// How far these scores are from the centre, as shares of the way to the points; `None` if the sum
    /// is not bounded there.
    fn place(&self, scores: &ExpectedImprovement) -> Option<[f64; AXES]> {
        let here = coordinates(scores);
        let place: [f64; AXES] = std::array::from_fn(|axis| {
            let away = here[axis] - self.centre[axis];
            if away == 0.0 { 0.0 } else { away / self.reach[axis] }
        });
        let [mean, s, u] = place;
        let is_between = distance(place) <= 1.0;
        let is_above = (0.0..BEYOND).contains(&mean) && s.abs() + u.abs() <= 1.0;
        (is_between || is_above).then_some(place)
    }

    /// Makes `leader` the node that improves on nothing.
    fn follow(&mut self, leader: NodeId) {
        let points = self.points.iter_mut().chain(&mut self.uncapped);
        let all = points.chain([&mut self.least, &mut self.most]);
        all.for_each(|scores| scores.follow(leader));
    }

    #[inline]
    fn terms(&self, estimates: &Estimates, node: NodeId) -> Terms {
        let most = self.most.between(estimates, node).1;
        if most == 0.0 {
            return Terms::default();
        }
        let Some(points) = self.points_for(estimates, node) else {
            // As if it improved by `most` everywhere, and by so little at the centre that the bound from
            // below is `bent`.
            let bent = self.least.between(estimates, node).0;
            return Terms { least: 0.5 * (bent + most), most: [most; POINTS], bent };
        };
        let mut terms = Terms::default();
        for (most, scores) in terms.most.iter_mut().zip(points) {
            *most = scores.between(estimates, node).1;
        }
        terms.least = points[0].between(estimates, node).0;
        terms
    }

    /// The points between which a node is convex; `None` if it is bent.
    #[inline]
    fn points_for(&self, estimates: &Estimates, node: NodeId) -> Option<&[ExpectedImprovement]> {
        if self.most.leader().gap(estimates, node) == 0.0 {
            None
        } else if !self.most.is_capped(estimates, node) {
            Some(&self.uncapped)
        } else {
            self.least.is_capped(estimates, node).then_some(&self.points)
        }
    }
}

/// The sum of the improvements of all nodes that are not faint: for decisions that the usual bounds on
/// it leave open.
#[derive(Debug, Clone)]
pub(super) struct Close {
    /// Unless the terms are out of date.
    frame: Option<Frame>,
    /// How far from the centre the points of the next frame are.
    wider: [f64; AXES],
    /// The place of each node in `terms`.
    places: Vec<u32>,
    terms: Vec<Terms>,
    sum: Terms,
    highest: f64,
    updates: usize,
}

impl Default for Close {
    fn default() -> Self {
        Self {
            frame: None,
            wider: REACH,
            places: Vec::new(),
            terms: Vec::new(),
            sum: Terms::default(),
            highest: 0.0,
            updates: 0,
        }
    }
}

impl Close {
    /// Forgets all terms.
    pub(super) fn forget(&mut self) {
        self.frame = None;
    }

    /// Whether the terms are up to date.
    pub(super) fn is_known(&self) -> bool {
        self.frame.is_some()
    }

    /// Computes all terms.
    pub(super) fn compute(
        &mut self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
        clear: &[NodeId],
    ) {
        let frame = Frame::around(scores, &self.wider);
        self.places.clear();
        self.places.resize(estimates.samples().len(), NO_PLACE);
        self.terms.clear();
        self.sum = Terms::default();
        for (place, &node) in (0..).zip(clear) {
            let terms = frame.terms(estimates, node);
            self.sum.add(&terms);
            self.terms.push(terms);
            self.places[node as usize] = place;
        }
        (self.highest, self.updates) = (self.sum.highest(), 0);
        self.adapt();
        self.frame = Some(frame);
    }

    /// Chooses the points of the next frame.
    fn adapt(&mut self) {
        let [centre, points @ ..] = self.sum.most;
        if centre - self.sum.least > CURVATURE * centre {
            // Nodes that are bent say too little.
            self.wider.iter_mut().for_each(|wider| *wider /= ADAPTING);
            return;
        }
        for (axis, ends) in points.chunks(2).enumerate() {
            let curvature = ends.iter().sum::<f64>() - 2.0 * centre;
            if curvature > 0.0 && curvature < f64::INFINITY {
                let wider = (CURVATURE * centre / curvature).sqrt();
                let wider = self.wider[axis] * wider.clamp(1.0 / ADAPTING, ADAPTING);
                self.wider[axis] = wider.min(FARTHEST * REACH[axis]);
            }
        }
    }

    /// Accounts for visits to these nodes, if these scores are still between the points.
    pub(super) fn refresh<'a>(
        &mut self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
        nodes: impl Iterator<Item = &'a NodeId>,
    ) {
        let Some(mut frame) = self.frame.take() else { return };
        let is_lost = self.sum.least < SHRUNK * self.highest || self.updates > self.places.len();
        if is_lost || frame.place(scores).is_none() {
            return;
        }
        frame.follow(scores.leader().node);
        for &node in nodes {
            let place = &mut self.places[node as usize];
            if *place == NO_PLACE {
                *place = self.terms.len() as u32;
                self.terms.push(Terms::default());
            }
            let terms = frame.terms(estimates, node);
            let before = std::mem::replace(&mut self.terms[*place as usize], terms);
            self.sum.replace(&before, &terms);
            self.updates += 1;
        }
        self.highest = self.highest.max(self.sum.highest());
        self.frame = Some(frame);
    }

    /// Bounds on the sum, if the terms are up to date.
    pub(super) fn sum(&self, scores: &ExpectedImprovement) -> Option<(f64, f64)> {
        let frame = self.frame.as_ref()?;
        let place = frame.place(scores)?;
        let lost = LOST * frame.most.widest() * self.terms.len() as f64;
        let slack = ROUNDING * self.highest + 3.0 * lost;
        let away = distance(place).max(1.0);
        let opposite = self.at_most(place.map(|share| -share / away));
        let mut least = (1.0 + away) * self.sum.least - away * opposite;
        if away > 1.0 {
            least -= self.sum.bent;
        }
        // The sum falls as the leader's mean rises.
        let [mean, s, u] = place;
        let most = self.at_most([mean.min(1.0 - s.abs() - u.abs()), s, u]);
        Some((least - away * slack, most + slack))
    }

    /// The sum of the upper bounds at this place, interpolated.
    fn at_most(&self, place: [f64; AXES]) -> f64 {
        let [centre, points @ ..] = self.sum.most;
        let mut most = centre;
        for (share, ends) in place.iter().zip(points.chunks(2)) {
            if *share != 0.0 {
                most += share.abs() * (ends[usize::from(*share > 0.0)] - centre);
            }
        }
        most
    }
}
