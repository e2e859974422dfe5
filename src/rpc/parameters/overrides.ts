import type { AccountOverride, BlockOverride, StorageOverride } from '../../ledger/index.ts';
import type { Hash } from '../../protocol/index.ts';
import { controlUint64Schema, quantitySchema, slotSchema, uint64Schema } from './plain.ts';
import {
  addressSchema,
  dataSchema,
  explained,
  field,
  hashSchema,
  ignoredSchema,
  mapped,
  named,
  optional,
  type ParameterPath,
  type ReadBy,
  refusal,
  type Schema,
} from './schema.ts';
import { arrayOf, entriesByAddress, entriesOf, objectOf } from './structures.ts';

/** Withdrawals of one block of a simulation. */
const SIMULATED_WITHDRAWALS_MAX = 256;
/** Total accounts and slots in the state overrides of one call. */
const OVERRIDE_ENTRIES_MAX = 10_000;
/** Total bytes of code in the state overrides of one call (1 MiB). */
const OVERRIDE_CODE_BYTES_MAX = 1024 * 1024;

type Slots = StorageOverride['slots'];

/** Values by slot, each as DATA of 32 bytes or as QUANTITY. */
const slotsSchema: Schema<Slots> = explained(
  mapped(entriesOf(slotSchema, slotSchema), (entries) => entries.map(([slot, value]) => ({ slot, value }))),
  { title: 'values by slot' },
);

const movedSchema = field(addressSchema, 'Address at which the precompiled contract runs instead.');

const accountFields = objectOf({
  balance: optional(quantitySchema),
  nonce: optional(uint64Schema),
  code: optional(dataSchema),
  state: field(slotsSchema, 'The whole storage.'),
  stateDiff: field(slotsSchema, 'The changed slots of the storage.'),
  movePrecompileToAddress: movedSchema,
  MovePrecompileToAddress: otherName(movedSchema, 'movePrecompileToAddress'),
});

const accountSchema = named(
  'AccountOverride',
  { title: 'overrides of an account' },
  mapped(
    accountFields,
    ({ balance, nonce, code, state, stateDiff, movePrecompileToAddress, MovePrecompileToAddress }, path) => {
      if (state !== undefined && stateDiff !== undefined) {
        throw refusal(path, 'state and stateDiff exclude each other: give one of them');
      }
      const precompileTo = movePrecompileToAddress ?? MovePrecompileToAddress;
      return { balance, nonce, code, storage: storageOf(state, stateDiff), precompileTo };
    },
  ),
);

/** Overrides of the state in which a call runs. */
export const stateOverridesSchema: Schema<readonly AccountOverride[]> = optional(
  named(
    'StateOverrides',
    { title: 'state overrides by address' },
    mapped(entriesByAddress(accountSchema), (entries, path) => {
      const accounts = entries.map(([address, account]): AccountOverride => ({ address, ...account }));
      const excess = excessOf(accounts);
      if (excess !== undefined) throw refusal(path, excess);
      return accounts;
    }),
  ),
  [],
);

function storageOf(state: Slots | undefined, difference: Slots | undefined): StorageOverride | undefined {
  if (state !== undefined) return { whole: true, slots: state };
  return difference === undefined ? undefined : { whole: false, slots: difference };
}

function excessOf(accounts: readonly AccountOverride[]): string | undefined {
  let entries = accounts.length;
  let bytes = 0;
  for (const { code, storage } of accounts) {
    entries += storage?.slots.length ?? 0;
    bytes += code?.length ?? 0;
  }
  if (entries > OVERRIDE_ENTRIES_MAX) {
    return `expected at most ${OVERRIDE_ENTRIES_MAX} accounts and slots, got ${entries}`;
  }
  if (bytes <= OVERRIDE_CODE_BYTES_MAX) return undefined;
  return `expected at most ${OVERRIDE_CODE_BYTES_MAX} bytes of code, got ${bytes}`;
}

/** Makes the schema of a field under its other name. */
function otherName<T>(schema: Schema<T>, name: string): Schema<T | undefined> {
  return field(schema, `The same as \`${name}\`.`);
}

const blockFieldSchemas = {
  number: optional(uint64Schema),
  time: optional(uint64Schema),
  gasLimit: optional(uint64Schema),
  feeRecipient: optional(addressSchema),
  coinbase: otherName(addressSchema, 'feeRecipient'),
  prevRandao: optional(hashSchema),
  random: otherName(hashSchema, 'prevRandao'),
  baseFeePerGas: optional(quantitySchema),
  baseFee: otherName(quantitySchema, 'baseFeePerGas'),
  blobBaseFee: field(quantitySchema, 'BLOBBASEFEE; absent: 1.'),
  difficulty: ignoredSchema,
};

const blockFields = objectOf(blockFieldSchemas);

/** Overrides of the block in which a call runs. */
export const blockOverridesSchema: Schema<BlockOverride | undefined> = optional(
  named('BlockOverrides', { title: 'block overrides' }, mapped(blockFields, blockOverrideOf)),
);

/** The same with Erigon's names, and hashes of blocks. */
const bundledBlockFields = objectOf({
  ...blockFieldSchemas,
  blockNumber: otherName(uint64Schema, 'number'),
  timestamp: otherName(uint64Schema, 'time'),
  blockHash: field(entriesOf(controlUint64Schema, hashSchema), 'Results of BLOCKHASH by number.'),
});

/** Overrides of the block of a bundle of calls, and of the hashes of blocks. */
export const bundledBlockOverridesSchema = optional(
  named(
    'BundledBlockOverrides',
    { title: 'overrides of the block of a bundle' },
    mapped(bundledBlockFields, ({ blockNumber, timestamp, blockHash: hashes = [], ...given }, path) => {
      if (hashes.length > OVERRIDE_ENTRIES_MAX) {
        throw refusal(path, `expected at most ${OVERRIDE_ENTRIES_MAX} hashes, got ${hashes.length}`);
      }
      const number = either(path, given.number, blockNumber);
      const time = either(path, given.time, timestamp);
      return { context: blockOverrideOf({ ...given, number, time }, path), hashes };
    }),
  ),
);

/** A validator's withdrawal (EIP-4895); the amount is in gwei. */
const withdrawalSchema = objectOf({
  index: uint64Schema,
  validatorIndex: uint64Schema,
  address: addressSchema,
  amount: uint64Schema,
});

const simulatedBlockFields = objectOf({
  ...blockFieldSchemas,
  beaconRoot: field(hashSchema, 'The `parentBeaconBlockRoot` of the block.'),
  parentBeaconBlockRoot: otherName(hashSchema, 'beaconRoot'),
  withdrawals: field(
    arrayOf(withdrawalSchema, { most: SIMULATED_WITHDRAWALS_MAX, unit: 'withdrawals' }),
    'Credited after the calls.',
  ),
});

/** Overrides of a block that is simulated. */
export interface SimulatedBlockOverride {
  readonly context: BlockOverride;
  readonly beaconRoot: Hash | undefined;
  readonly withdrawals: readonly ReadBy<typeof withdrawalSchema>[];
}

export const simulatedBlockOverridesSchema: Schema<SimulatedBlockOverride | undefined> = optional(
  named(
    'SimulatedBlockOverrides',
    { title: 'overrides of a simulated block' },
    mapped(
      simulatedBlockFields,
      ({ beaconRoot, parentBeaconBlockRoot, withdrawals = [], ...given }, path) => ({
        context: blockOverrideOf(given, path),
        beaconRoot: either(path, beaconRoot, parentBeaconBlockRoot),
        withdrawals,
      }),
    ),
  ),
);

/** Returns the value of either name. @throws InvalidParametersError if the values differ */
function either<T extends Uint8Array | bigint>(
  path: ParameterPath,
  one: T | undefined,
  other: T | undefined,
): T | undefined {
  if (one !== undefined && other !== undefined && String(one) !== String(other)) {
    throw refusal(path, 'two names of one thing, with different values: give one of them');
  }
  return one ?? other;
}

function blockOverrideOf(given: ReadBy<typeof blockFields>, path: ParameterPath): BlockOverride {
  return withoutAbsent({
    number: given.number,
    timestamp: given.time,
    gasLimit: given.gasLimit,
    coinbase: either(path, given.feeRecipient, given.coinbase),
    randomness: either(path, given.prevRandao, given.random),
    baseFee: either(path, given.baseFeePerGas, given.baseFee),
    blobBaseFee: given.blobBaseFee,
  });
}

function withoutAbsent(given: BlockOverride): BlockOverride {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
