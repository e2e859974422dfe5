import { QUOTED_CHARACTERS_MAX } from '../../ledger/index.ts';

/** Returns the kind of a JSON value for error messages: `a number`, `an object`, `null`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'boolean') return String(value);
  return `a ${typeof value}`;
}

export function shorten(text: string): string {
  return text.length <= QUOTED_CHARACTERS_MAX ? text : `${text.slice(0, QUOTED_CHARACTERS_MAX)}…`;
}
