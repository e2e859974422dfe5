import { utf8ToBytes } from '../protocol/index.ts';
import type { StoreReader } from '../store/index.ts';
import type { LedgerSettings } from './blocks/production.ts';
import { ChainDamagedError } from './errors/errors.ts';
import { readSettings, writeSettings } from './snapshot-record.ts';

/** Name of the ledger's part of a snapshot. */
const SETTINGS = 'ledger';

/** Returns the ledger's held settings by part name. */
export function settingsPart(settings: LedgerSettings): Map<string, unknown> {
  return new Map([[SETTINGS, writeSettings(settings)]]);
}

/**
 * @param holder what holds them, as messages name it
 * @throws ChainDamagedError where there are none
 */
export function heldSettings(held: ReadonlyMap<string, unknown>, holder: string): LedgerSettings {
  return readSettings(held.get(SETTINGS), holder);
}

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
  try {
    return new Map(Object.entries(JSON.parse(new TextDecoder().decode(restored.bytes))));
  } catch (cause) {
    throw new ChainDamagedError('what came back with the chain cannot be read', { cause });
  }
}

/** Returns the ledger's settings of {@link restoredSince}. */
export function settingsRestoredSince(
  store: Pick<StoreReader, 'restored'>,
  reorgCount: number,
): LedgerSettings | undefined {
  const held = restoredSince(store, reorgCount);
  return held && heldSettings(held, 'what came back with the chain');
}
