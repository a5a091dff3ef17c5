// The best node so far: what it pays, where the truth may be, and how sure it is that no other pays more.

import { byId, element, nameOf, say } from './dom.js';
import { measure, things } from './format.js';

const called = (place) => place.name ?? String(place.node);

/** Shows what the service says of the best node; before the first visit there is none. */
export function showBest({ best, runner_up: rival, unvisited, settled, confidence } = {}) {
  const [target, sure] = [byId('stat-best'), byId('best-sure')];
  target.dataset.settled = settled ?? '';
  if (!best) {
    say(target, '–');
    say(sure, 'Nothing was visited yet.');
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
