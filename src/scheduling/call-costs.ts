import { BoundedMap } from '../bounded-map.ts';
import { CALL_COSTS_MAX } from '../limits.ts';

/** What of an earlier cost still counts when the same call was cheaper afterwards. */
const REMEMBERED_SHARE = 0.9;
/** Characters of a selector with its 0x. */
const SELECTOR_CHARACTERS = 10;
/** Characters of an address or a topic that tell it apart. */
const NAME_CHARACTERS = 66;

/** A call as far as its costs depend on it. */
export interface CostedCall {
  readonly method: string;
  readonly parameters: unknown;
}

/** What calls of a kind have taken of late: the same method with the same contract and function, or criteria. */
export class CallCosts {
  readonly #milliseconds = new BoundedMap<string, number>(CALL_COSTS_MAX);

  /** Milliseconds that a call of a kind is expected to take; undefined for one of which nothing is known. */
  of(kind: string): number | undefined {
    return this.#milliseconds.get(kind);
  }

  /** Takes note of what a call has taken. */
  note(kind: string, milliseconds: number): void {
    this.#milliseconds.set(kind, typicalOf(this.#milliseconds.get(kind), milliseconds));
  }
}

/** What is to be expected after milliseconds that something has taken: more counts at once, less only by and by. */
export function typicalOf(before: number | undefined, milliseconds: number): number {
  return Math.max(milliseconds, (before ?? 0) * REMEMBERED_SHARE);
}

/** Which calls may be expected to take about as long as this one. */
export function kindOf({ method, parameters }: CostedCall): string {
  const [first] = Array.isArray(parameters) ? parameters : [];
  if (typeof first !== 'object' || first === null) return method;
  const { to, data, input, address, topics, fromBlock } = first as Record<string, unknown>;
  const selector = nameOf(data ?? input).slice(0, SELECTOR_CHARACTERS);
  return `${method} ${nameOf(to ?? address)} ${selector} ${nameOf(topics)} ${nameOf(fromBlock)}`;
}

/** The beginning of a text, or of the first one of a list. */
function nameOf(value: unknown): string {
  const [text] = Array.isArray(value) ? value.flat() : [value];
  return typeof text === 'string' ? text.slice(0, NAME_CHARACTERS) : '';
}
