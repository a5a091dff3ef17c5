// Light or dark theme: the system's, until the reader chooses one.

import { byId } from './dom.js';

const KEY = 'graph-bandit-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

const chosen = () => localStorage.getItem(KEY);
const current = () => chosen() ?? (dark.matches ? 'dark' : 'light');

/** Sets the theme, and calls `changed` whenever it changes. */
export function startTheme(changed) {
  const button = byId('theme');
  const apply = () => {
    const choice = chosen();
    if (choice) document.documentElement.dataset.theme = choice;
    else delete document.documentElement.dataset.theme;
    button.setAttribute('aria-pressed', current() === 'dark');
    changed();
  };
  button.addEventListener('click', () => {
    localStorage.setItem(KEY, current() === 'dark' ? 'light' : 'dark');
    apply();
  });
  dark.addEventListener('change', apply);
  apply();
}
