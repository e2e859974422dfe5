import { invariant } from '../../protocol/index.ts';
import type { BlockSummary, Chain } from '../chain/index.ts';
import type { ReplayedOperation } from '../traces/index.ts';
import { type ContractAddressLookup, includedOperation } from './operation-lookup.ts';

/** The operations of a block with what came of them, in their order. */
export function replayedOperations(
  chain: Chain,
  block: BlockSummary,
  contractAddressOf: ContractAddressLookup,
): ReplayedOperation[] {
  return Array.from(chain.operations(block.number), (placed) => {
    const { index, operation, to } = includedOperation(block, placed, contractAddressOf);
    const receipt = chain.receiptAt(block.number, index);
    invariant(receipt !== undefined, 'every operation of a block has a receipt');
    return { index, operation, to, receipt };
  });
}
