// Draws the walkers of a team: a disc with the number of each, and its name beside the disc where there is room.

import { CROWD, DISC } from './crew.js';
import { LABEL_FONT, shortened } from './labels.js';

/** The height of a name, and its distance from discs, in pixels. */
const [TALL, APART] = [17, 3];
/** How many names are drawn. */
const MOST_NAMES = 60;
/** The size of a number in a disc, by how many digits it has, in pixels. */
const SIZES = [11, 10.5, 8.5, 7];

const FAMILY = LABEL_FONT.slice(LABEL_FONT.indexOf(' ') + 1);

/** Draws all walkers of a team, and returns how many discs and names there are. */
export function drawTeam(context, camera, walkers, { colours, covers }) {
  const shown = walkers
    .filter(({ marker, hidden }) => marker && !hidden)
    .map((walker) => ({
      ...walker,
      x: camera.screenX(walker.marker.x) + walker.shift[0],
      y: camera.screenY(walker.marker.y) + walker.shift[1],
    }));
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const walker of shown) drawDisc(context, walker, colours);
  for (const walker of shown) if (walker.more > 0) drawRest(context, walker, colours);
  const names = placeNames(context, shown, camera, covers);
  for (const { walker, left, top, wide } of names) drawName(context, walker, { left, top, wide }, colours);
  context.globalAlpha = 1;
  return { discs: shown.length, names: names.length };
}

function drawDisc(context, { x, y, number, colour, onColour, lit, alpha }, colours) {
  const disc = (radius, fill, strength) => {
    context.globalAlpha = strength;
    context.fillStyle = fill;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  };
  if (lit) disc(DISC + 9, colour, 0.26);
  // Nothing shines through a faint disc.
  disc(DISC + 2, colours.paper, 1);
  disc(DISC, colour, alpha);
  const text = String(number);
  context.globalAlpha = 1;
  context.fillStyle = alpha < 1 ? colours.ink : onColour;
  context.font = `650 ${SIZES[Math.min(text.length, SIZES.length) - 1]}px ${FAMILY}`;
  context.fillText(text, x, y + 0.5);
}

/** Draws how many more walkers are on a node than discs. */
function drawRest(context, { marker, shift, x, y, more }, colours) {
  if (!marker) return;
  const text = `+${more}`;
  context.globalAlpha = 1;
  context.font = `600 ${LABEL_FONT}`;
  context.lineWidth = 4;
  context.lineJoin = 'round';
  context.strokeStyle = colours.paper;
  context.fillStyle = colours.ink;
  const [cx, cy] = [x - shift[0], y - shift[1]];
  context.strokeText(text, cx, cy - CROWD);
  context.fillText(text, cx, cy - CROWD);
}

/** Finds room for names: beside their own disc, off all other discs and names, and off what lies above the map. */
function placeNames(context, shown, { width, height }, covers) {
  context.font = `600 11.5px ${FAMILY}`;
  const taken = shown.map(({ x, y }) => box(x, y, DISC + 1));
  taken.push(...covers);
  const found = [];
  // The one that is lit is the last of them.
  for (const walker of [...shown].reverse()) {
    if (found.length >= MOST_NAMES) break;
    if (walker.name === undefined) continue;
    const wide = context.measureText(shortened(walker.name)).width + 12;
    const spot = spots(walker, wide).find(
      (area) =>
        area.left > 2 &&
        area.top > 2 &&
        area.right < width - 2 &&
        area.bottom < height - 2 &&
        !taken.some((other) => overlap(area, other)),
    );
    if (!spot) continue;
    taken.push(spot);
    found.push({ walker, left: spot.left, top: spot.top, wide });
  }
  return found;
}

const box = (x, y, reach) => ({ left: x - reach, right: x + reach, top: y - reach, bottom: y + reach });

/** Positions to try: away from the other walkers on the node first. */
function spots({ x, y, shift }, wide) {
  const area = (left, top) => ({ left, right: left + wide, top, bottom: top + TALL });
  const away = DISC + APART;
  const sides = {
    above: area(x - wide / 2, y - away - TALL),
    below: area(x - wide / 2, y + away),
    right: area(x + away, y - TALL / 2),
    left: area(x - away - wide, y - TALL / 2),
  };
  const { above, below, right, left } = sides;
  if (shift[0] > 4) return [right, above, below, left];
  if (shift[0] < -4) return [left, above, below, right];
  return shift[1] > 4 ? [below, right, left, above] : [above, right, left, below];
}

const overlap = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

function drawName(context, { name, colour, onColour, alpha }, { left, top, wide }, colours) {
  context.globalAlpha = 1;
  context.fillStyle = colours.paper;
  context.beginPath();
  context.roundRect(left - 1.5, top - 1.5, wide + 3, TALL + 3, TALL / 2 + 1.5);
  context.fill();
  context.globalAlpha = alpha;
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(left, top, wide, TALL, TALL / 2);
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = alpha < 1 ? colours.ink : onColour;
  context.fillText(shortened(name), left + wide / 2, top + TALL / 2 + 0.5);
}
