// Why the agent goes where it goes: a sentence, its numbers, and those of the runner-up.

import { drawn, element, nameOf } from './dom.js';
import { count, measure, things, ticks, tickLabel } from './format.js';
import { duration, wayOf } from './roads.js';

const FOREVER = 1e12;
const called = (place) => place.name ?? String(place.node);

/** Shows an order, and a note instead of its reasons. */
export function showOrder(target, order, note) {
  const destination = order.path.at(-1) ?? order.at;
  target.dataset.destination = destination.node;
  target.replaceChildren(sentence(order, destination), element('p', { class: 'soft reason' }, note));
}

/** Shows the reason for the present order. */
export function showWhy(target, state) {
  const { at, path, stay, why } = state;
  const destination = path.at(-1) ?? at;
  target.dataset.destination = destination.node;
  const parts = [sentence(state, destination), element('p', { class: 'soft reason' }, `${upper(why.reason)}.`)];
  if (why.set_aside_nodes) {
    const cut = `${things(why.set_aside_nodes, 'node')} cut off by blocked edges ${why.set_aside_nodes === 1 ? 'is' : 'are'} left out.`;
    parts.push(element('p', { class: 'soft aside' }, cut));
  }
  const going = state.phase === 'cover' ? 'explores' : 'goes to';
  const rivals = [{ role: path.length === 0 ? 'here' : going, place: destination, known: why }];
  if (why.runner_up) rivals.push({ role: 'runner-up', place: why.runner_up, known: why.runner_up });
  if (rivals.some(({ known }) => known.bound !== undefined && known.estimate !== undefined))
    parts.push(intervals(rivals));
  parts.push(numbers(rivals, why, path, stay));
  target.replaceChildren(...parts);
}

const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function sentence(state, destination) {
  const { at, path, stay, phase } = state;
  const visits = stay >= FOREVER ? 'for good' : `for ${things(stay, 'more visit')}`;
  const line = element('p', { class: 'order' });
  if (path.length === 0) {
    line.append('Stays at ', nameOf(called(at)), ` ${visits}.`);
    return line;
  }
  line.append(
    phase === 'cover' ? 'Explores ' : 'Goes to ',
    nameOf(called(destination)),
    `, ${things(path.length, 'step')} away`,
  );
  if (state.times) line.append(`, there in ${duration(wayOf(state))}`);
  line.append(stay > 0 ? `, and stays ${visits}.` : '.');
  return line;
}

/** Draws estimates and bounds on one scale: the dot is the estimate, the bar its confidence interval. */
function intervals(rivals) {
  const [width, left, right, row] = [320, 74, 10, 26];
  const known = rivals.filter(({ known }) => known.estimate !== undefined && known.bound !== undefined);
  const values = known.flatMap(({ known }) => [known.estimate - known.radius, known.bound]);
  let [low, high] = [Math.min(...values), Math.max(...values)];
  if (!(high > low)) [low, high] = [low - 0.5, high + 0.5];
  const pad = (high - low) * 0.06;
  [low, high] = [low - pad, high + pad];
  const x = (value) => left + ((value - low) / (high - low)) * (width - left - right);
  const height = rivals.length * row + 22;
  const image = drawn('svg', {
    class: 'intervals',
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': spoken(rivals),
  });
  const marks = ticks(low, high, 4);
  const step = marks.length > 1 ? marks[1] - marks[0] : 1;
  for (const mark of marks) {
    image.append(drawn('line', { class: 'rule', x1: x(mark), x2: x(mark), y1: 2, y2: rivals.length * row }));
    image.append(
      drawn('text', { class: 'tick', x: x(mark), y: height - 7, 'text-anchor': 'middle' }, tickLabel(mark, step)),
    );
  }
  rivals.forEach(({ role, known }, k) => {
    const y = k * row + row / 2 + 1;
    const kind = k === 0 ? 'destination' : 'runner-up';
    image.append(drawn('text', { class: 'who', x: 0, y: y + 4 }, role));
    if (known.estimate === undefined || known.bound === undefined) {
      const unknown = known.visits > 0 ? 'all rewards forgotten' : 'not visited yet';
      image.append(drawn('text', { class: 'tick', x: left, y: y + 4 }, unknown));
      return;
    }
    image.append(
      drawn('line', { class: `reach ${kind}`, x1: x(known.estimate - known.radius), x2: x(known.bound), y1: y, y2: y }),
    );
    image.append(drawn('circle', { class: kind, cx: x(known.estimate), cy: y, r: 5 }));
  });
  return image;
}

const spoken = (rivals) =>
  rivals
    .map(({ role, known }) => `${role}: estimate ${measure(known.estimate)}, bound ${measure(known.bound)}`)
    .join('; ');

function numbers(rivals, why, path, stay) {
  const head = element(
    'tr',
    {},
    element('td', {}),
    ...rivals.map(({ role, place }) =>
      element('th', { scope: 'col' }, element('span', { class: 'role' }, role), ' ', nameOf(called(place))),
    ),
  );
  const row = (term, read) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, term),
      ...rivals.map(({ known }) => element('td', {}, read(known))),
    );
  const rows = [row('visits', (known) => count(known.visits))];
  if (rivals.some(({ known }) => known.remembered !== undefined))
    rows.push(row('remembered', (known) => measure(known.remembered ?? known.visits)));
  for (const number of ['estimate', 'radius', 'bound']) {
    if (rivals.some(({ known }) => known[number] !== undefined))
      rows.push(row(number, (known) => measure(known[number])));
  }
  if (rivals.some(({ known }) => known.score !== undefined && known.score !== known.bound)) {
    rows.push(row("agent's score", (known) => measure(known.score)));
  }
  const cost = (known) => (known === why ? measure(why.path_cost) : '');
  if (path.length > 0 && why.path_cost !== undefined) rows.push(row('path cost', cost));
  return element('table', { class: 'rivals' }, element('thead', {}, head), element('tbody', {}, ...rows));
}
