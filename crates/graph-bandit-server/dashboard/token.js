// The token, kept until the tab is closed, and the dialog that asks for one.

import { byId, say } from './dom.js';

const KEY = 'graph-bandit-token';
let asking = null;
let declined = false;

export const token = () => sessionStorage.getItem(KEY);

/** Asks for a token, once for all waiting requests; false if none is given. Does not ask again after a refusal. */
export function wantToken(complaint) {
  if (declined) return Promise.resolve(false);
  asking ??= ask(complaint).finally(() => {
    asking = null;
  });
  return asking;
}

function ask(complaint) {
  const [dialog, form, field, error] = ['token-dialog', 'token-form', 'token-field', 'token-error'].map(byId);
  say(error, complaint);
  error.hidden = !complaint;
  field.value = '';
  return new Promise((resolve) => {
    const submitted = (event) => {
      event.preventDefault();
      sessionStorage.setItem(KEY, field.value.trim());
      dialog.close('given');
    };
    form.addEventListener('submit', submitted);
    dialog.addEventListener(
      'close',
      () => {
        form.removeEventListener('submit', submitted);
        const given = dialog.returnValue === 'given';
        dialog.returnValue = '';
        declined = !given;
        document.dispatchEvent(new CustomEvent('token', { detail: { given } }));
        resolve(given);
      },
      { once: true },
    );
    dialog.showModal();
  });
}

/** Forgets the token. */
export function forgetToken() {
  sessionStorage.removeItem(KEY);
  location.reload();
}
