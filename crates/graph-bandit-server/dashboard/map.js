// The map: two canvases, one that changes seldom and one that moves.
//
// The first is drawn larger than the window and only shifted while somebody pans, so that graphs of
// ten thousand nodes follow the pointer. It is drawn again when the pointer rests.

import { Camera } from './camera.js';
import { Crew } from './crew.js';
import { UNKNOWN, colours } from './palette.js';
import { drawBase, edgeKey, radiusOf } from './map-base.js';
import { drawOverlay } from './map-overlay.js';
import { covering, coversOf, marginsOf } from './map-covers.js';
import { listen } from './map-input.js';
import { Nearest } from './nearest.js';
import { label, neighbourTowards } from './graph.js';
import { edgeAt, isInMiddle } from './nearest-road.js';
import { isLearned, learn, roadKey, wayOf } from './roads.js';
import { glide, gliding, placeAt } from './walk.js';

/** A layer that takes fewer milliseconds than this is drawn again in every frame. */
const CHEAP = 5;
/** The pointer rests when it has not moved for this long, in milliseconds. */
const REST = 140;
/** How long new colours may wait for the pointer to rest, in milliseconds. */
const PATIENCE = 3000;
/** The longest pause between two drawings of a large graph's colours, in milliseconds. */
const LONGEST_TURN = 600;
/** How near a pointer must come to a node, in pixels. */
const REACH = 16;

const still = matchMedia('(prefers-reduced-motion: reduce)');

export class MapView {
  /** `frame` holds two canvases; `heard` has the callbacks for input. */
  constructor(frame, heard) {
    this.frame = frame;
    this.heard = heard;
    [this.base, this.top] = frame.querySelectorAll('canvas');
    this.cache = { base: document.createElement('canvas'), names: document.createElement('canvas') };
    this.camera = new Camera();
    this.graph = null;
    this.cost = 0;
    this.movedAt = -Infinity;
    this.covers = [];
    this.scene = {
      colours: this.colours(),
      leg: null,
      marker: null,
      selected: null,
      hovered: null,
      road: null,
      focused: null,
      hasFocus: false,
    };
    listen(this);
    new ResizeObserver(() => this.resize()).observe(frame);
    const covers = new ResizeObserver(() => this.measureCovers());
    for (const cover of covering(this.frame)) covers.observe(cover);
    this.resize();
  }

  colours() {
    const all = colours();
    return { ...all, onAgent: getComputedStyle(document.documentElement).getPropertyValue('--on-agent').trim() };
  }

  /** Takes the colours of a changed theme. */
  recolour() {
    this.scene.colours = this.colours();
    this.crew?.readColours();
    this.contentChanged();
  }

  /** Shows a graph as a whole. */
  setGraph(graph) {
    this.graph = graph;
    this.nearest = new Nearest(graph);
    this.levels = new Uint8Array(graph.nodes).fill(UNKNOWN);
    this.aside = new Uint8Array(graph.nodes);
    this.blocked = new Set();
    this.walk = null;
    this.crew = null;
    const nothing = { leg: null, marker: null, selected: null, hovered: null, road: null, focused: null };
    Object.assign(this.scene, nothing, { walkers: null, isTeam: false });
    Object.assign(this.frame.dataset, {
      nodes: graph.nodes,
      edges: graph.edges.length / 2,
      roads: graph.roadCount,
      at: '',
      walkers: '',
      lit: '',
      leg: '',
      stay: '',
      blocked: 0,
      visited: 0,
      aside: 0,
      learned: 0,
    });
    this.fit();
  }

  /** Sets the colour of each node, and whether blocked edges cut it off. */
  setLevels(levels, aside, measure) {
    this.levels = levels;
    this.aside = aside;
    this.frame.dataset.aside = aside.reduce((sum, cut) => sum + cut, 0);
    this.frame.dataset.colourBy = measure;
    this.frame.dataset.visited = levels.reduce((sum, level) => sum + (level !== UNKNOWN), 0);
    this.contentChanged();
  }

  /** Sets the expected times of the roads with reports. */
  setLearned(told) {
    learn(this.graph, told);
    this.frame.dataset.learned = told.filter(({ from, to }) => isLearned(this.graph, from, to)).length;
    this.contentChanged();
  }

  /** Sets where the agent is and where it goes. */
  setState(state) {
    const { at, path, stay, blocked } = state;
    const { graph, scene } = this;
    if (!graph) return;
    const now = performance.now();
    const [former, leg] = [scene.leg, { at: at.node, path: path.map(({ node }) => node), stay, way: wayOf(state) }];
    if (!former || former.at !== leg.at) {
      // If reports come faster than the marker glides, the marker jumps.
      const follows = former && !still.matches && !gliding(this.walk, now);
      this.walk = follows ? glide(graph, former.at, leg.at, now) : null;
      if (!this.walk) scene.marker = { x: graph.x[leg.at], y: graph.y[leg.at] };
    }
    scene.leg = leg;
    this.setBlocked(blocked);
    Object.assign(this.frame.dataset, { at: leg.at, leg: leg.path.join(','), stay });
    this.frame.dataset.way = leg.way.visits ?? '';
    this.invalidate();
  }

  /** Sets where the walkers of a team are and where they go. */
  setTeam({ team: { walkers }, blocked }) {
    if (!this.graph) return;
    this.crew ??= new Crew(this.graph);
    this.crew.set(walkers, performance.now(), !still.matches);
    this.scene.isTeam = true;
    this.setBlocked(blocked);
    const said = ({ walker, at, path, stay }) => `${walker}@${at.node}>${path.join(',')}+${stay}`;
    this.frame.dataset.walkers = walkers.map(said).join(' ');
    this.invalidate();
  }

  /** Lights up a walker of the team, or none. */
  light(number) {
    if (!this.crew || this.crew.lit === number) return;
    this.crew.lit = number;
    this.frame.dataset.lit = number ?? '';
    this.invalidate();
  }

  /** The number of the team's walker at a point of the screen, or null. */
  walkerAt(x, y) {
    return this.crew?.at(this.camera, x, y) ?? null;
  }

  /** The node to begin at: where the agent is, or the walker that the page shows. */
  home() {
    return this.scene.leg?.at ?? this.heard.home?.() ?? 0;
  }

  setBlocked(blocked) {
    const { graph } = this;
    const keys = new Set(blocked.map(([a, b]) => (graph.roads ? roadKey(a, b) : edgeKey(a, b))));
    this.frame.dataset.blocked = keys.size;
    const same = keys.size === this.blocked.size && [...keys].every((key) => this.blocked.has(key));
    if (same) return;
    this.blocked = keys;
    this.contentChanged();
  }

  select(node) {
    this.scene.selected = node;
    if (node !== null) {
      this.scene.focused = node;
      this.reveal(node);
    }
    this.frame.dataset.selected = node ?? '';
    this.contentChanged();
  }

  /** Moves the view to a node that is out of sight. */
  reveal(node) {
    const [x, y] = [this.camera.screenX(this.graph.x[node]), this.camera.screenY(this.graph.y[node])];
    // Less than the margin around a map that is shown as a whole.
    const margin = Math.min(40, 0.06 * Math.min(this.camera.width, this.camera.height));
    if (x > margin && y > margin && x < this.camera.width - margin && y < this.camera.height - margin) return;
    this.lookAt(node);
  }

  /** Points at a node, at a road, or at nothing. */
  hover(node, road = null) {
    if (node === this.scene.hovered && road === this.scene.road) return;
    Object.assign(this.scene, { hovered: node, road });
    this.invalidate();
    this.heard.pointed(this.pointedAt());
  }

  /** The node whose card to show: under the pointer, focused by keys, or selected. */
  pointedAt() {
    const { hovered, focused, hasFocus, selected } = this.scene;
    return hovered ?? (hasFocus ? focused : null) ?? selected;
  }

  setFocus(has) {
    this.scene.hasFocus = has;
    if (has && this.scene.focused === null) this.scene.focused = this.scene.selected ?? this.home();
    this.invalidate();
    this.heard.pointed(this.pointedAt());
  }

  /** Moves the focus to the neighbour that lies most nearly in a direction. */
  step(dx, dy) {
    const { graph, scene } = this;
    if (!graph) return;
    const from = scene.focused ?? this.home();
    this.focusOn(neighbourTowards(graph, from, dx, dy) ?? from);
  }

  focusOn(node) {
    this.scene.focused = node;
    Object.assign(this.scene, { hovered: null, road: null });
    this.frame.dataset.focused = node;
    this.reveal(node);
    this.invalidate();
    this.heard.pointed(node);
    this.heard.focused(node);
  }

  /** Sets several agents, each `{ leg, marker, colour, shift, trail }`. */
  setWalkers(walkers) {
    this.scene.walkers = walkers;
    this.invalidate();
  }

  /** Sets the node that a star marks. */
  setStar(node) {
    this.scene.star = node;
    this.invalidate();
  }

  /** The closed roads, in every direction they have. */
  setClosed(pairs) {
    const { graph } = this;
    const keys = new Set(
      pairs.flatMap(([a, b]) => (graph.roads ? [roadKey(a, b), roadKey(b, a)] : [edgeKey(a, b)])),
    );
    const same = keys.size === this.blocked.size && [...keys].every((key) => this.blocked.has(key));
    this.frame.dataset.blocked = pairs.length;
    if (same) return;
    this.blocked = keys;
    this.contentChanged();
  }

  /** The node at a point of the screen. */
  nodeAt(x, y) {
    if (!this.graph) return null;
    const reach = Math.max(REACH, radiusOf(this.graph, this.camera) + 4) / this.camera.scale;
    const node = this.nearest.find(this.camera.worldX(x), this.camera.worldY(y), reach);
    return node !== null && this.isRoadOf(node, x, y) ? null : node;
  }

  /** Whether a point near a node is the middle of one of its roads: short roads have large nodes beside them. */
  isRoadOf(node, x, y) {
    const k = this.heard.road ? edgeAt(this.graph, this.camera, x, y) : null;
    if (k === null || ![this.graph.edges[k], this.graph.edges[k + 1]].includes(node)) return false;
    return isInMiddle(this.graph, this.camera, k, x, y);
  }

  /** The street at a point of the screen without a node. */
  roadAt(x, y) {
    // Plain edges have no card, so they matter only if roads can be selected.
    if (!this.graph || !(this.graph.roads || this.heard.road)) return null;
    return edgeAt(this.graph, this.camera, x, y);
  }

  /** Where the middle of a street is drawn. */
  middleOf(k) {
    const [a, b] = [this.graph.edges[k], this.graph.edges[k + 1]].map((node) => this.screenOf(node));
    const isLevel = Math.abs(a.x - b.x) > Math.abs(a.y - b.y);
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, radius: 8, isLevel };
  }

  screenOf(node) {
    return {
      x: this.camera.screenX(this.graph.x[node]),
      y: this.camera.screenY(this.graph.y[node]),
      radius: radiusOf(this.graph, this.camera),
    };
  }

  fit() {
    if (!this.graph) return;
    this.camera.fit(this.graph, marginsOf(this.camera, this.covers));
    this.cached = null;
    this.moved();
    this.fitted = true;
    // Nobody moved the pointer, so nothing needs to wait for it.
    this.movedAt = -Infinity;
  }

  /** Measures where the buttons and the legend lie now. */
  measureCovers() {
    const covers = coversOf(this.frame);
    if (JSON.stringify(covers) === JSON.stringify(this.covers)) return;
    this.covers = covers;
    if (this.fitted) this.fit();
    this.contentChanged();
  }

  zoom(factor, x, y) {
    this.camera.zoom(factor, x, y);
    this.moved();
  }

  pan(dx, dy) {
    this.camera.pan(dx, dy);
    this.moved();
  }

  /** Moves the view to the agent. */
  findAgent() {
    if (this.scene.leg || this.crew) this.lookAt(this.home());
  }

  lookAt(node) {
    this.camera.x = this.graph.x[node];
    this.camera.y = this.graph.y[node];
    this.moved();
  }

  moved() {
    this.fitted = false;
    this.movedAt = performance.now();
    this.invalidate();
    this.heard.moved?.();
  }

  /** Resolves when the pointer rests, or after a while if it does not. */
  async rest() {
    const start = performance.now();
    while (performance.now() - this.movedAt < REST && performance.now() - start < PATIENCE) {
      await new Promise((resolve) => setTimeout(resolve, REST));
    }
  }

  contentChanged() {
    this.staleSince ??= performance.now();
    this.invalidate();
  }

  invalidate() {
    this.asked ??= requestAnimationFrame(() => {
      this.asked = null;
      this.draw();
    });
  }

  resize() {
    const { width, height } = this.frame.getBoundingClientRect();
    if (width < 1 || height < 1) return;
    this.ratio = Math.min(3, window.devicePixelRatio || 1);
    for (const canvas of [this.base, this.top]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
    Object.assign(this.camera, { width, height });
    this.cached = null;
    this.measureCovers();
    // A reader who has zoomed in keeps the view.
    if (this.fitted) this.fit();
    this.draw();
    if (this.graph) this.heard.moved?.();
  }

  draw() {
    // Without a size there is nothing to draw on; resizing will draw it.
    if (!this.graph || !this.ratio) return;
    const now = performance.now();
    if (this.needsBase(now)) this.renderBase();
    this.showBase();
    this.drawTop(now);
    const isSharp = this.cached.camera.sees(this.margined());
    this.frame.dataset.sharp = isSharp;
    if (this.walk || this.crew?.glides.size > 0 || this.staleSince || !isSharp) this.invalidate();
  }

  /** The camera of the drawn layer, which is larger than the window. */
  margined() {
    const camera = this.camera.copy();
    camera.margin = Math.round(0.3 * Math.max(camera.width, camera.height));
    camera.width += 2 * camera.margin;
    camera.height += 2 * camera.margin;
    return camera;
  }

  needsBase(now) {
    const { cached, camera } = this;
    if (!cached) return true;
    const resting = now - this.movedAt > REST;
    if (!cached.camera.sees(this.margined())) {
      const zoom = camera.scale / cached.camera.scale;
      const [left, top, right, bottom] = this.cachedArea();
      const covers = left <= 0 && top <= 0 && right >= camera.width && bottom >= camera.height;
      if (this.cost < CHEAP || resting || !covers || zoom > 1.8) return true;
    }
    if (!this.staleSince) return false;
    // Drawing the colours of very large graphs must leave time for everything else.
    if (now - this.renderedAt < Math.min(2 * this.cost, LONGEST_TURN)) return false;
    return this.cost < CHEAP || resting || now - this.staleSince > PATIENCE;
  }

  /** Where the drawn layer lies on the screen now. */
  cachedArea() {
    const {
      cached: { camera: drawn },
      camera,
    } = this;
    const zoom = camera.scale / drawn.scale;
    const left = camera.screenX(drawn.worldX(0));
    const top = camera.screenY(drawn.worldY(0));
    return [left, top, left + drawn.width * zoom, top + drawn.height * zoom];
  }

  renderBase() {
    const camera = this.margined();
    const start = performance.now();
    const { cache, ratio } = this;
    const [width, height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)];
    const [base, names] = [cache.base, cache.names].map((canvas) => {
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      const context = canvas.getContext('2d');
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, camera.width, camera.height);
      return context;
    });
    const { leg, selected, colours } = this.scene;
    const legs = this.crew?.walkers.map((walker) => walker.leg) ?? [leg];
    const ends = legs.flatMap((leg) => [leg?.at, leg?.path.at(-1)]);
    const first = [...ends, selected].filter((node) => node !== undefined && node !== null);
    const shown = drawBase(base, names, this.graph, camera, {
      colours,
      levels: this.levels,
      aside: this.aside,
      blocked: this.blocked,
      first,
      covers: this.covers,
    });
    Object.assign(this.frame.dataset, shown);
    this.cached = { camera };
    this.staleSince = null;
    this.renderedAt = performance.now();
    this.cost = this.renderedAt - start;
  }

  showBase() {
    const context = this.base.getContext('2d');
    context.clearRect(0, 0, this.base.width, this.base.height);
    this.show(context, this.cache.base);
  }

  /** Copies a drawn layer to where it belongs now. */
  show(context, layer) {
    // Whole pixels, or the map would be blurred while it moves.
    const [left, top, right, bottom] = this.cachedArea().map((edge) => Math.round(edge * this.ratio));
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(layer, left, top, right - left, bottom - top);
    context.restore();
  }

  drawTop(now) {
    if (this.walk) {
      this.scene.marker = placeAt(this.graph, this.walk, now);
      if (!gliding(this.walk, now)) this.walk = null;
    }
    this.noteMarker();
    if (this.crew) {
      this.crew.advance(now);
      this.scene.walkers = this.crew.scene();
    }
    const context = this.top.getContext('2d');
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.camera.width, this.camera.height);
    const drawn = ({ discs, names }) => Object.assign(this.frame.dataset, { discs, names });
    const scene = { ...this.scene, levels: this.levels, aside: this.aside, covers: this.covers, drawn };
    const badge = drawOverlay(context, this.graph, this.camera, scene, () => {
      const { labels, times } = this.frame.dataset;
      if (labels !== '0' || times !== '0' || this.blocked.size > 0) this.show(context, this.cache.names);
    });
    this.frame.dataset.badge = badge ? [badge.left, badge.top, badge.right, badge.bottom].map(Math.round).join() : '';
  }

  /** Notes how far the marker is from the agent's node, in pixels. */
  noteMarker() {
    const { graph, scene, camera, frame } = this;
    if (!scene.marker) return;
    const [x, y] = [scene.marker.x - graph.x[scene.leg.at], scene.marker.y - graph.y[scene.leg.at]];
    frame.dataset.markerAway = (Math.hypot(x, y) * camera.scale).toFixed(1);
  }

  /** The name of a node of this graph. */
  nameOf(node) {
    return label(this.graph, node);
  }
}
