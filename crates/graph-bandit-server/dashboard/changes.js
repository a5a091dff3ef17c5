// The changes that an agent found, as marks on the chart of rewards.

import { drawn } from './dom.js';
import { count, things } from './format.js';

/** How near the pointer must come to a mark, in pixels. */
const REACH = 5;
/** Half the width of a mark, and its height. */
const [HALF, HIGH] = [5, 8];

/** The changes as marks: `x` visits, and the text of the readout. `nameOf` names nodes. */
export function marksOf(changes, nameOf) {
  return changes.map(({ visits, node }) => ({
    x: visits,
    isChange: true,
    words: `visit ${count(visits)}: change found at ${nameOf(node)}`,
  }));
}

/** How many changes were found, and the last of them. */
export function summaryOf(marks, found) {
  if (found === 0 || marks.length === 0) return '';
  return `; ${things(found, 'change')} found, the last at ${marks.at(-1).words.replace(': change found at ', ', at ')}`;
}

/** Draws a triangle above the chart and a line down through it for each change. */
export function drawChanges(image, marks, x, plot) {
  for (const mark of marks) {
    const at = x(mark.x);
    const group = drawn('g', { class: 'change' }, drawn('title', {}, mark.words));
    group.append(drawn('line', { x1: at, x2: at, y1: plot.top, y2: plot.bottom }));
    const top = plot.top - HIGH;
    group.append(drawn('path', { d: `M${at - HALF} ${top}h${2 * HALF}l${-HALF} ${HIGH}z` }));
    image.append(group);
  }
}

/** The mark under the pointer, or undefined. */
export function markAt(marks, x, left) {
  const away = (mark) => Math.abs(x(mark.x) - left);
  const nearest = marks.reduce((best, mark) => (best && away(best) <= away(mark) ? best : mark), undefined);
  return nearest && away(nearest) <= REACH ? nearest : undefined;
}
