import type { AbiParameter, AbiType, AbiValue } from './types.ts';

export interface ValueStyle {
  /** Maximum characters of a text, which is cut there. */
  readonly charactersMax: number;
  readonly address: (address: string) => string;
  /** Writes the name before a value. */
  readonly label: (name: string) => string;
  /** Brackets around a tuple with named members only. */
  readonly namedMembers: readonly [before: string, after: string];
}

const MEMBERS = ['(', ')'] as const;

/** Writer of readable values: texts in quotation marks, bytes in hexadecimal, lists with their items. */
export class ValueWriter {
  readonly #style: ValueStyle;

  constructor(style: ValueStyle) {
    this.#style = style;
  }

  cut(text: string): string {
    const { charactersMax } = this.#style;
    return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
  }

  /** Writes a value. The text is much longer than the bound only for several very long texts or bytes. */
  value(type: AbiType, value: AbiValue): string {
    if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
    if (typeof value === 'string') {
      return type.kind === 'address' ? this.#style.address(value) : JSON.stringify(this.cut(value));
    }
    if (value instanceof Uint8Array) return this.cut(hexOf(value.subarray(0, this.#style.charactersMax)));
    if (type.kind === 'tuple') {
      const isNamed = type.members.length > 0 && type.members.every(({ name }) => name !== '');
      const [before, after] = isNamed ? this.#style.namedMembers : MEMBERS;
      return `${before}${this.values(type.members, value)}${after}`;
    }
    if (type.kind !== 'array') return '';
    const { item } = type;
    return `[${this.#list(value, (one) => this.value(item, one))}]`;
  }

  /** Writes values with the names of their parameters, as between the parentheses of a call. */
  values(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
    return this.#list(parameters.slice(0, values.length), ({ name, type }, index) => {
      const value = values[index];
      if (value === undefined) return '';
      return `${name === '' ? '' : this.#style.label(name)}${this.value(type, value)}`;
    });
  }

  /** Writes items up to the bound. */
  #list<Item>(items: readonly Item[], write: (item: Item, index: number) => string): string {
    let text = '';
    for (const [index, item] of items.entries()) {
      text += `${index === 0 ? '' : ', '}${write(item, index)}`;
      if (text.length > this.#style.charactersMax) break;
    }
    return text;
  }
}

function hexOf(bytes: Uint8Array): string {
  let text = '0x';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
