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
import type { LedgerSettings } from './blocks/production.ts';
import type { BlockTiming } from './chain/clock.ts';
import { ChainDamagedError } from './errors/errors.ts';

/** The content of a snapshot, in addition to its block number. */
export interface SnapshotContent {
  /** Parts that differ from the start of the node, by name, as JSON. */
  readonly held: ReadonlyMap<string, unknown>;
  /** Pending transactions. */
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

/** Encodes the stored record of a snapshot. */
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

/** Converts the settings of a ledger to JSON, which has no large integers. */
export function writeSettings({ gasLimit, ...settings }: LedgerSettings): unknown {
  return { ...settings, gasLimit: gasLimit?.toString() };
}

/**
 * @param holder name of the holder in messages
 * @throws ChainDamagedError for another form
 */
export function readSettings(held: unknown, holder: string): LedgerSettings {
  const { timing, production, mining, gasLimit }: Partial<Record<keyof LedgerSettings, unknown>> =
    Object(held);
  const isProduction = production === 'instant' || production === 'onDemand' || production === 'none';
  const isGasLimit = gasLimit === undefined || (typeof gasLimit === 'string' && /^\d{1,20}$/.test(gasLimit));
  if (!isProduction || typeof mining !== 'boolean' || !isGasLimit) {
    throw new ChainDamagedError(`${holder} holds no settings of the ledger`);
  }
  const gas = gasLimit === undefined ? undefined : BigInt(gasLimit);
  return { timing: readTiming(timing, holder), production, mining, gasLimit: gas };
}

function readTiming(held: unknown, holder: string): BlockTiming {
  const { ahead, nextTimestamp, timestampInterval }: Partial<Record<keyof BlockTiming, unknown>> =
    Object(held);
  const isTime = (value: unknown): value is number | undefined =>
    value === undefined || Number.isSafeInteger(value);
  if (typeof ahead === 'number' && isTime(ahead) && isTime(nextTimestamp) && isTime(timestampInterval)) {
    return { ahead, nextTimestamp, timestampInterval };
  }
  throw new ChainDamagedError(`${holder} holds no time`);
}
