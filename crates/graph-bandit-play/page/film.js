// The page's record of a race: what every racer did, moment by moment, and what it knows of nodes.

/** How many nodes of its past are shown behind a racer. */
const TRAIL = 14;

/** One racer. */
class Track {
  constructor(nodes, now) {
    this.visits = new Float64Array(nodes);
    this.means = new Float64Array(nodes).fill(NaN);
    this.points = [];
    /** The node and the end of the last visit before the moves being shown. */
    this.last = { node: now.at.node, end: 0 };
    this.trail = [];
    this.moves = [];
    this.next = 0;
    this.settle(now);
  }

  /** Adds the next moves. */
  begin(now) {
    this.moves = now.moves;
    this.next = 0;
    this.coming = now;
  }

  /** Jumps to the end of its moves. */
  settle(now) {
    for (const [node, visits, mean] of now.known) {
      this.visits[node] = visits;
      this.means[node] = mean;
    }
    this.points.push(...now.points);
    this.now = now;
    this.coming = now;
    this.skipTo(Infinity);
    this.moves = [];
    this.next = 0;
  }

  skipTo(time) {
    for (; this.next < this.moves.length && this.moves[this.next][2] <= time; this.next += 1) {
      const [node, , end] = this.moves[this.next];
      if (node !== this.last.node) {
        this.trail.push(this.last.node);
        if (this.trail.length > TRAIL) this.trail.shift();
      }
      this.last = { node, end };
    }
  }

  /** Its position at a time: two nodes, and how far along between them. */
  at(time) {
    this.skipTo(time);
    const { last, moves, next, coming } = this;
    if (next < moves.length) {
      const [node, times, end] = moves[next];
      const first = end - (times - 1);
      return { from: last.node, to: node, share: share(time, last.end, first) };
    }
    // It is on a road whose end is not known yet.
    const road = coming.times?.[0];
    if (road > 1 && coming.path.length > 0 && time > last.end) {
      return { from: last.node, to: coming.path[0].node, share: share(time, last.end, last.end + road) };
    }
    return { from: last.node, to: last.node, share: 0 };
  }
}

const share = (time, start, end) => Math.min(1, Math.max(0, (time - start) / (end - start || 1)));

/** A race as the page has seen it. */
export class Film {
  constructor(opening) {
    const { graph, progress } = opening;
    this.opening = opening;
    this.id = opening.id;
    this.steps = opening.steps;
    /** The time up to which the race is known. */
    this.t = progress.t;
    /** The time that is shown. */
    this.shown = progress.t;
    this.closed = progress.closed;
    this.tracks = progress.racers.map((racer) => new Track(graph.nodes, racer));
    this.parts = [];
    /** The time of the state that the panels show. */
    this.told = progress.t;
  }

  get isOver() {
    return this.t >= this.steps;
  }

  /** Adds the race's progress. */
  add(progress) {
    this.parts.push(progress);
    this.t = progress.t;
    if (this.parts.length === 1) this.beginPart();
  }

  beginPart() {
    this.parts[0].racers.forEach((racer, k) => this.tracks[k].begin(racer));
  }

  /** Shows a moment; returns whether the panels have something new to show. */
  show(time) {
    this.shown = Math.min(Math.max(time, this.shown), this.t);
    let news = false;
    while (this.parts.length > 0 && this.parts[0].t <= this.shown) {
      const { racers, closed, t } = this.parts.shift();
      racers.forEach((racer, k) => this.tracks[k].settle(racer));
      this.closed = closed;
      this.told = t;
      news = true;
      if (this.parts.length > 0) this.beginPart();
    }
    return news;
  }
}
