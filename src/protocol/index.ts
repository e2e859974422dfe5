/**
 * The native data of the ledger: values, identifiers, operations, transactions, blocks, their codecs, keys
 * and hashes.
 */

export { type AssetAmount, assetAmountCodec, coreAmount } from './assets.ts';
export { type AccountOptions, type Authority, accountOptionsCodec, authorityCodec } from './authorities.ts';
export { base58ToBytes, bytesToBase58 } from './base58.ts';
export { type FrameBounds, FrameReader, frameBlocks, unframeBlocks } from './block-frames.ts';
export { blockId, blockNumberOf, headerDigest, merkleRoot } from './block-hashes.ts';
export {
  type Block,
  type BlockHeader,
  type BlockSignature,
  blockCodec,
  blockHeaderCodec,
  blockSignatureCodec,
  type SignedBlockHeader,
  signedBlockHeaderCodec,
} from './blocks.ts';
export type { Brand } from './brand.ts';
export { ByteReader } from './byte-reader.ts';
export { ByteWriter } from './byte-writer.ts';
export {
  bytesToHex,
  bytesToUtf8,
  compareBytes,
  concatBytes,
  equalBytes,
  hexToBytes,
  readHex,
  toPrefixedHex,
  utf8ToBytes,
} from './bytes.ts';
export { type Codec, decode, encode, fromJson, toJson } from './codec.ts';
export { fixedBytes, string, variableBytes } from './codec-bytes.ts';
export { type Compare, map, optional, pair, set, vector } from './codec-collections.ts';
export {
  amount,
  amountNumber,
  bool,
  formatTime,
  int64,
  parseTime,
  time,
  uint8,
  uint16,
  uint32,
  uint64,
  uint64Text,
  varint,
} from './codec-numbers.ts';
export {
  type Alternatives,
  absentExtensions,
  discriminator,
  emptyExtensions,
  mapped,
  type StructureFields,
  struct,
  variant,
} from './codec-structures.ts';
export { ripemd160, sha256 } from './digests.ts';
export { DecodeError, FormatError, InvariantError, invariant, LedgerdError } from './errors.ts';
export {
  accountIdCodec,
  assetIdCodec,
  contractIdCodec,
  objectIdCodec,
} from './identifier-codecs.ts';
export {
  type AccountId,
  type AddressOwner,
  type AssetId,
  accountAddress,
  accountId,
  accountObject,
  addressOwner,
  assetId,
  CORE_ASSET,
  type ContractId,
  contractAddress,
  contractId,
  contractObject,
  formatAccountId,
  formatAssetId,
  formatContractId,
  formatObjectId,
  type ObjectId,
  parseAccountId,
  parseAssetId,
  parseContractId,
  parseObjectId,
} from './identifiers.ts';
export {
  blockHashOf,
  blockIdOfHash,
  pendingTransactionHash,
  processedTransactionHash,
  splitTransactionHash,
  type TransactionHashParts,
} from './interface-hashes.ts';
export { keccak256 } from './keccak256.ts';
export {
  createKeyPair,
  formatPublicKey,
  formatWif,
  type KeyPair,
  PUBLIC_KEY_PREFIX,
  parsePublicKey,
  parseWif,
  verifySignature,
} from './keys.ts';
export { LatticeAccumulator } from './lattice-accumulator.ts';
export {
  codeDigits,
  feePayer,
  isMetered,
  isVirtual,
  type MovedAmount,
  movedAmount,
  operationCodec,
  receiverAddress,
  senderAddress,
} from './operation-queries.ts';
export type {
  AccountCreate,
  AccountUpdate,
  ContractCall,
  ContractCreate,
  ContractInternalCreate,
  ContractSelfdestruct,
  EvmAddressRegister,
  Operation,
  SubmittedOperation,
  Transfer,
} from './operations.ts';
export { leadingZeroBits, proofOfWorkHash, solves } from './proof-of-work.ts';
export { operationHash, transactionDigest, transactionId } from './transaction-hashes.ts';
export {
  type OperationResult,
  operationResultCodec,
  type ProcessedTransaction,
  processedTransactionCodec,
  type SignedTransaction,
  signedTransactionCodec,
  type Transaction,
  transactionCodec,
} from './transactions.ts';
export {
  addressCodec,
  blockIdCodec,
  evmAddressCodec,
  hashCodec,
  merkleRootCodec,
  publicKeyCodec,
  signatureCodec,
} from './value-codecs.ts';
export {
  type Address,
  type BlockId,
  type Hash,
  type MerkleRoot,
  type OperationHash,
  type PublicKey,
  type Seed,
  type Signature,
  toAddress,
  toBlockId,
  toHash,
  toMerkleRoot,
  toOperationHash,
  toPublicKey,
  toSeed,
  toSignature,
  ZERO_ADDRESS,
  ZERO_HASH,
} from './values.ts';
