// Finds the node under the pointer without looking at all nodes.

import { extent } from './graph.js';

/** Nodes sorted into a grid of squares. */
export class Nearest {
  constructor(graph) {
    this.graph = graph;
    const { left, right, bottom, top } = extent(graph);
    this.side = Math.max(right - left, top - bottom, 1e-9) / Math.max(1, Math.ceil(Math.sqrt(graph.nodes)));
    this.left = left;
    this.bottom = bottom;
    this.columns = Math.floor((right - left) / this.side) + 1;
    this.rows = Math.floor((top - bottom) / this.side) + 1;
    const cells = Uint32Array.from({ length: graph.nodes }, (_, node) => this.cell(graph.x[node], graph.y[node]));
    this.starts = new Uint32Array(this.columns * this.rows + 1);
    for (const cell of cells) this.starts[cell + 1] += 1;
    for (let cell = 0; cell < this.columns * this.rows; cell += 1) this.starts[cell + 1] += this.starts[cell];
    const next = this.starts.slice();
    this.nodes = new Uint32Array(graph.nodes);
    cells.forEach((cell, node) => {
      this.nodes[next[cell]++] = node;
    });
  }

  column(x) {
    return Math.min(this.columns - 1, Math.max(0, Math.floor((x - this.left) / this.side)));
  }

  row(y) {
    return Math.min(this.rows - 1, Math.max(0, Math.floor((y - this.bottom) / this.side)));
  }

  cell(x, y) {
    return this.row(y) * this.columns + this.column(x);
  }

  /** The nearest node within `reach`, or null. */
  find(x, y, reach) {
    let [best, closest] = [null, reach];
    for (let row = this.row(y - reach); row <= this.row(y + reach); row += 1) {
      for (let column = this.column(x - reach); column <= this.column(x + reach); column += 1) {
        const cell = row * this.columns + column;
        for (let k = this.starts[cell]; k < this.starts[cell + 1]; k += 1) {
          const node = this.nodes[k];
          const apart = Math.hypot(this.graph.x[node] - x, this.graph.y[node] - y);
          if (apart <= closest) [best, closest] = [node, apart];
        }
      }
    }
    return best;
  }
}
