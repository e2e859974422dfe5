import { blockByNumber, pendingTransactions, type Transaction } from './blocks.ts';
import { fieldsOf, numberOf, optional, quantityOf } from './reading.ts';
import { call, callIfKnown } from './rpc.ts';

/** A pending transaction, and the reason why it is in no block yet. */
export interface Pending {
  readonly transaction: Transaction;
  readonly reason: Reason;
}

/** Reasons why a transaction is pending. */
export type Reason =
  | { readonly kind: 'ready' | 'manual' }
  | { readonly kind: 'nonce'; readonly missing: bigint }
  | { readonly kind: 'gas'; readonly gas: bigint; readonly limit: bigint }
  | { readonly kind: 'fee'; readonly fee: bigint; readonly baseFee: bigint }
  /** Seconds until the next block. */
  | { readonly kind: 'interval'; readonly seconds: number };

/** Conditions of the next block. */
export interface NextBlock {
  readonly gasLimit: bigint;
  readonly baseFee: bigint;
  /** Why ready transactions wait. */
  readonly schedule: Reason;
}

/** Reads the pool, by sender and nonce. @throws as `call` */
export async function pool(): Promise<readonly Pending[]> {
  const [transactions, next] = await Promise.all([pendingTransactions(), nextBlock()]);
  const senders = [...new Set(transactions.map(({ from }) => from))];
  const nonces = new Map(
    await Promise.all(
      senders.map(
        async (sender) =>
          [sender, quantityOf(await call('eth_getTransactionCount', sender, 'latest'))] as const,
      ),
    ),
  );
  return senders.flatMap((sender) =>
    withReasons(
      transactions.filter(({ from }) => from === sender),
      nonces.get(sender) ?? 0n,
      next,
    ),
  );
}

async function nextBlock(): Promise<NextBlock> {
  const [head, pending, automine, interval] = await Promise.all([
    blockByNumber('latest'),
    call('eth_getBlockByNumber', 'pending', false),
    callIfKnown('anvil_getAutomine'),
    callIfKnown('anvil_getIntervalMining'),
  ]);
  const { gasLimit, baseFeePerGas } = fieldsOf(pending ?? {});
  return {
    gasLimit: optional(gasLimit, quantityOf) ?? head?.gasLimit ?? 0n,
    baseFee: optional(baseFeePerGas, quantityOf) ?? head?.baseFee ?? 0n,
    schedule: scheduleOf(automine, interval, head?.timestamp ?? 0),
  };
}

function scheduleOf(automine: unknown, interval: unknown, newest: number): Reason {
  const bounds = Array.isArray(interval) ? numberOf(interval[1]) / 1_000 : optional(interval, numberOf);
  if (bounds !== undefined && bounds > 0) {
    const since = Math.max(0, Date.now() / 1_000 - newest);
    return { kind: 'interval', seconds: Math.max(1, Math.ceil(bounds - (since % bounds))) };
  }
  return { kind: automine === false ? 'manual' : 'ready' };
}

/** Sorts the transactions of one sender by nonce, and finds the reason of each. */
export function withReasons(
  transactions: readonly Transaction[],
  nonce: bigint,
  next: NextBlock,
): readonly Pending[] {
  // Native operations have no nonces.
  if (!transactions.some(({ isSigned }) => isSigned)) {
    return transactions.map((transaction) => ({ transaction, reason: next.schedule }));
  }
  let expected = nonce;
  return transactions
    .toSorted((one, other) => Number(one.nonce - other.nonce))
    .map((transaction) => {
      if (transaction.isSigned && transaction.nonce > expected) {
        return { transaction, reason: { kind: 'nonce', missing: expected } };
      }
      const reason = reasonOf(transaction, next);
      // What follows a transaction that cannot be included waits for it.
      if (transaction.nonce === expected && !['gas', 'fee'].includes(reason.kind)) expected += 1n;
      return { transaction, reason };
    });
}

function reasonOf({ gas, maxFee, gasPrice }: Transaction, next: NextBlock): Reason {
  const fee = maxFee ?? gasPrice;
  if (gas > next.gasLimit) return { kind: 'gas', gas, limit: next.gasLimit };
  if (fee < next.baseFee) return { kind: 'fee', fee, baseFee: next.baseFee };
  return next.schedule;
}
