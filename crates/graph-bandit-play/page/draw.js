// A board to draw a graph on, by pointer, finger or keys.

import { say, byId } from '../dashboard/dom.js';
import { things } from '../dashboard/format.js';

/** How near a pointer must come to a node, and how large nodes are, in pixels. */
const [REACH, RADIUS] = [18, 9];
/** How far a key moves the cross, as a fraction of the board. */
const STRIDE = 0.05;
const MOST_NODES = 150;

export class Board {
  constructor(canvas) {
    this.canvas = canvas;
    this.nodes = [];
    this.edges = [];
    this.past = [];
    this.cross = null;
    this.from = null;
    this.pointer = null;
    canvas.addEventListener('pointerdown', (event) => this.press(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.lift(event));
    canvas.addEventListener('pointercancel', () => this.letGo());
    canvas.addEventListener('keydown', (event) => this.key(event));
    canvas.addEventListener('focus', () => canvas.matches(':focus-visible') && this.showCross());
    canvas.addEventListener('blur', () => this.hideCross());
    byId('board-undo').addEventListener('click', () => this.undo());
    byId('board-clear').addEventListener('click', () => this.change(() => Object.assign(this, { nodes: [], edges: [] })));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** The graph in the form of a set-up. */
  graph() {
    return { nodes: this.nodes.length, edges: this.edges, coordinates: this.nodes };
  }

  /** Shows a graph that was drawn before. */
  load({ edges, coordinates }) {
    this.nodes = coordinates.map((place) => [...place]);
    this.edges = edges.map((edge) => [...edge]);
    this.past = [];
    this.draw();
  }

  change(work) {
    this.past.push(JSON.stringify([this.nodes, this.edges]));
    work();
    this.draw();
  }

  undo() {
    const before = this.past.pop();
    if (before) [this.nodes, this.edges] = JSON.parse(before);
    this.letGo();
  }

  /** Positions on the board run from 0 to 1, y upwards. */
  toScreen([x, y]) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const side = Math.min(width, height) - 2 * RADIUS - 6;
    return [(width - side * this.stretch()) / 2 + x * side * this.stretch(), (height + side) / 2 - y * side];
  }

  toBoard([left, top]) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const side = Math.min(width, height) - 2 * RADIUS - 6;
    const place = [(left - (width - side * this.stretch()) / 2) / (side * this.stretch()), ((height + side) / 2 - top) / side];
    return place.map((part) => Math.min(1, Math.max(0, part)));
  }

  /** The board's width divided by its height. */
  stretch() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const edge = 2 * RADIUS + 6;
    return Math.max(1, (width - edge) / Math.max(1, Math.min(width, height) - edge));
  }

  nodeNear(point) {
    let [best, nearest] = [null, REACH];
    this.nodes.forEach((place, node) => {
      const [x, y] = this.toScreen(place);
      const apart = Math.hypot(x - point[0], y - point[1]);
      if (apart < nearest) [best, nearest] = [node, apart];
    });
    return best;
  }

  pointOf(event) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  press(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.hideCross();
    this.pointer = this.pointOf(event);
    this.from = this.nodeNear(this.pointer);
    if (this.from === null) this.from = this.addNode(this.toBoard(this.pointer));
    this.draw();
  }

  move(event) {
    if (!this.pointer) return;
    this.pointer = this.pointOf(event);
    this.draw();
  }

  lift(event) {
    if (!this.pointer) return;
    const to = this.nodeNear(this.pointOf(event));
    if (this.from !== null && to !== null && to !== this.from) this.toggleRoad(this.from, to);
    this.letGo();
  }

  letGo() {
    this.pointer = null;
    this.from = null;
    this.draw();
  }

  addNode(place) {
    if (this.nodes.length >= MOST_NODES) return null;
    this.change(() => this.nodes.push(place.map((part) => Number(part.toFixed(3)))));
    return this.nodes.length - 1;
  }

  toggleRoad(a, b) {
    const is = ([c, d]) => (c === a && d === b) || (c === b && d === a);
    this.change(() => {
      const there = this.edges.findIndex(is);
      if (there >= 0) this.edges.splice(there, 1);
      else this.edges.push([Math.min(a, b), Math.max(a, b)]);
    });
  }

  removeNode(node) {
    const after = (other) => (other > node ? other - 1 : other);
    this.change(() => {
      this.nodes.splice(node, 1);
      this.edges = this.edges.filter((edge) => !edge.includes(node)).map((edge) => edge.map(after));
    });
  }

  showCross() {
    this.cross ??= [0.5, 0.5];
    this.draw();
  }

  hideCross() {
    this.cross = null;
    this.draw();
  }

  key(event) {
    const by = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (by) {
      this.showCross();
      this.cross = this.cross.map((part, axis) => Math.min(1, Math.max(0, part + by[axis] * STRIDE)));
    } else if (event.key === 'Enter') this.enter();
    else if (event.key === 'Delete' || event.key === 'Backspace') this.removeAtCross();
    else if (event.key === 'Escape' && this.from !== null) this.letGo();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.draw();
  }

  /** Adds a node where there is none; otherwise starts or ends a road. */
  enter() {
    this.showCross();
    const node = this.nodeNear(this.toScreen(this.cross));
    if (node === null) this.addNode(this.cross);
    else if (this.from === null) this.from = node;
    else {
      if (this.from !== node) this.toggleRoad(this.from, node);
      this.from = null;
    }
  }

  removeAtCross() {
    const node = this.cross && this.nodeNear(this.toScreen(this.cross));
    if (node === null || node === undefined) return;
    this.from = null;
    this.removeNode(node);
  }

  draw() {
    const { canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    say(byId('board-size'), `${things(this.nodes.length, 'node')}, ${things(this.edges.length, 'road')}`);
    if (width < 1 || height < 1) return;
    const ratio = window.devicePixelRatio || 1;
    Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const line = (from, to, stroke, thick) => {
      context.strokeStyle = stroke;
      context.lineWidth = thick;
      context.beginPath();
      context.moveTo(...from);
      context.lineTo(...to);
      context.stroke();
    };
    for (const [a, b] of this.edges)
      line(this.toScreen(this.nodes[a]), this.toScreen(this.nodes[b]), colour('--control'), 2);
    const end = this.pointer ?? (this.cross && this.toScreen(this.cross));
    if (this.from !== null && end) line(this.toScreen(this.nodes[this.from]), end, colour('--primary'), 2.5);
    context.font = '600 11px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    this.nodes.forEach((place, node) => {
      const [x, y] = this.toScreen(place);
      context.fillStyle = node === this.from ? colour('--primary') : colour('--gb-r6');
      context.beginPath();
      context.arc(x, y, RADIUS, 0, 2 * Math.PI);
      context.fill();
      context.fillStyle = colour('--gb-paper');
      context.fillText(String(node), x, y + 0.5);
    });
    if (!this.cross) return;
    const [x, y] = this.toScreen(this.cross);
    for (const [dx, dy] of [
      [14, 0],
      [0, 14],
    ])
      line([x - dx, y - dy], [x + dx, y + dy], colour('--link'), 2);
  }
}
