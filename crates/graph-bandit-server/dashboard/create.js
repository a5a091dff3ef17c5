// The dialog that creates an agent, on a graph of a family or on a map from a file.

import { AgentAbout } from './agent-about.js';
import { byId, element, say, takeDrops } from './dom.js';
import { Problem, createAgent, readMap, registry } from './api.js';
import { graphOf, sizeOf } from './graph.js';
import { drawPreview } from './preview.js';
import { count, things } from './format.js';

/** The name of each field in the service's messages, and the element it belongs to. */
const FIELDS = {
  graph: 'create-family',
  agent: 'create-agent',
  start: 'create-start',
  noise_scale: 'create-noise',
  id: 'create-id',
  seed: 'create-seed',
  walkers: 'create-walkers',
  name: 'create-walkers',
  share: 'create-share',
  seats: 'create-seats',
};

/** The service's road options: the element of each, and how the service's messages refer to it. */
const ROADS = [
  { option: 'directed', id: 'create-directed', said: '(directed=true)' },
  { option: 'times', id: 'create-times', said: '(times=FIELD)' },
  { option: 'speed', id: 'create-speed', said: '(speed=METRES_PER_SECOND)' },
  { option: 'visit_time', id: 'create-visit-time', said: '(visit_time=SECONDS)' },
];

/** How many node names the dialog suggests as a start. */
const MOST_STARTS = 500;

export class CreateDialog {
  /** `created` is called with the id of a new agent. */
  constructor(created) {
    this.created = created;
    this.dialog = byId('create-dialog');
    this.map = null;
    this.reading = null;
    byId('create-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    byId('create-cancel').addEventListener('click', () => this.dialog.close());
    for (const choice of this.dialog.querySelectorAll('[name=source]'))
      choice.addEventListener('change', () => this.showSource());
    byId('create-file').addEventListener('change', ({ target }) => this.take(target.files[0]));
    for (const id of ['create-largest', 'create-walk', 'create-drive', ...ROADS.map(({ id }) => id)])
      byId(id).addEventListener('change', () => this.take(this.file));
    byId('create-walkers').addEventListener('input', () => this.showTeam());
    this.about = new AgentAbout(byId('create-agent'));
    takeDrops(byId('drop'), (file) => this.take(file));
  }

  open() {
    this.complain(null);
    this.showSource();
    this.showTeam();
    this.dialog.showModal();
    this.suggestFromRegistry();
  }

  /** Suggests agents and example graphs. The dialog works without suggestions. */
  async suggestFromRegistry() {
    try {
      const { agents, families } = await registry();
      suggest('agent-names', agents.map((agent) => agent.name));
      this.about.setAgents(agents);
      this.offerAgents(agents);
      suggest('graph-families', families.map((family) => family.example));
    } catch {
      // If the service has a problem, creating the agent shows it.
    }
  }

  /** A button for each of the few agents to choose from, and one that shows all others. */
  offerAgents(agents) {
    const choose = (name) => {
      byId('create-agent').value = name;
      this.about.show();
    };
    const button = ({ name, summary }) =>
      element('button', { type: 'button', class: 'chip', title: summary, onclick: () => choose(name) }, name);
    const isOfFew = ({ standing }) => standing === 'recommended';
    const others = agents.filter((agent) => !isOfFew(agent)).map(button);
    const showAll = ({ currentTarget }) => {
      currentTarget.replaceWith(...others);
      others[0].focus();
    };
    const more = element('button', { type: 'button', class: 'chip', onclick: showAll }, 'All agents');
    byId('agent-chips').replaceChildren(...agents.filter(isOfFew).map(button), more);
  }

  source() {
    return this.dialog.querySelector('[name=source]:checked').value;
  }

  showSource() {
    const file = this.source() === 'file';
    byId('source-family').hidden = file;
    byId('source-file').hidden = !file;
    this.suggestStarts();
  }

  /** Offers what only teams have. */
  showTeam() {
    for (const part of this.dialog.querySelectorAll('[data-team]')) part.hidden = walkersOf() === undefined;
  }

  /** Suggests the node names of the map file, if a file is the chosen source. */
  suggestStarts() {
    const names = (this.source() === 'file' && this.map?.names) || [];
    suggest('start-names', names.slice(0, MOST_STARTS));
  }

  /** Has the service read a file, and shows the map. */
  async take(file) {
    if (!file) return;
    this.file = file;
    this.reading?.abort();
    const reading = new AbortController();
    this.reading = reading;
    this.map = null;
    this.suggestStarts();
    this.complain(null);
    byId('preview').hidden = true;
    byId('ways').hidden = !/\.(osm|pbf)$/i.test(file.name);
    say(byId('drop-file'), file.name);
    say(byId('drop-state'), 'Reading…');
    try {
      const options = {
        largestComponent: byId('create-largest').checked,
        ways: byId('create-drive').checked ? 'drive' : 'walk',
        roads: roadOptions(),
      };
      const found = await readMap(file, options, reading.signal);
      if (reading.signal.aborted) return;
      this.map = found.graph;
      this.suggestStarts();
      this.showMap(found, graphOf({ ...found.graph, positions: found.positions }));
    } catch (error) {
      if (reading.signal.aborted) return;
      say(byId('drop-state'), 'Could not be read.');
      this.complain(error, 'create-file');
    }
  }

  showMap({ format, notes }, graph) {
    say(byId('drop-state'), '');
    byId('preview').hidden = false;
    Object.assign(byId('preview').dataset, { nodes: graph.nodes, edges: graph.edges.length / 2 });
    say(
      byId('preview-size'),
      `${sizeOf(graph, things).replace(' · ', ', ')}, read as ${format}`,
    );
    byId('preview-notes').replaceChildren(...notes.map((note) => element('li', {}, note)));
    drawPreview(byId('preview-canvas'), graph);
  }

  /** The request that the form makes. Empty fields are not sent. */
  request() {
    const text = (id) => byId(id).value.trim() || undefined;
    // Text that is not a number is sent as it is: the service has the better message.
    const number = (text, is) => (text !== undefined && is(Number(text)) ? Number(text) : text);
    const graph = this.source() === 'file' ? this.map : text('create-family');
    return {
      id: text('create-id'),
      graph,
      agent: text('create-agent'),
      start: text('create-start'),
      seed: number(text('create-seed'), Number.isSafeInteger),
      noise_scale: number(text('create-noise'), Number.isFinite),
      ...(walkersOf() !== undefined && {
        walkers: walkersOf(),
        share: text('create-share'),
        seats: number(text('create-seats'), Number.isSafeInteger),
      }),
    };
  }

  async submit() {
    this.complain(null);
    const request = this.request();
    if (!request.graph) {
      const file = this.source() === 'file';
      this.complain(
        new Error(file ? 'Choose a map file first.' : 'Enter a graph, such as grid:10x10.'),
        file ? 'create-file' : 'create-family',
      );
      return;
    }
    if (request.seed !== undefined && !(Number.isSafeInteger(request.seed) && request.seed >= 0)) {
      this.complain(new Error(`The seed must be a whole number from 0 to ${count(Number.MAX_SAFE_INTEGER)}.`), 'create-seed');
      return;
    }
    const { walkers } = request;
    if (walkers?.length === 0 || (typeof walkers === 'number' && !(Number.isSafeInteger(walkers) && walkers >= 0))) {
      const wanted = 'The walkers must be a whole number of at least 0, or names separated by commas.';
      this.complain(new Error(wanted), 'create-walkers');
      return;
    }
    if (typeof request.seats === 'string' || request.seats < 1) {
      this.complain(new Error('The seats must be a whole number from 1 on, or empty for any number.'), 'create-seats');
      return;
    }
    const button = byId('create-submit');
    button.disabled = true;
    try {
      const { id } = await createAgent(request);
      this.dialog.close();
      // The next agent needs another name, and perhaps another map.
      for (const field of ['create-id', 'create-start', 'create-walkers']) byId(field).value = '';
      this.created(id);
    } catch (error) {
      this.complain(error);
    } finally {
      button.disabled = false;
    }
  }

  /** Shows an error below the form, and marks the field it is about. */
  complain(error, field) {
    for (const marked of this.dialog.querySelectorAll('[aria-invalid]')) {
      marked.removeAttribute('aria-invalid');
      marked.removeAttribute('aria-errormessage');
    }
    const line = byId('create-error');
    line.hidden = !error;
    say(line, error ? words(error) : '');
    if (!error) return;
    // A long message scrolls; then the keyboard must be able to reach it.
    line.tabIndex = line.scrollHeight > line.clientHeight ? 0 : -1;
    const said = /^(\w+): /.exec(error.message)?.[1];
    const meant = byId(field ?? FIELDS[said] ?? '');
    if (!meant) return;
    meant.setAttribute('aria-invalid', 'true');
    meant.setAttribute('aria-errormessage', 'create-error');
    meant.focus();
    // Keep the field clear of the dialog's foot, which has grown by the message.
    meant.scrollIntoView({ block: 'center' });
  }
}

/** The walkers of a team: their number, or an object with the name of each; undefined for an agent alone. */
function walkersOf() {
  const text = byId('create-walkers').value.trim();
  if (text === '' || text === '1') return undefined;
  if (Number.isFinite(Number(text))) return Number(text);
  const names = text.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '').map((name) => ({ name }));
}

/** The road options that the reader filled in. */
function roadOptions() {
  const given = ROADS.map(({ option, id }) => {
    const field = byId(id);
    return [option, field.type === 'checkbox' ? field.checked && 'true' : field.value.trim()];
  });
  return Object.fromEntries(given.filter(([, value]) => value));
}

function words(error) {
  if (error instanceof Problem && error.status === 403) return `This token may not create agents: ${error.message}.`;
  // The service names its option; here that is a box to tick.
  const box = byId('create-largest').closest('label').textContent.trim();
  return ROADS.reduce(
    (text, { id, said }) => text.replace(said, `(“${byId(id).labels[0].textContent.trim()}” below the file)`),
    error.message.replace('(largest_component=true)', `(tick “${box}”)`),
  );
}

function suggest(list, values) {
  byId(list).replaceChildren(...values.map((value) => element('option', { value })));
}
