// A map from a file: the program reads it, and the page keeps it.

import { byId, say, takeDrops } from '../dashboard/dom.js';
import { things } from '../dashboard/format.js';
import { readMap } from './api.js';
import { READING } from './link.js';

/** The field of each option, and how the program names the option in its messages. */
const FIELDS = {
  largest_component: { id: 'file-largest', said: '(largest_component=true)' },
  directed: { id: 'file-directed', said: '(directed=true)' },
  times: { id: 'file-times', said: '(times=FIELD)' },
  speed: { id: 'file-speed', said: '(speed=METRES_PER_SECOND)' },
  visit_time: { id: 'file-visit-time', said: '(visit_time=SECONDS)' },
};
const OPTIONS = READING.map((option) => ({ option, ...FIELDS[option] }));

export class MapFile {
  /** `failed` is called with an error, `read` when a file was read. */
  constructor({ failed, read }) {
    this.failed = failed;
    this.read = read;
    this.graph = null;
    /** Why the file could not be read, until another one is chosen. */
    this.problem = null;
    this.name = null;
    this.options = {};
    byId('setup-file').addEventListener('change', ({ target }) => this.take(target.files[0]));
    for (const { id } of OPTIONS) byId(id).addEventListener('change', () => this.take(this.file));
    takeDrops(byId('drop'), (file) => this.take(file));
  }

  /** Has the program read a file; the last one taken counts. `reading` resolves when it is done. */
  take(file) {
    if (file) this.reading = this.readNow(file);
  }

  /** Sets the form's options for the next file. */
  write(options) {
    for (const { option, id } of OPTIONS) {
      const field = byId(id);
      if (field.type === 'checkbox') field.checked = options[option] === 'true';
      else field.value = options[option] ?? '';
    }
  }

  /** Whether this map was read with these options. */
  holds({ name, options }) {
    const same = ([option, value]) => this.options[option] === value;
    return (
      this.graph !== null &&
      this.name === name &&
      Object.keys(this.options).length === Object.keys(options).length &&
      Object.entries(options).every(same)
    );
  }

  async readNow(file) {
    this.file = file;
    this.graph = null;
    const wanted = options();
    const turn = {};
    this.turn = turn;
    this.fail(null);
    say(byId('drop-file'), file.name);
    say(byId('drop-state'), 'Reading…');
    try {
      const { graph, format, notes } = await readMap(file, wanted);
      if (this.turn !== turn) return;
      Object.assign(this, { graph, name: file.name, options: wanted });
      const ways = graph.roads ? things(graph.roads.length, 'road') : things(graph.edges.length, 'edge');
      say(byId('drop-state'), [`${things(graph.nodes, 'node')}, ${ways}, read as ${format}`, ...notes.map(plain)].join('; '));
      this.read();
    } catch (error) {
      if (this.turn !== turn) return;
      say(byId('drop-state'), 'Could not be read.');
      this.fail(words(error));
    }
  }

  fail(problem) {
    this.problem = problem;
    this.failed(problem);
  }
}

function options() {
  const given = OPTIONS.map(({ option, id }) => {
    const field = byId(id);
    return [option, field.type === 'checkbox' ? field.checked && 'true' : field.value.trim()];
  });
  return Object.fromEntries(given.filter(([, value]) => value));
}

/** Drops the program's hint on its options, which are fields here. */
const plain = (note) => note.replace(' (keep them with directed=true, times=FIELD or speed=METRES_PER_SECOND)', '');

/** The error, with the labels of the fields instead of the program's options. */
const words = (error) =>
  OPTIONS.reduce(
    (text, { id, said }) => text.replace(said, `(“${byId(id).labels[0].textContent.trim()}”)`),
    error.message,
  );
