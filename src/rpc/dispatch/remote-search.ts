import { type ForkedCall, textOf } from './forked-call.ts';

/** The result of `ots_searchTransactionsBefore` and `After`: the newest transactions first. */
interface Found {
  readonly txs: readonly unknown[];
  readonly receipts: readonly unknown[];
  readonly firstPage: boolean;
  readonly lastPage: boolean;
}

/** Transactions of the remote chain. */
interface RemoteFound extends Pick<Found, 'txs' | 'receipts'> {
  /** True if there are further ones up to the fork. */
  readonly isMore: boolean;
}

/** Returns the transactions of an address in the blocks before or after one, on both sides of the fork. */
export async function foundTransactions(forked: ForkedCall): Promise<unknown> {
  const { method, remote, parameters, invoke } = forked;
  const [address, block, size] = parameters;
  // Before anything else, since it checks the parameters.
  const here: Found = JSON.parse(textOf(invoke(parameters)));
  const [from, wanted] = [Number(block), Number(size)];
  const search = async (start: number, count: number): Promise<RemoteFound> =>
    (await remote.forward(method, [address, start, count])) as RemoteFound; // its form was checked
  if (method === 'ots_searchTransactionsAfter') {
    if (from > remote.number) return here;
    const there = await search(from, wanted);
    const left = wanted - there.txs.length;
    if (left <= 0) {
      const { txs, receipts, isMore } = there;
      return { txs, receipts, firstPage: !isMore && here.txs.length === 0, lastPage: from === 0 };
    }
    return withRemote(JSON.parse(textOf(invoke([address, block, left]))), there);
  }
  const isHere = from === 0 || from > remote.number + 1;
  const left = wanted - here.txs.length;
  if (isHere && left <= 0) return { ...here, lastPage: false };
  const there = await search(isHere ? remote.number + 1 : from, left);
  return { ...withRemote(here, there), lastPage: !there.isMore };
}

function withRemote(here: Found, { txs, receipts }: RemoteFound): Found {
  return { ...here, txs: [...here.txs, ...txs], receipts: [...here.receipts, ...receipts] };
}
