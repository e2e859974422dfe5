import type { Address } from '../../protocol/index.ts';
import { bytesToHex } from '../../protocol/index.ts';

/** Per cent by which the fees of a replacement transaction must be higher where one of both has blobs. */
export const BLOB_REPLACEMENT_PERCENT = 100n;

/** The sender or the payer of a rejected Ethereum transaction. */
interface Sender {
  readonly sender: Address;
}

/** Two numbers that do not fit together. */
interface HaveWant {
  readonly have: bigint;
  readonly want: bigint;
}

/** Why a transaction of Ethereum's was refused. Clients know the beginning of each message: it is geth's. */
export type EthereumRefusal =
  | { readonly code: 'noEthereum' }
  | { readonly code: 'tooMuchDust'; readonly field: string; readonly dust: bigint; readonly most: bigint }
  | { readonly code: 'wrongNativeForm'; readonly detail: string }
  | { readonly code: 'ethereumMalformed'; readonly detail: string }
  | { readonly code: 'ethereumTooLarge'; readonly bytes: number; readonly most: number }
  | ({ readonly code: 'wrongChainId' } & HaveWant)
  | { readonly code: 'unprotectedTransaction' }
  | { readonly code: 'noSetCode' }
  | { readonly code: 'gasCapExceeded'; readonly gas: bigint; readonly most: bigint }
  | { readonly code: 'blockGasExceeded'; readonly gas: bigint; readonly most: bigint }
  | ({ readonly code: 'nonceTooLow'; readonly nonce: bigint; readonly expected: bigint } & Sender)
  | ({ readonly code: 'nonceTooHigh'; readonly nonce: bigint; readonly expected: bigint } & Sender)
  | ({ readonly code: 'nonceMax'; readonly nonce: bigint } & Sender)
  | ({ readonly code: 'senderHasCode' } & Sender)
  | ({ readonly code: 'tipAboveFeeCap'; readonly tip: bigint; readonly feeCap: bigint } & Sender)
  | ({ readonly code: 'feeCapTooLow'; readonly feeCap: bigint; readonly baseFee: bigint } & Sender)
  | ({ readonly code: 'blobFeeCapTooLow'; readonly feeCap: bigint; readonly baseFee: bigint } & Sender)
  | { readonly code: 'tooManyBlobs'; readonly count: number; readonly most: number }
  | { readonly code: 'sidecarMissing' }
  | { readonly code: 'sidecarInvalid'; readonly detail: string }
  | ({ readonly code: 'insufficientWei' } & HaveWant & Sender)
  | ({ readonly code: 'intrinsicGas' } & HaveWant)
  | ({ readonly code: 'floorDataGas' } & HaveWant)
  | { readonly code: 'delegatedInFlight' }
  | { readonly code: 'delegatedGap' }
  | { readonly code: 'authorityReserved' }
  | { readonly code: 'notPayable'; readonly address: Address }
  | { readonly code: 'replacementUnderpriced'; readonly percent: bigint }
  | { readonly code: 'notPrecompile'; readonly address: Address }
  | { readonly code: 'alreadyOverridden'; readonly address: Address }
  | { readonly code: 'underpriced'; readonly feeCap: bigint; readonly least: bigint }
  | { readonly code: 'poolUnderpriced'; readonly most: number }
  | { readonly code: 'replaced' }
  | { readonly code: 'queuedTooLong'; readonly seconds: number }
  | ({ readonly code: 'queueFull'; readonly most: number } & Sender);

type Descriptions = {
  readonly [C in EthereumRefusal['code']]: (reason: Extract<EthereumRefusal, { code: C }>) => string;
};

const hex = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`;

/** The sentence for each kind of refusal, in the order of the variants above. */
export const ETHEREUM_DESCRIPTIONS: Descriptions = {
  tooMuchDust: ({ field, dust, most }) =>
    `${field} is ${dust} wei, of which a unit has more: at most ${most}`,
  noEthereum: () =>
    'this chain knows no Ethereum transactions: start one that does with `ledgerd start --ethereum`, or make it with ' +
    '`ledgerd init --ethereum`',
  wrongNativeForm: ({ detail }) => `not the one native form of an Ethereum transaction: ${detail}`,
  ethereumMalformed: ({ detail }) => detail,
  ethereumTooLarge: ({ bytes, most }) => `oversized data: transaction size ${bytes}, limit ${most}`,
  wrongChainId: ({ have, want }) => `invalid chain id for signer: have ${have} want ${want}`,
  unprotectedTransaction: () => 'only replay-protected (EIP-155) transactions allowed over RPC',
  noSetCode: () => 'transaction type not supported: type 4 rejected, pool not yet in Prague',
  gasCapExceeded: ({ gas, most }) => `transaction gas limit too high (cap: ${most}, tx: ${gas})`,
  blockGasExceeded: ({ gas, most }) =>
    `exceeds block gas limit: the transaction offers ${gas}, a block takes ${most}`,
  nonceTooLow: ({ sender, nonce, expected }) =>
    `nonce too low: address ${hex(sender)}, tx: ${nonce} state: ${expected}`,
  nonceTooHigh: ({ sender, nonce, expected }) =>
    `nonce too high: address ${hex(sender)}, tx: ${nonce} state: ${expected}`,
  nonceMax: ({ sender, nonce }) => `nonce has max value: address ${hex(sender)}, nonce: ${nonce}`,
  senderHasCode: ({ sender }) => `sender not an eoa: address ${hex(sender)} has code`,
  tipAboveFeeCap: ({ sender, tip, feeCap }) =>
    `max priority fee per gas higher than max fee per gas: address ${hex(sender)}, ` +
    `maxPriorityFeePerGas: ${tip}, maxFeePerGas: ${feeCap}`,
  feeCapTooLow: ({ sender, feeCap, baseFee }) =>
    `max fee per gas less than block base fee: address ${hex(sender)}, maxFeePerGas: ${feeCap}, baseFee: ${baseFee}`,
  blobFeeCapTooLow: ({ sender, feeCap, baseFee }) =>
    `max fee per blob gas less than block blob gas fee: address ${hex(sender)} blobGasFeeCap: ${feeCap}, ` +
    `blobBaseFee: ${baseFee}`,
  tooManyBlobs: ({ count, most }) => `too many blobs in transaction: have ${count}, permitted ${most}`,
  sidecarMissing: () => 'missing sidecar in blob transaction',
  sidecarInvalid: ({ detail }) => detail,
  insufficientWei: ({ sender, have, want }) =>
    `insufficient funds for gas * price + value: address ${hex(sender)} have ${have} want ${want}`,
  intrinsicGas: ({ have, want }) => `intrinsic gas too low: have ${have}, want ${want}`,
  floorDataGas: ({ have, want }) => `insufficient gas for floor data gas cost: have ${have}, want ${want}`,
  delegatedInFlight: () => 'in-flight transaction limit reached for delegated accounts',
  delegatedGap: () => 'gapped-nonce tx from delegated accounts',
  authorityReserved: () => 'authority already reserved',
  notPayable: ({ address }) =>
    `${hex(address)} is a contract's address, or that of an identifier nobody has: nothing can be transferred to it`,
  replacementUnderpriced: ({ percent }) =>
    'replacement transaction underpriced: another one of this nonce waits, and ' +
    `${percent === BLOB_REPLACEMENT_PERCENT ? 'all' : 'both'} fees have to be ${percent} % higher`,
  notPrecompile: ({ address }) => `account ${hex(address)} is not a precompile`,
  alreadyOverridden: ({ address }) => `account ${hex(address)} is already overridden`,
  underpriced: ({ feeCap, least }) =>
    `transaction underpriced: the gas price is ${feeCap} wei, and this node requires ${least} (--gas-price)`,
  poolUnderpriced: ({ most }) =>
    `transaction underpriced: the pool is full with ${most} transactions, and all others offer more`,
  replaced: () => 'the transaction was replaced by another one of its nonce',
  queuedTooLong: ({ seconds }) =>
    `the transaction waited for those of lower nonces for more than ${seconds} s, and was dropped`,
  queueFull: ({ sender, most }) =>
    `txpool is full: at most ${most} transactions of ${hex(sender)} wait for lower nonces, and others make way only ` +
    'for a sender with fewer than they have',
};
