import type { AccountId, Address, ContractId, Hash } from '../../protocol/index.ts';
import { bytesToHex, formatAccountId, formatContractId, LedgerdError } from '../../protocol/index.ts';
import { ETHEREUM_DESCRIPTIONS, type EthereumRefusal } from './ethereum-refusal.ts';

/** Characters of a caller's text that an error message repeats. */
export const QUOTED_CHARACTERS_MAX = 64;

/** Why the ledger did not accept a transaction or a request; each variant carries the facts of its message. */
export type Refusal =
  | { readonly code: 'noOperations' }
  | { readonly code: 'tooManyOperations'; readonly count: number; readonly most: number }
  | { readonly code: 'tooManySignatures'; readonly count: number; readonly most: number }
  | { readonly code: 'transactionTooLarge'; readonly bytes: number; readonly most: number }
  | { readonly code: 'virtualOperation'; readonly index: number; readonly type: string }
  | { readonly code: 'testOperation'; readonly index: number }
  | { readonly code: 'testOperationSubmitted'; readonly index: number }
  | { readonly code: 'consensusKeySignature' }
  | { readonly code: 'expired'; readonly expiration: number; readonly headTime: number }
  | { readonly code: 'expirationTooFar'; readonly expiration: number; readonly latest: number }
  | { readonly code: 'referenceBlockUnknown'; readonly refBlockNum: number }
  | { readonly code: 'alreadyIncluded'; readonly block: number }
  | { readonly code: 'alreadyPending' }
  | { readonly code: 'droppedOnDemand' }
  | { readonly code: 'displaced' }
  | {
      readonly code: 'pendingPoolFull';
      readonly most: number;
      readonly bytes: number;
      readonly gas: bigint;
    }
  | { readonly code: 'unknownAsset'; readonly field: string }
  | { readonly code: 'feeTooLow'; readonly fee: bigint; readonly least: bigint }
  | { readonly code: 'intrinsicGasTooLow'; readonly gas: bigint; readonly least: bigint }
  | { readonly code: 'gasLimitTooHigh'; readonly gas: bigint; readonly most: bigint }
  | { readonly code: 'transactionGasTooHigh'; readonly gas: bigint; readonly most: bigint }
  | { readonly code: 'initCodeTooLarge'; readonly bytes: number; readonly most: number }
  | { readonly code: 'codeNotHexadecimal' }
  | {
      readonly code: 'insufficientFunds';
      readonly payer: Address;
      readonly have: bigint;
      readonly want: bigint;
    }
  | { readonly code: 'unknownAccount'; readonly account: AccountId }
  | { readonly code: 'unknownContract'; readonly contract: ContractId }
  | {
      readonly code: 'unknownReceiver';
      readonly address: Address;
      readonly accountAddress: Address | undefined;
    }
  | { readonly code: 'senderNotAccount'; readonly address: Address; readonly accountAddress: Address }
  | { readonly code: 'transferWithData'; readonly address: Address }
  | { readonly code: 'wrongSignature'; readonly index: number; readonly chainId: Hash }
  | { readonly code: 'superfluousSignature'; readonly index: number }
  | { readonly code: 'missingAuthority'; readonly account: AccountId }
  | { readonly code: 'authorityTooLarge'; readonly most: number }
  | { readonly code: 'invalidAuthority'; readonly detail: string }
  | { readonly code: 'invalidName'; readonly name: string }
  | { readonly code: 'nameTaken'; readonly name: string }
  | { readonly code: 'evmAddressTaken'; readonly evmAddress: Address; readonly account: AccountId }
  | { readonly code: 'evmAddressSet'; readonly account: AccountId; readonly evmAddress: Address }
  | { readonly code: 'delegateShareTooHigh'; readonly share: number; readonly most: number }
  | { readonly code: 'nothingToUpdate' }
  | { readonly code: 'gasAllowance'; readonly gas: bigint }
  | { readonly code: 'executionHalted'; readonly halt: string }
  | { readonly code: 'engineFailed'; readonly detail: string }
  | { readonly code: 'callTimedOut'; readonly seconds: number }
  | { readonly code: 'timeOutOfRange'; readonly time: number; readonly latest: number }
  | { readonly code: 'chainReverted' }
  | { readonly code: 'noMoreBlocks'; readonly last: number }
  | { readonly code: 'fixedSettings' }
  | { readonly code: 'notTestChain' }
  | { readonly code: 'otherProducer' }
  | { readonly code: 'tooManySnapshots'; readonly most: number }
  | { readonly code: 'snapshotsTooLarge'; readonly most: number }
  | { readonly code: 'revertedMeanwhile' }
  | { readonly code: 'blockNotKept'; readonly block: number; readonly oldest: number }
  | { readonly code: 'patchOutsideTest' }
  | { readonly code: 'referenceGiven'; readonly address: Address; readonly accountAddress: Address }
  | { readonly code: 'accountHasNoCode'; readonly address: Address }
  | { readonly code: 'noContract'; readonly address: Address }
  | {
      readonly code: 'contractNotYet';
      readonly address: Address;
      readonly contract: ContractId;
      readonly next: ContractId;
    }
  | { readonly code: 'supplyTooLarge'; readonly supply: bigint; readonly most: bigint }
  | { readonly code: 'otherSupply'; readonly given: bigint; readonly supply: bigint }
  | { readonly code: 'malformedPatch'; readonly reason: string }
  | { readonly code: 'constantBaseFee' }
  | { readonly code: 'baseFeeTooHigh'; readonly most: bigint }
  | { readonly code: 'tooManyPatches'; readonly most: number }
  | { readonly code: 'makesNoBlocks' }
  | { readonly code: 'writesPaused'; readonly reason: string }
  | EthereumRefusal;

/** A transaction or request that the ledger's rules do not allow. The message is complete and meant for the caller. */
export class RefusedError extends LedgerdError {
  override readonly code = 'REFUSED';
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(describeRefusal(reason));
    this.reason = reason;
  }
}

/** Throws `RefusedError`. */
export function refuse(reason: Refusal): never {
  throw new RefusedError(reason);
}

const hex = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`;
const quote = (text: string): string =>
  JSON.stringify(text.length > QUOTED_CHARACTERS_MAX ? `${text.slice(0, QUOTED_CHARACTERS_MAX)}…` : text);
const utc = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19);

type Descriptions = { readonly [C in Refusal['code']]: (reason: Extract<Refusal, { code: C }>) => string };

/** The sentence for each kind of refusal, in the order of the variants above. */
const DESCRIPTIONS: Descriptions = {
  noOperations: () => 'the transaction has no operations',
  tooManyOperations: ({ count, most }) =>
    `the transaction has ${count} operations, more than the limit of ${most}`,
  tooManySignatures: ({ count, most }) =>
    `the transaction has ${count} signatures, more than the limit of ${most}`,
  transactionTooLarge: ({ bytes, most }) =>
    `the transaction has ${bytes} bytes, more than the limit of ${most}`,
  virtualOperation: ({ index, type }) => `operation ${index} is virtual (${type}) and cannot be submitted`,
  testOperation: ({ index }) => `operation ${index} is a test call, which only test chains have`,
  testOperationSubmitted: ({ index }) =>
    `operation ${index} is a test call and cannot be submitted: in test mode a node makes it itself, of what ` +
    'eth_sendTransaction sends from an impersonated address',
  consensusKeySignature: () =>
    'a transaction signed with the consensus key (signed_with_echorand_key) is not accepted',
  expired: ({ expiration, headTime }) =>
    `the transaction expired at ${utc(expiration)}; the head block's time is ${utc(headTime)}`,
  expirationTooFar: ({ expiration, latest }) =>
    `the expiration ${utc(expiration)} is too far in the future; the latest allowed is ${utc(latest)}`,
  referenceBlockUnknown: ({ refBlockNum }) =>
    `the reference block (number ending in ${refBlockNum}) is not on this chain`,
  alreadyIncluded: ({ block }) => `already known: the transaction is in block ${block}`,
  alreadyPending: () => 'already known: the transaction is pending',
  droppedOnDemand: () => 'the transaction was removed from the pending pool by a call',
  pendingPoolFull: ({ most, bytes, gas }) =>
    `the pending pool is full: its limits are ${most} transactions, ${bytes} bytes and ${gas} gas, and ` +
    'it evicts transactions only for a sender with fewer',
  displaced: () => 'the pending pool was full: the transaction was evicted for one of a sender with fewer',
  unknownAsset: ({ field }) => `${field} names another asset than the core asset 1.3.0`,
  feeTooLow: ({ fee, least }) => `intrinsic gas too low: the fee ${fee} is below the minimum of ${least}`,
  intrinsicGasTooLow: ({ gas, least }) =>
    `intrinsic gas too low: the fee gives ${gas} gas, the operation needs at least ${least}`,
  gasLimitTooHigh: ({ gas, most }) =>
    `the fee gives ${gas} gas, more than the limit of ${most} for one operation`,
  transactionGasTooHigh: ({ gas, most }) =>
    `the operations offer ${gas} gas together, more than the limit of ${most} for one transaction`,
  initCodeTooLarge: ({ bytes, most }) => `max initcode size exceeded: ${bytes} bytes, the limit is ${most}`,
  codeNotHexadecimal: () => 'code is not an even number of hexadecimal digits',
  insufficientFunds: ({ payer, have, want }) =>
    `insufficient funds for gas * price + value: address ${hex(payer)} have ${have} want ${want}`,
  unknownAccount: ({ account }) => `the account ${formatAccountId(account)} does not exist`,
  unknownContract: ({ contract }) => `the contract ${formatContractId(contract)} does not exist`,
  unknownReceiver: ({ address, accountAddress: account }) =>
    account === undefined
      ? `there is no account or contract at ${hex(address)}`
      : `${hex(address)} is the EVM address of the account ${hex(account)}: send to that address`,
  senderNotAccount: ({ address, accountAddress: account }) =>
    `${hex(address)} is the EVM address of the account ${hex(account)}: send from that address`,
  transferWithData: ({ address }) => `${hex(address)} is an account: a transfer carries no data`,
  wrongSignature: ({ index, chainId }) =>
    `signature ${index} is by no key of the accounts that must sign for the chain ${bytesToHex(chainId)}: ` +
    'wrong key, altered transaction or another chain',
  superfluousSignature: ({ index }) => `signature ${index} is superfluous`,
  missingAuthority: ({ account }) =>
    `the signatures do not satisfy the active authority of ${formatAccountId(account)}`,
  authorityTooLarge: ({ most }) => `the authorities involved hold more than the limit of ${most} keys`,
  invalidAuthority: ({ detail }) => `invalid active authority: ${detail}`,
  invalidName: ({ name }) =>
    `invalid account name ${quote(name)}: 3 to 63 characters of a-z, 0-9, - and ., every label ` +
    'beginning with a letter and ending with a letter or digit',
  nameTaken: ({ name }) => `the account name ${name} is taken`,
  evmAddressTaken: ({ evmAddress, account }) =>
    `the EVM address ${hex(evmAddress)} is registered for ${formatAccountId(account)}`,
  evmAddressSet: ({ account, evmAddress }) =>
    `the account ${formatAccountId(account)} has the EVM address ${hex(evmAddress)} already`,
  delegateShareTooHigh: ({ share, most }) => `delegate_share is ${share}, the limit is ${most}`,
  nothingToUpdate: () =>
    'the account update changes nothing: active, echorand_key and new_options are all absent',
  gasAllowance: ({ gas }) => `gas required exceeds allowance (${gas})`,
  executionHalted: ({ halt }) => halt,
  engineFailed: ({ detail }) => `the engine has no room for this execution: ${detail}`,
  callTimedOut: ({ seconds }) =>
    `execution aborted (timeout = ${seconds}s): it exceeds the limit of computing for one call (--call-timeout)`,
  timeOutOfRange: ({ time, latest }) =>
    `the clock cannot be moved to ${time}: the latest time of a block is ${latest}`,
  chainReverted: () => 'the chain was reverted to a block before the transaction was submitted',
  notTestChain: () => 'the given chain is not a test chain',
  otherProducer: () =>
    'this node lacks the key that signs the blocks of the given chain: start it with the seed of that chain',
  fixedSettings: () => 'only test chains with Ethereum can change the coinbase and the gas limit of blocks',
  noMoreBlocks: ({ last }) => `block ${last} has the greatest possible number: no block comes after it`,
  tooManySnapshots: ({ most }) =>
    `the chain has ${most} snapshots, which is the limit: revert to one of them, which removes it and later ones`,
  snapshotsTooLarge: ({ most }) =>
    `the snapshots of the chain would have more than ${most} bytes, which is the limit: revert to one of them, which ` +
    'removes it and later ones; pending transactions are a part of each',
  revertedMeanwhile: () => 'the chain was reverted meanwhile',
  blockNotKept: ({ block, oldest }) =>
    `the chain cannot be reverted to block ${block}: block ${oldest} is the oldest with an undo record`,
  patchOutsideTest: () => 'only test chains can be changed without a block',
  referenceGiven: ({ address, accountAddress: account }) =>
    `${hex(address)} is the EVM address of the account ${hex(account)}: give that address`,
  accountHasNoCode: ({ address }) => `an account has no code: ${hex(address)} is the address of one`,
  noContract: ({ address }) => `there is no contract at ${hex(address)}`,
  contractNotYet: ({ address, contract, next }) =>
    `${hex(address)} is the address of the contract ${formatContractId(contract)}, which does not exist yet: the ` +
    `next one is ${formatContractId(next)}`,
  supplyTooLarge: ({ supply, most }) =>
    `all balances together would be ${supply} native units, more than the limit of ${most}`,
  otherSupply: ({ given, supply }) => `its sum of all balances is ${given}, but the sum is ${supply}`,
  malformedPatch: ({ reason }) => `the change is invalid: ${reason}`,
  constantBaseFee: () => 'the base fee of this chain is constant, by the fee rule of its genesis',
  baseFeeTooHigh: ({ most }) => `the base fee is too high: at most ${most} wei`,
  tooManyPatches: ({ most }) =>
    `the state was changed ${most} times since the latest block, which is the limit: make a block`,
  makesNoBlocks: () =>
    'this node takes no transactions: it has no consensus key of the chain, and only follows blocks',
  writesPaused: ({ reason }) => `nothing is written for now: ${reason}`,
  ...ETHEREUM_DESCRIPTIONS,
};

/** Codes of rejections that a later block may not have: lower nonces are missing, or the base fee is too high. */
const EARLY: ReadonlySet<string> = new Set(['nonceTooHigh', 'feeCapTooLow', 'blobFeeCapTooLow']);

/** Returns true for a rejection that a later block may not have. */
export function isEarly(error: unknown): boolean {
  return error instanceof RefusedError && EARLY.has(error.reason.code);
}

/** Returns the message for the caller. */
function describeRefusal<C extends Refusal['code']>(reason: Extract<Refusal, { code: C }>): string {
  const describe: (reason: Extract<Refusal, { code: C }>) => string = DESCRIPTIONS[reason.code as C];
  return describe(reason);
}
