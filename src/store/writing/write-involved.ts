import type { Address } from '../../protocol/index.ts';
import type { Table } from '../file/opened-file.ts';
import type { BlockCommit } from '../store.ts';
import { addressOperationKey, encodeCount } from '../tables/record-keys.ts';
import type { OverwrittenEntry } from '../undo/undo-record.ts';

const NOTHING = new Uint8Array();

/**
 * Enters the operations of a block for the addresses that they have to do with, inside its commit.
 *
 * @param countOf how many operations a sender had paid for before its next one, asked once for each; absent: they
 *   are not counted
 * @returns what takes that back: it does not follow from the block for the store
 */
export function writeInvolved(
  table: Table,
  { number, involved = [] }: Pick<BlockCommit, 'number' | 'involved'>,
  countOf: ((sender: Address) => number) | undefined,
): OverwrittenEntry[] {
  return involved.map(({ operation, address, isSender }) => {
    const key = addressOperationKey(address, isSender, number, operation);
    table.putSync(key, isSender && countOf !== undefined ? encodeCount(countOf(address)) : NOTHING);
    return { table: 'addressOperations', key, before: undefined };
  });
}
