import type { FoundLog, IncludedOperation, PendingOperation } from '../../ledger/index.ts';
import { type Hash, isEthereumTransaction } from '../../protocol/index.ts';

/** Returns the hash of an operation as `/ethereum` has it: that of the Ethereum transaction, or else the native one. */
export function ethereumHashOf({ operation, hash }: IncludedOperation | PendingOperation): Hash {
  return isEthereumTransaction(operation) ? operation.innerTransaction.hash : hash;
}

/**
 * Gives logs the hashes of their transactions that `/ethereum` has.
 *
 * @param operationOf finds the operation that wrote a log; it is asked once for neighbours of one operation
 */
export function ethereumLogs(
  logs: readonly FoundLog[],
  operationOf: (log: FoundLog) => IncludedOperation | undefined,
): FoundLog[] {
  let native: Hash | undefined;
  let transactionHash: Hash | undefined;
  return logs.map((log) => {
    if (transactionHash === undefined || log.transactionHash !== native) {
      native = log.transactionHash;
      const operation = operationOf(log);
      transactionHash = operation === undefined ? native : ethereumHashOf(operation);
    }
    return { ...log, transactionHash };
  });
}
