import { OPERATION_INDEX_MAX } from '../../consensus.ts';
import type { JsonObject, RemoteHistory } from '../../fork/index.ts';
import { type Hash, type Hexadecimal, hexToBytes, quantity, toHash } from '../../protocol/index.ts';
import type { RemoteBlock } from './history-rules.ts';

/** Fields of a block that are not those of its header. */
const BEYOND_HEADER: ReadonlySet<string> = new Set(['transactions', 'uncles', 'withdrawals', 'size']);

/** Reads the header of a block of the history. */
export async function remoteHeader(history: RemoteHistory, name: RemoteBlock): Promise<unknown> {
  const block = await history.block(name, false);
  return block && Object.fromEntries(Object.entries(block).filter(([field]) => !BEYOND_HEADER.has(field)));
}

/** Counts the transactions or uncles of a block of the history. */
export async function remoteCount(
  history: RemoteHistory,
  name: RemoteBlock,
  field: 'transactions' | 'uncles',
): Promise<Hexadecimal | null> {
  const block = await history.block(name, false);
  const list = block?.[field];
  return block === null ? null : quantity(Array.isArray(list) ? list.length : 0);
}

/** Reads the receipts of a block of the history. */
export async function remoteReceipts(
  history: RemoteHistory,
  name: RemoteBlock,
): Promise<readonly JsonObject[] | null> {
  const number = typeof name === 'number' ? name : (await history.block(name, false))?.number;
  return number === undefined ? null : history.blockReceipts(Number(number));
}

/** Reads the transaction at a position of a block of the history. */
export async function remoteTransactionAt(
  history: RemoteHistory,
  block: RemoteBlock,
  index: bigint,
): Promise<JsonObject | null> {
  return index > BigInt(OPERATION_INDEX_MAX) ? null : history.transactionByBlock(block, Number(index));
}

/** Reads the bytes of a transaction of the history. */
export async function remoteBytes(history: RemoteHistory, transaction: JsonObject | null): Promise<unknown> {
  return transaction && history.rawTransaction(hashIn(transaction.hash));
}

/** Reads a hash whose form was checked. */
export function hashIn(checked: unknown): Hash {
  return toHash(hexToBytes(String(checked).slice(2)));
}
