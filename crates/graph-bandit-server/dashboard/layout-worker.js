// The layout, beside the page.

import { layout } from './layout.js';

onmessage = ({ data: { nodes, edges } }) => {
  const places = layout(nodes, edges);
  postMessage(places, [places.x.buffer, places.y.buffer]);
};
