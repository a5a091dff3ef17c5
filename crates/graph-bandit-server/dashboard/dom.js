// Elements and their texts. Names are untrusted: nothing in this page turns text into markup.

/** Creates an element with properties; children are elements or texts. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name === 'class') made.className = value;
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

/** Creates an SVG element. */
export function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** The element of the page with this id. */
export const byId = (id) => document.getElementById(id);

/** Sets the text of an element. Does nothing if it already has that text. */
export function say(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Calls `take` with the file dropped on a zone, and highlights the zone while a file is over it. */
export function takeDrops(zone, take) {
  const over = (event) => {
    event.preventDefault();
    zone.classList.add('over');
  };
  zone.addEventListener('dragenter', over);
  zone.addEventListener('dragover', over);
  zone.addEventListener('dragleave', () => zone.classList.remove('over'));
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    zone.classList.remove('over');
    take(event.dataTransfer.files[0]);
  });
}

/** A name, isolated from the writing direction of the text around it. */
export const nameOf = (text) => element('bdi', { class: 'name' }, text);
