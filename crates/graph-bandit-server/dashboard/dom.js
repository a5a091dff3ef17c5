// Elements and their texts. Names come from strangers: nothing here, or anywhere in this page, turns
// text into markup.

/** An element with properties, and children that are elements or texts. */
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

/** An element of a drawing. */
export function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** The element of the page with this id. */
export const byId = (id) => document.getElementById(id);

/** Sets a text, and leaves the page alone where it is that already. */
export function say(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Gives `take` the file that is dropped on a zone, which shows where it may be dropped. */
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

/** A name, kept apart from the direction of the text around it. */
export const nameOf = (text) => element('bdi', { class: 'name' }, text);
