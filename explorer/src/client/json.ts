/** Digits of numbers that a double may not hold. */
const LONG_NUMBER = /[:[,]\s*-?\d{16,}/;

/**
 * A reviver with access to the source text (ECMAScript's JSON.parse source text access); older browsers omit
 * it.
 */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/**
 * Parses JSON without loss: integers that a double cannot hold become bigints.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  const exact: Reviver = (_key, value, context) => {
    const source = context?.source;
    const isInexact = typeof value === 'number' && !Number.isSafeInteger(value);
    return isInexact && source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
  };
  return JSON.parse(text, exact);
}

/** Writes JSON for people: two spaces a level, and integers of any size. */
export function formatJson(value: unknown): string {
  const mark = '\u0000';
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === 'bigint' ? `${mark}${item}` : item),
    2,
  );
  // The mark is an escape in the text, which no other value of it begins with.
  return (text ?? 'null').replaceAll(/"\\u0000(-?\d+)"/g, '$1');
}
