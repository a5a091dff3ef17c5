// Server-sent events, read by fetch because EventSource cannot send a token.

import { Problem, Unreachable, eventsOf, passes } from './api.js';

/** The service sends something every 15 seconds; after three times that, the connection is dead. */
const SILENCE = 45_000;

/** Cuts text into events, and keeps an incomplete last one until the rest arrives. */
export class EventReader {
  constructor() {
    this.rest = '';
  }

  read(text) {
    const blocks = (this.rest + text).replaceAll('\r\n', '\n').split('\n\n');
    this.rest = blocks.pop();
    return blocks.map(eventOf).filter((event) => event.data !== '');
  }
}

function eventOf(block) {
  const event = { kind: 'message', data: '' };
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (line.startsWith('event:')) event.kind = value;
    if (line.startsWith('data:')) event.data += (event.data && '\n') + value;
  }
  return event;
}

/**
 * Follows an agent until `signal` ends it. Calls `heard.state` with every state, `heard.gone` when the
 * agent no longer exists, and `heard.lost` when the connection breaks; that resolves when to try again.
 */
export async function follow(id, signal, heard) {
  let quick = 0;
  while (!signal.aborted) {
    try {
      const started = performance.now();
      if ((await listen(id, signal, heard)) === 'gone') {
        heard.gone();
        return;
      }
      // The stream ended in order: the service stops, or a proxy closes old connections.
      quick = performance.now() - started < 2000 ? quick + 1 : 0;
      await new Promise((resolve) => setTimeout(resolve, Math.min(5000, 100 * 2 ** quick)));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status === 404) {
        heard.gone();
        return;
      }
      if (!passes(error)) throw error;
      await heard.lost(error);
    }
  }
}

async function listen(id, signal, heard) {
  const line = new AbortController();
  const hangUp = () => line.abort();
  signal.addEventListener('abort', hangUp);
  let timer = setTimeout(hangUp, SILENCE);
  try {
    const response = await eventsOf(id, line.signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const events = new EventReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return 'ended';
      clearTimeout(timer);
      timer = setTimeout(hangUp, SILENCE);
      for (const { kind, data } of events.read(value)) {
        if (signal.aborted) return 'ended';
        if (kind === 'gone') return 'gone';
        if (kind === 'state') heard.state(JSON.parse(data));
      }
    }
  } catch (error) {
    if (error instanceof Problem || signal.aborted) throw error;
    throw new Unreachable('The connection broke.');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', hangUp);
    line.abort();
  }
}
