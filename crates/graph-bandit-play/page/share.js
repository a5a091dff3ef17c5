// The dialog that shares a race: its link, and the command for the same race.

import { byId, say } from '../dashboard/dom.js';
import { commandOf } from './link.js';

/** Opens the dialog for the race of the present address. */
export function openShare(setup, file) {
  byId('share-link').value = location.href;
  const command = commandOf(setup, file);
  byId('share-command').value = command ?? 'not available for a drawn graph';
  byId('command-note').hidden = !command;
  byId('share-note').hidden = Boolean(file);
  byId('share-file').hidden = !file;
  say(byId('share-file'), `The link has the name of the map ${file?.name}, not the map itself: it asks the reader to load that file.`);
  say(byId('share-copy'), 'Copy link');
  byId('share-dialog').showModal();
}

export async function copyLink() {
  byId('share-link').select();
  try {
    await navigator.clipboard.writeText(byId('share-link').value);
    say(byId('share-copy'), 'Copied');
  } catch {
    // A browser may deny access to the clipboard; the selected link can be copied by hand.
    say(byId('share-copy'), 'Press Ctrl-C to copy');
  }
}
