// The page's requests to the program.

/** A refusal with the program's message and the field of the set-up that caused it. */
export class Problem extends Error {
  constructor({ status, title, detail, field }) {
    super(detail || title || `the program answered ${status}`);
    this.status = status;
    this.field = field;
  }

  /** Whether the program no longer keeps the race; the same set-up makes it again. */
  get isGone() {
    return this.status === 410 || this.status === 409;
  }
}

/** No answer at all. */
export class Unreachable extends Error {}

async function send(path, { method = 'POST', body, type = 'application/json' } = {}) {
  let response;
  let text;
  try {
    response = await fetch(path, { method, body, headers: body && { 'Content-Type': type }, cache: 'no-store' });
    text = await response.text();
  } catch {
    throw new Unreachable('The program does not answer. Is gbandit play still running?');
  }
  let answer = {};
  try {
    answer = JSON.parse(text);
  } catch {
    if (response.ok) throw new Unreachable('The answer was cut off.');
  }
  if (response.ok) return answer;
  throw new Problem({ title: response.statusText, ...answer, status: response.status });
}

export const choices = () => send('play/choices', { method: 'GET' });
export const openRace = (setup) => send('play/races', { body: JSON.stringify(setup) });
export const advance = (id, until) => send(`play/races/${id}/advance`, { body: JSON.stringify({ until }) });
export const changeRoad = (id, what, [from, to], t) =>
  send(`play/races/${id}/${what}`, { body: JSON.stringify({ from, to, t }) });

/** Has the program read a map file; returns its graph and notes on what was left out. */
export const readMap = (file, options) =>
  send(`play/maps?${new URLSearchParams({ name: file.name, ...options })}`, {
    body: file,
    type: 'application/octet-stream',
  });
