import { showName } from '../abi/index.ts';
import { knownContracts } from '../contracts/known-contracts.ts';
import { SUGGESTIONS_MAX } from '../limits.ts';
import { linkTo, type Route } from '../routing/route.ts';
import { capitalized } from '../text/vocabulary.ts';
import { find, placeOf } from './find.ts';

/** A place that a text may mean. */
export interface Suggestion {
  /** Kind of the place, such as `Block`. */
  readonly kind: string;
  readonly text: string;
  readonly route: Exclude<Route, { view: 'nothing' }>;
}

/** Returns the places that a text leads to at once: by its form, and by the names of contracts that were shown. */
export function quickSuggestions(text: string): readonly Suggestion[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const place = placeOf(text);
  const byForm = place === undefined ? [] : [suggestionOf(place)];
  const named = [...knownContracts()].flatMap(([address, contract]) => {
    if (contract === undefined) return [];
    const name = showName(contract.name ?? 'Contract');
    const functions = contract.abi.functions.filter((one) => one.name.toLowerCase().includes(wanted));
    const events = contract.abi.events.filter((one) => one.name.toLowerCase().includes(wanted));
    const to = (part: string) => ({ view: 'address', text: address, part }) as const;
    return [
      ...(name.toLowerCase().includes(wanted) ? [{ kind: 'Contract', text: name, route: to('') }] : []),
      ...functions.map((one) => ({
        kind: 'Function',
        text: `${name}.${showName(one.signature)}`,
        route: to('contract'),
      })),
      ...events.map((one) => ({
        kind: 'Event',
        text: `${name}.${showName(one.signature)}`,
        route: to('events'),
      })),
    ];
  });
  return [...byForm, ...named].slice(0, SUGGESTIONS_MAX);
}

/** Adds what the node finds. @throws as `call` */
export async function suggestions(text: string): Promise<readonly Suggestion[]> {
  const found = (await find(text)).map(suggestionOf);
  const links = new Set<string>();
  return [...found, ...quickSuggestions(text)]
    .filter(({ route }) => {
      const link = linkTo(route);
      return !links.has(link) && links.add(link) !== undefined;
    })
    .slice(0, SUGGESTIONS_MAX);
}

function suggestionOf(route: Suggestion['route']): Suggestion {
  if (route.view === 'block') return { kind: 'Block', text: String(route.number), route };
  if (route.view === 'transaction') return { kind: 'Transaction', text: route.hash, route };
  return { kind: capitalized(route.view), text: 'text' in route ? route.text : linkTo(route), route };
}
