// Whether the service answers. One loop retries for all parts of the page.

import { byId, say } from './dom.js';
import { passes, ready } from './api.js';

const DELAYS = [500, 1000, 2000, 4000, 8000];

let waiting = null;
let hurry = () => {};

/** Shows that the connection is lost, and resolves when the service answers again. */
export function lost(error) {
  waiting ??= untilBack(error).finally(() => {
    waiting = null;
  });
  return waiting;
}

async function untilBack(error) {
  show('lost');
  let reason = error.message;
  for (let attempt = 0; ; attempt += 1) {
    await pause(DELAYS[Math.min(attempt, DELAYS.length - 1)], reason);
    say(byId('banner-text'), `${reason} Trying again…`);
    try {
      await ready();
      show('live');
      return;
    } catch (error) {
      if (!passes(error)) {
        show('live');
        return;
      }
      reason = error.message;
    }
  }
}

/** Waits, and shows how long. The button ends the wait. */
function pause(delay, reason) {
  return new Promise((resolve) => {
    let left = delay;
    const done = () => {
      clearInterval(ticking);
      removeEventListener('online', done);
      resolve();
    };
    const tell = () => {
      const seconds = Math.ceil(left / 1000);
      say(byId('banner-text'), `${reason} This page may be out of date. Trying again in ${seconds} s.`);
    };
    const ticking = setInterval(() => {
      left -= 250;
      if (left <= 0) done();
      else tell();
    }, 250);
    tell();
    hurry = done;
    addEventListener('online', done);
  });
}

/** Retries at once. */
export const retryNow = () => hurry();

/** Shows the state: `live`, `lost`, or `idle` when no agent is watched. */
export function show(state) {
  const [banner, light] = [byId('banner'), byId('connection')];
  banner.hidden = state !== 'lost';
  light.dataset.state = state;
  say(light.querySelector('.connection-text'), { live: 'Live', lost: 'Not connected', idle: 'Connected' }[state]);
}
