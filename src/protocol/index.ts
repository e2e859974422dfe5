/**
 * The native data of the ledger: values, identifiers, operations, transactions, blocks, their codecs, keys and hashes.
 */

export { FrameReader, frameBlocks } from './blocks/block-frames.ts';
export { blockId, blockNumberOf, headerDigest, merkleRoot } from './blocks/block-hashes.ts';
export {
  type Block,
  type BlockHeader,
  blockCodec,
  type SignedBlockHeader,
  signedBlockHeaderCodec,
} from './blocks/blocks.ts';
export { proofOfWorkHash, solves } from './blocks/proof-of-work.ts';
export { ByteReader } from './bytes/byte-reader.ts';
export { ByteWriter } from './bytes/byte-writer.ts';
export {
  bytesToHex,
  bytesToNumber,
  compareBytes,
  concatBytes,
  equalBytes,
  hexToBytes,
  numberToBytes,
  readHex,
  toPrefixedHex,
  utf8ToBytes,
} from './bytes/bytes.ts';
export { string, variableBytes } from './codec/bytes.ts';
export { type Codec, decode, encode, fromJson, toJson } from './codec/codec.ts';
export { atEnd, map, optional, pair, set, vector } from './codec/collections.ts';
export { amount, bool, formatTime, int64, parseTime, time, uint32, uint64, varint } from './codec/numbers.ts';
export { discriminator, mapped, snakeCase, struct, variant } from './codec/structures.ts';
export {
  BLS12_381,
  BN_SNARK1,
  FP_BYTES,
  FP2_BYTES,
  FR_BYTES,
  GT_BYTES,
  MclCurve,
  NIST_P256,
} from './curves/mcl.ts';
export { GROUP_ORDER, recoverAddress, signatureRecovery } from './curves/recovery.ts';
export { SignatureCurve } from './curves/signature-curve.ts';
export { signDigest } from './curves/signing.ts';
export {
  DecodeError,
  FormatError,
  InvariantError,
  invariant,
  LedgerdError,
  messageOf,
  UnsupportedTransactionTypeError,
} from './errors.ts';
export { checksumAddress, create2Address, createAddress } from './ethereum/addresses.ts';
export { ethereumTransactionKind, parseEthereumTransaction } from './ethereum/parse-transaction.ts';
export { serializeEthereumTransaction, signEthereumTransaction } from './ethereum/sign-transaction.ts';
export { impersonatedSignature, isImpersonatedSignature, recoverSender } from './ethereum/signature.ts';
export type { AccessList, EthereumTransaction, EthereumTransactionFields } from './ethereum/transaction.ts';
export { ripemd160, sha256 } from './hashing/digests.ts';
export {
  blockHashOf,
  blockIdOfHash,
  pendingTransactionHash,
  processedTransactionHash,
  splitTransactionHash,
} from './hashing/interface-hashes.ts';
export { hashedAddress, keccak256 } from './hashing/keccak256.ts';
export { LATTICE_STATE_BYTES, LatticeAccumulator } from './hashing/lattice-accumulator.ts';
export {
  createKeyPair,
  formatPublicKey,
  formatWif,
  type KeyPair,
  PUBLIC_KEY_PREFIX,
  parsePublicKey,
  parseWif,
  verifySignature,
} from './keys/keys.ts';
export { type AssetAmount, coreAmount } from './objects/assets.ts';
export {
  type AccountOptions,
  type Authority,
  accountOptionsCodec,
  authorityCodec,
} from './objects/authorities.ts';
export { accountIdCodec, contractIdCodec } from './objects/identifier-codecs.ts';
export {
  type AccountId,
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
  formatContractId,
  parseAccountId,
  parseContractId,
} from './objects/identifiers.ts';
export { addressCodec, blockIdCodec, hashCodec, publicKeyCodec } from './objects/value-codecs.ts';
export {
  codeDigits,
  feePayer,
  gasLimit,
  isEthereumTransaction,
  isMetered,
  isTestOperation,
  isVirtual,
  movedAmount,
  movedWei,
  operationCodec,
  operationName,
  receiverAddress,
  senderAddress,
} from './operations/operation-queries.ts';
export {
  EthereumTransactionOperation,
  type Operation,
  type SubmittedOperation,
} from './operations/operations.ts';

export type { TestCall, TestWeiCall } from './operations/test-calls.ts';
export { operationHash, transactionDigest, transactionId } from './transactions/transaction-hashes.ts';
export {
  type OperationResult,
  operationResultCodec,
  type ProcessedTransaction,
  processedTransactionCodec,
  type SignedTransaction,
  signedTransactionCodec,
  type Transaction,
} from './transactions/transactions.ts';
export {
  type Address,
  type BlockId,
  type Brand,
  type Hash,
  type MerkleRoot,
  type OperationHash,
  type PublicKey,
  type Seed,
  type Signature,
  toAddress,
  toBlockId,
  toHash,
  toOperationHash,
  toSeed,
  toSignature,
  ZERO_ADDRESS,
  ZERO_HASH,
} from './values.ts';
