// The page: which agent is watched, and what is fetched of it when.

import { byId, nameOf, say } from './dom.js';
import { Problem, estimatesOf, mapOf, passes, removeAgent, rewardsOf, showAgent } from './api.js';
import { AgentList, linkTo } from './agents.js';
import { Chart } from './chart.js';
import { CreateDialog } from './create.js';
import { MapView } from './map.js';
import { MEASURES, levelsOf, scaleOf } from './palette.js';
import { NodeCard, sentence } from './node-card.js';
import { NodeTable } from './table.js';
import { count, measure, things } from './format.js';
import { drawLegend } from './legend.js';
import { follow } from './stream.js';
import { forgetToken, token } from './token.js';
import { graphOf } from './graph.js';
import { lost, retryNow, show as showConnection } from './connection.js';
import { paced } from './paced.js';
import { showWhy } from './why.js';
import { startTheme } from './theme.js';

/** How often numbers of nodes and rewards are fetched at most, and how often the state is spoken. */
const FETCH = 400;
const SPEAK = 6000;

const card = new NodeCard(byId('node-card'));
const map = new MapView(byId('map'), {
  pointed: (node) => point(node),
  focused: (node) => say(byId('map-spoken'), sentence(map.nameOf(node), watched?.estimates[node])),
  chosen: (node) => choose(node),
  moved: () => point(map.pointedAt()),
});
const table = new NodeTable((node) => choose(node));
const chart = new Chart(byId('chart'), byId('chart-readout'));
const list = new AgentList({ failed: (error) => failed(error), listed: (agents) => listed(agents) });
const dialog = new CreateDialog((id) => {
  list.refresh();
  location.hash = linkTo(id);
});

/** The agent that is watched: its graph, what is known of it, and how to stop. */
let watched = null;
let colourBy = 'estimate';

function said() {
  return new URLSearchParams(location.hash.slice(1));
}

/** Follows the address: agent and colouring. */
function route() {
  const wanted = said().get('color');
  setColour(Object.hasOwn(MEASURES, wanted ?? '') ? wanted : 'estimate');
  const id = said().get('agent');
  if (id && watched?.id !== id) watch(id);
  if (!id) leave();
}

function leave() {
  watched?.stop.abort();
  watched = null;
  list.select(null);
  byId('agent').hidden = true;
}

async function watch(id) {
  leave();
  const stop = new AbortController();
  const agent = { id, stop, estimates: [], state: null, graph: null };
  watched = agent;
  list.select(id);
  byId('gone').hidden = true;
  byId('empty').hidden = true;
  byId('agents-panel').classList.remove('open');
  byId('agents-toggle').setAttribute('aria-expanded', 'false');
  document.title = `${id} · graph-bandit`;
  say(byId('agents-current'), id);
  await persist(stop.signal, async () => {
    const [shown, found] = await Promise.all([showAgent(id, stop.signal), mapOf(id, stop.signal)]);
    const graph = await graphOf(found);
    if (stop.signal.aborted) return;
    begin(agent, shown, graph);
  });
}

function begin(agent, shown, graph) {
  const { id, stop } = agent;
  agent.graph = graph;
  byId('agent-name').replaceChildren(nameOf(id));
  const { agent: spec, ...parameters } = shown.agent;
  say(byId('agent-spec'), spec);
  byId('agent-spec').title = Object.entries(parameters).map(([name, value]) => `${name}=${value}`).join(', ');
  say(byId('agent-size'), `${things(shown.nodes, 'node')} · ${things(shown.edges, 'edge')}`);
  byId('agent').hidden = false;
  map.resize();
  map.setGraph(graph);
  table.setGraph(graph);
  chart.update({ points: [] });
  recolour();
  const { signal } = stop;
  agent.fetchEstimates = paced(() => guarded(signal, async () => {
    agent.estimates = await estimatesOf(id, signal);
    recolour();
    table.setEstimates(agent.estimates);
    point(map.pointedAt());
  }), FETCH, signal);
  agent.fetchRewards = paced(() => guarded(signal, async () => chart.update(await rewardsOf(id, signal))), FETCH, signal);
  agent.speak = paced(async () => say(byId('agent-spoken'), spoken(agent)), SPEAK, signal);
  agent.fetchEstimates();
  agent.fetchRewards();
  listen(agent);
}

/** Follows the agent while somebody looks: a browser has few lines to one service. */
function listen(agent) {
  agent.line?.abort();
  agent.line = new AbortController();
  const { signal } = agent.line;
  if (document.hidden) return;
  agent.stop.signal.addEventListener('abort', () => agent.line.abort(), { once: true });
  follow(agent.id, signal, {
    state: (state) => update(agent, state),
    gone: () => gone(agent),
    lost: (error) => lost(error),
  }).catch((error) => failed(error));
}

/** A new state of the agent. */
function update(agent, state) {
  if (agent !== watched) return;
  const { signal } = agent.stop;
  const news = agent.state?.sequence !== state.sequence;
  agent.state = state;
  showConnection('live');
  map.setState(state);
  byId('map').dataset.sequence = state.sequence;
  say(byId('stat-visits'), count(state.visits));
  say(byId('stat-mean'), state.visits > 0 ? measure(state.reward / state.visits) : '–');
  say(byId('stat-total'), measure(state.reward));
  byId('stat-at').replaceChildren(nameOf(state.at.name ?? String(state.at.node)));
  const phase = byId('agent-phase');
  phase.dataset.phase = state.phase;
  say(phase, state.phase === 'cover' ? 'covering the graph' : 'learning');
  agent.showWhy ??= paced(async () => showWhy(byId('why'), agent.state), 150, signal);
  agent.showWhy();
  if (!news || document.hidden) return;
  agent.fetchEstimates();
  agent.fetchRewards();
  agent.speak();
}

function spoken({ id, state }) {
  const called = (place) => place.name ?? `node ${place.node}`;
  const going = state.path.length > 0 ? `going to ${called(state.path.at(-1))}` : 'staying';
  const mean = state.visits > 0 ? `, mean reward ${measure(state.reward / state.visits)}` : '';
  return `${id} is at ${called(state.at)}, ${going}; ${count(state.visits)} visits${mean}`;
}

function gone(agent) {
  if (agent !== watched) return;
  leave();
  byId('gone').hidden = false;
  byId('gone-name').replaceChildren(nameOf(agent.id));
  list.refreshSoon();
}

/** Does what needs the service, again when it comes back. */
async function persist(signal, task) {
  while (!signal.aborted) {
    try {
      await task();
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status === 404) {
        gone(watched);
        return;
      }
      if (!passes(error)) {
        failed(error);
        return;
      }
      await lost(error);
    }
  }
}

/** Does what will be asked for again anyway. */
async function guarded(signal, task) {
  try {
    await task();
  } catch (error) {
    if (!signal.aborted && !(error instanceof Problem && error.status === 404)) failed(error);
  }
}

/** What went wrong, said where everybody sees it. */
async function failed(error) {
  if (passes(error)) {
    await lost(error);
    list.refreshSoon();
    watched?.fetchEstimates?.();
    watched?.fetchRewards?.();
    return;
  }
  const title = error instanceof Problem && error.title ? `${error.title}: ` : '';
  say(byId('refusal-text'), `${title}${error.message}`);
  byId('refusal-token').hidden = !(error instanceof Problem && [401, 403].includes(error.status));
  byId('refusal').hidden = false;
}

function listed(agents) {
  byId('refusal').hidden = byId('refusal').hidden || !byId('refusal-token').hidden;
  byId('forget').hidden = !token();
  const nobody = agents.length === 0;
  if (!watched) showConnection('idle');
  byId('agents-panel').hidden = nobody;
  byId('layout').classList.toggle('alone', nobody);
  byId('empty').hidden = !nobody || watched !== null;
  if (!watched && byId('gone').hidden && !nobody && !said().get('agent')) {
    history.replaceState(null, '', linkTo(agents[0].id));
    route();
  }
}

function setColour(measure) {
  colourBy = measure;
  byId(`colour-${measure}`).checked = true;
  recolour();
}

function recolour() {
  if (!watched?.graph) return;
  const { estimates, graph } = watched;
  const scale = scaleOf(estimates, colourBy);
  map.setLevels(levelsOf(estimates, graph.nodes, scale), colourBy);
  drawLegend(byId('legend'), scale, colourBy, graph.nodes - Number(byId('map').dataset.visited));
}

function point(node) {
  if (node === null || node === undefined || !map.graph || map.frame.classList.contains('dragging')) card.hide();
  else card.show(map, node, watched?.estimates[node]);
}

function choose(node) {
  const fresh = node === map.scene.selected ? null : node;
  map.select(fresh);
  table.select(fresh);
  point(map.pointedAt());
}

function startControls() {
  for (const choice of document.querySelectorAll('[name=colour]')) {
    choice.addEventListener('change', () => {
      const address = said();
      address.set('color', choice.value);
      history.replaceState(null, '', `#${address}`);
      setColour(choice.value);
      list.draw();
    });
  }
  for (const choice of document.querySelectorAll('[name=chart]')) choice.addEventListener('change', () => chart.setMode(choice.value));
  byId('zoom-in').addEventListener('click', () => map.zoom(1.5));
  byId('zoom-out').addEventListener('click', () => map.zoom(1 / 1.5));
  byId('zoom-fit').addEventListener('click', () => map.fit());
  byId('zoom-agent').addEventListener('click', () => map.scene.leg && map.centreOn(map.scene.leg.at));
  for (const button of document.querySelectorAll('[data-create]')) button.addEventListener('click', () => dialog.open());
  byId('banner-retry').addEventListener('click', retryNow);
  byId('refusal-close').addEventListener('click', () => {
    byId('refusal').hidden = true;
  });
  for (const button of document.querySelectorAll('[data-forget]')) button.addEventListener('click', forgetToken);
  const toggle = byId('agents-toggle');
  toggle.addEventListener('click', () => {
    const open = byId('agents-panel').classList.toggle('open');
    toggle.setAttribute('aria-expanded', open);
  });
  startDeleting();
}

/** Commands to begin with, for this very service. */
function showCommands() {
  const here = new URL('.', location.href).href.replace(/\/$/, '');
  say(byId('curl-command'), `curl ${here}/v1/agents -H 'Content-Type: application/json' \\\n  -d '{"id": "rover", "graph": "grid:10x10"}'`);
  say(byId('drone-command'), `gbandit drone --server ${here} --drones 3 --reports 10000 --tell reward`);
}

function startDeleting() {
  const dialog = byId('delete-dialog');
  byId('agent-delete').addEventListener('click', () => {
    byId('delete-name').replaceChildren(nameOf(watched.id));
    byId('delete-error').hidden = true;
    dialog.showModal();
  });
  byId('delete-cancel').addEventListener('click', () => dialog.close());
  byId('delete-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      await removeAgent(watched.id);
      dialog.close();
      leave();
      // The service may have told of it first.
      byId('gone').hidden = true;
      history.replaceState(null, '', '#');
      list.refresh();
    } catch (error) {
      say(byId('delete-error'), error instanceof Problem && error.status === 403 ? `This token may not delete agents: ${error.message}.` : error.message);
      byId('delete-error').hidden = false;
    }
  });
}

startTheme(() => map.recolour());
startControls();
showCommands();
addEventListener('hashchange', route);
document.addEventListener('visibilitychange', () => {
  if (!watched?.graph) return;
  listen(watched);
  if (document.hidden) return;
  watched.fetchEstimates();
  watched.fetchRewards();
});
document.addEventListener('token', () => list.refreshSoon());
route();
list.refreshSoon();
