// Reward over time: the mean of windows of visits, or the total, and the changes that the agent found.

import { drawChanges, markAt, marksOf, summaryOf } from './changes.js';
import { drawn, say } from './dom.js';
import { count, measure, shortCount, things, tickLabel, ticks } from './format.js';

const WINDOWS = 64;
const HEIGHT = 204;
const EDGE = { left: 48, right: 12, top: 24, bottom: 34 };

/** Turns the points into marks to draw: `x` visits, `y` value, and the text of the readout. */
export function series(points, mode) {
  const sums = [[0, 0], ...points.filter(([visits]) => visits > 0)];
  if (sums.length === 1) return [];
  if (mode === 'total') {
    return sums.map(([visits, reward]) => ({
      x: visits,
      y: reward,
      words: `after ${things(visits, 'visit')}: ${measure(reward)}`,
    }));
  }
  const visits = sums.at(-1)[0];
  const windows = Math.min(WINDOWS, sums.length - 1);
  const total = totals(sums);
  const marks = [];
  for (let k = 0; k < windows; k += 1) {
    const [from, to] = [k, k + 1].map((end) => Math.round((end * visits) / windows));
    if (to === from) continue;
    const which = to - from === 1 ? `visit ${count(to)}` : `visits ${count(from + 1)} to ${count(to)}`;
    const y = (total(to) - total(from)) / (to - from);
    marks.push({ x: (from + to) / 2, y, words: `${which}: ${measure(y)}` });
  }
  return marks;
}

/** The total after a number of visits, interpolated between points. Call it with ascending visits. */
function totals(sums) {
  let k = 1;
  return (visits) => {
    while (k > 1 && sums[k - 1][0] > visits) k -= 1;
    while (k < sums.length - 1 && sums[k][0] < visits) k += 1;
    const [[from, before], [to, after]] = [sums[k - 1], sums[k]];
    return before + ((after - before) * (visits - from)) / (to - from || 1);
  };
}

export class Chart {
  constructor(frame, readout) {
    this.frame = frame;
    this.readout = readout;
    this.mode = 'mean';
    this.points = [];
    this.changes = [];
    this.found = 0;
    this.pointed = null;
    frame.addEventListener('pointermove', (event) => this.pointAt(event.clientX - frame.getBoundingClientRect().left));
    frame.addEventListener('pointerleave', () => this.point(null));
    frame.addEventListener('blur', () => this.point(null));
    frame.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(frame);
  }

  /** Takes new rewards; `nameOf` names the nodes of changes. */
  update(rewards, nameOf = String) {
    this.points = rewards.points;
    this.changes = marksOf(rewards.changes ?? [], nameOf);
    this.found = rewards.changes_found ?? 0;
    this.draw();
  }

  setMode(mode) {
    this.mode = mode;
    this.pointed = null;
    this.draw();
  }

  pointAt(left) {
    const { marks } = this;
    if (!marks?.length) return;
    const x = this.visitsAt(left);
    const nearer = (best, mark) => (Math.abs(mark.x - x) < Math.abs(best.x - x) ? mark : best);
    this.point(this.stops.indexOf(markAt(this.changes, this.x, left) ?? marks.reduce(nearer)));
  }

  key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || !this.stops?.length) return;
    event.preventDefault();
    const last = this.stops.length - 1;
    this.point(Math.min(last, Math.max(0, (this.pointed ?? last + (by < 0 ? 1 : 0)) + by)));
  }

  point(index) {
    if (index === this.pointed) return;
    this.pointed = index;
    this.drawPointed();
  }

  draw() {
    const wide = this.frame.clientWidth;
    this.marks = series(this.points, this.mode);
    // What the arrow keys step through.
    this.stops = [...this.marks, ...this.changes].sort((a, b) => a.x - b.x);
    if (this.pointed >= this.stops.length) this.pointed = null;
    Object.assign(this.frame.dataset, { points: this.marks.length, changes: this.changes.length });
    if (wide < 80) return;
    const { marks } = this;
    const last = this.points.at(-1) ?? [0, 0];
    const mean = last[0] > 0 ? last[1] / last[0] : 0;
    const values = marks.map(({ y }) => y);
    let [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
    if (!(high > low))
      [low, high] = [low - Math.max(0.5, Math.abs(low) * 0.1), high + Math.max(0.5, Math.abs(high) * 0.1)];
    const pad = (high - low) * 0.06;
    if (this.mode === 'mean') [low, high] = [low - pad, high + pad];
    const across = Math.max(1, last[0]);
    const plot = { left: EDGE.left, right: wide - EDGE.right, top: EDGE.top, bottom: HEIGHT - EDGE.bottom };
    this.x = (visits) => plot.left + (visits / across) * (plot.right - plot.left);
    this.visitsAt = (left) => ((left - plot.left) / (plot.right - plot.left)) * across;
    this.y = (value) => plot.bottom - ((value - low) / (high - low)) * (plot.bottom - plot.top);
    const image = drawn('svg', {
      width: wide,
      height: HEIGHT,
      viewBox: `0 0 ${wide} ${HEIGHT}`,
      'aria-hidden': 'true',
    });
    this.drawAxes(image, { low, high, across, plot });
    if (this.mode === 'mean' && marks.length > 1) {
      image.append(drawn('line', { class: 'mean', x1: plot.left, x2: plot.right, y1: this.y(mean), y2: this.y(mean) }));
    }
    drawChanges(image, this.changes, this.x, plot);
    if (marks.length > 0) {
      image.append(
        drawn('path', {
          class: 'line',
          d: marks.map(({ x, y }, k) => `${k ? 'L' : 'M'}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`).join(''),
        }),
      );
    }
    if (marks.length > 0 && marks.length < 24) {
      for (const { x, y } of marks)
        image.append(drawn('circle', { class: 'mark', cx: this.x(x), cy: this.y(y), r: 2.5 }));
    }
    this.cursor = drawn('g', {});
    image.append(this.cursor);
    this.frame.replaceChildren(image);
    this.summary = this.summarized(mean, last) + summaryOf(this.changes, this.found);
    this.frame.setAttribute('aria-label', `Chart: ${this.summary}`);
    this.plot = plot;
    this.drawPointed();
  }

  summarized(mean, [visits, reward]) {
    if (visits === 0) return 'no reward yet';
    if (this.mode === 'total') return `total ${measure(reward)} after ${things(visits, 'visit')}`;
    return `mean of ${things(visits, 'visit')}: ${measure(mean)} (dashed)`;
  }

  drawAxes(image, { low, high, across, plot }) {
    const rungs = ticks(low, high, 5);
    const step = rungs.length > 1 ? rungs[1] - rungs[0] : 1;
    for (const value of rungs) {
      image.append(
        drawn('line', { class: 'rule', x1: plot.left, x2: plot.right, y1: this.y(value), y2: this.y(value) }),
      );
      image.append(
        drawn(
          'text',
          { class: 'tick', x: plot.left - 7, y: this.y(value) + 4, 'text-anchor': 'end' },
          tickLabel(value, step),
        ),
      );
    }
    image.append(drawn('line', { class: 'axis', x1: plot.left, x2: plot.right, y1: plot.bottom, y2: plot.bottom }));
    const anchor = (x) => (x < plot.left + 4 ? 'start' : x > plot.right - 14 ? 'end' : 'middle');
    for (const visits of ticks(0, across, plot.right - plot.left > 260 ? 5 : 3)) {
      if (!Number.isInteger(visits)) continue;
      image.append(
        drawn(
          'text',
          { class: 'tick', x: this.x(visits), y: plot.bottom + 15, 'text-anchor': anchor(this.x(visits)) },
          shortCount(visits),
        ),
      );
    }
    const title = this.mode === 'mean' ? 'mean reward per visit' : 'total reward';
    image.append(drawn('text', { class: 'tick title', x: plot.left - 40, y: 11 }, title));
    image.append(
      drawn(
        'text',
        { class: 'tick title', x: (plot.left + plot.right) / 2, y: HEIGHT - 3, 'text-anchor': 'middle' },
        'visits',
      ),
    );
  }

  drawPointed() {
    const mark = this.pointed === null ? null : this.stops[this.pointed];
    say(this.readout, mark?.words ?? this.summary ?? '');
    if (!this.cursor) return;
    this.cursor.replaceChildren();
    if (!mark) return;
    const x = this.x(mark.x);
    const kind = mark.isChange ? 'cursor of-change' : 'cursor';
    this.cursor.append(drawn('line', { class: kind, x1: x, x2: x, y1: this.plot.top, y2: this.plot.bottom }));
    if (!mark.isChange) this.cursor.append(drawn('circle', { class: 'mark', cx: x, cy: this.y(mark.y), r: 4 }));
  }
}
