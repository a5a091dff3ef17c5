// The dialog that sets a race up. What the program refuses is said beside the field that it names.

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
  /** `wanted` is asked to start a race with a set-up, and with the name and reading of its map if it has one. */
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

  /** What there is to choose from; the dialog works without. */
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
   * Opens with a set-up; `problem` is what is wrong with it. A link leads here where its map must be loaded first: its
   * `changes` happen on that map and on no other.
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
    this.complain('graph', null);
    this.board.draw();
  }

  /** What the form asks for. What is not a number is sent as a text: the program says what is wrong with it. */
  wish() {
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

  /** Nodes of a map have names. */
  startNode(text) {
    const named = this.source() === 'file' ? (this.file.graph?.names ?? []).indexOf(text) : -1;
    if (named >= 0) return named;
    return /^\d+$/.test(text) ? Number(text) : text;
  }

  async submit() {
    this.forget();
    // Leaving a field may have the file read once more.
    if (this.source() === 'file') await this.file.reading;
    const wish = this.wish();
    if (!wish.graph) {
      const file = this.source() === 'file';
      return this.complain('graph', file ? 'Choose the file of a map first.' : 'Write a graph, such as grid:10x10.');
    }
    for (const name of ['steps', 'seed', 'start'])
      if (!Number.isSafeInteger(wish[name])) return this.complain(name, this.notWhole(name, wish[name]));
    const button = byId('setup-submit');
    button.disabled = true;
    try {
      const { name, options } = this.file;
      await this.wanted(wish, this.source() === 'file' ? { name, options } : null);
      this.dialog.close();
    } catch (error) {
      this.refuse(error);
    } finally {
      button.disabled = false;
    }
  }

  notWhole(name, value) {
    if (name === 'start') return `“${value}” is not a node; write the number of one${this.file.graph?.names ? ', or its name' : ''}.`;
    return `“${value}” is not a whole number; write one, such as ${name === 'steps' ? 2000 : 7}.`;
  }

  refuse(error) {
    const field = error instanceof Problem ? error.field : null;
    // Another map of the same name: the race can be had without the changes of the link.
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
