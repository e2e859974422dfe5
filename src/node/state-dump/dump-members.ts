import { ETHEREUM_NONCE_MAX } from '../../consensus.ts';
import { parseJsonPieces } from '../../json/parser.ts';
import type { SetSlot } from '../../ledger/index.ts';
import {
  type Hash,
  hexToBytes,
  messageOf,
  numberToBytes,
  toAddress,
  toHash,
  WORD_MAX,
} from '../../protocol/index.ts';
import { CODE_SET_BYTES_MAX, InvalidDumpError } from '../../rpc/index.ts';
import type { DumpedAccount, StateDump } from './state-dump.ts';

export type Members = Readonly<Record<string, unknown>>;

const WORD_BYTES = 32;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const DATA = /^0x(?:[0-9a-fA-F]{2})*$/;
/** A number as hexadecimal digits with leading zeros or without, or as decimal digits. */
const NUMBER = /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/;
/** Characters of a wrong value in a message: an address in quotes fits. */
const SHOWN_CHARACTERS = 66;

/** An account as it is in a dump, and its slots. */
export interface AccountInDump {
  readonly members: Members;
  readonly slots: ReadonlyMap<string, unknown>;
}

/** By address. A map is iterated in steps, which an object with as many members is not. */
export type AccountsInDump = ReadonlyMap<string, AccountInDump>;

/** Members of a dump that have accounts. */
type AccountsMember = 'accounts' | 'alloc';

/** Parses the JSON of a dump in steps, with its accounts apart. @throws InvalidDumpError unless it is an object */
export function* parsedDump(
  pieces: Iterable<string>,
): Generator<void, { dump: Members; accounts: Readonly<Record<AccountsMember, AccountsInDump>> }> {
  const accounts = { accounts: new Map<string, AccountInDump>(), alloc: new Map<string, AccountInDump>() };
  let slots = new Map<string, unknown>();
  const take = ([member, name, storage, slot]: readonly unknown[], value: unknown): void => {
    if (storage !== undefined) {
      slots.set(String(slot), value);
      return;
    }
    const path = pathOf(String(member), String(name));
    const members = membersOf(value, path);
    if (members.storage != null) membersOf(members.storage, `${path}.storage`);
    accounts[member === 'alloc' ? 'alloc' : 'accounts'].set(String(name), { members, slots });
    slots = new Map();
  };
  const paths = ['accounts', 'alloc'].flatMap((member) => [`$.${member}.*`, `$.${member}.*.storage.*`]);
  try {
    return { dump: membersOf(yield* parseJsonPieces(pieces, { paths, take }), 'the dump'), accounts };
  } catch (cause) {
    throw cause instanceof InvalidDumpError ? cause : notJson(cause);
  }
}

/** Parses the JSON of a dump. @throws InvalidDumpError unless it is an object */
export function parsedObject(text: string): Members {
  try {
    return membersOf(JSON.parse(text), 'the dump');
  } catch (cause) {
    throw cause instanceof InvalidDumpError ? cause : notJson(cause);
  }
}

function notJson(cause: unknown): InvalidDumpError {
  return new InvalidDumpError(`the dump is not JSON: ${messageOf(cause)}`, { cause });
}

/** Lists the accounts of a member of a dump, each checked when it is reached. @throws InvalidDumpError */
export function* accountsIn(
  member: AccountsMember,
  accounts: AccountsInDump,
): Generator<void, Pick<StateDump, 'entries' | 'accounts'>> {
  let entries = accounts.size;
  for (const { slots } of accounts.values()) {
    entries += slots.size;
    yield;
  }
  return {
    entries,
    accounts: function* () {
      for (const [address, account] of accounts) yield accountOf(member, address, account);
    },
  };
}

function accountOf(member: string, name: string, { members, slots }: AccountInDump): DumpedAccount {
  const path = pathOf(member, name);
  if (!ADDRESS.test(name)) throw wrong(`a name in ${member}`, '0x and 40 hexadecimal digits', name);
  const { balance, nonce, code } = members;
  return {
    path,
    address: toAddress(hexToBytes(name.slice(2))),
    balance: numberOf(balance, `${path}.balance`, WORD_MAX),
    nonce: optionalNumber(nonce, `${path}.nonce`, ETHEREUM_NONCE_MAX) ?? 0n,
    code: codeOf(code, `${path}.code`),
    storage: storageOf(`${path}.storage`, slots),
  };
}

function* storageOf(path: string, slots: ReadonlyMap<string, unknown>): Generator<SetSlot> {
  for (const [slot, value] of slots) {
    yield { slot: wordOf(slot, `a name in ${path}`), value: wordOf(value, pathOf(path, slot)) };
  }
}

function codeOf(value: unknown, path: string): Uint8Array {
  if (value == null) return new Uint8Array();
  if (typeof value !== 'string' || !DATA.test(value))
    throw wrong(path, '0x and pairs of hexadecimal digits', value);
  const code = hexToBytes(value.slice(2));
  if (code.length <= CODE_SET_BYTES_MAX) return code;
  throw new InvalidDumpError(
    `${path}: expected at most ${CODE_SET_BYTES_MAX} bytes of code, got ${code.length}`,
  );
}

/** Reads a number as a word. @throws InvalidDumpError */
export function wordOf(value: unknown, path: string): Hash {
  return toHash(numberToBytes(numberOf(value, path, WORD_MAX), WORD_BYTES));
}

/** Reads a number; undefined for null and an absent one. @throws InvalidDumpError */
export function optionalNumber(value: unknown, path: string, most: bigint | number): bigint | undefined {
  return value == null ? undefined : numberOf(value, path, most);
}

/** Reads a number from 0 on, also from decimal or hexadecimal text. @throws InvalidDumpError */
export function numberOf(value: unknown, path: string, most: bigint | number): bigint {
  const isText = typeof value === 'string' && NUMBER.test(value);
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  const number = isText || isNumber ? BigInt(value) : undefined;
  if (number !== undefined && number <= BigInt(most)) return number;
  throw wrong(path, `a number from 0 to ${most}`, value);
}

/** Returns the members of an object. @throws InvalidDumpError */
export function membersOf(value: unknown, path: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw wrong(path, 'an object', value);
}

const pathOf = (path: string, name: string): string => `${path}[${shown(name)}]`;

/** Creates the error for a wrong value. @param path of it in the dump */
export function wrong(path: string, expected: string, value: unknown): InvalidDumpError {
  return new InvalidDumpError(`${path}: expected ${expected}, got ${shown(value)}`);
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
