// The dialog that sets up a race. Errors of the program stand beside the field that they name.

import { byId, element, say } from '../dashboard/dom.js';
import { Problem, choices } from './api.js';
import { AgentsField } from './agents-field.js';
import { Board } from './draw.js';
import { MapFile } from './map-file.js';

/** Graphs to begin with. */
const EXAMPLES = ['grid:10x10', 'small-world:60,4,0.1', 'geometric:80,0.18', 'tree:63', 'star:30', 'barbell:12,6', 'circle:40', 'arkansas'];

/** A drawing to begin with: two squares and a bridge. */
const DRAWING = {
  coordinates: [[0.08, 0.25], [0.08, 0.75], [0.32, 0.75], [0.32, 0.25], [0.5, 0.5], [0.68, 0.25], [0.68, 0.75], [0.92, 0.75], [0.92, 0.25]],
  edges: [[0, 1], [1, 2], [2, 3], [0, 3], [2, 4], [3, 4], [4, 5], [4, 6], [5, 8], [6, 7], [7, 8], [5, 6]],
};

/** The field of each setting, where errors about it are shown beside it. */
const FIELDS = { graph: 'setup-family', agents: 'setup-agents', steps: 'setup-steps', seed: 'setup-seed', start: 'setup-start', means: 'setup-means', noise: 'setup-noise' };

export class SetupDialog {
  /** `wanted` is called with a set-up to start, and with the name and options of its map, if any. */
  constructor(wanted) {
    this.wanted = wanted;
    this.dialog = byId('setup');
    this.agents = new AgentsField();
    this.board = new Board(byId('board'));
    this.file = new MapFile({
      failed: (said) => this.complain('graph', said),
      read: () => this.complain('graph', null),
    });
    for (const choice of this.dialog.querySelectorAll('[name=source]'))
      choice.addEventListener('change', () => this.showSource());
    byId('setup-cancel').addEventListener('click', () => this.dialog.close());
    byId('setup-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    const chips = EXAMPLES.map((example) =>
      element('button', { type: 'button', class: 'chip', onclick: () => (byId('setup-family').value = example) }, example),
    );
    byId('family-chips').replaceChildren(...chips);
    this.board.load(DRAWING);
  }

  /** Fetches the choices; the dialog works without them. */
  async offer() {
    const { agents, families, means, noises, limits } = await choices();
    this.agents.offer(agents, limits.agents);
    const suggest = (list, entries) =>
      byId(list).replaceChildren(...entries.map(({ example }) => element('option', { value: example })));
    suggest('families', families);
    suggest('means', means);
    suggest('noises', noises);
  }

  /**
   * Opens with a set-up; `problem` is an error about it. A link opens this dialog if its map must be loaded first: its
   * `changes` apply to that map only.
   */
  open(setup, { file = null, problem = null, changes = [] } = {}) {
    this.linked = { name: file?.name, changes };
    if (file && !this.file.holds(file)) {
      this.file.write(file.options);
      this.file.take(this.file.file);
    }
    const drawing = !file && typeof setup.graph !== 'string';
    if (!file && !drawing) byId('setup-family').value = setup.graph;
    if (drawing) this.board.load(setup.graph);
    byId(file ? 'by-file' : drawing ? 'by-drawing' : 'by-family').checked = true;
    this.agents.write(setup.agents);
    for (const name of ['steps', 'seed', 'start', 'means', 'noise']) byId(`setup-${name}`).value = setup[name];
    this.forget();
    this.showSource();
    if (!this.dialog.open) this.dialog.showModal();
    if (problem) this.refuse(problem);
    else if (!file) byId(drawing ? 'board' : 'setup-family').focus();
  }

  source() {
    return this.dialog.querySelector('[name=source]:checked').value;
  }

  showSource() {
    for (const source of ['family', 'drawing', 'file']) byId(`source-${source}`).hidden = this.source() !== source;
    this.complain('graph', this.source() === 'file' ? this.file.problem : null);
    this.board.draw();
  }

  /** The set-up of the form. Text that is not a number is sent as it is: the program has the better message. */
  setup() {
    const text = (name) => byId(`setup-${name}`).value.trim();
    const number = (name) => (/^\d+$/.test(text(name)) ? Number(text(name)) : text(name));
    const source = this.source();
    const graph = { family: () => text('family'), drawing: () => this.board.graph(), file: () => this.file.graph }[source]();
    return {
      graph,
      agents: this.agents.read(),
      steps: number('steps'),
      seed: number('seed'),
      start: this.startNode(text('start')),
      means: text('means'),
      noise: text('noise'),
      changes: source === 'file' && this.file.name === this.linked.name ? this.linked.changes : [],
    };
  }

  /** The number of the start, which may be a name on a map. */
  startNode(text) {
    const named = this.source() === 'file' ? (this.file.graph?.names ?? []).indexOf(text) : -1;
    if (named >= 0) return named;
    return /^\d+$/.test(text) ? Number(text) : text;
  }

  async submit() {
    this.forget();
    // Leaving a field may start reading the file again.
    if (this.source() === 'file') await this.file.reading;
    const setup = this.setup();
    if (!setup.graph) {
      const missing = this.file.problem ?? 'Choose a map file first.';
      return this.complain('graph', this.source() === 'file' ? missing : 'Enter a graph, such as grid:10x10.');
    }
    for (const name of ['steps', 'seed', 'start'])
      if (!Number.isSafeInteger(setup[name])) return this.complain(name, this.notWhole(name, setup[name]));
    const button = byId('setup-submit');
    button.disabled = true;
    try {
      const { name, options } = this.file;
      await this.wanted(setup, this.source() === 'file' ? { name, options } : null);
      this.dialog.close();
    } catch (error) {
      this.refuse(error);
    } finally {
      button.disabled = false;
    }
  }

  notWhole(name, value) {
    if (name === 'start') return `“${value}” is not a node; enter its number${this.file.graph?.names ? ' or name' : ''}.`;
    return `“${value}” is not a whole number; enter one, such as ${name === 'steps' ? 2000 : 7}.`;
  }

  refuse(error) {
    const field = error instanceof Problem ? error.field : null;
    // Another map has the same name: race on it without the changes of the link.
    if (field === 'changes') this.linked.changes = [];
    this.complain(field in FIELDS ? field : 'other', error.message);
  }

  forget() {
    for (const name of [...Object.keys(FIELDS), 'other']) this.complain(name, null);
  }

  complain(name, said) {
    const line = byId(`error-${name}`);
    line.hidden = !said;
    say(line, said ?? '');
    const field = byId(FIELDS[name] ?? '');
    if (!field) return;
    if (!said) {
      field.removeAttribute('aria-invalid');
      field.removeAttribute('aria-errormessage');
      return;
    }
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-errormessage', line.id);
    if (!field.closest('[hidden]')) field.focus();
    line.scrollIntoView({ block: 'center' });
  }
}
