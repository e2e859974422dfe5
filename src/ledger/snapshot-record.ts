import {
  decode,
  encode,
  LedgerdError,
  string,
  struct,
  variableBytes,
  varint,
  vector,
} from '../protocol/index.ts';
import type { ChainSnapshot, PendingRecord } from '../store/index.ts';
import { ChainDamagedError } from './errors/index.ts';

/** What a snapshot holds beside the number of its block. */
export interface SnapshotContent {
  /** By the name of each part, as JSON: what is not as at the start of the node. */
  readonly held: ReadonlyMap<string, unknown>;
  /** What waited. */
  readonly pending: readonly PendingRecord[];
}

interface SnapshotRecord {
  /** A JSON object. */
  readonly held: string;
  readonly pending: readonly PendingRecord[];
}

const recordCodec = struct<SnapshotRecord>('snapshot', {
  held: string,
  pending: vector(struct<PendingRecord>('waiting', { sequence: varint, bytes: variableBytes })),
});

export function encodeSnapshot({ held, pending }: SnapshotContent): Uint8Array {
  return encode(recordCodec, { held: JSON.stringify(Object.fromEntries(held)), pending });
}

/** @throws ChainDamagedError for a record that cannot be read */
export function decodeSnapshot({ id, bytes }: ChainSnapshot): SnapshotContent {
  try {
    const { held, pending } = decode(recordCodec, bytes);
    return { held: new Map(Object.entries(JSON.parse(held))), pending };
  } catch (cause) {
    if (!(cause instanceof LedgerdError || cause instanceof SyntaxError)) throw cause;
    throw new ChainDamagedError(`the snapshot ${id} cannot be read`, { cause });
  }
}
