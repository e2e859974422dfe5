import { TOKENS_MAX } from '../limits.ts';
import { fieldsOf, type Hex, hexOf, numberOf, optional, quantityOf, textOf } from './reading.ts';
import { call } from './rpc.ts';

const SYMBOL_CHARACTERS = 12;

/** A token by its own answers: names are text of a stranger, which the node cleaned and cut. */
export interface Token {
  readonly address: Hex;
  /** `ERC20`, `ERC721`, `ERC1155` or `ERC4626`. */
  readonly standard: string;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** Undefined too where the node did not ask for it. */
  readonly totalSupply: bigint | undefined;
}

function readToken(value: unknown): Token {
  const fields = fieldsOf(value);
  return {
    address: hexOf(fields.address),
    standard: textOf(fields.standard),
    name: optional(fields.name, textOf),
    symbol: optional(fields.symbol, (text) => cut(textOf(text))),
    decimals: optional(fields.decimals, numberOf),
    totalSupply: optional(fields.totalSupply, quantityOf),
  };
}

function cut(symbol: string): string {
  const characters = [...symbol];
  return characters.length > SYMBOL_CHARACTERS
    ? `${characters.slice(0, SYMBOL_CHARACTERS).join('')}…`
    : symbol;
}

/** Reads the latest facts of a token; undefined for a contract that is none. @throws as `call` */
export async function readTokenAt(address: Hex): Promise<Token | undefined> {
  return optional(await call('ledger_getToken', address), readToken);
}

const tokens = new Map<Hex, Promise<Token | undefined>>();

/** Reads a token once while the page is open: its supply may have changed since. @throws as `call` */
export function tokenAt(address: Hex): Promise<Token | undefined> {
  const known = tokens.get(address);
  if (known !== undefined) return known;
  if (tokens.size >= TOKENS_MAX) tokens.clear();
  const read = readTokenAt(address);
  tokens.set(address, read);
  return read;
}
