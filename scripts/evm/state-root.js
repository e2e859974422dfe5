/** The root of the Merkle-Patricia tree of a state (yellow paper, section 4.1 and appendix D). */

import { keccak256 } from '../../dist/protocol/index.js';
import { encodeRlp, toBytes, toHex } from './encoding.js';

const EMPTY = new Uint8Array(0);
const HASH_BYTES = 32;
const BRANCHES = 16;

/** Returns the state root of the accounts of a `World`. */
export function stateRoot(accounts) {
  const rows = [...accounts].map(([address, { nonce, balance, codeHash, storage }]) => {
    const slots = [...storage].map(([slot, value]) => [slot, encodeRlp(BigInt(`0x${value}`))]);
    return [address, encodeRlp([nonce, balance, treeRoot(slots), codeHash ?? keccak256(EMPTY)])];
  });
  return treeRoot(rows);
}

/** Returns the root of a tree of values by the hash of their key in hex. */
function treeRoot(rows) {
  const items = rows.map(([key, value]) => ({ path: toHex(keccak256(toBytes(`0x${key}`))), value }));
  items.sort((a, b) => (a.path < b.path ? -1 : 1));
  return keccak256(encodeRlp(items.length === 0 ? EMPTY : node(items, 0)));
}

/** Returns the node of items with equal paths up to `depth`. */
function node(items, depth) {
  const first = items[0];
  const last = items[items.length - 1];
  if (items.length === 1) return [compact(first.path.slice(depth), true), first.value];
  let end = depth;
  while (first.path[end] === last.path[end]) end++;
  if (end > depth) return [compact(first.path.slice(depth, end), false), reference(node(items, end))];
  const branches = Array.from({ length: BRANCHES }, (_, digit) => {
    const below = items.filter(({ path }) => Number.parseInt(path[depth], 16) === digit);
    return below.length === 0 ? EMPTY : reference(node(below, depth + 1));
  });
  return [...branches, EMPTY];
}

/** Returns the reference to a node: the node itself if it is short, otherwise its hash. */
function reference(child) {
  const bytes = encodeRlp(child);
  return bytes.length < HASH_BYTES ? child : keccak256(bytes);
}

/** Encodes digits in hex-prefix encoding (appendix C). */
function compact(digits, isLeaf) {
  const isOdd = digits.length % 2 === 1;
  const flags = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0);
  return toBytes(`0x${flags}${isOdd ? '' : '0'}${digits}`);
}
