// What the page shows of a team beyond an agent alone: its walkers, on the map and in a table, and the reasons of one.

import { byId, say } from './dom.js';
import { WalkerDialogs } from './walker-dialogs.js';
import { WalkerTable } from './walker-table.js';
import { WalkerWhy } from './walker-why.js';
import { calledWalker, rulesOf, spokenTeam } from './team.js';
import { count } from './format.js';

export class TeamView {
  constructor(map) {
    this.map = map;
    this.id = null;
    this.walkers = [];
    this.table = new WalkerTable({ pointed: (walker) => this.point(walker), chosen: (walker) => this.choose(walker) });
    this.why = new WalkerWhy((walker, way) => {
      map.crew?.setWay(walker, way);
      map.invalidate();
    });
    this.dialogs = new WalkerDialogs(() => this.subject());
  }

  /** Switches to another agent; `id` is null if it is not a team. */
  begin(id, number, graph, fetching) {
    Object.assign(this, { id, graph, walkers: [], chosen: null, pointed: null });
    for (const part of document.querySelectorAll('[data-of]'))
      part.hidden = (part.dataset.of === 'team') !== (id !== null);
    byId('why-title').replaceChildren('Next leg');
    delete byId('why').dataset.walker;
    for (const property of ['--walker', 'min-height']) byId('why').style.removeProperty(property);
    this.dialogs.begin(id, number, graph);
    // Also forgets the walker of the team before, whose reasons may be under way.
    this.why.begin(id, graph, fetching);
    if (id === null) return;
    this.table.begin(graph);
  }

  setState(state) {
    const { team } = state;
    this.walkers = team.walkers;
    if (!this.find(this.chosen)) this.chosen = null;
    if (!this.find(this.pointed)) this.pointed = null;
    this.map.setTeam(state);
    say(byId('stat-walkers'), count(team.walkers.length));
    say(byId('team-rules'), rulesOf(team));
    byId('walkers-add').disabled = team.walkers.length >= team.most;
    this.show();
  }

  find(number) {
    return this.walkers.find(({ walker }) => walker === number);
  }

  /** The walker whose reasons are shown: the chosen one, or else the first. */
  subject() {
    return this.find(this.chosen) ?? this.walkers[0];
  }

  /** The node of that walker. */
  home() {
    return this.subject()?.at.node;
  }

  /** Lights up a walker while the pointer or the focus is on it. */
  point(number) {
    if (this.id === null || this.pointed === number) return;
    this.pointed = number;
    this.show();
  }

  /** Chooses a walker; choosing it again clears the choice. */
  choose(number) {
    this.chosen = number === this.chosen ? null : number;
    this.table.reveal(this.subject()?.walker);
    this.show();
  }

  /** Chooses the next walker, or the one before, and moves the map's focus to it. */
  step(by) {
    const { length } = this.walkers;
    if (length === 0) return;
    const place = this.walkers.findIndex(({ walker }) => walker === this.chosen);
    const next = place < 0 ? (by > 0 ? 0 : length - 1) : (place + by + length) % length;
    this.chosen = this.walkers[next].walker;
    this.table.reveal(this.chosen);
    this.show();
    this.map.focusOn(this.home());
  }

  show() {
    const [subject, lit] = [this.subject(), this.pointed ?? this.chosen];
    this.table.set(this.walkers, subject?.walker ?? null, lit);
    this.map.light(lit);
    this.why.show(subject);
    byId('walker-remove').hidden = !subject;
    if (subject) byId('walker-remove').setAttribute('aria-label', `Remove ${calledWalker(subject)} from the team`);
  }

  /** Takes the colours of a changed theme. */
  takeTheme() {
    if (this.id !== null) this.show();
  }

  /** What screen readers hear about the walkers. */
  spoken(id, state) {
    return spokenTeam(id, state, this.subject()?.walker, this.graph);
  }
}
