// Converts between positions of the graph and positions on the screen.

import { extent } from './graph.js';

/** The length of a typical edge at the highest zoom, in pixels. */
const CLOSEST = 400;

/**
 * A view of the plane: the scale in pixels per unit and the point at the centre of the window. A
 * margin of the window may be out of sight.
 */
export class Camera {
  constructor() {
    this.width = 1;
    this.height = 1;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.margin = 0;
    this.farthest = 1e-9;
    this.closest = 1e9;
  }

  screenX(x) {
    return (x - this.x) * this.scale + this.width / 2;
  }

  screenY(y) {
    return (this.y - y) * this.scale + this.height / 2;
  }

  worldX(screenX) {
    return (screenX - this.width / 2) / this.scale + this.x;
  }

  worldY(screenY) {
    return this.y - (screenY - this.height / 2) / this.scale;
  }

  copy() {
    return Object.assign(new Camera(), this);
  }

  sees(other) {
    return (
      this.x === other.x &&
      this.y === other.y &&
      this.scale === other.scale &&
      this.width === other.width &&
      this.height === other.height
    );
  }

  pan(byX, byY) {
    this.x -= byX / this.scale;
    this.y += byY / this.scale;
  }

  /** Zooms around a point of the screen. */
  zoom(factor, screenX = this.width / 2, screenY = this.height / 2) {
    const scale = Math.min(this.closest, Math.max(this.farthest, this.scale * factor));
    const [x, y] = [this.worldX(screenX), this.worldY(screenY)];
    this.scale = scale;
    this.x = x - (screenX - this.width / 2) / scale;
    this.y = y + (screenY - this.height / 2) / scale;
  }

  /** Fits the whole graph inside the margins. */
  fit(graph, margin) {
    const { left, right, bottom, top } = extent(graph);
    const [across, up] = [
      Math.max(20, this.width - margin.left - margin.right),
      Math.max(20, this.height - margin.top - margin.bottom),
    ];
    const scale = Math.min(across / (right - left || 1e-9), up / (top - bottom || 1e-9));
    this.scale = Math.min(scale, Math.max(this.width, this.height));
    this.farthest = this.scale / 4;
    this.closest = Math.max(this.scale, CLOSEST / graph.step);
    this.x = (left + right) / 2 + (margin.right - margin.left) / 2 / this.scale;
    this.y = (bottom + top) / 2 - (margin.bottom - margin.top) / 2 / this.scale;
  }
}
