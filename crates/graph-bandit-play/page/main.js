// A race: set up, played, stopped, changed by a click, shared by a link.

import { byId, nameOf, say } from '../dashboard/dom.js';
import { count, measure, things } from '../dashboard/format.js';
import { sizeOf } from '../dashboard/graph.js';
import { startTheme } from '../dashboard/theme.js';
import { showWhy } from '../dashboard/why.js';
import { Problem, Unreachable, advance, changeRoad, openRace } from './api.js';
import { Clock } from './clock.js';
import { Film } from './film.js';
import { USUAL, linkOf, setupOf } from './link.js';
import { RegretChart, unitOf } from './regret-chart.js';
import { SetupDialog } from './setup-dialog.js';
import { copyLink, openShare } from './share.js';
import { showNode } from './roads-panel.js';
import { Stage } from './stage.js';
import { Standings, leaderOf, verdictOf } from './standings.js';

const SPEEDS = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200, 2000, 3000, 5000, 8000, 10000];
/** How long to wait before trying again, in milliseconds. */
const RETRY = 1500;
const narrow = matchMedia('(max-width: 760px)');

const race = { setup: USUAL, file: null, film: null, agent: 0, node: null };

const chart = new RegretChart(byId('chart'), byId('chart-readout'));
const standings = new Standings((agent) => {
  look('why');
  select(agent);
});
const stage = new Stage(byId('stage'), {
  chosen: (node, agent) => choose(node, agent),
  focused: (node) => say(byId('map-spoken'), `node ${stage.nameOf(node)}, pays ${measure(race.film.opening.means[node])}`),
  road: (road) => toggleRoad(road),
});
const clock = new Clock({
  frame: () => showMoment(),
  news: () => showNews(),
  stopped: () => showPlaying(),
  over: (film) => {
    say(byId('verdict'), verdictOf(film));
    showLead();
  },
  failed: (error) => recover(error),
});
const dialog = new SetupDialog((setup, file) => begin(setup, file));

/** Starts a race. */
async function begin(setup, file = null) {
  const film = new Film(await openRace(setup));
  Object.assign(race, { setup, file });
  banner(null);
  adopt(film);
  remember();
}

/** Shows a race from its beginning, or from where the page lost it. */
function adopt(film) {
  race.film = film;
  const { graph, agents } = film.opening;
  race.agent = Math.min(race.agent, agents.length - 1);
  if (race.node !== null && race.node >= graph.nodes) race.node = null;
  clock.load(film);
  chart.load(film);
  standings.load(film);
  stage.load(film);
  select(race.agent);
  say(byId('summary-graph'), race.file?.name ?? (typeof race.setup.graph === 'string' ? race.setup.graph : 'drawn'));
  say(byId('summary-size'), sizeOf(stage.graph, things));
  say(byId('moment-steps'), count(film.steps));
  say(byId('moment-unit'), unitOf(film));
  say(byId('init-note'), `Before the race each agent visited every node: ${things(film.opening.init_steps, 'step')}, not counted.`);
  say(byId('verdict'), '');
  for (const id of ['play', 'step', 'restart', 'luck']) byId(id).disabled = false;
  document.body.dataset.race = 'ready';
  showNews();
  showPlaying();
}

/** Sets the address of the race that is shown. */
function remember() {
  history.replaceState(null, '', linkOf(race.setup, race.file));
}

function showMoment() {
  const { film } = race;
  stage.show(clock.isPlaying ? clock.speed : 0);
  say(byId('moment-t'), count(Math.floor(film.shown + 1e-9)));
  const share = film.shown / film.steps;
  byId('bar').firstElementChild.style.transform = `scaleX(${share})`;
}

function showNews() {
  const { film } = race;
  showMoment();
  stage.news();
  standings.news();
  chart.draw();
  showLook();
  showLead();
  byId('bar').setAttribute('aria-valuenow', Math.round((100 * film.told) / film.steps));
  document.body.dataset.t = film.told;
}

/** Shows who leads; at the end, an announced sentence takes its place. */
function showLead() {
  const { film } = race;
  const ahead = leaderOf(film);
  byId('lead').hidden = byId('verdict').textContent !== '';
  say(byId('lead'), ahead ? `${ahead.name} leads with regret ${measure(ahead.regret)}.` : 'Press play: the lowest regret wins.');
}

function showPlaying() {
  const { film } = race;
  const over = film.isOver && film.parts.length === 0;
  const state = over ? 'over' : clock.isPlaying ? 'playing' : 'paused';
  byId('play').dataset.state = state;
  say(byId('play-text'), { over: 'Again', playing: 'Pause', paused: film.shown > 0 ? 'Resume' : 'Play' }[state]);
  byId('step').disabled = over;
  document.body.dataset.playing = state;
}

/** Sets the agent whose reasons are shown. */
function select(agent) {
  race.agent = agent;
  stage.select(agent);
  standings.select(agent);
  showLook();
}

function look(what) {
  byId(`look-${what}`).checked = true;
  showLook();
}

function showLook() {
  const { film, agent, node } = race;
  const atNode = byId('look-node').checked;
  byId('why').hidden = atNode;
  byId('node').hidden = !atNode;
  say(byId('look-text'), atNode ? 'Node' : 'Why');
  byId('look-name').replaceChildren(atNode ? '' : nameOf(film.opening.agents[agent].label));
  if (atNode) {
    const focused = document.activeElement?.closest('#node')?.contains(document.activeElement)
      ? document.activeElement.dataset.road
      : null;
    showNode(byId('node'), { film, graph: stage.graph, node, best: stage.best, toggle: toggleRoad });
    if (focused) byId('node').querySelector(`[data-road="${focused}"]`)?.focus();
    return;
  }
  const { now } = film.tracks[agent];
  if (now.out) byId('why').replaceChildren(`Out of the race: ${now.out}.`);
  else showWhy(byId('why'), now);
}

function choose(node, agent) {
  race.node = node;
  if (agent !== null) select(agent);
  look(node === null ? 'why' : 'node');
}

/** Closes or opens a road at the moment that is shown. */
async function toggleRoad(road) {
  const { film } = race;
  // One road at a time.
  if (clock.holding) return;
  const [a, b] = [Math.min(...road), Math.max(...road)];
  const isClosed = film.closed.some(([c, d]) => c === a && d === b);
  const what = isClosed ? 'open' : 'close';
  clock.holding = true;
  try {
    await clock.settled();
    if (film !== race.film || film.isOver) return;
    const progress = await changeRoad(film.id, what, [a, b], film.t);
    if (film !== race.film) return;
    const changes = [...race.setup.changes, { t: film.t, [what]: [a, b] }];
    race.setup = { ...race.setup, changes: changes.sort((one, other) => one.t - other.t) };
    film.add(progress);
    say(byId('map-spoken'), `Road between ${stage.nameOf(a)} and ${stage.nameOf(b)} ${isClosed ? 'opened' : 'closed'}`);
    remember();
  } catch (error) {
    await recover(error);
  } finally {
    clock.holding = false;
    clock.tick();
  }
}

/** Restores a lost race from its set-up, one at a time. */
async function recover(error) {
  if (race.isSought) return;
  race.isSought = true;
  try {
    await seek(error);
  } finally {
    race.isSought = false;
  }
}

async function seek(error) {
  const { film } = race;
  const playing = clock.isPlaying;
  clock.setPlaying(false);
  showPlaying();
  if (!(error instanceof Unreachable) && !error.isGone) return banner(error.message);
  for (;;) {
    try {
      const fresh = new Film(await openRace(race.setup));
      while (fresh.t < film.shown) {
        fresh.add(await advance(fresh.id, Math.floor(film.shown)));
        fresh.show(fresh.t);
        if (fresh.t >= Math.floor(film.shown)) break;
      }
      if (film !== race.film) return;
      banner(null);
      adopt(fresh);
      if (playing) clock.setPlaying(true);
      showPlaying();
      return;
    } catch (again) {
      if (!(again instanceof Unreachable)) return banner(again.message);
      banner(`${again.message} Trying again…`);
      await new Promise((resolve) => setTimeout(resolve, RETRY));
      if (film !== race.film) return;
    }
  }
}

/** Shows a message in the banner; `action` is the remedy. */
function banner(text, action = null) {
  byId('banner').hidden = !text;
  say(byId('banner-text'), text ?? '');
  const button = byId('banner-action');
  button.hidden = !action;
  if (!action) return;
  say(button, action.text);
  button.onclick = action.run;
}

/** Runs work that may be refused, and shows the error. */
async function tried(work) {
  try {
    await work();
  } catch (error) {
    if (error instanceof Problem && error.field) dialog.open(race.setup, { file: race.file, problem: error });
    else banner(error.message, { text: 'Try again', run: () => tried(work) });
  }
}

function playOrPause() {
  const { film } = race;
  if (!film || race.isSought) return;
  if (film.isOver && film.parts.length === 0) {
    tried(async () => {
      await begin(race.setup, race.file);
      clock.setPlaying(true);
      showPlaying();
    });
    return;
  }
  clock.setPlaying(!clock.isPlaying);
  showPlaying();
}

const restart = () => tried(() => begin(race.setup, race.file));

/** Starts with the next seed and all roads open: new rewards for all agents. */
function newLuck() {
  const playing = clock.isPlaying;
  tried(async () => {
    await begin({ ...race.setup, seed: race.setup.seed + 1, changes: [] }, race.file);
    if (playing) clock.setPlaying(true);
    showPlaying();
  });
}

function setSpeed(place) {
  const at = Math.min(SPEEDS.length - 1, Math.max(0, place));
  byId('speed').value = at;
  clock.speed = SPEEDS[at];
  const text = `${count(clock.speed)} ${clock.speed === 1 ? 'step' : 'steps'}/s`;
  say(byId('speed-text'), text);
  byId('speed').setAttribute('aria-valuetext', text);
}

function setView(view) {
  byId(`view-${view}`).checked = true;
  stage.setView(view);
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  const { target, key } = event;
  if (target.closest('input:not([type=range]):not([type=radio]), textarea, select')) return;
  // Buttons and choices use the space key themselves.
  if (key === ' ' && target.closest('button, input, a, summary')) return;
  const keys = { ' ': playOrPause, k: playOrPause, '.': () => clock.step(), r: restart, n: newLuck, s: openSetup };
  keys['['] = () => setSpeed(Number(byId('speed').value) - 1);
  keys[']'] = () => setSpeed(Number(byId('speed').value) + 1);
  const work = keys[key.toLowerCase()];
  if (!work || !race.film) return;
  event.preventDefault();
  work();
  showPlaying();
}

const openSetup = () => dialog.open(race.setup, { file: race.file });

/** Opens the race of the address. */
function route() {
  const { setup, file } = setupOf(location.hash);
  const loaded = file && dialog.file.holds(file) ? dialog.file.graph : null;
  if (!file) return tried(() => start(setup, null));
  if (loaded) return tried(() => start({ ...setup, graph: loaded }, file));
  const run = () => dialog.open({ ...setup, graph: USUAL.graph }, { file, changes: setup.changes });
  return tried(async () => {
    await start({ ...setup, graph: USUAL.graph, start: USUAL.start, changes: [] }, null);
    banner(`This race is on the map ${file.name}, which is not in the link. Load that file to start the race.`, { text: 'Load the map', run });
  });
}

/** Starts a race from an address. If it is refused, a default race stands behind the dialog with the error. */
async function start(setup, file) {
  try {
    await begin(setup, file);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await begin(USUAL);
    dialog.open(setup, { file, problem: error });
  }
}

function startControls() {
  byId('play').addEventListener('click', playOrPause);
  byId('step').addEventListener('click', () => {
    clock.step();
    showPlaying();
  });
  byId('restart').addEventListener('click', restart);
  byId('luck').addEventListener('click', newLuck);
  byId('change').addEventListener('click', openSetup);
  byId('share').addEventListener('click', () => {
    remember();
    openShare(race.setup, race.file);
  });
  byId('share-copy').addEventListener('click', copyLink);
  byId('speed').addEventListener('input', ({ target }) => setSpeed(Number(target.value)));
  for (const choice of document.querySelectorAll('[name=view]'))
    choice.addEventListener('change', () => setView(choice.value));
  for (const choice of document.querySelectorAll('[name=colour]'))
    choice.addEventListener('change', () => stage.setColour(choice.value));
  for (const choice of document.querySelectorAll('[name=look]'))
    choice.addEventListener('change', () => showLook());
  addEventListener('keydown', pressed);
  addEventListener('hashchange', route);
}

startTheme(() => stage.recolour());
startControls();
byId('speed').max = SPEEDS.length - 1;
setSpeed(SPEEDS.indexOf(30));
setView(narrow.matches ? 'together' : 'apart');
if (narrow.matches) {
  byId('colour-truth').checked = true;
  stage.setColour('truth');
}
route();
dialog.offer().catch((error) => banner(error.message));
