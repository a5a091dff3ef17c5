// Regret over time, a line for each agent. The axes grow in jumps, so that the lines do not creep.

import { drawn, say } from '../dashboard/dom.js';
import { count, measure, shortCount, tickLabel, ticks } from '../dashboard/format.js';
import { strokeOf } from './line-style.js';

/** The width of a line, in pixels. */
const WIDTH = 2.5;
const EDGE = { left: 50, right: 14, top: 10, bottom: 34 };
/** The horizontal axis shows the smallest of these fractions of the race that holds all points. */
const PARTS = [1 / 8, 1 / 4, 1 / 2, 1];

/** The unit of time of the race. */
export const unitOf = ({ opening }) => (opening.graph.roads ? 'units of time' : 'steps');

export class RegretChart {
  constructor(frame, readout) {
    this.frame = frame;
    this.readout = readout;
    this.pointed = null;
    frame.addEventListener('pointermove', (event) => this.pointAt(event.clientX - frame.getBoundingClientRect().left));
    frame.addEventListener('pointerleave', () => this.point(null));
    frame.addEventListener('blur', () => this.point(null));
    frame.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(frame);
  }

  load(film) {
    this.film = film;
    this.pointed = null;
    this.draw();
  }

  /** Every line as points of time and regret, from zero to now. */
  lines() {
    const { film } = this;
    return film.tracks.map((track) => {
      const marks = track.points.map((regret, k) => [film.opening.points[k], regret]);
      return [[0, 0], ...marks, [film.told, track.now.regret]];
    });
  }

  draw() {
    const { frame, film } = this;
    const [wide, high] = [frame.clientWidth, frame.clientHeight];
    if (!film || wide < 80 || high < 80) return;
    const lines = this.lines();
    const across = Math.max(1, film.steps * PARTS.find((part) => part * film.steps >= film.told || part === 1));
    const most = Math.max(...lines.map((line) => line.reduce((top, [, regret]) => Math.max(top, regret), 0)));
    const up = ceiling(most);
    const plot = { left: EDGE.left, right: wide - EDGE.right, top: EDGE.top, bottom: high - EDGE.bottom };
    const x = (t) => plot.left + (t / across) * (plot.right - plot.left);
    const y = (regret) => plot.bottom - (Math.max(0, regret) / up) * (plot.bottom - plot.top);
    Object.assign(this, { plot, across, marks: lines });
    const image = drawn('svg', { width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, 'aria-hidden': 'true' });
    drawAxes(image, { across, up, plot, x, y, unit: unitOf(film) });
    lines.forEach((line, k) => {
      const stroke = strokeOf(film.opening.agents[k], WIDTH);
      const path = line.map(([t, regret], i) => `${i ? 'L' : 'M'}${x(t).toFixed(1)} ${y(regret).toFixed(1)}`).join('');
      image.append(drawn('path', { class: 'line', d: path, ...stroke }));
      const [t, regret] = line.at(-1);
      image.append(drawn('circle', { class: 'tip', cx: x(t), cy: y(regret), r: 4.5, fill: stroke.stroke }));
    });
    this.cursor = drawn('g', {});
    image.append(this.cursor);
    frame.replaceChildren(image);
    frame.dataset.points = film.tracks[0].points.length;
    this.x = x;
    this.y = y;
    this.drawPointed();
  }

  moments() {
    return this.marks[0].map(([t]) => t);
  }

  pointAt(left) {
    if (!this.marks || this.film.told === 0) return;
    const { plot, across } = this;
    const t = ((left - plot.left) / (plot.right - plot.left)) * across;
    const moments = this.moments();
    let best = 0;
    moments.forEach((moment, k) => {
      if (Math.abs(moment - t) < Math.abs(moments[best] - t)) best = k;
    });
    this.point(best);
  }

  key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || !this.marks) return;
    event.preventDefault();
    const last = this.marks[0].length - 1;
    const from = this.pointed ?? (by < 0 ? last + 1 : -1);
    this.point(Math.min(last, Math.max(0, from + by)));
  }

  point(index) {
    if (index === this.pointed) return;
    this.pointed = index;
    this.drawPointed();
  }

  drawPointed() {
    if (!this.cursor) return;
    const { film, marks } = this;
    const at = Math.min(this.pointed ?? Infinity, marks[0].length - 1);
    const told = marks.map((line, k) => `${film.opening.agents[k].label} ${measure(line[at][1])}`).join(', ');
    const summary = film.told === 0 ? 'the race has not begun' : `after ${count(marks[0][at][0])} ${unitOf(film)}: ${told}`;
    this.frame.setAttribute('aria-label', `Chart of regret: ${summary}`);
    say(this.readout, this.pointed === null ? 'lower is better' : summary);
    this.cursor.replaceChildren();
    if (this.pointed === null) return;
    const x = this.x(marks[0][at][0]);
    this.cursor.append(drawn('line', { class: 'cursor', x1: x, x2: x, y1: this.plot.top, y2: this.plot.bottom }));
    marks.forEach((line, k) => {
      const fill = `var(--gb-${film.opening.agents[k].colour})`;
      this.cursor.append(drawn('circle', { class: 'tip', cx: x, cy: this.y(line[at][1]), r: 4, fill }));
    });
  }
}

/** A round number above all values shown. */
function ceiling(most) {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 1.5, 2, 3, 4, 5, 7.5, 10].map((factor) => factor * power).find((round) => round >= most * 1.02) ?? 15 * power;
}

function drawAxes(image, { across, up, plot, x, y, unit }) {
  const rungs = ticks(0, up, 4);
  for (const value of rungs) {
    image.append(drawn('line', { class: 'rule', x1: plot.left, x2: plot.right, y1: y(value), y2: y(value) }));
    const text = tickLabel(value, rungs[1] ?? 1);
    image.append(drawn('text', { class: 'tick', x: plot.left - 8, y: y(value) + 4, 'text-anchor': 'end' }, text));
  }
  image.append(drawn('line', { class: 'axis', x1: plot.left, x2: plot.right, y1: plot.bottom, y2: plot.bottom }));
  const anchor = (at) => (at < plot.left + 4 ? 'start' : at > plot.right - 14 ? 'end' : 'middle');
  for (const t of ticks(0, across, plot.right - plot.left > 400 ? 8 : 4)) {
    if (!Number.isInteger(t)) continue;
    const place = { class: 'tick', x: x(t), y: plot.bottom + 15, 'text-anchor': anchor(x(t)) };
    image.append(drawn('text', place, shortCount(t)));
  }
  const middle = { class: 'tick title', x: (plot.left + plot.right) / 2, y: plot.bottom + 30, 'text-anchor': 'middle' };
  image.append(drawn('text', middle, unit));
}
