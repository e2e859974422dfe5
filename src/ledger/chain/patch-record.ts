import type { Address, Codec, Hash } from '../../protocol/index.ts';
import {
  addressCodec,
  discriminator,
  hashCodec,
  struct,
  uint64,
  variableBytes,
  variant,
  vector,
} from '../../protocol/index.ts';

/** What a balance is set to, in native units. */
export interface SetBalance {
  readonly address: Address;
  readonly balance: bigint;
}

/** A change that a test makes to a chain after a block, without a block. */
export type Patch =
  | {
      readonly type: 'balances';
      /** At most one for each address. */
      readonly balances: readonly SetBalance[];
    }
  | { readonly type: 'code'; readonly address: Address; readonly code: Uint8Array }
  | { readonly type: 'storage'; readonly address: Address; readonly slot: Hash; readonly value: Hash }
  | {
      /** How many contracts a contract is said to have created, which CREATE counts: the nonce of the EVM. */
      readonly type: 'creationCount';
      readonly address: Address;
      readonly count: bigint;
    }
  | {
      /** How many operations an address is said to have paid for, where they are counted. */
      readonly type: 'operationCount';
      readonly address: Address;
      readonly count: bigint;
    }
  | {
      /** The `rand` of the next block. */
      readonly type: 'rand';
      readonly rand: Hash;
    };

/** A patch as the store keeps it. */
export interface PatchRecord {
  /** The sum of all balances after it. */
  readonly supply: bigint;
  readonly patch: Patch;
}

type Kind<Type extends Patch['type']> = Extract<Patch, { readonly type: Type }>;

const setBalanceCodec: Codec<SetBalance> = struct<SetBalance>('set_balance', {
  address: addressCodec,
  balance: uint64,
});

const patchCodec: Codec<Patch> = variant<Patch>('patch', {
  balances: [
    0,
    struct<Kind<'balances'>>('balances', {
      type: discriminator('balances'),
      balances: vector(setBalanceCodec),
    }),
  ],
  code: [
    1,
    struct<Kind<'code'>>('code', { type: discriminator('code'), address: addressCodec, code: variableBytes }),
  ],
  storage: [
    2,
    struct<Kind<'storage'>>('storage', {
      type: discriminator('storage'),
      address: addressCodec,
      slot: hashCodec,
      value: hashCodec,
    }),
  ],
  creationCount: [
    3,
    struct<Kind<'creationCount'>>('creation_count', {
      type: discriminator('creationCount'),
      address: addressCodec,
      count: uint64,
    }),
  ],
  operationCount: [
    4,
    struct<Kind<'operationCount'>>('operation_count', {
      type: discriminator('operationCount'),
      address: addressCodec,
      count: uint64,
    }),
  ],
  rand: [5, struct<Kind<'rand'>>('rand', { type: discriminator('rand'), rand: hashCodec })],
});

export const patchRecordCodec: Codec<PatchRecord> = struct<PatchRecord>('patch_record', {
  supply: uint64,
  patch: patchCodec,
});
