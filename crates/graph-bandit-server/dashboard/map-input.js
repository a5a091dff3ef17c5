// Input on the map: pointer, touch, wheel and keys. Roads can be selected if the map has a handler for it.

/** A pointer that moves less than this, in pixels, clicks; otherwise it drags. */
const STEADY = 5;

/** Lets the reader move the map, and point at and select its nodes. */
export function listen(map) {
  const { frame } = map;
  const fingers = new Map();
  let travelled = 0;

  const at = (event) => {
    const { left, top } = frame.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) || 1 };
  };

  map.top.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    if (fingers.size === 0) travelled = 0;
    fingers.set(event.pointerId, at(event));
    map.top.setPointerCapture(event.pointerId);
  });
  map.top.addEventListener('pointermove', (event) => {
    const now = at(event);
    const before = fingers.get(event.pointerId);
    if (!before) {
      point(map, now);
      return;
    }
    travelled += Math.hypot(now.x - before.x, now.y - before.y);
    if (fingers.size === 2) {
      const old = spread();
      fingers.set(event.pointerId, now);
      const fresh = spread();
      map.pan(fresh.x - old.x, fresh.y - old.y);
      map.zoom(fresh.apart / old.apart, fresh.x, fresh.y);
    } else {
      fingers.set(event.pointerId, now);
      if (travelled >= STEADY) {
        frame.classList.add('dragging');
        map.pan(now.x - before.x, now.y - before.y);
      }
    }
  });
  const lift = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    frame.classList.remove('dragging');
    if (event.type !== 'pointerup' || travelled >= STEADY || fingers.size > 0) return;
    const now = at(event);
    choose(map, now);
    // A finger points only by touching.
    if (event.pointerType === 'touch') point(map, now);
  };
  map.top.addEventListener('pointerup', lift);
  map.top.addEventListener('pointercancel', lift);
  map.top.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'touch') return;
    map.hover(null);
    map.heard.walkerPointed?.(null);
  });
  map.top.addEventListener('dblclick', (event) => {
    const { x, y } = at(event);
    map.zoom(2, x, y);
  });
  map.top.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { x, y } = at(event);
      const lines = event.deltaMode === 1 ? 16 : 1;
      map.zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) * (event.ctrlKey ? 0.01 : 0.0025)), x, y);
    },
    { passive: false },
  );

  // A click focuses the frame, too, but only keys should show the focused node.
  frame.addEventListener('focus', () => map.setFocus(frame.matches(':focus-visible')));
  frame.addEventListener('blur', () => map.setFocus(false));
  frame.addEventListener('keydown', (event) => {
    if (event.target !== frame || event.ctrlKey || event.metaKey || event.altKey) return;
    if (pressed(map, event)) event.preventDefault();
  });
}

/** Points at the node at a point of the screen, or else at the road. */
function point(map, { x, y }) {
  const walker = map.walkerAt(x, y);
  map.heard.walkerPointed?.(walker);
  const node = map.nodeAt(x, y);
  map.hover(node, node === null ? map.roadAt(x, y) : null);
  const road = map.heard.road && map.scene.road;
  map.frame.classList.toggle('pointing', node !== null || walker !== null || (road ?? null) !== null);
}

/** Selects the walker at a point of the screen, or else the node, or else the road. */
function choose(map, { x, y }) {
  const walker = map.walkerAt(x, y);
  if (walker !== null) {
    map.heard.walkerChosen(walker);
    return;
  }
  const node = map.nodeAt(x, y);
  const road = node === null && map.heard.road ? map.roadAt(x, y) : null;
  if (road === null) map.heard.chosen(node);
  else map.heard.road([map.graph.edges[road], map.graph.edges[road + 1]]);
}

const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Keys that go from walker to walker. */
const WALKERS = { PageDown: 1, PageUp: -1 };

function pressed(map, event) {
  if (!map.graph) return false;
  const direction = DIRECTIONS[event.key];
  if (direction && event.shiftKey) map.pan(-60 * direction[0], 60 * direction[1]);
  else if (direction) {
    map.scene.hasFocus = true;
    map.step(...direction);
  } else if (event.key === '+' || event.key === '=') map.zoom(1.4);
  else if (event.key === '-') map.zoom(1 / 1.4);
  else if (event.key === '0') map.fit();
  else if (event.key === 'Home') map.focusOn(map.home());
  else if (map.crew && WALKERS[event.key]) map.heard.walkerStepped(WALKERS[event.key]);
  else if (event.key === 'Enter') map.heard.chosen(map.scene.focused);
  else if (event.key === 'Escape' && map.scene.selected !== null) map.heard.chosen(null);
  else return false;
  return true;
}
