import { blockCodec, blockId, decode, FormatError, isEthereumTransaction } from '../../protocol/index.ts';
import { operationOf } from '../chain/chain.ts';
import type { BlockSummary } from '../chain/records.ts';
import { type ContractAddressLookup, type IncludedOperation, includedOperation } from './operation-lookup.ts';

/** A block that need not be of this chain. */
export interface GivenBlock {
  readonly block: BlockSummary;
  readonly operations: readonly IncludedOperation[];
}

/** Reads the bytes of a block. @throws DecodeError, FormatError */
export function readGivenBlock(bytes: Uint8Array, contractAddressOf: ContractAddressLookup): GivenBlock {
  const { transactions, ...header } = decode(blockCodec, bytes);
  const number = Number(header.round);
  const operationCount = transactions.reduce((sum, { operations }) => sum + operations.length, 0);
  const shared = { size: bytes.length, feesCollected: 0n, operationCount };
  const block = { number, id: blockId(number, header), header, ...shared };
  const operations: IncludedOperation[] = [];
  for (const transaction of transactions) {
    const placed = { transaction, firstOperation: operations.length };
    for (const listed of transaction.operations) {
      // Reads its inner transaction, which may be malformed.
      if (isEthereumTransaction(listed)) void listed.innerTransaction;
      const operation = operationOf(placed, operations.length);
      if (operation === undefined) throw new FormatError('transaction', 'an operation has no result');
      operations.push(includedOperation(block, operation, contractAddressOf));
    }
  }
  return { block, operations };
}
