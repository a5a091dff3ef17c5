// The legend: what the colours of the map mean.

import { drawn, element, say } from './dom.js';
import { LEVELS, MEASURES, share, valueAt } from './palette.js';
import { count, measure, things, tickLabel, ticks } from './format.js';

const [WIDTH, BAR] = [184, 10];

/** Draws the legend of a scale, or a note that nothing is known yet. */
export function drawLegend(target, scale, measureName, { unvisited, setAside, learned, unknown }) {
  const title = element('p', { class: 'legend-title' }, MEASURES[measureName].title);
  const hollow = element('p', { class: 'legend-hollow' }, element('i', { 'aria-hidden': true }), '');
  say(hollow.lastChild, unvisited === 0 ? 'every node visited' : `not visited yet: ${count(unvisited)}`);
  const grey = element('p', { class: 'legend-aside' }, element('i', { 'aria-hidden': true }), '');
  say(grey.lastChild, `cut off by blocked edges: ${count(setAside)}`);
  const kinds = setAside === 0 ? [hollow] : [hollow, grey];
  if (learned > 0) {
    const bold = element('p', { class: 'legend-learned' }, element('b', { 'aria-hidden': true }, '+t'), '');
    say(bold.lastChild, `${things(learned, 'road')}: time learned`);
    kinds.push(bold);
  }
  if (unknown > 0) {
    const note =
      measureName === 'age'
        ? 'Known only of agents for rewards that change, and of agents whose clock is stamps'
        : `all rewards forgotten: ${count(unknown)}`;
    kinds.push(element('p', { class: 'legend-note' }, note));
  }
  if (!scale) {
    target.replaceChildren(title, ...kinds);
    return;
  }
  const bar = drawn('svg', {
    viewBox: `0 0 ${WIDTH} 26`,
    width: WIDTH,
    height: 26,
    role: 'img',
    'aria-label': describe(scale),
  });
  for (let level = 0; level < LEVELS; level += 1) {
    const x = (level * WIDTH) / LEVELS;
    bar.append(drawn('rect', { x, y: 0, width: WIDTH / LEVELS + 0.5, height: BAR, fill: `var(--gb-r${level})` }));
  }
  for (const { at, text, anchor } of marks(scale)) {
    bar.append(drawn('text', { x: at, y: 23, 'text-anchor': anchor }, text));
  }
  target.replaceChildren(title, bar, ...kinds);
}

const describe = (scale) => `from ${written(scale, scale.low)} to ${written(scale, scale.high)}`;

const written = (scale, value) => (scale.scale === 'linear' ? measure(value) : count(Math.round(value)));

/** The two ends, and the ticks that fit between them. */
function marks(scale) {
  if (!(scale.high > scale.low)) return [{ at: WIDTH / 2, text: written(scale, scale.low), anchor: 'middle' }];
  const ends = [
    { at: 0, text: brief(scale, scale.low), anchor: 'start' },
    { at: WIDTH, text: brief(scale, scale.high), anchor: 'end' },
  ];
  const between = scale.scale === 'linear' ? ticks(scale.low, scale.high, 4) : powers(scale);
  const [left, right] = [ends[0].text.length * 7 + 16, WIDTH - ends[1].text.length * 7 - 16];
  const inner = between
    .map((value) => ({ at: share(scale, value) * WIDTH, text: brief(scale, value), anchor: 'middle' }))
    .filter(({ at }) => at > left && at < right);
  return [ends[0], ...inner, ends[1]];
}

function powers(scale) {
  const found = [];
  for (let power = 10; power < scale.high; power *= 10) if (power > scale.low) found.push(power);
  // Two of them are enough.
  return found.length > 2 ? [found[0], found.at(-1)] : found.length > 0 ? found : [Math.round(valueAt(scale, 0.5))];
}

const brief = (scale, value) => {
  if (scale.scale !== 'linear') return tickLabel(value, 1);
  const size = scale.high - scale.low;
  return tickLabel(value, size > 50 ? 1 : size > 0.5 ? 0.1 : 0.001);
};
