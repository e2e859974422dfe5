/**
 * The native data of the ledger: values, identifiers, operations, transactions, blocks, their codecs, keys and hashes.
 */

export { FrameReader, frameBlocks } from './blocks/block-frames.ts';
export { blockId, blockNumberOf, headerDigest, merkleRoot, merkleRootOf } from './blocks/block-hashes.ts';
export {
  BLOCK_HEADER_BYTES_MAX,
  type Block,
  type BlockHeader,
  blockCodec,
  blockHeaderCodec,
  headerSignatureCodec,
  proofOfWorkHash,
  type SignedBlockHeader,
  signedBlockHeaderCodec,
  solves,
} from './blocks/blocks.ts';
export { ByteReader } from './bytes/byte-reader.ts';
export { ByteWriter } from './bytes/byte-writer.ts';
export {
  type Address,
  type BlockId,
  type Brand,
  bytesToHex,
  bytesToNumber,
  compareBytes,
  concatBytes,
  decimalText,
  equalBytes,
  type Hash,
  type Hexadecimal,
  hexToBytes,
  type MerkleRoot,
  numberToBytes,
  type OperationHash,
  type PublicKey,
  paddedData,
  quantity,
  readHex,
  readUint32,
  type Seed,
  type Signature,
  toAddress,
  toBlockId,
  toHash,
  toOperationHash,
  toPrefixedHex,
  toPublicKey,
  toSeed,
  toSignature,
  utf8ToBytes,
  WORD_MAX,
  writeUint32,
  ZERO_ADDRESS,
  ZERO_HASH,
  zeroData,
} from './bytes/bytes.ts';
export { type Codec, decode, encode, encodeAfter, fromJson, toJson } from './codec/codec.ts';
export {
  amount,
  bool,
  formatTime,
  int64,
  parseTime,
  string,
  time,
  uint32,
  uint64,
  variableBytes,
  varint,
} from './codec/scalars.ts';
export {
  type Alternatives,
  atEnd,
  discriminator,
  map,
  mapped,
  optional,
  pair,
  set,
  snakeCase,
  struct,
  variant,
  vector,
  vectorEncoder,
} from './codec/structures.ts';
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
export { NO_ADDONS_VARIABLE, nativeLibraryMissing } from './curves/native-library.ts';
export { GROUP_ORDER, recoverAddress } from './curves/recovery.ts';
export { SignatureCurve } from './curves/signature-curve.ts';
export { publicKeyOf, signDigest } from './curves/signing.ts';
export { checksumAddress, createAddress } from './ethereum/addresses.ts';
export type { Authorization, AuthorizationFields, AuthorizationList } from './ethereum/authorization.ts';
export { delegationOf, recoverAuthority, signAuthorization } from './ethereum/authorization.ts';
export {
  BLOB_BYTES,
  BLOB_CELLS,
  type BlobSidecar,
  type BlobWrapper,
  checkSidecar,
  parseBlobWrapper,
  parseSidecar,
  serializeBlobWrapper,
  serializeSidecar,
  versionedHashOf,
} from './ethereum/blob-sidecar.ts';
export {
  BLOB_TYPE,
  ethereumTransactionKind,
  parseEthereumTransaction,
} from './ethereum/parse-transaction.ts';
export { encodeRlp, listOfRlp, RlpReader } from './ethereum/rlp.ts';
export { serializeEthereumTransaction, signEthereumTransaction } from './ethereum/sign-transaction.ts';
export type { AccessList, EthereumTransaction, EthereumTransactionFields } from './ethereum/transaction.ts';
export {
  blobGasOf,
  INVALID_SIGNATURE,
  impersonatedSignature,
  isImpersonatedSignature,
  NO_AUTHORIZATION,
  recoverSender,
  SET_CODE_CREATES,
} from './ethereum/transaction.ts';
export {
  blockHashOf,
  blockIdOfHash,
  hashedAddress,
  keccak256,
  keccak256Part,
  pendingTransactionHash,
  processedTransactionHash,
  ripemd160,
  sha256,
  sha256Hex,
  splitTransactionHash,
} from './hashing/hashes.ts';
export { accumulateChanges, LATTICE_STATE_BYTES, LatticeAccumulator } from './hashing/lattice-accumulator.ts';
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
export {
  type AccountId,
  accountAddress,
  accountId,
  accountIdCodec,
  accountObject,
  addressOwner,
  assetId,
  CORE_ASSET,
  type ContractId,
  contractAddress,
  contractId,
  contractIdCodec,
  contractObject,
  formatAccountId,
  formatContractId,
  parseAccountId,
  parseContractId,
} from './objects/identifiers.ts';
export {
  type AccountOptions,
  type AssetAmount,
  type Authority,
  accountOptionsCodec,
  addressCodec,
  authorityCodec,
  blockIdCodec,
  coreAmount,
  hashCodec,
  publicKeyCodec,
} from './objects/value-codecs.ts';
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
  OPERATIONS,
  type Operation,
  type PaidOperation,
  type SubmittedOperation,
} from './operations/operations.ts';
export type { TestCall, TestWeiCall } from './operations/test-calls.ts';
export {
  DecodeError,
  FormatError,
  InvariantError,
  innermostMessage,
  invariant,
  LedgerdError,
  messageOf,
  ProofError,
  UnsupportedTransactionTypeError,
} from './protocol-errors.ts';
export {
  decodeSigned,
  hexIdOf,
  type OperationResult,
  operationHash,
  operationHashes,
  operationResultCodec,
  ParsedTransaction,
  type ProcessedTransaction,
  processedBytes,
  processedTransactionCodec,
  type SignedTransaction,
  signedBytes,
  signedTransactionCodec,
  type Transaction,
  transactionDigest,
  transactionId,
} from './transactions/transactions.ts';
export { EMPTY_TRIE_ROOT, Trie, type TrieRecords } from './trie/trie.ts';
export { verifyProof } from './trie/verify-proof.ts';
