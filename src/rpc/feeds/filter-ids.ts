import { randomBytes } from 'node:crypto';
import { NODE_NUMBER_MAX } from '../../limits.ts';

/** Bytes of the part of an id that nobody can guess. */
const SECRET_BYTES = 8;
const SECRET_BITS = BigInt(8 * SECRET_BYTES);
/** Bits of the count of an id that says where its filter lives, and what is added to the node's number before it. */
const COUNT_BITS = 48n;
const NODE_BASE = 0x1000n;

/**
 * Ids of filters: they count, so that no id comes twice, and have a part of chance, so that no client reads another's
 * filter by mistake. In a cluster they begin with the node that they are good at: 32 hexadecimal digits, of which the
 * first four are 0x1000 and the node's number.
 */
export class FilterIds {
  readonly #node: number | undefined;
  #created = 0n;

  /** @param node number of the node in its cluster, from 1; undefined for a node that is alone */
  constructor(node: number | undefined) {
    this.#node = node;
  }

  next(): bigint {
    this.#created += 1n;
    const place = this.#node === undefined ? 0n : (NODE_BASE + BigInt(this.#node)) << COUNT_BITS;
    return ((place | this.#created) << SECRET_BITS) | randomBytes(SECRET_BYTES).readBigUInt64BE();
  }

  /** Why there is no filter with an id here. */
  describeMissing(id: bigint): string {
    const home = nodeOf(id);
    if (home === undefined || home === this.#node) return 'filter not found';
    const here = this.#node === undefined ? 'this node has no number' : `this is node ${this.#node}`;
    return `filter not found: it lives at node ${home} of the cluster, and ${here}`;
  }
}

/** The number of the node that an id says; undefined where it says none. */
function nodeOf(id: bigint): number | undefined {
  const number = (id >> (COUNT_BITS + SECRET_BITS)) - NODE_BASE;
  return number >= 1n && number <= NODE_NUMBER_MAX ? Number(number) : undefined;
}
