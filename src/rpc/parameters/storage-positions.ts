import { STORAGE_VALUES_MAX } from '../../limits.ts';
import { entriesByAddress } from './by-address.ts';
import { slotSchema } from './quantity.ts';
import { explained, mapped, refusal } from './schema.ts';
import { arrayOf } from './structures.ts';

/** Which slots of which contracts are asked for. */
export const storagePositionsSchema = explained(
  mapped(entriesByAddress(arrayOf(slotSchema)), (entries, place) => {
    const slots = entries.reduce((count, [, wanted]) => count + wanted.length, 0);
    const most = Math.max(entries.length, slots);
    if (most <= STORAGE_VALUES_MAX) return entries;
    throw refusal(place, `expected at most ${STORAGE_VALUES_MAX} slots, got ${most}`);
  }),
  { title: 'positions by address' },
);
