import { accountNamed } from '../client/accounts.ts';
import { contractsNamed } from '../client/artifacts.ts';
import { blockByHash, transactionOf } from '../client/blocks.ts';
import type { Route } from '../routing/route.ts';
import { isAddress, isHash, isIdentifier } from '../text/identifiers.ts';

/** A route that a search can lead to. */
type Found = Exclude<Route, { view: 'nothing' | 'search' }>;

const NUMBER = /^#?(\d{1,10})$/;
const BARE_HASH = /^[0-9a-f]{64}$/i;
const BARE_ADDRESS = /^[0-9a-f]{40}$/i;

/**
 * Finds the meaning of a text: a block number, the hash of a block or of an operation in either form, an identifier
 * `1.2.N` or `1.11.N`, an address, or the name of an account or of contracts.
 *
 * @returns an empty list for an unknown object; several routes if contracts share a name
 * @throws as `call`
 */
export async function find(text: string): Promise<readonly Found[]> {
  const place = placeOf(text);
  if (place !== undefined) return [place];
  const wanted = normalized(text);
  if (isHash(wanted)) {
    // An operation that waits and a block may have hashes of the same form.
    const [transaction, block] = await Promise.all([transactionOf(wanted), blockByHash(wanted)]);
    if (transaction !== undefined) return [{ view: 'transaction', hash: wanted, part: '' }];
    return block === undefined ? [] : [{ view: 'block', number: block.number }];
  }
  if (wanted === '') return [];
  const [account, contracts] = await Promise.all([accountNamed(wanted), contractsNamed(wanted)]);
  const identifiers = account === undefined ? contracts : [account, ...contracts];
  return identifiers.map((identifier) => ({ view: 'address', text: identifier, part: '' }));
}

/** Classifies a text by its form alone. */
export function placeOf(text: string): Found | undefined {
  const wanted = normalized(text);
  const [, number] = NUMBER.exec(wanted) ?? [];
  if (number !== undefined) return { view: 'block', number: Number(number) };
  return isIdentifier(wanted) || isAddress(wanted) ? { view: 'address', text: wanted, part: '' } : undefined;
}

/** Without spaces, and with the `0x` that some leave out. */
function normalized(text: string): string {
  const trimmed = text.trim();
  return BARE_HASH.test(trimmed) || BARE_ADDRESS.test(trimmed) ? `0x${trimmed}` : trimmed;
}
