import {
  HistoryDisabledError,
  type Ledger,
  type PendingOperation,
  RefusedError,
} from '../../../ledger/index.ts';
import { type Address, accountAddress, bytesToHex, senderAddress } from '../../../protocol/index.ts';
import { data, type Hexadecimal } from '../../../view/index.ts';

/** What waits and one account pays for, by the number that clients take for its nonce. */
type WaitingByNonce<T> = Readonly<Record<string, T>>;

/** What waits, by the address of who pays. */
export type WaitingByPayer<T> = Readonly<Record<Hexadecimal, WaitingByNonce<T>>>;

/**
 * What waits for a block: operations by their payer, and for each payer by its count of operations so far, from which
 * those that wait go on.
 *
 * @param write what is told of each
 */
export function waitingByPayer<T>(
  ledger: Ledger,
  write: (waiting: PendingOperation) => T,
): WaitingByPayer<T> {
  const content: Record<Hexadecimal, Record<string, T>> = {};
  const next = new Map<string, number>();
  for (const waiting of ledger.pendingOperations()) {
    const payer = senderAddress(waiting.operation);
    const name = bytesToHex(payer);
    const nonce = next.get(name) ?? countOf(ledger, payer);
    next.set(name, nonce + 1);
    const own = content[data(payer)] ?? {};
    own[nonce] = write(waiting);
    content[data(payer)] = own;
  }
  return content;
}

/** Operations that an address has paid for; none where nobody counts them. */
function countOf(ledger: Ledger, address: Address): number {
  try {
    return ledger.operationCount(address);
  } catch (error) {
    if (error instanceof HistoryDisabledError) return 0;
    throw error;
  }
}

/** @throws RefusedError for what is only the EVM address of an account, with the address of that */
export function requireOwnAddress(ledger: Ledger, address: Address): void {
  const account = ledger.accountByEvmAddress(address);
  if (account === undefined) return;
  throw new RefusedError({ code: 'senderNotAccount', address, accountAddress: accountAddress(account) });
}
