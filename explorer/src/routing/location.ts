import { signal } from '@preact/signals';
import { linkTo, parseRoute, type Route } from './route.ts';

/** The route that the page shows. */
export const route = signal<Route>(parseRoute(location.hash));

addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash);
});

/** Navigates to another view. */
export function goTo(to: Exclude<Route, { view: 'nothing' }>): void {
  location.hash = linkTo(to);
}
