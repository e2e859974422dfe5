import fc from 'fast-check';
import { AMOUNT_MAX, INSTANCE_MAX, TIMESTAMP_MAX } from '../consensus.ts';
import type { BlockSignature } from './blocks/blocks.ts';
import { toMerkleRoot, toPublicKey } from './bytes/bytes.ts';
import {
  type AssetAmount,
  type Authority,
  accountId,
  assetId,
  type Block,
  type BlockHeader,
  bytesToHex,
  contractId,
  type Operation,
  type OperationResult,
  type ProcessedTransaction,
  type SignedBlockHeader,
  type SignedTransaction,
  type Transaction,
  toAddress,
  toBlockId,
  toHash,
  toSignature,
} from './index.ts';
import type { ObjectId } from './objects/identifiers.ts';

/** Generators of every structure, for property tests. */

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const instance = fc.oneof(fc.nat(300), fc.integer({ min: 0, max: INSTANCE_MAX }));
const uint8 = fc.integer({ min: 0, max: 0xff });
const uint16 = fc.integer({ min: 0, max: 0xffff });
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const timestamp = fc.integer({ min: 0, max: TIMESTAMP_MAX });
const units = fc.bigInt({ min: 0n, max: AMOUNT_MAX });
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const account = instance.map(accountId);
const contract = instance.map(contractId);
const asset = instance.map(assetId);
const address = bytes(20).map(toAddress);
const publicKey = bytes(32).map(toPublicKey);
const signature = bytes(64).map(toSignature);
/** A property that is there or not, as in memory: never there with the value undefined. */
const withOptional = <T extends object>(
  model: { [Key in keyof T]-?: fc.Arbitrary<T[Key]> },
  names: (keyof T)[],
) =>
  fc.record(model, {
    requiredKeys: (Object.keys(model) as (keyof T)[]).filter((key) => !names.includes(key)) as [],
  }) as unknown as fc.Arbitrary<T>;

export const assetAmounts: fc.Arbitrary<AssetAmount> = fc.record({ amount: units, assetId: asset });

export const authorities: fc.Arbitrary<Authority> = fc.record({
  weightThreshold: uint32,
  accountAuths: fc
    .uniqueArray(fc.tuple(account, uint16), { selector: ([id]) => id, maxLength: 4 })
    .map((members) => members.sort((left, right) => left[0] - right[0])),
  keyAuths: fc
    .uniqueArray(fc.tuple(publicKey, uint16), { selector: ([key]) => bytesToHex(key), maxLength: 4 })
    .map((members) => members.sort((left, right) => Buffer.compare(left[0], right[0]))),
});

const options = fc.record({ delegatingAccount: account, delegateShare: uint16 });
const type = <Type extends string>(value: Type) => fc.constant(value);
type Of<Type extends Operation['type']> = Extract<Operation, { type: Type }>;

export const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ type: type('transfer'), fee: assetAmounts, from: account, to: account, amount: assetAmounts }),
  withOptional<Of<'accountCreate'>>(
    {
      type: type('accountCreate'),
      fee: assetAmounts,
      registrar: account,
      name: text,
      active: authorities,
      echorandKey: publicKey,
      evmAddress: address,
      options,
    },
    ['evmAddress'],
  ),
  withOptional<Of<'accountUpdate'>>(
    {
      type: type('accountUpdate'),
      fee: assetAmounts,
      account,
      active: authorities,
      echorandKey: publicKey,
      newOptions: options,
    },
    ['active', 'echorandKey', 'newOptions'],
  ),
  withOptional<Of<'contractCreate'>>(
    {
      type: type('contractCreate'),
      fee: assetAmounts,
      registrar: account,
      value: assetAmounts,
      code: text,
      supportedAssetId: asset,
      ethAccuracy: fc.boolean(),
    },
    ['supportedAssetId'],
  ),
  fc.record({
    type: type('contractCall'),
    fee: assetAmounts,
    registrar: account,
    value: assetAmounts,
    code: text,
    callee: contract,
  }),
  withOptional<Of<'contractInternalCreate'>>(
    {
      type: type('contractInternalCreate'),
      fee: assetAmounts,
      caller: contract,
      newContract: contract,
      value: assetAmounts,
      ethAccuracy: fc.boolean(),
      supportedAssetId: asset,
    },
    ['supportedAssetId'],
  ),
  fc.record({
    type: type('contractSelfdestruct'),
    fee: assetAmounts,
    contract,
    recipient: account,
    amounts: fc.array(assetAmounts, { maxLength: 3 }),
  }),
  fc.record({ type: type('evmAddressRegister'), fee: assetAmounts, owner: account, evmAddress: address }),
  withOptional<Of<'testCall'>>(
    {
      type: type('testCall'),
      caller: address,
      to: address,
      value: units,
      data: fc.uint8Array({ maxLength: 80 }),
      gas: units,
    },
    ['to'],
  ),
  withOptional<Of<'testWeiCall'>>(
    {
      type: type('testWeiCall'),
      caller: address,
      to: address,
      value: units,
      dust: units,
      data: fc.uint8Array({ maxLength: 80 }),
      gas: units,
      isCharged: fc.boolean(),
    },
    ['to'],
  ),
);

const transactionModel = {
  refBlockNum: uint16,
  refBlockPrefix: uint32,
  expiration: timestamp,
  operations: fc.array(operations, { maxLength: 4 }),
};
export const transactions: fc.Arbitrary<Transaction> = fc.record(transactionModel);

const signedModel = {
  ...transactionModel,
  signatures: fc.array(signature, { maxLength: 3 }),
  signedWithEchorandKey: fc.boolean(),
};
export const signedTransactions: fc.Arbitrary<SignedTransaction> = fc.record(signedModel);

export const objectIds: fc.Arbitrary<ObjectId> = fc.record({ space: uint8, type: uint8, instance });
const results: fc.Arbitrary<OperationResult> = fc.oneof(
  fc.record({ type: type('nothing') }),
  fc.record({ type: type('object'), id: objectIds }),
  fc.record({ type: type('amount'), amount: assetAmounts }),
);
export const processedTransactions: fc.Arbitrary<ProcessedTransaction> = fc.record({
  ...signedModel,
  operationResults: fc.array(results, { maxLength: 4 }),
  feesCollected: units,
});

const blockSignatures: fc.Arbitrary<readonly BlockSignature[]> = fc.array(
  fc.record({
    bbaSign: signature,
    delegate: uint32,
    fallback: uint32,
    leader: uint64,
    producer: uint32,
    step: uint32,
    value: uint8,
  }),
  { maxLength: 2 },
);
const headerModel = {
  previous: bytes(20).map(toBlockId),
  round: uint64,
  attempt: uint8,
  timestamp,
  account,
  delegate: account,
  transactionMerkleRoot: bytes(20).map(toMerkleRoot),
  vmRoot: fc.array(text, { maxLength: 3 }),
  prevSignatures: blockSignatures,
};
export const blockHeaders: fc.Arbitrary<BlockHeader> = fc.record(headerModel);
const signedHeaderModel = {
  ...headerModel,
  edSignature: signature,
  rand: bytes(32).map(toHash),
  cert: blockSignatures,
};
export const signedBlockHeaders: fc.Arbitrary<SignedBlockHeader> = fc.record(signedHeaderModel);
export const blocks: fc.Arbitrary<Block> = fc.record({
  ...signedHeaderModel,
  transactions: fc.array(processedTransactions, { maxLength: 2 }),
});
