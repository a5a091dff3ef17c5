// The page: which agent it watches, and when it fetches what.

import { byId, nameOf, say } from './dom.js';
import { Problem, bestOf, estimatesOf, learnedOf, mapOf, passes, removeAgent, rewardsOf, showAgent } from './api.js';
import { AgentList, linkTo } from './agents.js';
import { AgentView } from './agent-view.js';
import { CreateDialog } from './create.js';
import { MEASURES } from './palette.js';
import { follow } from './stream.js';
import { forgetToken, token } from './token.js';
import { graphOf } from './graph.js';
import { lost, retryNow, show as showConnection } from './connection.js';
import { paced } from './paced.js';
import { Simulation } from './simulation.js';
import { reportsOf } from './team.js';
import { startTheme } from './theme.js';

/** The shortest time between two fetches, two redraws and two announcements, in milliseconds. */
const [FETCH, SHOW, SPEAK] = [400, 50, 6000];

/** Learned travel times are fetched this many times less often. */
const SELDOM = 5;

/** Large graphs are fetched less often: ten thousand nodes once a second. */
const NODES_PER_MILLISECOND = 10;

const view = new AgentView((measure) => {
  const address = addressOptions();
  address.set('color', measure);
  history.replaceState(null, '', `#${address}`);
  view.setColour(measure);
  // The links of the list hold the colour, too.
  list.draw();
});
const list = new AgentList({ failed, listed });
const made = (id) => {
  list.refresh();
  location.hash = linkTo(id);
};
const simulation = new Simulation({ failed, made });
const creation = new CreateDialog((id) => {
  if (byId('create-simulate').checked) simulation.begin(id);
  made(id);
});

/** The agent that is watched, and how to stop. */
let watched = null;

function addressOptions() {
  return new URLSearchParams(location.hash.slice(1));
}

/** Shows the agent and the colours that the address names. */
function route() {
  const wanted = addressOptions().get('color') ?? '';
  view.setColour(Object.hasOwn(MEASURES, wanted) ? wanted : 'estimate');
  const id = addressOptions().get('agent');
  if (id && watched?.id !== id) watch(id);
  if (!id) leave();
}

function leave() {
  watched?.stop.abort();
  watched = null;
  list.select(null);
  view.hide();
  simulation.watch(null);
}

async function watch(id) {
  leave();
  const agent = { id, stop: new AbortController(), state: null };
  watched = agent;
  list.select(id);
  simulation.watch(id, agent.stop.signal);
  byId('gone').hidden = true;
  byId('empty').hidden = true;
  openList(false);
  document.title = `${id} · graph-bandit`;
  say(byId('agents-current'), id);
  const { signal } = agent.stop;
  while (!signal.aborted) {
    try {
      const [shown, found] = await Promise.all([showAgent(id, signal), mapOf(id, signal)]);
      if (!signal.aborted) begin(agent, shown, graphOf(found));
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status === 404) return gone(agent);
      if (!passes(error)) return failed(error);
      await lost(error);
    }
  }
}

function begin(agent, shown, graph) {
  const {
    id,
    stop: { signal },
  } = agent;
  const often = Math.max(FETCH, graph.nodes / NODES_PER_MILLISECOND);
  const fetching = (task, every = often) =>
    paced(() => guarded(signal, () => view.map.rest().then(task)), every, signal);
  view.begin(shown, graph, fetching);
  agent.fetchEstimates = fetching(async () => {
    const [estimates, best] = await Promise.all([estimatesOf(id, signal), bestOf(id, signal)]);
    view.setEstimates(estimates);
    view.setBest(best);
  });
  agent.fetchRewards = fetching(async () => view.setRewards(await rewardsOf(id, signal)));
  // Learned times come with the whole map and change slowly.
  const fetchLearned = async () => view.setLearned((await learnedOf(id, signal)).learned);
  agent.fetchLearned = graph.roads ? fetching(fetchLearned, SELDOM * often) : () => {};
  agent.show = paced(async () => view.setState(agent.state), SHOW, signal);
  agent.speak = paced(async () => view.speak(id, agent.state), SPEAK, signal);
  agent.fetchEstimates();
  agent.fetchRewards();
  agent.fetchLearned();
  listen(agent);
}

/** Follows the agent while the page is visible: a browser opens few connections to one service. */
function listen(agent) {
  agent.line?.abort();
  if (document.hidden) return;
  agent.line = new AbortController();
  agent.stop.signal.addEventListener('abort', () => agent.line.abort(), { once: true });
  follow(agent.id, agent.line.signal, {
    state: (state) => update(agent, state),
    gone: () => gone(agent),
    lost,
  }).catch(failed);
}

/** Takes a new state of the agent. */
function update(agent, state) {
  if (agent !== watched) return;
  const news = !agent.state || reportsOf(agent.state) !== reportsOf(state);
  if (state.team) list.noteTeam(agent.id, state.team);
  agent.state = state;
  showConnection('live');
  agent.show();
  if (!news) return;
  agent.fetchEstimates();
  agent.fetchRewards();
  agent.fetchLearned();
  agent.speak();
}

function gone(agent) {
  if (agent !== watched) return;
  leave();
  byId('gone').hidden = false;
  byId('gone-name').replaceChildren(nameOf(agent.id));
  list.refreshSoon();
}

/** Runs a task that will be repeated anyway, so that an agent that is gone is not an error. */
async function guarded(signal, task) {
  try {
    await task();
  } catch (error) {
    if (!signal.aborted && !(error instanceof Problem && error.status === 404)) await failed(error);
  }
}

/** Waits if the error may pass, and shows it otherwise. */
async function failed(error) {
  if (passes(error)) {
    await lost(error);
    list.refreshSoon();
    watched?.fetchEstimates?.();
    watched?.fetchRewards?.();
    watched?.fetchLearned?.();
    return;
  }
  const title = error instanceof Problem && error.title ? `${error.title}: ` : '';
  say(byId('refusal-text'), `${title}${error.message}`);
  byId('refusal-token').hidden = !(error instanceof Problem && [401, 403].includes(error.status));
  byId('refusal').hidden = false;
}

async function listed(agents) {
  // What is shown next may offer a simulation.
  if (simulation.running === undefined) await simulation.look();
  // The list has arrived, so the token is accepted.
  if (!byId('refusal-token').hidden) byId('refusal').hidden = true;
  byId('forget').hidden = !token();
  const nobody = agents.length === 0;
  if (!watched) showConnection('idle');
  byId('agents-panel').hidden = nobody;
  byId('layout').classList.toggle('alone', nobody);
  byId('empty').hidden = !nobody || watched !== null;
  if (!watched && byId('gone').hidden && !nobody && !addressOptions().get('agent')) {
    history.replaceState(null, '', linkTo(agents[0].id));
    route();
  }
}

/** Opens or closes the list of agents, which is folded on narrow screens. */
function openList(open) {
  byId('agents-panel').classList.toggle('open', open);
  byId('agents-toggle').setAttribute('aria-expanded', open);
}

function startControls() {
  for (const button of document.querySelectorAll('[data-create]'))
    button.addEventListener('click', () => creation.open());
  for (const button of document.querySelectorAll('[data-forget]')) button.addEventListener('click', forgetToken);
  byId('banner-retry').addEventListener('click', retryNow);
  byId('refusal-close').addEventListener('click', () => {
    byId('refusal').hidden = true;
  });
  byId('agents-toggle').addEventListener('click', () => openList(!byId('agents-panel').classList.contains('open')));
  startDeleting();
}

/** Shows commands to begin with, with the address of this service. */
function showCommands() {
  const here = new URL('.', location.href).href.replace(/\/$/, '');
  say(
    byId('curl-command'),
    `curl ${here}/v1/agents -H 'Content-Type: application/json' \\\n  -d '{"id": "rover", "graph": "grid:10x10"}'`,
  );
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
      await removeAgent(byId('delete-name').textContent);
    } catch (error) {
      const refused = error instanceof Problem && error.status === 403;
      say(byId('delete-error'), refused ? `This token may not delete agents: ${error.message}.` : error.message);
      byId('delete-error').hidden = false;
      return;
    }
    dialog.close();
    leave();
    // The event stream may have reported the deletion first.
    byId('gone').hidden = true;
    history.replaceState(null, '', '#');
    list.refresh();
  });
}

startTheme(() => view.takeTheme());
startControls();
showCommands();
addEventListener('hashchange', route);
document.addEventListener('visibilitychange', () => {
  // Until the graph has arrived, there is nothing to refresh.
  if (!watched?.fetchEstimates) return;
  listen(watched);
  if (document.hidden) return;
  watched.fetchEstimates();
  watched.fetchRewards();
  watched.fetchLearned();
});
document.addEventListener('token', () => list.refreshSoon());
route();
list.refreshSoon();
