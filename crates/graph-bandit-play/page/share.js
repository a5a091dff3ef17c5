// The dialog that shares a race: its link, and the same agents in a shell.

import { byId, say } from '../dashboard/dom.js';
import { commandOf } from './link.js';

/** Opens it for the race that the address leads to. */
export function openShare(setup, file) {
  byId('share-link').value = location.href;
  const command = commandOf(setup, file);
  byId('share-command').value = command ?? 'not for a graph that was drawn';
  byId('command-note').hidden = !command;
  byId('share-note').hidden = Boolean(file);
  byId('share-file').hidden = !file;
  say(byId('share-file'), `The map ${file?.name} is named in the link, not held: whoever opens it is asked to load that file.`);
  say(byId('share-copy'), 'Copy link');
  byId('share-dialog').showModal();
}

export async function copyLink() {
  byId('share-link').select();
  try {
    await navigator.clipboard.writeText(byId('share-link').value);
    say(byId('share-copy'), 'Copied');
  } catch {
    // A browser may keep pages from writing; what is selected can be copied by hand.
    say(byId('share-copy'), 'Press Ctrl-C to copy');
  }
}
