import { visible } from '../abi/index.ts';
import { withChecksum } from '../text/identifiers.ts';

/** Views of which there is one. */
export type PlainView = 'blocks' | 'transactions' | 'accounts' | 'contracts' | 'pool' | 'tools' | 'register';

/** A view of the page, from the part of the URL after `#`. */
export type Route =
  | { readonly view: 'overview' }
  | { readonly view: 'block'; readonly number: number }
  | { readonly view: 'transaction'; readonly hash: string; readonly part: string }
  | { readonly view: 'address'; readonly text: string; readonly part: string }
  | { readonly view: PlainView }
  | { readonly view: 'search'; readonly text: string }
  | { readonly view: 'nothing'; readonly path: string };

const BLOCK_NUMBER = /^\d{1,10}$/;

/** Parses the fragment of a URL; an unknown one is the route `nothing`. */
export function parseRoute(fragment: string): Route {
  const path = fragment.replace(/^#?\/?/, '');
  const [view = '', first = '', part = '', ...others] = path.split('/').map(decoded);
  const nothing: Route = { view: 'nothing', path };
  if (others.length > 0) return nothing;
  switch (view) {
    case '':
      return first === '' ? { view: 'overview' } : nothing;
    case 'block':
      return BLOCK_NUMBER.test(first) && part === '' ? { view: 'block', number: Number(first) } : nothing;
    case 'tx':
      return first === '' ? nothing : { view: 'transaction', hash: first, part };
    case 'address':
      return first === '' ? nothing : { view: 'address', text: first, part };
    case 'search':
      return { view: 'search', text: first };
    case 'blocks':
    case 'transactions':
    case 'accounts':
    case 'contracts':
    case 'pool':
    case 'tools':
    case 'register':
      return first === '' ? { view } : nothing;
    default:
      return nothing;
  }
}

/** Returns the URL of a route. */
export function linkTo(route: Exclude<Route, { view: 'nothing' }>): string {
  switch (route.view) {
    case 'overview':
      return '#/';
    case 'block':
      return `#/block/${route.number}`;
    case 'transaction':
      return withPart(`#/tx/${encodeURIComponent(route.hash)}`, route.part);
    case 'address':
      return withPart(`#/address/${encodeURIComponent(withChecksum(route.text))}`, route.part);
    case 'search':
      return `#/search/${encodeURIComponent(route.text)}`;
    case 'blocks':
    case 'transactions':
    case 'accounts':
    case 'contracts':
    case 'pool':
    case 'tools':
    case 'register':
      return `#/${route.view}`;
  }
}

function withPart(link: string, part: string): string {
  return part === '' ? link : `${link}/${encodeURIComponent(part)}`;
}

/** Decodes percent escapes, and leaves invalid ones unchanged. */
function decoded(text: string): string {
  try {
    return visible(decodeURIComponent(text));
  } catch {
    return visible(text);
  }
}
