import { type Hardfork, isSince } from '../../evm/index.ts';
import type { Alternatives, Codec } from '../../protocol/index.ts';
import { bool, discriminator, mapped, optional, struct, uint32, variant } from '../../protocol/index.ts';
import { natural } from './natural-codec.ts';

/**
 * The rule of the price of gas, in wei for a unit of gas. `fixed`: the base fee is always the price. `eip1559`: the
 * base fee moves with the gas that blocks use. Tips are charged, too.
 */
export type FeeRule =
  | { readonly type: 'fixed'; readonly price: bigint }
  | {
      readonly type: 'eip1559';
      /** Base fee of the first block. */
      readonly initialBaseFee: bigint;
      /** Gas limit of a block divided by the gas that leaves the base fee as it is. */
      readonly elasticity: number;
      /** Greatest change between two blocks: the base fee divided by this number. */
      readonly denominator: number;
      /** The least base fee. */
      readonly minimum: bigint;
    };

/** The blobs of a chain (EIP-4844, EIP-7691). */
export interface BlobSchedule {
  /** Blobs of a block that leave their price as it is. */
  readonly target: number;
  /** Most blobs of a block. */
  readonly max: number;
  readonly baseFeeUpdateFraction: number;
}

/** Rules of a chain with Ethereum. */
export interface EthereumFeatures {
  readonly fees: FeeRule;
  /** Undefined: the chain accepts no blobs. */
  readonly blobs: BlobSchedule | undefined;
  /** True if headers commit to a Merkle-Patricia trie of the state, which proofs need. */
  readonly hasStateTrie: boolean;
  /** Most bytes of the code of a contract, and half of those of init code; absent: as in EIP-170 and EIP-3860. */
  readonly codeSizeLimit?: number | undefined;
}

/** The rules of a chain without Ethereum: a unit of gas costs a native unit. */
export const NO_FEATURES: EthereumFeatures = {
  fees: { type: 'fixed', price: 1n },
  blobs: undefined,
  hasStateTrie: false,
};

/** Mainnet's schedules by hard fork (EIP-4844, EIP-7691, EIP-7892: the second change after Osaka). */
const MAINNET_SCHEDULES: readonly { readonly since: Hardfork; readonly blobs: BlobSchedule }[] = [
  { since: 'osaka', blobs: { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671 } },
  { since: 'prague', blobs: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 } },
  { since: 'cancun', blobs: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 } },
];

/** Returns mainnet's present blob schedule of a hard fork; undefined before Cancun. */
export function mainnetBlobSchedule(hardfork: Hardfork): BlobSchedule | undefined {
  return MAINNET_SCHEDULES.find(({ since }) => isSince(hardfork, since))?.blobs;
}

/** Returns the rule of EIP-1559 with Ethereum's parameters. @param initialBaseFee in wei */
export function movingFees(initialBaseFee: bigint): FeeRule {
  return { type: 'eip1559', initialBaseFee, elasticity: 2, denominator: 8, minimum: 0n };
}

/** A price of up to 128 bits. */
const priceCodec = natural(16);

type Kind<Name extends FeeRule['type']> = Extract<FeeRule, { readonly type: Name }>;

const feeRules: Alternatives<FeeRule> = {
  fixed: [1, struct<Kind<'fixed'>>('fixed', { type: discriminator('fixed'), price: priceCodec })],
  eip1559: [
    2,
    struct<Kind<'eip1559'>>('eip1559', {
      type: discriminator('eip1559'),
      initialBaseFee: priceCodec,
      elasticity: uint32,
      denominator: uint32,
      minimum: priceCodec,
    }),
  ],
};

/** A limit of code sizes before the fee rule: the bytes of chains without one are unchanged. */
interface LimitedRule {
  readonly type: 'limited';
  readonly codeSizeLimit: number;
  readonly fees: FeeRule;
}

const ruleCodec: Codec<FeeRule | LimitedRule> = variant<FeeRule | LimitedRule>('fee_rule', {
  ...feeRules,
  limited: [
    3,
    struct<LimitedRule>('limited', {
      type: discriminator('limited'),
      codeSizeLimit: uint32,
      fees: variant<FeeRule>('fee_rule', feeRules),
    }),
  ],
});

const blobScheduleCodec: Codec<BlobSchedule> = struct<BlobSchedule>('blob_schedule', {
  target: uint32,
  max: uint32,
  baseFeeUpdateFraction: uint32,
});

type StoredFeatures = Omit<EthereumFeatures, 'fees' | 'codeSizeLimit'> & {
  readonly fees: FeeRule | LimitedRule;
};

export const featuresCodec: Codec<EthereumFeatures> = mapped<StoredFeatures, EthereumFeatures>(
  struct<StoredFeatures>('ethereum_features', {
    fees: ruleCodec,
    blobs: optional(blobScheduleCodec),
    hasStateTrie: bool,
  }),
  ({ fees: rule, ...rest }) => {
    if (rule.type !== 'limited') return { ...rest, fees: rule };
    return { ...rest, fees: rule.fees, codeSizeLimit: rule.codeSizeLimit };
  },
  ({ fees, codeSizeLimit, ...rest }) =>
    codeSizeLimit === undefined
      ? { ...rest, fees }
      : { ...rest, fees: { type: 'limited', codeSizeLimit, fees } },
);
