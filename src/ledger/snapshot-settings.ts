import { utf8ToBytes } from '../protocol/index.ts';
import type { StoreReader } from '../store/index.ts';
import type { LedgerSettings } from './blocks/miner.ts';
import { type Mining, readMining } from './blocks/mining.ts';
import type { BlockTiming } from './chain/clock.ts';
import { ChainDamagedError, readStored } from './errors/chain-errors.ts';

/** Name of the ledger's part of a snapshot. */
const SETTINGS = 'ledger';

/** Name of its part with the mining. */
const MINING = 'mining';

/** Returns the parts of a snapshot with the ledger's settings as JSON, which has no large integers. */
export function settingsPart({ timing, mining, gasLimit }: LedgerSettings): Map<string, unknown> {
  return new Map<string, unknown>([
    [SETTINGS, { timing, gasLimit: gasLimit?.toString() }],
    [MINING, mining],
  ]);
}

/**
 * Reads the times and the gas limit of blocks from the parts of a snapshot.
 * @param holder name of the holder in messages
 * @throws ChainDamagedError if they are missing or malformed
 */
export function heldSettings(
  held: ReadonlyMap<string, unknown>,
  holder: string,
): Omit<LedgerSettings, 'mining'> {
  const { timing, gasLimit }: Partial<Record<keyof LedgerSettings, unknown>> = Object(held.get(SETTINGS));
  if (gasLimit !== undefined && !(typeof gasLimit === 'string' && /^\d{1,20}$/.test(gasLimit))) {
    throw new ChainDamagedError(`${holder} holds no settings of the ledger`);
  }
  return {
    timing: readTiming(timing, holder),
    gasLimit: gasLimit === undefined ? undefined : BigInt(gasLimit),
  };
}

/** Reads the mining from the parts of a snapshot; undefined if it is missing or malformed. */
export function heldMining(held: ReadonlyMap<string, unknown>): Mining | undefined {
  return readMining(held.get(MINING));
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

/** Name of the record of restored parts in messages. */
const RESTORED = 'what came back with the chain';

/** Encodes the restored parts by name as JSON, for the same commit. */
export function encodeRestored(held: ReadonlyMap<string, unknown>): Uint8Array {
  return utf8ToBytes(JSON.stringify(Object.fromEntries(held)));
}

/**
 * Returns the parts that were restored after a file outside the store was written, so that the file belongs to a
 * previous chain.
 * @param reorgCount the store's when the file was written
 * @returns undefined if nothing was restored since
 * @throws ChainDamagedError if it cannot be read
 */
export function restoredSince(
  store: Pick<StoreReader, 'restored'>,
  reorgCount: number,
): ReadonlyMap<string, unknown> | undefined {
  const restored = store.restored();
  if (restored === undefined || reorgCount >= restored.reorgCount) return undefined;
  const read = () => new Map(Object.entries(JSON.parse(new TextDecoder().decode(restored.bytes))));
  return readStored(RESTORED, read);
}

/** Returns the times and the gas limit of {@link restoredSince}. */
export function settingsRestoredSince(
  store: Pick<StoreReader, 'restored'>,
  reorgCount: number,
): Omit<LedgerSettings, 'mining'> | undefined {
  const held = restoredSince(store, reorgCount);
  return held && heldSettings(held, RESTORED);
}
