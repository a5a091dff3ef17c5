// Why a walker of a team goes where it goes. Its order comes with every state; the reasons are asked for.

import { byId, element, nameOf } from './dom.js';
import { Problem, askFor } from './api.js';
import { calledWalker, hueOf } from './team.js';
import { chipOf, paintChip } from './walker-table.js';
import { wayOf } from './roads.js';
import { showOrder, showWhy } from './why.js';

/** Refusals that the next state explains: the walker left, or reported meanwhile. */
const PASSING = [404, 409, 422];

export class WalkerWhy {
  /** `learned` is called with a walker and how long its way takes. */
  constructor(learned) {
    this.learned = learned;
    this.chip = chipOf();
    this.asked = null;
    this.walker = null;
    // Another token may have another scope.
    document.addEventListener('token', () => {
      this.refused = false;
      if (this.walker) this.ask();
    });
  }

  /** Shows the reasons of another team; `fetching` paces requests. */
  begin(id, graph, fetching) {
    Object.assign(this, { id, graph, asked: null, walker: null, refused: false });
    this.ask = fetching(() => this.fetch());
  }

  /** Shows a walker of the present state, or that there is none. */
  show(walker) {
    const target = byId('why');
    const changed = walker && keyOf(walker) !== (this.walker && keyOf(this.walker));
    const other = walker?.walker !== this.walker?.walker;
    this.walker = walker ?? null;
    if (!walker) {
      byId('why-title').replaceChildren('Next leg');
      target.style.minHeight = '';
      target.replaceChildren(element('p', { class: 'soft' }, 'The team has no walkers.'));
      return;
    }
    if (other) this.entitle(walker);
    else paintChip(this.chip, walker.walker);
    if (!changed) return;
    this.draw();
    if (!this.refused) this.ask();
  }

  entitle(walker) {
    paintChip(this.chip, walker.walker);
    byId('why-title').replaceChildren('Next leg of ', this.chip, ' ', nameOf(calledWalker(walker)));
    const target = byId('why');
    target.dataset.walker = walker.walker;
    target.style.setProperty('--walker', `var(${hueOf(walker.walker)})`);
  }

  async fetch() {
    const { id, walker } = this;
    if (!walker) return;
    try {
      const order = await askFor(id, walker.walker);
      if (this.id !== id) return;
      this.asked = order;
    } catch (error) {
      if (this.id !== id) return;
      if (!(error instanceof Problem)) throw error;
      if (error.status === 403) this.refused = true;
      else if (!PASSING.includes(error.status)) throw error;
    }
    if (this.walker) this.draw();
  }

  /** Draws the order of the present state, with the reasons if they are about this order. */
  draw() {
    const { walker, asked } = this;
    const target = byId('why');
    const order = {
      at: this.place(walker.at.node),
      path: walker.path.map((node) => this.place(node)),
      stay: walker.stay,
    };
    const end = walker.path.at(-1) ?? walker.at.node;
    const about = asked?.walker === walker.walker && (asked.path.at(-1) ?? asked.at).node === end;
    const same = about && asked.sequence === walker.sequence;
    target.dataset.asked = same ? asked.sequence : '';
    if (about) {
      const times = same && { times: asked.times, times_in_seconds: asked.times_in_seconds };
      showWhy(target, { ...order, phase: asked.phase, why: asked.why, ...times });
      if (same) this.learned(walker.walker, wayOf(asked));
      target.style.minHeight = '';
    } else {
      const note = this.refused ? 'Reasons need a token of scope decide.' : 'Asking for the reasons…';
      // Panels below must not jump while the reasons are under way.
      if (!this.refused) target.style.minHeight = `${target.offsetHeight}px`;
      showOrder(target, { ...order, phase: 'learn' }, note);
    }
  }

  place(node) {
    return this.graph.names ? { node, name: this.graph.names[node] } : { node };
  }
}

const keyOf = ({ walker, sequence, at, path, stay }) => [walker, sequence, at.node, stay, ...path].join();
