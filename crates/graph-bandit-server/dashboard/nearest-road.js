// Finds the road under the pointer.

/** How near a pointer must come to a road, in pixels. */
const REACH = 7;
/** Looking at more edges than this would take longer than a frame. */
const MOST_EDGES = 200_000;

/** The edge at a point of the screen, as an index into `edges`, or null. */
export function edgeAt({ edges, x, y }, camera, px, py) {
  if (edges.length > 2 * MOST_EDGES) return null;
  const [wx, wy] = [camera.worldX(px), camera.worldY(py)];
  let [found, nearest] = [null, (REACH / camera.scale) ** 2];
  for (let k = 0; k < edges.length; k += 2) {
    const [a, b] = [edges[k], edges[k + 1]];
    const [dx, dy] = [x[b] - x[a], y[b] - y[a]];
    const [ax, ay] = [wx - x[a], wy - y[a]];
    const share = Math.min(1, Math.max(0, (ax * dx + ay * dy) / (dx * dx + dy * dy || 1)));
    const away = (ax - share * dx) ** 2 + (ay - share * dy) ** 2;
    if (away < nearest) [found, nearest] = [k, away];
  }
  return found;
}

/** Roads shorter than this on the screen, in pixels, have no middle to point at. */
const SHORTEST = 16;

/** Whether a point of the screen is nearer to the middle of an edge than to its ends. */
export function isInMiddle({ edges, x, y }, camera, k, px, py) {
  const [a, b] = [edges[k], edges[k + 1]];
  const [dx, dy] = [x[b] - x[a], y[b] - y[a]];
  const length = Math.hypot(dx, dy);
  if (length * camera.scale < SHORTEST) return false;
  const share = ((camera.worldX(px) - x[a]) * dx + (camera.worldY(py) - y[a]) * dy) / length ** 2;
  return share > 0.3 && share < 0.7;
}
