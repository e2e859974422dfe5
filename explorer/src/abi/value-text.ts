import {
  ABI_DEPTH_MAX,
  ABI_VALUES_MAX,
  AbiError,
  type AbiParameter,
  type AbiType,
  type AbiValue,
  typeName,
} from '../../../src/solidity/index.ts';
import { SHOWN_NAME_CHARACTERS_MAX } from '../limits.ts';
import { readAddress } from './addresses.ts';
import { fromHex } from './hex.ts';

/** A parsed text whose ABI type is not known yet: a word or a text, a list, or named members. */
type Piece =
  | { readonly kind: 'word' | 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Piece[] }
  | { readonly kind: 'members'; readonly members: ReadonlyMap<string, Piece> };

const INTEGER = /^-?(?:\d[\d_]*|0x[0-9a-f]+)$/i;
const SCIENTIFIC = /^(-?)(\d+)(?:\.(\d+))?e(\d{1,2})$/i;

/**
 * Reads a typed value. Numbers are decimal (`1_000`, `1e18`) or hexadecimal, addresses may be `1.2.N`; arrays are `[a,
 * b]`, tuples `(a, b)`, `[a, b]` or `{name: a, …}`, with quoted texts.
 *
 * @param place name of the value in errors
 * @throws AbiError for an invalid value
 */
export function parseValue(type: AbiType, text: string, place: string): AbiValue {
  if (type.kind === 'string') return text;
  if (type.kind !== 'array' && type.kind !== 'tuple') {
    return readPiece(type, { kind: 'word', text: text.trim() }, place);
  }
  return readPiece(type, new PieceReader(text, place).whole(), place);
}

/**
 * Reads the typed value of each parameter.
 * @throws AbiError for the first invalid one
 */
export function parseValues(
  parameters: readonly AbiParameter[],
  texts: readonly string[],
): readonly AbiValue[] {
  return parameters.map(({ name, type }, index) =>
    parseValue(type, texts[index] ?? '', name === '' ? `[${index}]` : name),
  );
}

function readPiece(type: AbiType, piece: Piece, place: string): AbiValue {
  if (type.kind === 'array') {
    if (piece.kind !== 'list') throw new AbiError(place, `expected a list: ${typeName(type)}`);
    if (type.length !== undefined && piece.items.length !== type.length) {
      throw new AbiError(place, `expected ${type.length} items, not ${piece.items.length}`);
    }
    return piece.items.map((item, index) => readPiece(type.item, item, `${place}[${index}]`));
  }
  if (type.kind === 'tuple') return readTuple(type.members, piece, place);
  if (piece.kind !== 'word' && piece.kind !== 'text') throw new AbiError(place, `expected ${typeName(type)}`);
  return readElementary(type, piece.text, place);
}

function readTuple(members: readonly AbiParameter[], piece: Piece, place: string): AbiValue {
  const placeOf = ({ name }: AbiParameter, index: number) =>
    name === '' ? `${place}[${index}]` : `${place}.${name}`;
  if (piece.kind === 'list') {
    if (piece.items.length !== members.length) {
      throw new AbiError(place, `expected ${members.length} members, not ${piece.items.length}`);
    }
    return members.map((member, index) => {
      const item = piece.items[index];
      if (item === undefined) throw new AbiError(placeOf(member, index), 'there is no value');
      return readPiece(member.type, item, placeOf(member, index));
    });
  }
  if (piece.kind !== 'members') throw new AbiError(place, 'expected a tuple: (a, b) or {name: a, …}');
  const names = new Set(members.map(({ name }) => name));
  for (const name of piece.members.keys()) {
    if (!names.has(name)) throw new AbiError(place, `there is no member ${quoted(name)}`);
  }
  return members.map((member, index) => {
    const item = piece.members.get(member.name);
    if (item === undefined) throw new AbiError(placeOf(member, index), 'there is no value');
    return readPiece(member.type, item, placeOf(member, index));
  });
}

function readElementary(type: AbiType, text: string, place: string): AbiValue {
  switch (type.kind) {
    case 'uint':
    case 'int': {
      const value = parseInteger(text);
      if (value === undefined) throw new AbiError(place, `expected an integer, not ${quoted(text)}`);
      const fitted =
        type.kind === 'uint' ? BigInt.asUintN(type.bits, value) : BigInt.asIntN(type.bits, value);
      if (fitted !== value) throw new AbiError(place, `out of the range of ${typeName(type)}`);
      return value;
    }
    case 'bool':
      if (text !== 'true' && text !== 'false') throw new AbiError(place, 'expected true or false');
      return text === 'true';
    case 'address': {
      const read = readAddress(text);
      if ('problem' in read) throw new AbiError(place, read.problem);
      return read.address;
    }
    case 'string':
      return text;
    default: {
      const bytes = fromHex(text);
      if (bytes === undefined)
        throw new AbiError(place, 'expected 0x and two hexadecimal digits for each byte');
      const size = type.kind === 'fixedBytes' ? type.size : type.kind === 'function' ? 24 : bytes.length;
      if (bytes.length !== size) throw new AbiError(place, `expected ${size} bytes, not ${bytes.length}`);
      return bytes;
    }
  }
}

/** Reads an integer: `12`, `-1_000`, `0xff`, `1.5e18`; undefined for anything else. */
export function parseInteger(text: string): bigint | undefined {
  if (text.length > 2 * SHOWN_NAME_CHARACTERS_MAX) return undefined;
  const [, sign = '', whole, fraction = '', exponent] = SCIENTIFIC.exec(text) ?? [];
  if (whole !== undefined && exponent !== undefined) {
    const zeros = Number(exponent) - fraction.length;
    if (zeros < 0) return undefined;
    return BigInt(`${sign}${whole}${fraction}${'0'.repeat(zeros)}`);
  }
  if (!INTEGER.test(text)) return undefined;
  const plain = text.replaceAll('_', '');
  return plain.startsWith('-') ? -BigInt(plain.slice(1)) : BigInt(plain);
}

function quoted(text: string): string {
  return JSON.stringify(
    text.length > SHOWN_NAME_CHARACTERS_MAX ? `${text.slice(0, SHOWN_NAME_CHARACTERS_MAX)}…` : text,
  );
}

/** Reads lists, members by name, texts in quotation marks and words. */
class PieceReader {
  readonly #text: string;
  readonly #place: string;
  #at = 0;
  #pieces = 0;

  constructor(text: string, place: string) {
    this.#text = text;
    this.#place = place;
  }

  whole(): Piece {
    const piece = this.#piece(ABI_DEPTH_MAX);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return piece;
  }

  #piece(depth: number): Piece {
    if (depth < 0) throw new AbiError(this.#place, `nested deeper than ${ABI_DEPTH_MAX}`);
    this.#pieces += 1;
    if (this.#pieces > ABI_VALUES_MAX) throw new AbiError(this.#place, `more than ${ABI_VALUES_MAX} values`);
    this.#skip();
    switch (this.#text.charAt(this.#at)) {
      case '[':
        return { kind: 'list', items: this.#list(']', () => this.#piece(depth - 1)) };
      case '(':
        return { kind: 'list', items: this.#list(')', () => this.#piece(depth - 1)) };
      case '{':
        return { kind: 'members', members: new Map(this.#list('}', () => this.#member(depth - 1))) };
      case '"':
        return { kind: 'text', text: this.#quoted() };
      default:
        return { kind: 'word', text: this.#word() };
    }
  }

  #list<Item>(end: string, read: () => Item): Item[] {
    const items: Item[] = [];
    this.#at += 1;
    this.#skip();
    if (this.#take(end)) return items;
    for (;;) {
      items.push(read());
      this.#skip();
      if (this.#take(end)) return items;
      if (!this.#take(',')) throw this.#unexpected();
    }
  }

  #member(depth: number): readonly [string, Piece] {
    this.#skip();
    const name = this.#text.charAt(this.#at) === '"' ? this.#quoted() : this.#word();
    this.#skip();
    if (!this.#take(':')) throw this.#unexpected();
    return [name, this.#piece(depth)];
  }

  #quoted(): string {
    const [whole] = /^"(?:[^"\\]|\\.)*"/su.exec(this.#text.slice(this.#at)) ?? [];
    if (whole === undefined) throw new AbiError(this.#place, 'a text has no end');
    this.#at += whole.length;
    try {
      const text: unknown = JSON.parse(whole.replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
      return typeof text === 'string' ? text : '';
    } catch {
      throw new AbiError(this.#place, `a text that cannot be read: ${quoted(whole)}`);
    }
  }

  #word(): string {
    const [word = ''] = /^[^\s,()[\]{}":]+/.exec(this.#text.slice(this.#at)) ?? [];
    if (word === '') throw this.#unexpected();
    this.#at += word.length;
    return word;
  }

  #skip(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at += 1;
  }

  #take(character: string): boolean {
    if (this.#text.charAt(this.#at) !== character) return false;
    this.#at += 1;
    return true;
  }

  #unexpected(): AbiError {
    const character = this.#text.charAt(this.#at);
    const what = character === '' ? 'the text ends too soon' : `${quoted(character)} is not expected`;
    return new AbiError(this.#place, `${what}, at character ${this.#at + 1}`);
  }
}
