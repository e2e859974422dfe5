import { type AbiValue, fromHex, readParameters, showName } from '../abi/index.ts';
import type { Log } from '../client/blocks.ts';
import { type Hex, hexOrNone, quantityOf } from '../client/reading.ts';
import { call } from '../client/rpc.ts';
import { TOKENS_MAX } from '../limits.ts';
import { decodedDigits } from './words.ts';

/** A movement of tokens, by a log of their contract. */
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

/** The properties of a token that its contract states. */
export interface Token {
  /** Cut, and without invisible characters: it is text of a stranger. */
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
}

/** Topics of `Transfer(address,address,uint256)`, and of `TransferSingle` and `TransferBatch` (ERC-1155). */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
const SYMBOL = '0x95d89b41';
const DECIMALS = '0x313ce567';
/** Gas of a call of a token, whose code may be anything. */
const GAS = '0x186a0';
const SYMBOL_CHARACTERS = 12;
/** More decimals are no amount that anybody reads. */
const DECIMALS_MAX = 36;

const NUMBER = readParameters([{ type: 'uint256' }]);
const TEXT = readParameters([{ type: 'string' }]);
const PAIR = readParameters([{ type: 'uint256' }, { type: 'uint256' }]);
const PAIRS = readParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }]);

/** Returns the movements of tokens that some logs state. */
export function tokenTransfers(logs: readonly Log[]): readonly TokenTransfer[] {
  return logs.flatMap((log) =>
    movedBy(log).map(({ item, amount, topic }, index) => ({
      key: `${log.index} ${index}`,
      token: log.address,
      from: addressIn(log.topics[topic]),
      to: addressIn(log.topics[topic + 1]),
      item,
      amount,
    })),
  );
}

interface Moved {
  readonly item: bigint | undefined;
  readonly amount: bigint | undefined;
  /** Position of the sender among the topics. */
  readonly topic: number;
}

function movedBy({ topics, data }: Log): readonly Moved[] {
  const [first, , , third] = topics;
  if (first === TRANSFER && topics.length === 4 && third !== undefined) {
    return [{ item: BigInt(third), amount: undefined, topic: 1 }];
  }
  if (first === TRANSFER && topics.length === 3) {
    const [amount] = decodedDigits(NUMBER, data) ?? [];
    return typeof amount === 'bigint' ? [{ item: undefined, amount, topic: 1 }] : [];
  }
  if (topics.length !== 4) return [];
  if (first === TRANSFER_SINGLE) {
    const [item, amount] = decodedDigits(PAIR, data) ?? [];
    return typeof item === 'bigint' && typeof amount === 'bigint' ? [{ item, amount, topic: 2 }] : [];
  }
  if (first !== TRANSFER_BATCH) return [];
  const [items, amounts] = decodedDigits(PAIRS, data) ?? [];
  return isList(items) && isList(amounts)
    ? items.flatMap((item, index) => {
        const amount = amounts[index];
        return typeof item === 'bigint' && typeof amount === 'bigint' ? [{ item, amount, topic: 2 }] : [];
      })
    : [];
}

function isList(value: AbiValue | undefined): value is readonly AbiValue[] {
  return Array.isArray(value);
}

/** The address in a topic, which is its last 20 bytes. */
function addressIn(topic: Hex | undefined): Hex {
  return `0x${(topic ?? '').slice(-40)}`;
}

const tokens = new Map<Hex, Promise<Token>>();

/** Reads the properties of a token once while the page is open. */
export function tokenAt(address: Hex): Promise<Token> {
  const known = tokens.get(address);
  if (known !== undefined) return known;
  if (tokens.size >= TOKENS_MAX) tokens.clear();
  const read = readToken(address);
  tokens.set(address, read);
  return read;
}

async function readToken(to: Hex): Promise<Token> {
  const [symbol, decimals] = await Promise.all(
    [SYMBOL, DECIMALS].map(async (data) => {
      try {
        return hexOrNone(await call('eth_call', { to, data, gas: GAS }, 'latest')) ?? '0x';
      } catch {
        // A contract without the function is shown without the property.
        return '0x';
      }
    }),
  );
  const places = decimals === undefined || decimals.length !== 66 ? undefined : quantityOf(decimals);
  return {
    symbol: symbolIn(symbol ?? '0x'),
    decimals: places === undefined || places > DECIMALS_MAX ? undefined : Number(places),
  };
}

/** Reads a symbol: a string, or 32 bytes as in the oldest tokens. */
function symbolIn(data: Hex): string | undefined {
  const [text] = decodedDigits(TEXT, data) ?? [];
  const bytes = data.length === 66 ? fromHex(data)?.filter((byte) => byte !== 0) : undefined;
  const symbol = typeof text === 'string' ? text : bytes && new TextDecoder().decode(bytes);
  if (symbol === undefined || symbol === '') return undefined;
  return showName(symbol.length > SYMBOL_CHARACTERS ? `${symbol.slice(0, SYMBOL_CHARACTERS)}…` : symbol);
}
