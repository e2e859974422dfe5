import { hash } from 'node:crypto';
import { loadHashesModule } from '../built-files.ts';
import {
  type Address,
  type BlockId,
  copyBytes,
  type Hash,
  hexToBytes,
  type OperationHash,
  toAddress,
  toBlockId,
  toHash,
  toOperationHash,
  writeUint32,
} from '../bytes/bytes.ts';
import { invariant } from '../protocol-errors.ts';

/**
 * The Wasm module of the hashes, and its memory. Its functions take offsets into the memory. The memory from
 * `SCRATCH_OFFSET` on is for callers, within one synchronous call.
 *
 * The module is a few kilobytes and is compiled at import, so that hashing needs no initialisation.
 */

/** Bytes of one input of Keccak-256 or BLAKE3 (1 GiB): the hash functions use WebAssembly memory of at most 4 GiB. */
export const HASH_INPUT_BYTES_MAX = 1024 * 1024 * 1024;

/** The functions of `assembly/index.ts`; all arguments are offsets and lengths in bytes. */
interface HashingModule {
  readonly memory: WebAssembly.Memory;
  freeMemoryOffset(): number;
  keccak256(input: number, length: number, output: number): void;
  blake3(input: number, length: number, output: number, outputLength: number): void;
  latticeAdd(state: number, entry: number, length: number): void;
  latticeRemove(state: number, entry: number, length: number): void;
}

/** Bytes of a digest of Keccak-256, and of BLAKE3 by default. */
export const HASH_BYTES = 32;

const WASM_PAGE_BYTES = 65_536;
/** Growing detaches every view, so it is done in large steps. */
const GROWTH_PAGES = 16;

export const hashingModule = new WebAssembly.Instance(loadHashesModule()).exports as unknown as HashingModule;

/** Start of the callers' memory. */
export const SCRATCH_OFFSET = hashingModule.freeMemoryOffset();

let memory = new Uint8Array(hashingModule.memory.buffer);

/**
 * Returns the module's memory, with at least `length` bytes from `SCRATCH_OFFSET` on. The next call may detach it.
 *
 * @throws {InvariantError} if `length` exceeds `HASH_INPUT_BYTES_MAX`
 */
export function scratchMemory(length: number): Uint8Array {
  const missing = SCRATCH_OFFSET + length - memory.length;
  if (missing > 0) {
    invariant(
      length <= HASH_INPUT_BYTES_MAX,
      `hashing ${length} bytes exceeds HASH_INPUT_BYTES_MAX (${HASH_INPUT_BYTES_MAX})`,
    );
    hashingModule.memory.grow(Math.max(Math.ceil(missing / WASM_PAGE_BYTES), GROWTH_PAGES));
    memory = new Uint8Array(hashingModule.memory.buffer);
  }
  return memory;
}

/**
 * Writes Keccak-256 of a range of bytes into `target` at `offset`: without objects, for many short inputs.
 *
 * @throws {InvariantError} if the range is longer than `HASH_INPUT_BYTES_MAX`
 */
export function writeKeccak256(
  bytes: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  offset: number,
): void {
  const memory = scratchMemory(HASH_BYTES + end - start);
  const input = SCRATCH_OFFSET + HASH_BYTES;
  copyBytes(bytes, start, end, memory, input);
  hashingModule.keccak256(input, end - start, SCRATCH_OFFSET);
  copyBytes(memory, SCRATCH_OFFSET, input, target, offset);
}

/** Offset of an address in its hash. */
const ADDRESS_OFFSET = 12;

/**
 * Computes Keccak-256: Ethereum's hash, with a different padding than the standardized SHA3-256.
 *
 * @throws {InvariantError} if the input is longer than `HASH_INPUT_BYTES_MAX`
 */
export function keccak256(bytes: Uint8Array): Hash {
  return toHash(keccak256Part(bytes, 0, HASH_BYTES));
}

/** Computes a range of the bytes of Keccak-256. Error as above. */
export function keccak256Part(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const memory = scratchMemory(HASH_BYTES + bytes.length);
  const input = SCRATCH_OFFSET + HASH_BYTES;
  memory.set(bytes, input);
  hashingModule.keccak256(input, bytes.length, SCRATCH_OFFSET);
  return memory.slice(SCRATCH_OFFSET + start, SCRATCH_OFFSET + end);
}

/** Computes the address that bytes, such as a public key, hash to: the last 20 bytes of Keccak-256. */
export function hashedAddress(bytes: Uint8Array): Address {
  return toAddress(keccak256Part(bytes, ADDRESS_OFFSET, HASH_BYTES));
}

/** Computes a digest in separate memory: a Buffer of the platform may share its memory. */
export function digest(algorithm: 'sha224' | 'sha256' | 'ripemd160', bytes: Uint8Array): Uint8Array {
  // The platform validates every other encoding in each call.
  return hexToBytes(hash(algorithm, bytes, 'hex'));
}

/** Computes SHA-256, 32 bytes. */
export function sha256(bytes: Uint8Array): Hash {
  return toHash(digest('sha256', bytes));
}

/** Computes SHA-256 in lower-case hexadecimal digits. */
export function sha256Hex(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** Computes RIPEMD-160, 20 bytes. */
export function ripemd160(bytes: Uint8Array): Uint8Array {
  return digest('ripemd160', bytes);
}

/** Bytes of an interface's 32-byte hash before the 20 bytes of the native one. */
const LEAD_BYTES = 12;
const BLOCK_OFFSET = 4;
const INDEX_OFFSET = 8;

/** The parts of a transaction hash of the interface (docs/interface.md#transaction-hash). */
export type TransactionHashParts =
  | { readonly kind: 'pending'; readonly operationHash: OperationHash }
  | {
      readonly kind: 'processed';
      readonly block: number;
      readonly index: number;
      readonly operationHash: OperationHash;
    };

function withLead(native: Uint8Array): Hash {
  const hash = new Uint8Array(32);
  hash.set(native, LEAD_BYTES);
  return toHash(hash);
}

function leadingZeroBytes(hash: Hash, count: number): boolean {
  for (let index = 0; index < count; index++) if (hash[index] !== 0) return false;
  return true;
}

/** Returns the interface's block hash: 12 zero bytes, then the id (docs/interface.md#block-hash). */
export function blockHashOf(id: BlockId): Hash {
  return withLead(id);
}

/** Returns the id in a block hash of the interface; undefined unless it has 12 leading zero bytes. */
export function blockIdOfHash(hash: Hash): BlockId | undefined {
  return leadingZeroBytes(hash, LEAD_BYTES) ? toBlockId(hash.slice(LEAD_BYTES)) : undefined;
}

/**
 * Returns the transaction hash of a pending operation: 12 zero bytes, then its hash
 * (docs/interface.md#transaction-hash).
 */
export function pendingTransactionHash(operationHash: OperationHash): Hash {
  return withLead(operationHash);
}

/**
 * Returns the transaction hash of an included operation: four zero bytes, the block's number and the operation's index
 * in four bytes each, big endian, then its hash (docs/interface.md#transaction-hash).
 */
export function processedTransactionHash(block: number, index: number, operationHash: OperationHash): Hash {
  const hash = withLead(operationHash);
  writeUint32(hash, BLOCK_OFFSET, block);
  writeUint32(hash, INDEX_OFFSET, index);
  return hash;
}

/** Splits a transaction hash of the interface; undefined unless its first four bytes are zero. */
export function splitTransactionHash(hash: Hash): TransactionHashParts | undefined {
  if (!leadingZeroBytes(hash, BLOCK_OFFSET)) return undefined;
  const operationHash = toOperationHash(hash.slice(LEAD_BYTES));
  if (leadingZeroBytes(hash, LEAD_BYTES)) return { kind: 'pending', operationHash };
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
  return {
    kind: 'processed',
    block: view.getUint32(BLOCK_OFFSET),
    index: view.getUint32(INDEX_OFFSET),
    operationHash,
  };
}
