// The buttons and the legend that lie above the map. Nothing that must be read is drawn below them.

/** How far nodes stay clear of them, and the size of a full legend, in pixels. */
const [CLEARANCE, LEGEND] = [22, 124];

/** The elements that lie above the map in `frame`. */
export function covering(frame) {
  return [...frame.parentElement.children].filter((each) => each.matches('.colour-by, .zoom, .legend'));
}

/** Their rectangles, in coordinates of the map. */
export function coversOf(frame) {
  const map = frame.getBoundingClientRect();
  return covering(frame).map((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return { left: left - map.left, right: right - map.left, top: top - map.top, bottom: bottom - map.top };
  });
}

/** Margins for names and for the elements above the map: at the top, the bottom and the right. */
export function marginsOf({ width, height }, covers) {
  const side = Math.max(24, Math.min(56, Math.min(width, height) * 0.08));
  const margins = { left: side, right: side, top: side, bottom: covers.length > 0 ? Math.max(side, LEGEND) : side };
  for (const { left, right, top, bottom } of covers) {
    if (top > height / 2) margins.bottom = Math.max(margins.bottom, height - top + CLEARANCE);
    else if (left > width / 2) margins.right = Math.max(margins.right, width - left + CLEARANCE);
    else if (right > 0) margins.top = Math.max(margins.top, bottom + CLEARANCE);
  }
  return margins;
}
