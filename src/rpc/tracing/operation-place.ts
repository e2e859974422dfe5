import type { IncludedOperation } from '../../ledger/index.ts';
import { blockHashOf } from '../../protocol/index.ts';
import { data, type FlatPlace } from '../../view/index.ts';
import type { Profile } from '../profiles/profile.ts';

/** Returns the position of an operation in the chain, in the form of traces. */
export function placeOf(operation: IncludedOperation, { objects }: Pick<Profile, 'objects'>): FlatPlace {
  const { block, index } = operation;
  return {
    blockHash: data(blockHashOf(block.id)),
    blockNumber: block.number,
    transactionHash: objects.hash(operation),
    transactionPosition: index,
  };
}
