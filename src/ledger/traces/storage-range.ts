import type { EvmChange } from '../../evm/index.ts';
import { type Address, bytesToHex, equalBytes, type Hash, hexToBytes, toHash } from '../../protocol/index.ts';
import { type ChainReader, stateKey } from '../../store/index.ts';
import { paddedWord } from '../state/engine-host.ts';

/** A range of slots: the first one, and the greatest number. */
export interface SlotRange {
  readonly start: Hash;
  readonly most: number;
}

/** Slots in order, and the first omitted one; undefined for none. */
export interface StoredSlots {
  readonly slots: readonly { readonly slot: Hash; readonly value: Uint8Array }[];
  readonly next: Hash | undefined;
}

const SLOT_DIGITS = 64;
/** Entries of the store between two checks of the time limit. */
const ENTRIES_BETWEEN_LOOKS = 1_024;

/**
 * Lists slots of a contract that are not zero: those of the store, overridden by changes.
 * @param checkTime throws after the time limit
 */
export function slotsOf(
  store: ChainReader,
  changes: readonly EvmChange[],
  address: Address,
  { start, most }: SlotRange,
  checkTime: () => void,
): StoredSlots {
  const first = bytesToHex(start);
  const { written, isCleared } = changesOf(changes, address);
  const found = new Map<string, Uint8Array>();
  let passed = 0;
  if (!isCleared) {
    for (const { key, value } of store.stateEntries(stateKey.storagePrefix(address))) {
      const slot = bytesToHex(key).slice(-SLOT_DIGITS);
      passed += 1;
      if (passed % ENTRIES_BETWEEN_LOOKS === 0) checkTime();
      // An empty entry is a slot that a forked chain has set to zero.
      if (value.length === 0) continue;
      // Entries are ordered by slot; each changed slot may displace one of them.
      if (slot >= first && !written.has(slot)) found.set(slot, paddedWord(value));
      if (found.size > most) break;
    }
  }
  for (const [slot, value] of written) {
    if (slot >= first && value.some((byte) => byte !== 0)) found.set(slot, value);
  }
  const slots = [...found.keys()].sort();
  const [next] = slots.slice(most);
  return {
    slots: slots.slice(0, most).map((slot) => ({
      slot: toHash(hexToBytes(slot)),
      value: found.get(slot) ?? new Uint8Array(0),
    })),
    next: next === undefined ? undefined : toHash(hexToBytes(next)),
  };
}

function changesOf(changes: readonly EvmChange[], address: Address) {
  const written = new Map<string, Uint8Array>();
  let isCleared = false;
  for (const change of changes) {
    if (change.kind === 'code' || !equalBytes(change.address, address)) continue;
    if (change.kind === 'storageCleared') isCleared = true;
    if (change.kind === 'storage') written.set(bytesToHex(change.slot), change.after);
  }
  return { written, isCleared };
}
