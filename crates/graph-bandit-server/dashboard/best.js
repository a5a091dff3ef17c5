// The best node so far: its estimate, its interval, and whether another node may pay more.

import { byId, element, nameOf, say } from './dom.js';
import { measure, things } from './format.js';

const called = (place) => place.name ?? String(place.node);

/** Shows the service's answer about the best node; before the first visit there is none. */
export function showBest({ best, runner_up: rival, unvisited, settled, confidence } = {}) {
  const [target, sure] = [byId('stat-best'), byId('best-sure')];
  target.dataset.settled = settled ?? '';
  if (!best) {
    say(target, '–');
    say(sure, 'No node visited yet.');
    return;
  }
  const [low, high] = best.interval;
  target.replaceChildren(
    nameOf(called(best)),
    ` pays ${measure(best.estimate)} `,
    element('span', { class: 'soft' }, `${measure(low)} to ${measure(high)}`),
  );
  const percent = `${Number((100 * confidence).toPrecision(4))}%`;
  if (settled) {
    say(sure, `Settled: no other node pays more, with ${percent} confidence.`);
    return;
  }
  const open = [];
  if (rival && rival.interval[1] > low) open.push(`${called(rival)} may pay up to ${measure(rival.interval[1])}`);
  if (unvisited > 0) open.push(`${things(unvisited, 'node')} ${unvisited === 1 ? 'is' : 'are'} not visited`);
  say(sure, `Not settled at ${percent} confidence${open.length > 0 ? `: ${open.join(', and ')}` : ''}.`);
}
