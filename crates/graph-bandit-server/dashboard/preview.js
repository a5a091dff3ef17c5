// A small preview of a map before an agent is created on it.

import { Camera } from './camera.js';
import { UNKNOWN, colours } from './palette.js';
import { drawBase } from './map-base.js';

/** Draws a graph into a canvas at its size on the page. */
export function drawPreview(canvas, graph) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const camera = Object.assign(new Camera(), { width, height });
  camera.fit(graph, { left: 22, right: 22, top: 22, bottom: 22 });
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawBase(context, context, graph, camera, {
    colours: colours(),
    levels: new Uint8Array(graph.nodes).fill(UNKNOWN),
    aside: new Uint8Array(graph.nodes),
    blocked: new Set(),
    first: [],
    covers: [],
  });
}
