import type { LedgerQueries } from '../../ledger/index.ts';
import {
  addressShape,
  arrayShape,
  data,
  type Hexadecimal,
  hashShape,
  namedShape,
  paddedData,
  recordShape,
} from '../../view/index.ts';
import type { ReadBy } from '../parameters/schema.ts';
import { storagePositionsSchema } from '../parameters/storage-positions.ts';

/** What `eth_getStorageValues` is asked for. */
export const POSITIONS_PARAMETER = {
  name: 'positions',
  schema: storagePositionsSchema,
  summary: 'For each address an array of slots.',
} as const;

/** What it answers. */
export const storageValuesShape = namedShape(
  'StorageValues',
  { title: 'values by address' },
  recordShape(arrayShape(hashShape), addressShape),
);

/** What a state has at positions, by address. */
export function storageValues(
  state: Pick<LedgerQueries, 'storageAt'>,
  positions: ReadBy<typeof storagePositionsSchema>,
): Record<Hexadecimal, Hexadecimal[]> {
  return Object.fromEntries(
    positions.map(([address, slots]) => [
      data(address),
      slots.map((slot) => paddedData(state.storageAt(address, slot))),
    ]),
  );
}
