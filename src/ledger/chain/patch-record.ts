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
import { natural } from './natural-codec.ts';

/** A new balance in wei, or in native units on chains without Ethereum. */
export interface SetBalance {
  readonly address: Address;
  readonly balance: bigint;
}

/** A new word of storage. */
export interface SetSlot {
  readonly slot: Hash;
  readonly value: Hash;
}

/** A change that a test makes to a chain after a block, without a block. */
export type Patch =
  | {
      readonly type: 'balances';
      /** At most one for each address. */
      readonly balances: readonly SetBalance[];
    }
  | { readonly type: 'code'; readonly address: Address; readonly code: Uint8Array }
  | {
      /** Code that also raises a nonce of 0 to that of a new contract: stored by programs before that of `code`. */
      readonly type: 'contractCode';
      readonly address: Address;
      readonly code: Uint8Array;
    }
  | { readonly type: 'storage'; readonly address: Address; readonly slot: Hash; readonly value: Hash }
  | {
      readonly type: 'slots';
      readonly address: Address;
      /** At most one for each slot. */
      readonly slots: readonly SetSlot[];
    }
  | {
      /**
       * A new nonce in the EVM: the number of contracts that a contract has created, or of Ethereum transactions that a
       * key has sent.
       */
      readonly type: 'nonce';
      readonly address: Address;
      readonly count: bigint;
    }
  | {
      /** A new number of operations that an address has paid for, if they are counted. */
      readonly type: 'operationCount';
      readonly address: Address;
      readonly count: bigint;
    }
  | {
      /** The `rand` of the next block. */
      readonly type: 'rand';
      readonly rand: Hash;
    }
  | {
      /** The base fee of the next block, in wei, on a chain where it moves. */
      readonly type: 'baseFee';
      readonly baseFee: bigint;
    }
  | {
      /** The coinbase of the next blocks, on a chain with Ethereum. */
      readonly type: 'coinbase';
      readonly coinbase: Address;
    }
  | {
      /** The gas limit of the next blocks, on a chain with Ethereum. */
      readonly type: 'gasLimit';
      readonly gasLimit: bigint;
    };

/** A patch as the store keeps it. */
export interface PatchRecord {
  /** The sum of all balances after it, in Wei. */
  readonly supply: bigint;
  readonly patch: Patch;
}

type Kind<Type extends Patch['type']> = Extract<Patch, { readonly type: Type }>;

/** A number of up to 32 bytes: big-endian, without leading zeros. */
const weiCodec = natural(32);

const setBalanceCodec: Codec<SetBalance> = struct<SetBalance>('set_balance', {
  address: addressCodec,
  balance: weiCodec,
});

const setSlotCodec: Codec<SetSlot> = struct<SetSlot>('set_slot', { slot: hashCodec, value: hashCodec });

const patchCodec: Codec<Patch> = variant<Patch>('patch', {
  balances: [
    0,
    struct<Kind<'balances'>>('balances', {
      type: discriminator('balances'),
      balances: vector(setBalanceCodec),
    }),
  ],
  contractCode: [
    1,
    struct<Kind<'contractCode'>>('contract_code', {
      type: discriminator('contractCode'),
      address: addressCodec,
      code: variableBytes,
    }),
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
  nonce: [
    3,
    struct<Kind<'nonce'>>('nonce', {
      type: discriminator('nonce'),
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
  baseFee: [6, struct<Kind<'baseFee'>>('base_fee', { type: discriminator('baseFee'), baseFee: weiCodec })],
  slots: [
    7,
    struct<Kind<'slots'>>('slots', {
      type: discriminator('slots'),
      address: addressCodec,
      slots: vector(setSlotCodec),
    }),
  ],
  coinbase: [
    9,
    struct<Kind<'coinbase'>>('coinbase', { type: discriminator('coinbase'), coinbase: addressCodec }),
  ],
  gasLimit: [
    10,
    struct<Kind<'gasLimit'>>('gas_limit', { type: discriminator('gasLimit'), gasLimit: uint64 }),
  ],
  code: [
    8,
    struct<Kind<'code'>>('code', { type: discriminator('code'), address: addressCodec, code: variableBytes }),
  ],
});

export const patchRecordCodec: Codec<PatchRecord> = struct<PatchRecord>('patch_record', {
  supply: weiCodec,
  patch: patchCodec,
});
