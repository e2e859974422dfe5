import { utf8ToBytes } from '../protocol/index.ts';
import type { StoreReader } from '../store/index.ts';
import type { LedgerSettings } from './blocks/production.ts';
import { ChainDamagedError } from './errors/errors.ts';
import { readSettings, writeSettings } from './snapshot-record.ts';

/** Name of the ledger's own part in what snapshots hold. */
const SETTINGS = 'ledger';

/** What is held of the ledger itself, by the name of its part. */
export function heldOf(settings: LedgerSettings): Map<string, unknown> {
  return new Map([[SETTINGS, writeSettings(settings)]]);
}

/**
 * @param holder what holds them, as messages name it
 * @throws ChainDamagedError where there are none
 */
export function heldSettings(held: ReadonlyMap<string, unknown>, holder: string): LedgerSettings {
  return readSettings(held.get(SETTINGS), holder);
}

/** What comes back with a chain, by the name of each part, as JSON: the store keeps it with the same commit. */
export function encodeRestored(held: ReadonlyMap<string, unknown>): Uint8Array {
  return utf8ToBytes(JSON.stringify(Object.fromEntries(held)));
}

/**
 * What came back with the chain after something was kept beside the store, so that it is of another past.
 *
 * @param reorgCount the store's when it was kept
 * @returns undefined where nothing came back since
 * @throws ChainDamagedError where it cannot be read
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

/** The ledger's settings of {@link restoredSince}. */
export function settingsRestoredSince(
  store: Pick<StoreReader, 'restored'>,
  reorgCount: number,
): LedgerSettings | undefined {
  const held = restoredSince(store, reorgCount);
  return held && heldSettings(held, 'what came back with the chain');
}
