/**
 * BLAKE3 in its default mode: hash and extendable output of bytes in memory.
 *
 * The input is cut into chunks of 1,024 bytes, whose chaining values are the leaves of a binary tree; a left subtree
 * always holds a power of two chunks. Only the root yields output. Source: the BLAKE3 paper, section 2.
 */
import {
  BLOCK_BYTES,
  CHAINING_BYTES,
  compress,
  compressFour,
  FOUR_BLOCKS_BYTES,
  INITIAL_VALUE,
  scheduleBlock,
} from './blake3-compression';

const CHUNK_BYTES: usize = 1024;
const CHUNK_START: u32 = 1;
const CHUNK_END: u32 = 2;
const PARENT: u32 = 4;
const ROOT: u32 = 8;

/** The current node: its chaining value and its last block, padded with zeros. */
const NODE_CHAINING: usize = memory.data(32, 16);
const NODE_BLOCK: usize = memory.data(64, 16);
let nodeBlockLength: u32 = 0;
let nodeFlags: u32 = 0;

/** Chaining values of complete subtrees, the largest first: 32 are enough for the chunks of a 32-bit memory. */
const SUBTREES: usize = memory.data(1024, 16);
let subtreesEnd: usize = SUBTREES;

/** The last output blocks, of which only a part is copied. */
const LAST_BLOCKS: usize = memory.data(256, 16);

/**
 * Hashes `length` bytes at `input` and writes the first `outputLength` bytes of the extendable output at `output`. The
 * first 32 bytes are the plain hash.
 */
export function blake3(input: usize, length: usize, output: usize, outputLength: usize): void {
  makeRoot(input, length);
  scheduleBlock(NODE_BLOCK);
  let counter: u32 = 0;
  while (outputLength >= FOUR_BLOCKS_BYTES) {
    compressFour(NODE_CHAINING, counter, nodeBlockLength, nodeFlags | ROOT, output);
    output += FOUR_BLOCKS_BYTES;
    outputLength -= FOUR_BLOCKS_BYTES;
    counter += 4;
  }
  if (outputLength > 0) {
    compressFour(NODE_CHAINING, counter, nodeBlockLength, nodeFlags | ROOT, LAST_BLOCKS);
    memory.copy(output, LAST_BLOCKS, outputLength);
  }
}

/** Computes the root of the tree over the input as the current node. */
function makeRoot(input: usize, length: usize): void {
  subtreesEnd = SUBTREES;
  let chunk: u64 = 0;
  while (length > CHUNK_BYTES) {
    makeChunk(input, CHUNK_BYTES, chunk);
    finishNode(chunk);
    chunk++;
    addSubtree(chunk);
    input += CHUNK_BYTES;
    length -= CHUNK_BYTES;
  }
  makeChunk(input, length, chunk);
  while (subtreesEnd != SUBTREES) {
    finishNode(chunk);
    makeParent();
    chunk = 0;
  }
}

/**
 * Adds the node's chaining value to the complete subtrees. For each trailing zero bit of the number of chunks, two
 * adjacent subtrees have the same size, and a parent joins them. Not called for the last chunk, whose parents may be
 * the root.
 */
function addSubtree(chunks: u64): void {
  for (; (chunks & 1) == 0; chunks >>= 1) {
    makeParent();
    finishNode(0);
  }
  memory.copy(subtreesEnd, NODE_CHAINING, CHAINING_BYTES);
  subtreesEnd += CHAINING_BYTES;
}

/** Replaces the node by the parent of the last subtree and the node, whose chaining value must be finished. */
function makeParent(): void {
  subtreesEnd -= CHAINING_BYTES;
  memory.copy(NODE_BLOCK, subtreesEnd, CHAINING_BYTES);
  memory.copy(NODE_BLOCK + CHAINING_BYTES, NODE_CHAINING, CHAINING_BYTES);
  memory.copy(NODE_CHAINING, INITIAL_VALUE, CHAINING_BYTES);
  nodeBlockLength = <u32>BLOCK_BYTES;
  nodeFlags = PARENT;
}

/** Replaces the node by a chunk of `length` bytes (at most 1,024), and compresses all blocks except the last. */
function makeChunk(input: usize, length: usize, chunk: u64): void {
  memory.copy(NODE_CHAINING, INITIAL_VALUE, CHAINING_BYTES);
  let flags = CHUNK_START;
  while (length > BLOCK_BYTES) {
    scheduleBlock(input);
    compress(NODE_CHAINING, chunk, <u32>BLOCK_BYTES, flags);
    flags = 0;
    input += BLOCK_BYTES;
    length -= BLOCK_BYTES;
  }
  memory.fill(NODE_BLOCK, 0, BLOCK_BYTES);
  memory.copy(NODE_BLOCK, input, length);
  nodeBlockLength = <u32>length;
  nodeFlags = flags | CHUNK_END;
}

/** Compresses the node's last block, so that its chaining value is that of the whole node. */
function finishNode(counter: u64): void {
  scheduleBlock(NODE_BLOCK);
  compress(NODE_CHAINING, counter, nodeBlockLength, nodeFlags);
}
