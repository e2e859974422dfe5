import type { Address } from '../../protocol/index.ts';
import { addressSchema } from './bytes.ts';
import { refusal, type Schema } from './schema.ts';
import { entriesOf, membersOf } from './structures.ts';

/** An object whose keys are addresses, as its entries; no address may come twice in two spellings. */
export function entriesByAddress<T>(
  value: Schema<T>,
): Schema<readonly (readonly [address: Address, value: T])[]> {
  const entries = entriesOf(addressSchema, value);
  return {
    ...entries,
    read: (given, place) => {
      const seen = new Set<string>();
      for (const key of Object.keys(membersOf(given, place))) {
        const spelling = key.toLowerCase();
        if (seen.has(spelling)) throw refusal({ within: place, key }, 'the address comes twice');
        seen.add(spelling);
      }
      return entries.read(given, place);
    },
  };
}
