import { isEthereumTransaction, type SignedTransaction } from '../../protocol/index.ts';
import type { PricePolicy } from '../core.ts';
import { offeredTip } from '../operations/ethereum-transaction.ts';
import { ethereumOperationIn } from '../transactions/native-transaction.ts';

export const DEFAULT_PRICE_POLICY: PricePolicy = { order: 'fees', minGasPrice: 0n, suggestedTip: 0n };

/** Returns the wei that a producer earns for a unit of gas of a transaction, beyond the base fee. */
export type TipOf = (transaction: SignedTransaction) => bigint;

/** Returns the tips of transactions in a block with a base fee; a native transaction pays a unit for a unit of gas. */
export function tipsAt(baseFee: bigint, weiPerUnit: bigint): TipOf {
  return ({ operations: [first] }) =>
    first !== undefined && isEthereumTransaction(first)
      ? offeredTip(first.innerTransaction, baseFee)
      : weiPerUnit - baseFee;
}

/**
 * Sorts pending transactions by tip, those of one sender by nonce: none comes before an earlier one of its sender, so
 * that its tip counts as at most that of the earlier ones. Equal tips are in order of arrival.
 */
export function orderedByTip(transactions: readonly SignedTransaction[], tipOf: TipOf): SignedTransaction[] {
  const bySender = new Map<string, Placed[]>();
  const placed = transactions.map((transaction, arrival): Placed => {
    const entry = { transaction, arrival, tip: tipOf(transaction) };
    const ethereumOperation = ethereumOperationIn(transaction);
    if (ethereumOperation === undefined) return entry;
    const sender = String(ethereumOperation.sender);
    const ofSender = bySender.get(sender);
    if (ofSender === undefined) bySender.set(sender, [entry]);
    else ofSender.push(entry);
    return entry;
  });
  for (const ofSender of bySender.values()) limitToEarlier(ofSender);
  return placed
    .sort(
      (one, other) =>
        compare(other.tip, one.tip) || one.arrival - other.arrival || compare(nonceOf(one), nonceOf(other)),
    )
    .map(({ transaction }) => transaction);
}

interface Placed {
  readonly transaction: SignedTransaction;
  arrival: number;
  tip: bigint;
}

/** Limits the position of each transaction of a sender to that of the one with the nonce before it. */
function limitToEarlier(ofSender: Placed[]): void {
  if (ofSender.length === 1) return;
  ofSender.sort((one, other) => compare(nonceOf(one), nonceOf(other)));
  ofSender.reduce((earlier, later) => {
    if (later.tip > earlier.tip) later.tip = earlier.tip;
    if (later.arrival < earlier.arrival) later.arrival = earlier.arrival;
    return later;
  });
}

const nonceOf = ({ transaction }: Placed): bigint =>
  ethereumOperationIn(transaction)?.innerTransaction.nonce ?? 0n;

function compare(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
