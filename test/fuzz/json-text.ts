/** Text that is written as it is, JSON or not. */
export interface RawText {
  readonly raw: string;
}

/** An object by its members: a key may come twice, and no key means anything to JavaScript. */
export interface Members {
  readonly members: readonly Member[];
}

export type Member = readonly [key: string, value: JsonText];

/** A value of a request before it is written: any JSON value, and raw text. */
export type JsonText = RawText | Members | readonly JsonText[] | string | number | boolean | null;

/** Text that is written as it is. */
export function raw(text: string): RawText {
  return { raw: text };
}

/** An object of JSON from an ordinary one; members that are undefined are left out. */
export function objectOf(fields: Readonly<Record<string, JsonText | undefined>>): Members {
  return {
    members: Object.entries(fields).flatMap(([key, value]): Member[] =>
      value === undefined ? [] : [[key, value]],
    ),
  };
}

/** Returns true for a JSON array. */
export function isList(value: JsonText): value is readonly JsonText[] {
  return Array.isArray(value);
}

/** Returns true for a JSON object. */
export function isObject(value: JsonText): value is Members {
  return typeof value === 'object' && value !== null && 'members' in value;
}

/** Writes a value as it goes over the wire. */
export function textOf(value: JsonText): string {
  if (isList(value)) return `[${value.map(textOf).join(',')}]`;
  if (isObject(value)) {
    return `{${value.members.map(([key, member]) => `${JSON.stringify(key)}:${textOf(member)}`).join(',')}}`;
  }
  if (typeof value === 'object' && value !== null) return value.raw;
  return JSON.stringify(value);
}
