/**
 * The tables of public keys, kept from one verification to the next: most signatures are by keys that have signed
 * before. A key has one place, and takes it from the key that was there.
 */
import { makePointTable, POINT_TABLE_BYTES } from './double-multiple';
import { decodePoint, isOfSmallOrder } from './points';

const PLACES: usize = 512;
const KEY_BYTES: usize = 32;
/** Offsets in a place: the key, a byte that is 1 once the table is made, and the table. */
const IS_MADE: usize = KEY_BYTES;
const TABLE: usize = KEY_BYTES + 16;
const PLACE_BYTES: usize = TABLE + POINT_TABLE_BYTES;
const KEYS: usize = memory.data(2646016, 16);

const KEY_POINT: usize = memory.data(160, 16);

/** Returns the table of a key (double-multiple.ts); 0 for an invalid encoding, and for a key of small order. */
export function tableOfKey(publicKey: usize): usize {
  const place = KEYS + (<usize>load<u16>(publicKey) % PLACES) * PLACE_BYTES;
  if (load<u8>(place + IS_MADE) != 0 && memory.compare(place, publicKey, KEY_BYTES) == 0) return place + TABLE;
  if (!decodePoint(KEY_POINT, publicKey) || isOfSmallOrder(KEY_POINT)) return 0;
  makePointTable(place + TABLE, KEY_POINT);
  memory.copy(place, publicKey, KEY_BYTES);
  store<u8>(place + IS_MADE, 1);
  return place + TABLE;
}
