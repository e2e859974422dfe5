import { signal } from '@preact/signals';
import { goTo } from './location.ts';
import type { PlainView } from './route.ts';

/** True while the list of keys is shown. */
export const isKeyListShown = signal(false);

/** Views by the key after `g`. */
const VIEWS: Readonly<Record<string, 'overview' | PlainView>> = {
  o: 'overview',
  b: 'blocks',
  t: 'transactions',
  a: 'accounts',
  c: 'contracts',
  p: 'pool',
};

/** Keys and their meanings, for the list. */
export const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'Search'],
  ...Object.entries(VIEWS).map(([key, view]) => [`g ${key}`, `Go to: ${view}`] as const),
  ['j  k', 'Next and previous row of a list'],
  ['[  ]', 'Previous and next block or transaction'],
  ['?', 'This list'],
];

/** Milliseconds for which `g` waits for the next key. */
const WAIT_MS = 1_500;

let wasGo = 0;

/** Begins to listen to the keys of the page, for as long as it is open. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    const target = event.target instanceof HTMLElement ? event.target : undefined;
    const isTyping =
      target?.closest('input, textarea, select, [role="listbox"]') !== null && target !== undefined;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (press(event.key)) event.preventDefault();
  });
}

/** Handles a key; returns false for one without a meaning. */
function press(key: string): boolean {
  const view = performance.now() - wasGo < WAIT_MS ? VIEWS[key] : undefined;
  wasGo = key === 'g' ? performance.now() : 0;
  if (view !== undefined) {
    goTo({ view });
    return true;
  }
  switch (key) {
    case '/':
      document.querySelector<HTMLElement>('.search input')?.focus();
      return true;
    case '[':
    case ']':
      document.querySelector<HTMLElement>(`main a[rel="${key === '[' ? 'prev' : 'next'}"]`)?.click();
      return true;
    case 'j':
    case 'k':
      return moveRow(key === 'j' ? 1 : -1);
    case '?':
    case 'Escape':
      isKeyListShown.value = key === '?' && !isKeyListShown.value;
      return key === '?';
    default:
      return false;
  }
}

/** Focuses the first link of the next row. */
function moveRow(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll('main tbody tr')];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[current < 0 ? 0 : current + step];
  next?.querySelector<HTMLElement>('a, button')?.focus();
  return next !== undefined;
}
