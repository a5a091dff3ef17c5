// The view of one agent: map, numbers, next leg, rewards and node table, which follow each other.

import { byId, nameOf, say } from './dom.js';
import { Chart } from './chart.js';
import { MapView } from './map.js';
import { NodeCard, sentence } from './node-card.js';
import { NodeTable } from './table.js';
import { TeamView } from './team-view.js';
import { reportsOf } from './team.js';
import { count, measure, things } from './format.js';
import { sizeOf } from './graph.js';
import { drawLegend } from './legend.js';
import { asideOf, levelsOf, scaleOf, visitedOf } from './palette.js';
import { duration, wayOf } from './roads.js';
import { showBest } from './best.js';
import { showWhy } from './why.js';

const called = (place) => place.name ?? String(place.node);

/** The agent's own visits, and the rewards that others observed: the service counts them together. */
const visitsOf = ({ visits, observed = 0 }) => ({ own: visits - observed, observed });

function showPhase(phase) {
  byId('agent-phase').dataset.phase = phase;
  say(byId('agent-phase'), phase === 'cover' ? 'covering the graph' : 'learning');
}

export class AgentView {
  /** `coloured` is called with the measure that the reader picks for the node colours. */
  constructor(coloured) {
    this.colourBy = 'estimate';
    this.estimates = [];
    this.card = new NodeCard(byId('node-card'));
    this.map = new MapView(byId('map'), {
      pointed: (node) => this.point(node),
      focused: (node) => say(byId('map-spoken'), sentence(this.map.nameOf(node), this.estimates[node])),
      chosen: (node) => this.choose(node),
      moved: () => this.point(this.map.pointedAt()),
      walkerPointed: (walker) => this.team?.point(walker),
      walkerChosen: (walker) => this.team.choose(walker),
      walkerStepped: (by) => this.team.step(by),
      home: () => this.team.home(),
    });
    this.team = new TeamView(this.map);
    this.table = new NodeTable((node) => this.choose(node));
    this.chart = new Chart(byId('chart'), byId('chart-readout'));
    for (const choice of document.querySelectorAll('[name=colour]'))
      choice.addEventListener('change', () => coloured(choice.value));
    for (const choice of document.querySelectorAll('[name=chart]'))
      choice.addEventListener('change', () => this.chart.setMode(choice.value));
    byId('zoom-in').addEventListener('click', () => this.map.zoom(1.5));
    byId('zoom-out').addEventListener('click', () => this.map.zoom(1 / 1.5));
    byId('zoom-fit').addEventListener('click', () => this.map.fit());
    byId('zoom-agent').addEventListener('click', () => this.map.findAgent());
  }

  /** Takes the colours of a changed theme. */
  takeTheme() {
    this.map.recolour();
    this.team.takeTheme();
  }

  hide() {
    byId('agent').hidden = true;
  }

  /** Switches to another agent, before any of its numbers arrive; `fetching` paces what it asks for. */
  begin({ id, number, agent: { agent, ...parameters }, team }, graph, fetching) {
    this.estimates = [];
    this.team.begin(team ? id : null, number, graph, fetching);
    byId('agent-name').replaceChildren(nameOf(id));
    say(byId('agent-spec'), agent);
    byId('agent-spec').title = Object.entries(parameters)
      .map(([name, value]) => `${name}=${value}`)
      .join(', ');
    say(byId('agent-size'), sizeOf(graph, things));
    byId('agent').hidden = false;
    this.map.resize();
    this.map.setGraph(graph);
    this.table.setGraph(graph);
    this.chart.update({ points: [] });
    showBest();
    this.recolour();
  }

  /** Shows a state in every panel at once, so that numbers and map never disagree. */
  setState(state) {
    byId('map').dataset.sequence = reportsOf(state);
    const { own, observed } = visitsOf(state);
    say(byId('stat-visits'), count(own));
    say(byId('stat-observed'), count(observed));
    byId('observed').hidden = observed === 0;
    say(byId('stat-mean'), own > 0 ? measure(state.reward / own) : '–');
    say(byId('stat-total'), measure(state.reward));
    if (state.team) {
      this.team.setState(state);
      return;
    }
    this.map.setState(state);
    showWhy(byId('why'), state);
    byId('stat-at').replaceChildren(nameOf(called(state.at)));
    showPhase(state.phase);
  }

  /** Shows the best node so far, and how certain it is. */
  setBest(best) {
    showBest(best);
  }

  setRewards(rewards) {
    this.chart.update(rewards, (node) => this.map.nameOf(node));
  }

  setEstimates(estimates) {
    this.estimates = estimates;
    // The events of a team do not have its phase.
    if (this.team.id !== null) showPhase(estimates.some(({ visits }) => visits === 0) ? 'cover' : 'learn');
    this.recolour();
    this.table.setEstimates(estimates);
    this.point(this.map.pointedAt());
  }

  setLearned(told) {
    this.map.setLearned(told);
    this.recolour();
    this.point(this.map.pointedAt());
  }

  setColour(measure) {
    this.colourBy = measure;
    byId(`colour-${measure}`).checked = true;
    this.recolour();
  }

  /** Announces where the agent is to screen readers. */
  speak(id, state) {
    const { at, path, reward } = state;
    const { own, observed } = visitsOf(state);
    const mean = own > 0 ? `, mean reward ${measure(reward / own)}` : '';
    const others = observed > 0 ? `; ${things(observed, 'reward')} observed by others` : '';
    const told = `${things(own, 'visit')}${mean}${others}`;
    if (state.team) {
      say(byId('agent-spoken'), `${this.team.spoken(id, state)}; ${told}`);
      return;
    }
    const due = state.times ? `, there in ${duration(wayOf(state))}` : '';
    const going = path.length > 0 ? `going to ${called(path.at(-1))}${due}` : 'staying';
    say(byId('agent-spoken'), `${id} is at ${called(at)}, ${going}; ${told}`);
  }

  recolour() {
    const { graph } = this.map;
    if (!graph) return;
    const scale = scaleOf(this.estimates, this.colourBy);
    const aside = asideOf(this.estimates, graph.nodes);
    this.map.setLevels(levelsOf(this.estimates, graph.nodes, scale), aside, this.colourBy);
    const { aside: cutOff, learned } = byId('map').dataset;
    const [visited, unknown] = visitedOf(this.estimates, this.colourBy);
    const counts = {
      unvisited: graph.nodes - visited,
      setAside: Number(cutOff),
      learned: Number(learned),
      unknown,
    };
    drawLegend(byId('legend'), scale, this.colourBy, counts);
  }

  /** Shows the card of the road under the pointer, of `node`, or none. */
  point(node) {
    const { map } = this;
    const idle = !map.graph || map.frame.classList.contains('dragging');
    if (!idle && map.scene.road !== null) this.card.showRoad(map, map.scene.road);
    else if (idle || node === null) this.card.hide();
    else this.card.show(map, node, this.estimates[node]);
  }

  /** Selects a node in map and table; selecting it again clears the selection. */
  choose(node) {
    const fresh = node === this.map.scene.selected ? null : node;
    this.map.select(fresh);
    this.table.select(fresh);
    this.point(this.map.pointedAt());
  }
}
