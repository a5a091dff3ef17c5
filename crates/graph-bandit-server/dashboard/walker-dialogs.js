// The dialogs for walkers that join a team and that leave it.

import { byId, element, nameOf, say } from './dom.js';
import { Problem, joinTeam, leaveTeam } from './api.js';
import { calledWalker } from './team.js';

/** How many node names the dialog suggests. */
const MOST_NAMES = 500;

/** The fields of the service's messages, and their elements. */
const FIELDS = { name: 'join-name', start: 'join-start', speed: 'join-speed', nodes: 'join-nodes' };

export class WalkerDialogs {
  /** `subject` returns the walker whose reasons are shown. */
  constructor(subject) {
    this.id = null;
    this.joining = byId('join-dialog');
    this.leaving = byId('leave-dialog');
    byId('walkers-add').addEventListener('click', () => this.openJoining());
    byId('walker-remove').addEventListener('click', () => this.openLeaving(subject()));
    byId('join-cancel').addEventListener('click', () => this.joining.close());
    byId('leave-cancel').addEventListener('click', () => this.leaving.close());
    byId('join-form').addEventListener('submit', (event) => this.send(event, 'join-error', () => this.join()));
    byId('leave-form').addEventListener('submit', (event) => this.send(event, 'leave-error', () => this.leave()));
  }

  /** `number` tells the team from a later one of the same name. */
  begin(id, number, graph) {
    Object.assign(this, { id, number, graph });
    const names = (graph.names ?? []).slice(0, MOST_NAMES);
    byId('join-nodes-known').replaceChildren(...names.map((value) => element('option', { value })));
  }

  openJoining() {
    for (const field of Object.values(FIELDS)) byId(field).value = '';
    complain('join-error', null);
    this.joining.showModal();
  }

  openLeaving(walker) {
    if (!walker) return;
    this.walker = walker.walker;
    byId('leave-name').replaceChildren(nameOf(calledWalker(walker)));
    byId('leave-reason').value = '';
    complain('leave-error', null);
    this.leaving.showModal();
  }

  async send(event, line, request) {
    event.preventDefault();
    complain(line, null);
    try {
      await request();
    } catch (error) {
      complain(line, error);
    }
  }

  async join() {
    const text = (id) => byId(id).value.trim() || undefined;
    const name = text('join-name');
    if (!name) throw new Error('name: Enter a name for the walker; its robot asks and reports with it.');
    const speed = text('join-speed');
    await joinTeam(this.id, {
      number: this.number,
      name,
      start: text('join-start'),
      // Text that is not a number is sent as it is: the service has the better message.
      speed: Number.isFinite(Number(speed)) && speed !== undefined ? Number(speed) : speed,
      nodes: text('join-nodes')
        ?.split(',')
        .map((node) => node.trim())
        .filter((node) => node !== ''),
    });
    this.joining.close();
  }

  async leave() {
    const reason = byId('leave-reason').value.trim() || undefined;
    await leaveTeam(this.id, { number: this.number, walker: this.walker, reason });
    this.leaving.close();
  }
}

/** The field with a value that the error quotes, if any. */
function quoted(error) {
  const values = (id) =>
    byId(id)
      .value.split(',')
      .map((value) => value.trim())
      .filter((value) => value !== '');
  const isQuoted = (id) => values(id).some((value) => error?.message.includes(`"${value}"`));
  return Object.keys(FIELDS).find((field) => isQuoted(FIELDS[field]));
}

/** Shows an error in a dialog, and marks the field that it is about. */
function complain(line, error) {
  for (const id of Object.values(FIELDS)) byId(id).removeAttribute('aria-invalid');
  const refused = error instanceof Problem && error.status === 403;
  const [, field = quoted(error), rest] = /^(name|start|speed|nodes): (.*)$/s.exec(error?.message ?? '') ?? [];
  say(
    byId(line),
    !error ? '' : refused ? `This token may not change the team: ${error.message}.` : (rest ?? error.message),
  );
  byId(line).hidden = !error;
  const meant = byId(FIELDS[field] ?? '');
  if (!meant) return;
  meant.setAttribute('aria-invalid', 'true');
  meant.setAttribute('aria-errormessage', line);
  meant.focus();
}
