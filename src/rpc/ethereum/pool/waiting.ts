import type { PendingOperation } from '../../../ledger/index.ts';
import { POOL_LISTED_MAX } from '../../../limits.ts';
import {
  type Address,
  bytesToHex,
  equalBytes,
  isEthereumTransaction,
  senderAddress,
} from '../../../protocol/index.ts';
import { data, type Hexadecimal } from '../../../view/index.ts';
import { LimitError } from '../../errors.ts';
import type { MethodContext } from '../../method-context.ts';

/** What waits, by the address of who pays and by nonce. */
export type WaitingByPayer<T> = Readonly<Record<Hexadecimal, Readonly<Record<string, T>>>>;

/** What is ready for a block, and what waits for transactions before it. */
export interface PoolParts<T> {
  readonly pending: T;
  readonly queued: T;
}

/** A transaction that waits, with its nonce; of a native operation what comes after those of its payer so far. */
interface Waiting {
  readonly operation: PendingOperation;
  readonly payer: Address;
  readonly nonce: bigint;
}

/** What waits, ready and not. @throws LimitError for more than one response may have */
export function waitingOperations({ ledger }: MethodContext): PoolParts<PendingOperation[]> {
  const parts = { pending: ledger.pendingOperations(), queued: ledger.queuedOperations() };
  const count = parts.pending.length + parts.queued.length;
  if (count <= POOL_LISTED_MAX) return parts;
  throw new LimitError(
    `${count} transactions wait, more than the limit of ${POOL_LISTED_MAX} for one answer: ask for one sender's`,
  );
}

/** Lists what waits by payer and nonce. */
export function listed<T>(
  context: MethodContext,
  operations: readonly PendingOperation[],
  write: (operation: PendingOperation, nonce: bigint) => T,
): WaitingByPayer<T> {
  const content: Record<Hexadecimal, Record<string, T>> = {};
  for (const { operation, payer, nonce } of withNonces(context, operations)) {
    const name = data(payer);
    const own = content[name] ?? {};
    own[String(nonce)] = write(operation, nonce);
    content[name] = own;
  }
  return content;
}

/** Lists what waits and one address pays for, by nonce. */
export function listedOf<T>(
  context: MethodContext,
  operations: readonly PendingOperation[],
  address: Address,
  write: (operation: PendingOperation, nonce: bigint) => T,
): Readonly<Record<string, T>> {
  const own = operations.filter(({ operation }) => equalBytes(senderAddress(operation), address));
  return listed(context, own, write)[data(address)] ?? {};
}

function withNonces({ ledger }: MethodContext, operations: readonly PendingOperation[]): Waiting[] {
  const next = new Map<string, bigint>();
  return operations.map((operation) => {
    const payer = senderAddress(operation.operation);
    if (isEthereumTransaction(operation.operation)) {
      return { operation, payer, nonce: operation.operation.innerTransaction.nonce };
    }
    const name = bytesToHex(payer);
    const nonce = next.get(name) ?? BigInt(ledger.hasHistory ? ledger.operationCount(payer) : 0);
    next.set(name, nonce + 1n);
    return { operation, payer, nonce };
  });
}
