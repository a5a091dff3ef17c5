// The dialog that makes an agent: on a graph of a family, or on a map from a file.

import { AgentAbout } from './agent-about.js';
import { byId, element, say, takeDrops } from './dom.js';
import { Problem, createAgent, readMap, registry } from './api.js';
import { graphOf, sizeOf } from './graph.js';
import { drawPreview } from './preview.js';
import { count, things } from './format.js';

/** What the service calls a field, and where it stands. */
const FIELDS = {
  graph: 'create-family',
  agent: 'create-agent',
  start: 'create-start',
  noise_scale: 'create-noise',
  id: 'create-id',
  seed: 'create-seed',
};

/** What the service calls the options of roads, where they stand, and how it names them in what it says. */
const ROADS = [
  { option: 'directed', id: 'create-directed', said: '(directed=true)' },
  { option: 'times', id: 'create-times', said: '(times=FIELD)' },
  { option: 'speed', id: 'create-speed', said: '(speed=METRES_PER_SECOND)' },
  { option: 'visit_time', id: 'create-visit-time', said: '(visit_time=SECONDS)' },
];

/** How many names of a map are suggested as a start. */
const MOST_STARTS = 500;

export class CreateDialog {
  /** `created` hears the id of a new agent. */
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
    this.about = new AgentAbout(byId('create-agent'));
    takeDrops(byId('drop'), (file) => this.take(file));
  }

  open() {
    this.complain(null);
    this.showSource();
    this.dialog.showModal();
    this.suggestWhatThereIs();
  }

  /** Names of agents and examples of graphs; the dialog works without them. */
  async suggestWhatThereIs() {
    try {
      const { agents, families } = await registry();
      suggest('agent-names', agents.map((agent) => agent.name));
      this.about.setAgents(agents);
      suggest('graph-families', families.map((family) => family.example));
    } catch {
      // What is wrong with the service shows when the agent is created.
    }
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

  /** Names of the map that was read, where it is the one that is wanted. */
  suggestStarts() {
    const names = (this.source() === 'file' && this.map?.names) || [];
    suggest('start-names', names.slice(0, MOST_STARTS));
  }

  /** Has a file read, and shows what was found in it. */
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
    say(byId('drop-state'), 'Being read…');
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
      say(byId('drop-state'), 'Not read.');
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

  /** What the form asks for; nothing is sent of what was left empty. */
  wish() {
    const text = (id) => byId(id).value.trim() || undefined;
    // What is no number is sent as it is: the service says best what is wrong with it.
    const number = (text, is) => (text !== undefined && is(Number(text)) ? Number(text) : text);
    const graph = this.source() === 'file' ? this.map : text('create-family');
    return {
      id: text('create-id'),
      graph,
      agent: text('create-agent'),
      start: text('create-start'),
      seed: number(text('create-seed'), Number.isSafeInteger),
      noise_scale: number(text('create-noise'), Number.isFinite),
    };
  }

  async submit() {
    this.complain(null);
    const wish = this.wish();
    if (!wish.graph) {
      const file = this.source() === 'file';
      this.complain(
        new Error(file ? 'Choose the file of a map first.' : 'Write a graph, such as grid:10x10.'),
        file ? 'create-file' : 'create-family',
      );
      return;
    }
    if (wish.seed !== undefined && !(Number.isSafeInteger(wish.seed) && wish.seed >= 0)) {
      this.complain(new Error(`A seed is a whole number from 0 to ${count(Number.MAX_SAFE_INTEGER)}.`), 'create-seed');
      return;
    }
    const button = byId('create-submit');
    button.disabled = true;
    try {
      const { id } = await createAgent(wish);
      this.dialog.close();
      // The next one has another name, and perhaps another map.
      for (const field of ['create-id', 'create-start']) byId(field).value = '';
      this.created(id);
    } catch (error) {
      this.complain(error);
    } finally {
      button.disabled = false;
    }
  }

  /** Shows what is wrong beside the form, and marks the field that is meant. */
  complain(error, field) {
    for (const marked of this.dialog.querySelectorAll('[aria-invalid]')) {
      marked.removeAttribute('aria-invalid');
      marked.removeAttribute('aria-errormessage');
    }
    const line = byId('create-error');
    line.hidden = !error;
    say(line, error ? words(error) : '');
    if (!error) return;
    const said = /^(\w+): /.exec(error.message)?.[1];
    const meant = byId(field ?? FIELDS[said] ?? '');
    if (!meant) return;
    meant.setAttribute('aria-invalid', 'true');
    meant.setAttribute('aria-errormessage', 'create-error');
    meant.focus();
    // Above the foot, which has grown by what is said there.
    meant.scrollIntoView({ block: 'center' });
  }
}

/** The options of roads that were given. */
function roadOptions() {
  const given = ROADS.map(({ option, id }) => {
    const field = byId(id);
    return [option, field.type === 'checkbox' ? field.checked && 'true' : field.value.trim()];
  });
  return Object.fromEntries(given.filter(([, value]) => value));
}

function words(error) {
  if (error instanceof Problem && error.status === 403) return `This token may not create agents: ${error.message}.`;
  // The option of the service is a box to tick here.
  const box = byId('create-largest').closest('label').textContent.trim();
  return ROADS.reduce(
    (text, { id, said }) => text.replace(said, `(“${byId(id).labels[0].textContent.trim()}” below the file)`),
    error.message.replace('(largest_component=true)', `(tick “${box}”)`),
  );
}

function suggest(list, values) {
  byId(list).replaceChildren(...values.map((value) => element('option', { value })));
}
