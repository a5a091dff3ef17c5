// The maps: one for each agent side by side, or one for all of them.

import { MapView } from '../dashboard/map.js';
import { drawn, element, nameOf, say } from '../dashboard/dom.js';
import { count, measure } from '../dashboard/format.js';
import { graphOf, label } from '../dashboard/graph.js';
import { LEVELS, UNKNOWN, share } from '../dashboard/palette.js';
import { dashesOf, keyOf } from './line-style.js';

/** The distance between racers drawn on one node, in pixels. */
const APART = 6;
/** Up to this speed legs are drawn, since the eye can follow them; in steps per second. */
const READABLE = 60;
/** The scale of visits reaches at least this far, so that few visits look few. */
const FEW = 20;
const [SCALE_WIDTH, SCALE_HEIGHT] = [96, 10];

export class Stage {
  /** `heard` has the callbacks for selected nodes and roads. */
  constructor(frame, heard) {
    this.frame = frame;
    this.heard = heard;
    this.view = 'apart';
    this.colourBy = 'visits';
    this.tiles = [];
    this.film = null;
    this.selected = 0;
  }

  /** Shows another race. */
  load(film) {
    this.film = film;
    this.graph = graphOf(film.opening.graph);
    const means = film.opening.means;
    this.best = means.indexOf(Math.max(...means));
    this.readColours();
    this.build();
  }

  setView(view) {
    this.view = view;
    if (this.film) this.build();
  }

  setColour(colourBy) {
    this.colourBy = colourBy;
    if (this.film) this.news();
  }

  /** Sets the agent to look at; a single map shows what that agent knows. */
  select(agent) {
    this.selected = agent;
    this.tiles.forEach(({ tile, agents }) => tile.classList.toggle('selected', agents.length === 1 && agents[0] === agent));
    if (this.film) this.news();
  }

  build() {
    const { agents } = this.film.opening;
    const groups = this.view === 'apart' ? agents.map((_, k) => [k]) : [agents.map((_, k) => k)];
    const key = JSON.stringify([this.view, agents]);
    if (key !== this.key) {
      this.key = key;
      this.tiles = groups.map((group) => this.tile(group, agents));
      this.frame.dataset.view = this.view;
      this.frame.dataset.tiles = groups.length;
      this.frame.replaceChildren(...this.tiles.map(({ tile }) => tile));
      for (const tile of this.tiles) tile.map = this.mapOf(tile);
    }
    for (const { map } of this.tiles) {
      map.resize();
      map.setGraph(this.graph);
      map.setStar(this.best);
    }
    this.select(Math.min(this.selected, agents.length - 1));
    this.show();
  }

  tile(agents, all) {
    const title = element('p', { class: 'tile-head' });
    const regrets = agents.map((k) => {
      const regret = element('span', { class: 'tile-regret' });
      title.append(element('span', { class: 'tile-agent' }, keyOf(all[k]), nameOf(all[k].label), regret));
      return regret;
    });
    const about = agents.length === 1 ? `Map of ${all[agents[0]].label}` : 'Map of all agents';
    const frame = element(
      'div',
      { class: 'map', tabindex: 0, role: 'application', 'aria-label': about, 'aria-describedby': 'map-help' },
      element('canvas', { 'aria-hidden': true }),
      element('canvas', { 'aria-hidden': true }),
    );
    const tile = element('div', { class: 'tile' }, title, element('div', { class: 'tile-map' }, frame));
    return { tile, frame, agents, regrets };
  }

  mapOf(tile) {
    const map = new MapView(tile.frame, {
      pointed: () => {},
      focused: (node) => this.heard.focused(node),
      chosen: (node) => this.choose(node, tile.agents),
      road: (road) => this.heard.road(road),
      moved: () => this.follow(map),
    });
    return map;
  }

  choose(node, agents) {
    for (const { map } of this.tiles) map.select(node);
    this.heard.chosen(node, agents.length === 1 ? agents[0] : null);
  }

  /** All maps show the same part of the graph. */
  follow(map) {
    if (this.following) return;
    this.following = true;
    for (const { map: other } of this.tiles) {
      if (other === map || !other?.graph) continue;
      const { x, y, scale } = map.camera;
      if (other.camera.width !== map.camera.width || other.camera.height !== map.camera.height) continue;
      Object.assign(other.camera, { x, y, scale });
      other.moved();
      other.fitted = map.fitted;
    }
    this.following = false;
  }

  /** Takes the colours of a changed theme. */
  recolour() {
    this.readColours();
    for (const { map } of this.tiles) map.recolour();
    if (this.film) this.show();
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const agents = this.film?.opening.agents ?? [];
    this.colours = agents.map(({ colour }) => style.getPropertyValue(`--gb-${colour}`).trim());
  }

  /** Draws the present moment, at this speed. */
  show(speed = 0) {
    const { film, graph } = this;
    const places = film.tracks.map((track) => track.at(film.shown));
    for (const { map, agents } of this.tiles) {
      const walkers = agents.map((k) => {
        const { from, to, share: part } = places[k];
        const between = (axis) => axis[from] + (axis[to] - axis[from]) * part;
        const turn = (2 * Math.PI * k) / agents.length - Math.PI / 2;
        return {
          marker: { x: between(graph.x), y: between(graph.y) },
          colour: this.colours[k],
          dashes: dashesOf(film.opening.agents[k]),
          shift: agents.length === 1 ? [0, 0] : [APART * Math.cos(turn), APART * Math.sin(turn)],
          trail: [...film.tracks[k].trail, film.tracks[k].last.node],
          leg: speed <= READABLE ? legOf(film.tracks[k], agents.length) : null,
        };
      });
      map.setWalkers(walkers);
      const [first] = agents;
      map.frame.dataset.at = film.tracks[first].last.node;
    }
    this.frame.dataset.shown = film.shown;
  }

  /** Colours the nodes by what the agents know now. */
  news() {
    const { film } = this;
    const scale = this.scale();
    const aside = new Uint8Array(this.graph.nodes);
    for (const { map, agents, regrets } of this.tiles) {
      const track = film.tracks[agents.length === 1 ? agents[0] : this.selected];
      map.setClosed(film.closed);
      const { x, y, scale: zoom } = map.camera;
      map.frame.dataset.camera = [x, y, zoom].join();
      map.setLevels(this.levels(track, scale), aside, this.colourBy);
      agents.forEach((k, place) => say(regrets[place], measure(film.tracks[k].now.regret)));
    }
    this.drawScale(scale);
  }

  /** One scale for all maps, so that they can be compared. */
  scale() {
    const { film, colourBy } = this;
    if (colourBy === 'visits') {
      const high = film.tracks.reduce((most, { visits }) => visits.reduce((a, b) => Math.max(a, b), most), 1);
      return { scale: 'log', low: 1, high: Math.max(high, FEW) };
    }
    const { means } = film.opening;
    return { scale: 'linear', low: Math.min(...means), high: Math.max(...means) };
  }

  levels(track, scale) {
    const values = { visits: track.visits, estimate: track.means, truth: this.film.opening.means }[this.colourBy];
    return Uint8Array.from(values, (value) =>
      Number.isFinite(value) && (scale.scale === 'linear' || value > 0)
        ? Math.round(share(scale, value) * (LEVELS - 1))
        : UNKNOWN,
    );
  }

  drawScale({ scale, low, high }) {
    const number = scale === 'log' ? count : measure;
    const target = document.getElementById('scale');
    const text = `${number(low)} – ${number(high)}`;
    if (target.dataset.text === text) return;
    target.dataset.text = text;
    const bar = drawn('svg', {
      viewBox: `0 0 ${SCALE_WIDTH} ${SCALE_HEIGHT}`,
      width: SCALE_WIDTH,
      height: SCALE_HEIGHT,
      role: 'img',
      'aria-label': `from ${number(low)} to ${number(high)}`,
    });
    for (let level = 0; level < LEVELS; level += 1) {
      const width = SCALE_WIDTH / LEVELS;
      bar.append(drawn('rect', { x: level * width, y: 0, width: width + 0.5, height: SCALE_HEIGHT, fill: `var(--gb-r${level})` }));
    }
    target.replaceChildren(element('span', {}, number(low)), bar, element('span', {}, number(high)));
  }

  nameOf(node) {
    return label(this.graph, node);
  }
}

/** The rest of a leg; none if the racer has begun another one. */
function legOf({ now, last }, agents) {
  if (agents > 1 || now.out) return null;
  const nodes = [now.at.node, ...now.path.map(({ node }) => node)];
  const place = nodes.indexOf(last.node);
  return place < 0 ? null : { at: last.node, path: nodes.slice(place + 1), stay: 0, way: {} };
}
