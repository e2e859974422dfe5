/** Estimated bytes of values in V8. A small integer needs none beyond its slot. */
const ARRAY_BYTES = 64;
const OBJECT_BYTES = 64;
const MEMBER_BYTES = 64;
const STRING_BYTES = 32;
const NUMBER_BYTES = 16;
const ITEM_BYTES = 8;
/** Bytes of a character: V8 stores a string with any character beyond Latin-1 in two bytes each. */
const CHARACTER_BYTES = 2;

/** Estimates the bytes of memory of a parsed JSON value: up to twenty times those of its text. */
export function valueBytes(value: unknown): number {
  if (typeof value === 'string') return STRING_BYTES + value.length * CHARACTER_BYTES;
  if (typeof value === 'number') return NUMBER_BYTES;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;
  if (Array.isArray(value)) {
    for (const item of value) bytes += valueBytes(item);
    return bytes + ARRAY_BYTES + value.length * ITEM_BYTES;
  }
  const members = Object.values(value);
  for (const member of members) bytes += valueBytes(member);
  return bytes + OBJECT_BYTES + members.length * MEMBER_BYTES;
}
