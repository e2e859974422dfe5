import { z } from 'zod';
import type { AccountOverride, BlockOverride, StorageOverride } from '../../ledger/index.ts';
import { OVERRIDE_CODE_BYTES_MAX, OVERRIDE_ENTRIES_MAX } from '../../limits.ts';
import { describeValue } from '../json/describe.ts';
import { entriesByAddress } from './by-address.ts';
import { addressSchema, dataSchema, hashSchema } from './bytes.ts';
import { describeObjectIssue } from './choice.ts';
import { quantitySchema, uint64Schema, wordOf } from './quantity.ts';
import { UNCOMMON, withQuickReader } from './quick-reader.ts';

type Slots = StorageOverride['slots'];

/** Slots and what is in them; slot and value as DATA of 32 bytes or as QUANTITY. */
const slotsSchema: z.ZodType<Slots> = z
  .record(z.string(), quantitySchema, {
    error: ({ input }) => `expected an object, got ${describeValue(input)}`,
  })
  .transform((given, context) => {
    const slots: Slots[number][] = [];
    for (const [key, value] of Object.entries(given)) {
      const slot = quantitySchema.safeParse(key);
      if (!slot.success) {
        const message = slot.error.issues[0]?.message ?? 'not acceptable';
        context.issues.push({ code: 'custom', message, path: [key], input: given });
        return z.NEVER;
      }
      slots.push({ slot: wordOf(slot.data), value: wordOf(value) });
    }
    return slots;
  })
  .meta({ title: 'values by slot' });

const MOVE_REFUSED = 'precompiled contracts stay where they are: the engine has them at fixed addresses';

const accountSchema = z
  .strictObject(
    {
      balance: quantitySchema.nullish(),
      nonce: uint64Schema.nullish(),
      code: dataSchema.nullish(),
      state: slotsSchema.nullish().meta({ description: 'All of the storage.' }),
      stateDiff: slotsSchema.nullish().meta({ description: 'What of the storage is different.' }),
      movePrecompileToAddress: z
        .null({ error: MOVE_REFUSED })
        .optional()
        .meta({ description: `Refused: ${MOVE_REFUSED}.` }),
    },
    { error: describeObjectIssue },
  )
  .refine(({ state, stateDiff }) => state == null || stateDiff == null, {
    error: 'state and stateDiff exclude each other: give one of them',
  })
  .meta({ id: 'AccountOverride', title: 'overrides of an account' });

/** Overrides of the state: what a call finds at addresses instead of what is there. */
export const stateOverridesSchema: z.ZodType<readonly AccountOverride[]> = withQuickReader(
  entriesByAddress(accountSchema)
    .transform((accounts): AccountOverride[] =>
      accounts.map(([address, { balance, nonce, code, state, stateDiff }]) => ({
        address,
        balance: balance ?? undefined,
        nonce: nonce ?? undefined,
        code: code ?? undefined,
        storage: storageOf(state ?? undefined, stateDiff ?? undefined),
      })),
    )
    .superRefine((accounts, context) => {
      const problem = excessOf(accounts);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    })
    .nullish()
    .transform((accounts) => accounts ?? [])
    .meta({ id: 'StateOverrides', title: 'state overrides by address' }),
  (value) => (value === undefined ? [] : UNCOMMON),
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

const ONE_SPELLING = 'two names of one thing, with different values: give one of them';

const blockFields = {
  number: uint64Schema.nullish(),
  time: uint64Schema.nullish(),
  gasLimit: uint64Schema.nullish(),
  feeRecipient: addressSchema.nullish(),
  coinbase: addressSchema.nullish().meta({ description: 'The same as `feeRecipient`.' }),
  prevRandao: hashSchema.nullish(),
  random: hashSchema.nullish().meta({ description: 'The same as `prevRandao`.' }),
  baseFeePerGas: quantitySchema.nullish(),
  baseFee: quantitySchema.nullish().meta({ description: 'The same as `baseFeePerGas`.' }),
  blobBaseFee: quantitySchema
    .refine((fee) => fee === 1n, 'BLOBBASEFEE is always 1 here, as nobody uses blobs')
    .nullish()
    .meta({ description: 'Only 1, which it is.' }),
  difficulty: z.unknown().optional().meta({ description: 'Accepted, without effect.' }),
};

/** Overrides of the block: what a call learns about the block that it runs in. */
export const blockOverridesSchema: z.ZodType<BlockOverride> = withQuickReader(
  z
    .strictObject(blockFields, { error: describeObjectIssue })
    .transform((given, context): BlockOverride => {
      const pairs = [
        [given.feeRecipient, given.coinbase],
        [given.prevRandao, given.random],
        [given.baseFeePerGas, given.baseFee],
      ] as const;
      if (pairs.some(([one, other]) => one != null && other != null && String(one) !== String(other))) {
        context.issues.push({ code: 'custom', message: ONE_SPELLING, input: given });
        return z.NEVER;
      }
      return withoutAbsent({
        number: given.number,
        timestamp: given.time,
        gasLimit: given.gasLimit,
        coinbase: given.feeRecipient ?? given.coinbase,
        randomness: given.prevRandao ?? given.random,
        baseFee: given.baseFeePerGas ?? given.baseFee,
      });
    })
    .meta({ id: 'BlockOverrides', title: 'block overrides' })
    .nullish()
    .transform((block) => block ?? {})
    .meta({ title: 'block overrides' }),
  (value) => (value === undefined ? {} : UNCOMMON),
);

type Nullish<T> = { readonly [K in keyof T]: T[K] | null | undefined };

function withoutAbsent(given: Nullish<BlockOverride>): BlockOverride {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
}
