import type { AbiParameter, AbiType, AbiValue } from './types.ts';

/** The style of written values. */
export interface ValueStyle {
  /** Characters of a text after which it is cut. */
  readonly charactersMax: number;
  /** Writes an address that was decoded. */
  readonly address: (address: string) => string;
  /** Writes a name as it stands before its value. */
  readonly label: (name: string) => string;
  /** Brackets around the members of a tuple, all of which have names. */
  readonly namedMembers: readonly [before: string, after: string];
}

const MEMBERS = ['(', ')'] as const;

/** Writes values for people: texts in quotation marks, bytes in hexadecimal, lists with what they hold. */
export class ValueWriter {
  readonly #manner: ValueStyle;

  constructor(manner: ValueStyle) {
    this.#manner = manner;
  }

  /** Cuts a text that is too long. */
  cut(text: string): string {
    const { charactersMax } = this.#manner;
    return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
  }

  /** Writes a value, much longer than the bound only where it holds very long texts or bytes. */
  value(type: AbiType, value: AbiValue): string {
    if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
    if (typeof value === 'string') {
      return type.kind === 'address' ? this.#manner.address(value) : JSON.stringify(this.cut(value));
    }
    if (value instanceof Uint8Array) return this.cut(hexOf(value.subarray(0, this.#manner.charactersMax)));
    if (type.kind === 'tuple') {
      const isNamed = type.members.length > 0 && type.members.every(({ name }) => name !== '');
      const [before, after] = isNamed ? this.#manner.namedMembers : MEMBERS;
      return `${before}${this.values(type.members, value)}${after}`;
    }
    if (type.kind !== 'array') return '';
    const { item } = type;
    return `[${this.#list(value, (one) => this.value(item, one))}]`;
  }

  /** Values with the names of their parameters, as a call has them between parentheses. */
  values(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
    return this.#list(parameters.slice(0, values.length), ({ name, type }, index) => {
      const value = values[index];
      if (value === undefined) return '';
      return `${name === '' ? '' : this.#manner.label(name)}${this.value(type, value)}`;
    });
  }

  /** Writes items up to the bound. */
  #list<Item>(items: readonly Item[], write: (item: Item, index: number) => string): string {
    let text = '';
    for (const [index, item] of items.entries()) {
      text += `${index === 0 ? '' : ', '}${write(item, index)}`;
      if (text.length > this.#manner.charactersMax) break;
    }
    return text;
  }
}

function hexOf(bytes: Uint8Array): string {
  let text = '0x';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
