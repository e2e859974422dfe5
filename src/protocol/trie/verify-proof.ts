import { equalBytes, type Hash } from '../bytes/bytes.ts';
import { LIST, rlpItemAt } from '../ethereum/rlp.ts';
import { keccak256 } from '../hashing/hashes.ts';
import { DecodeError, ProofError } from '../protocol-errors.ts';
import { decodeShortNode, HASHED_NODE_BYTES, nibblesOf, WIDTH } from './node-codec.ts';
import { EMPTY_TRIE_ROOT } from './trie.ts';

/** Items of a leaf or an extension. */
const SHORT_NODE_ITEMS = 2;

/** A step of a walk: the value of the key, or the item of the next node. */
type Step =
  | { readonly kind: 'value'; readonly value: Uint8Array | undefined }
  | { readonly kind: 'child'; readonly item: Uint8Array; readonly depth: number };

/**
 * Verifies a Merkle proof (EIP-1186) and returns the value of a key; undefined if the proof shows that the trie does
 * not have the key. Nodes beyond the end of the proof are ignored, since they prove nothing.
 *
 * @param nodes in RLP, from the root on
 * @throws {ProofError} if the nodes do not prove either
 */
export function verifyProof(
  root: Hash,
  key: Uint8Array,
  nodes: readonly Uint8Array[],
): Uint8Array | undefined {
  if (equalBytes(root, EMPTY_TRIE_ROOT)) return undefined;
  const nibbles = nibblesOf(key);
  let used = 0;
  const hashed = (hash: Uint8Array): Uint8Array => {
    const node = nodes[used];
    if (node === undefined) throw new ProofError(`it ends after ${used} nodes`);
    if (!equalBytes(keccak256(node), hash)) throw new ProofError(`its node ${used} has another hash`);
    used += 1;
    return node;
  };
  try {
    let node = hashed(root);
    let depth = 0;
    for (;;) {
      const step = stepOf(node, nibbles, depth);
      if (step.kind === 'value') return step.value;
      // A child in the node itself is shorter than the node, so that the walk ends.
      node = (step.item[0] ?? 0) >= LIST ? step.item : hashed(hashIn(step.item));
      depth = step.depth;
    }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new ProofError(`its node ${used - 1} is damaged: ${error.message}`, { cause: error });
  }
}

function stepOf(node: Uint8Array, nibbles: Uint8Array, depth: number): Step {
  const items = itemsOf(node);
  if (items.length === SHORT_NODE_ITEMS) return shortStep(node, nibbles, depth);
  if (items.length !== WIDTH + 1) throw new ProofError(`a node has ${items.length} items`);
  const nibble = nibbles[depth];
  // No key ends at a branch: all keys have the same length.
  const item = nibble === undefined ? undefined : items[nibble];
  if (item === undefined) throw new ProofError('it goes on beyond the key');
  return item.length === 1 ? { kind: 'value', value: undefined } : { kind: 'child', item, depth: depth + 1 };
}

function shortStep(node: Uint8Array, nibbles: Uint8Array, depth: number): Step {
  const { path, isLeaf, value } = decodeShortNode(node);
  const end = depth + path.length;
  const isShared = end <= nibbles.length && path.every((nibble, index) => nibble === nibbles[depth + index]);
  if (!isShared) return { kind: 'value', value: undefined };
  if (!isLeaf) return { kind: 'child', item: value, depth: end };
  if (end < nibbles.length) throw new ProofError('its leaf has a shorter key');
  return { kind: 'value', value };
}

/** Splits a node into its items, each with its head. */
function itemsOf(node: Uint8Array): Uint8Array[] {
  const whole = rlpItemAt(node, 0);
  if (!whole.isList || whole.end !== node.length) throw new ProofError('a node is not a list');
  const items: Uint8Array[] = [];
  for (let start = whole.start; start < node.length; ) {
    const { end } = rlpItemAt(node, start);
    if (end > node.length) throw new ProofError('a node ends within an item');
    items.push(node.subarray(start, end));
    if (items.length > WIDTH + 1) throw new ProofError('a node has too many items');
    start = end;
  }
  return items;
}

function hashIn(item: Uint8Array): Uint8Array {
  const { start, end } = rlpItemAt(item, 0);
  if (end - start !== HASHED_NODE_BYTES) throw new ProofError('a node refers to no hash');
  return item.subarray(start, end);
}
