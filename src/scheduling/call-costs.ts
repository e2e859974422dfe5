import { BoundedMap } from '../bounded-map.ts';
import { CALL_COSTS_MAX } from '../limits.ts';

/** Share of an earlier cost that counts after a cheaper call. */
const REMEMBERED_SHARE = 0.9;
/** Characters of a selector with its 0x. */
const SELECTOR_CHARACTERS = 10;
/** Characters of an address or a topic. */
const NAME_CHARACTERS = 66;

/** The part of a call that decides its cost. */
export interface CostedCall {
  readonly method: string;
  readonly parameters: unknown;
}

/** The recent cost of calls by kind: a method with the same contract and function, or criteria. */
export class CallCosts {
  readonly #milliseconds = new BoundedMap<string, number>(CALL_COSTS_MAX);

  /** Returns the milliseconds that a call of a kind is expected to take; undefined for an unknown one. */
  of(kind: string): number | undefined {
    return this.#milliseconds.get(kind);
  }

  note(kind: string, milliseconds: number): void {
    this.#milliseconds.set(kind, typicalOf(this.#milliseconds.get(kind), milliseconds));
  }
}

/** Returns the cost to expect after a call: a greater one counts at once, a smaller one gradually. */
export function typicalOf(before: number | undefined, milliseconds: number): number {
  return Math.max(milliseconds, (before ?? 0) * REMEMBERED_SHARE);
}

/** Returns the kind of a call, whose calls cost about the same. */
export function kindOf({ method, parameters }: CostedCall): string {
  const [first] = Array.isArray(parameters) ? parameters : [];
  if (typeof first !== 'object' || first === null) return method;
  const { to, data, input, address, topics, fromBlock } = first as Record<string, unknown>;
  const selector = nameOf(data ?? input).slice(0, SELECTOR_CHARACTERS);
  return `${method} ${nameOf(to ?? address)} ${selector} ${nameOf(topics)} ${nameOf(fromBlock)}`;
}

/** Returns the beginning of a text, or of the first one of a list. */
function nameOf(value: unknown): string {
  const [text] = Array.isArray(value) ? value.flat() : [value];
  return typeof text === 'string' ? text.slice(0, NAME_CHARACTERS) : '';
}
