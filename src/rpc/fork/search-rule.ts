import type { Address } from '../../protocol/index.ts';
import type { ForkedCall, ForkRule } from './fork-rule.ts';
import { textOf } from './joined-lists.ts';

/** The result of `ots_searchTransactionsBefore` and `After`: the newest transactions first. */
interface Found {
  readonly txs: readonly unknown[];
  readonly receipts: readonly unknown[];
  readonly firstPage: boolean;
  readonly lastPage: boolean;
}

type Search = readonly [address: Address, block: number, size: number];

/** Returns the rule of a search of the transactions of an address in the blocks before or after one. */
export function ofSearch(end: 'Before' | 'After'): ForkRule<Search> {
  return (forked, given) => (end === 'After' ? foundAfter(forked, given) : foundBefore(forked, given));
}

async function foundAfter(forked: ForkedCall<Search>, [address, block, size]: Search): Promise<unknown> {
  const { remote } = forked;
  const here = foundHere(forked, [address, block, size]);
  if (block > remote.number) return here;
  const there = await remote.read((history) => history.search(address, { end: 'After', block, size }));
  const left = size - there.txs.length;
  if (left > 0) return withRemote(foundHere(forked, [address, block, left]), there);
  const { txs, receipts, isMore } = there;
  return { txs, receipts, firstPage: !isMore && here.txs.length === 0, lastPage: block === 0 };
}

async function foundBefore(forked: ForkedCall<Search>, [address, block, size]: Search): Promise<unknown> {
  const { remote } = forked;
  const here = foundHere(forked, [address, block, size]);
  const isHere = block === 0 || block > remote.number + 1;
  const left = size - here.txs.length;
  if (isHere && left <= 0) return { ...here, lastPage: false };
  const last = isHere ? remote.number + 1 : block;
  const there = await remote.read((history) =>
    history.search(address, { end: 'Before', block: last, size: left }),
  );
  return { ...withRemote(here, there), lastPage: !there.isMore };
}

function foundHere({ here }: ForkedCall<Search>, given: Search): Found {
  return JSON.parse(textOf(here(given)));
}

function withRemote(here: Found, { txs, receipts }: Pick<Found, 'txs' | 'receipts'>): Found {
  return { ...here, txs: [...here.txs, ...txs], receipts: [...here.receipts, ...receipts] };
}
