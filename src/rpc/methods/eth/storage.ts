import { shape } from '../../../formatters/index.ts';
import type { LedgerQueries } from '../../../ledger/index.ts';
import { type Hexadecimal, paddedData, toPrefixedHex } from '../../../protocol/index.ts';
import { ofState } from '../../fork/history-rules.ts';
import { defineStateQuery, type MethodDefinition } from '../../method.ts';
import { shortSlotSchema, slotSchema } from '../../parameters/plain.ts';
import { addressSchema, explained, mapped, type ReadBy, refusal } from '../../parameters/schema.ts';
import { arrayOf, entriesByAddress } from '../../parameters/structures.ts';
import { readsHead, STATE_DIFFERENCES, STATE_ERRORS, stateAt } from '../../profiles/ethereum-profile.ts';
import type { Profile } from '../../profiles/profile.ts';
import { InvalidParametersError } from '../../rpc-errors.ts';

/** Slots, and addresses, of one `eth_getStorageValues`. */
export const STORAGE_VALUES_MAX = 1_024;

const storagePositionsSchema = explained(
  mapped(entriesByAddress(arrayOf(slotSchema)), (entries, path) => {
    const slots = entries.reduce((count, [, wanted]) => count + wanted.length, 0);
    const most = Math.max(entries.length, slots);
    if (most <= STORAGE_VALUES_MAX) return entries;
    throw refusal(path, `expected at most ${STORAGE_VALUES_MAX} slots, got ${most}`);
  }),
  { title: 'positions by address' },
);

const POSITIONS_PARAMETER = {
  name: 'positions',
  schema: storagePositionsSchema,
  summary: 'For each address an array of slots.',
} as const;

const storageValuesShape = shape.named(
  'StorageValues',
  { title: 'values by address' },
  shape.record(shape.array(shape.hash), shape.address),
);

/** Returns the values of a state at positions, by address. */
function storageValues(
  state: Pick<LedgerQueries, 'accounts'>,
  positions: ReadBy<typeof storagePositionsSchema>,
): Record<Hexadecimal, Hexadecimal[]> {
  return Object.fromEntries(
    positions.map(([address, slots]) => [
      toPrefixedHex(address),
      slots.map((slot) => paddedData(state.accounts.storageAt(address, slot))),
    ]),
  );
}

const getStorageAt = ({ stateParameter }: Profile): MethodDefinition =>
  defineStateQuery({
    name: 'eth_getStorageAt',
    summary: 'Returns the 32 bytes that a contract stores at a position.',
    isQuick: readsHead(2),
    parameters: [
      { name: 'address', schema: addressSchema },
      {
        name: 'position',
        schema: shortSlotSchema,
        summary: 'The slot; for an entry of a mapping a hash.',
      },
      stateParameter,
    ],
    beforeFork: ofState(2, 'data'),
    result: shape.hash,
    errors: STATE_ERRORS,
    differences: STATE_DIFFERENCES,
    example: {
      parameters: ['0x0100000000000000000000000000000000000000', '0x0', 'latest'],
      result: '0x000000000000000000000000000000000000000000000000000000000000004d',
    },
    handler: (context, [address, slot, block]) =>
      paddedData(stateAt(context.ledger, block).accounts.storageAt(address, slot)),
  });

/** Returns the method that reads several slots. @param mayBeEmpty false to refuse no addresses, as geth does */
export const storageValuesMethod = ({ stateParameter }: Profile, mayBeEmpty: boolean): MethodDefinition =>
  defineStateQuery({
    name: 'eth_getStorageValues',
    summary: 'Returns the words that contracts store at several positions, 1,024 at most.',
    parameters: [POSITIONS_PARAMETER, stateParameter],
    beforeFork: ofState(1, 'object'),
    result: storageValuesShape,
    errors: STATE_ERRORS,
    differences: STATE_DIFFERENCES,
    example: {
      parameters: [{ '0x0100000000000000000000000000000000000000': ['0x0'] }, 'latest'],
      result: {
        '0x0100000000000000000000000000000000000000': [
          '0x000000000000000000000000000000000000000000000000000000000000004d',
        ],
      },
    },
    handler: ({ ledger }, [positions, block]) => {
      if (!mayBeEmpty && positions.length === 0) throw new InvalidParametersError('empty request');
      return storageValues(stateAt(ledger, block), positions);
    },
  });

/** Returns the methods that show what contracts store. */
export function storageMethods(profile: Profile): readonly MethodDefinition[] {
  return [getStorageAt(profile), storageValuesMethod(profile, false)];
}
