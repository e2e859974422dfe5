import { TOKENS_MAX } from '../limits.ts';
import {
  type Fields,
  fieldsOf,
  type Hex,
  hexOf,
  listOf,
  numberOf,
  optional,
  quantityOf,
  textOf,
} from './reading.ts';
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

/** The position of a log, from which older ones follow. */
export interface LogPlace {
  readonly blockNumber: Hex;
  readonly logIndex: Hex;
}

/** A movement of tokens. */
export interface TokenTransfer {
  readonly key: string;
  readonly token: Hex;
  readonly from: Hex;
  readonly to: Hex;
  /** Smallest units; undefined for an item of ERC-721. */
  readonly amount: bigint | undefined;
  /** The item of ERC-721 and ERC-1155. */
  readonly item: bigint | undefined;
}

/** A movement of tokens in the chain. */
export interface PlacedTransfer extends TokenTransfer {
  readonly timestamp: number;
  readonly hash: Hex;
}

/** Reads a page of transfers, newest first, of a token or of an address. @throws as `call` */
export async function transfersOf(
  search: { readonly token: Hex } | { readonly address: Hex },
  before: LogPlace | undefined,
): Promise<{ readonly transfers: readonly PlacedTransfer[]; readonly next: LogPlace | undefined }> {
  const { transfers, next } = fieldsOf(await call('ledger_getTokenTransfers', search, before ?? null));
  return { transfers: listOf(transfers).map(readTransfer), next: optional(next, readPlace) };
}

function readPlace(value: unknown): LogPlace {
  const { blockNumber, logIndex } = fieldsOf(value);
  return { blockNumber: hexOf(blockNumber), logIndex: hexOf(logIndex) };
}

function readTransfer(value: unknown, index: number): PlacedTransfer {
  const fields = fieldsOf(value);
  const token = readToken(fields.token);
  const hash = hexOf(fields.transactionHash);
  return {
    key: `${hash} ${index}`,
    token: token.address,
    from: hexOf(fields.from),
    to: hexOf(fields.to),
    amount: token.standard === 'ERC721' ? undefined : quantityOf(fields.amount),
    item: optional(fields.tokenId, quantityOf),
    timestamp: numberOf(fields.blockTimestamp),
    hash,
  };
}

/** An amount of a token that an address holds. */
export interface Holding {
  /** The token, or the holder. */
  readonly party: Hex;
  /** Of ERC-1155. */
  readonly item: bigint | undefined;
  readonly balance: bigint;
}

interface Holdings {
  readonly holdings: readonly Holding[];
  /** False if there may be others. */
  readonly isComplete: boolean;
}

/** Reads what an address holds. @throws as `call` */
export function balancesOf(holder: Hex): Promise<Holdings> {
  return readHoldings('ledger_getTokenBalances', holder, ({ token }) => fieldsOf(token).address);
}

/** Reads who holds a token. @throws as `call` */
export function holdersOf(token: Hex): Promise<Holdings> {
  return readHoldings('ledger_getTokenHolders', token, ({ holder }) => holder);
}

async function readHoldings(
  method: string,
  address: Hex,
  partyOf: (fields: Fields) => unknown,
): Promise<Holdings> {
  const { balances, complete } = fieldsOf(await call(method, address));
  const holdings = listOf(balances).map((value) => {
    const fields = fieldsOf(value);
    return {
      party: hexOf(partyOf(fields)),
      item: optional(fields.tokenId, quantityOf),
      balance: quantityOf(fields.balance),
    };
  });
  return { holdings, isComplete: complete === true };
}
