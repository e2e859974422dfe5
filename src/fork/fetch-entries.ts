import { type Address, bytesToHex, type Hash, quantity, toHash, toPrefixedHex } from '../protocol/index.ts';
import { RemoteMissingError } from './fork-errors.ts';
import { callsAtPin, checkPin, type ForkPoint } from './fork-point.ts';
import {
  arrayOf,
  dataOf,
  isMissingMethod,
  isMissingState,
  malformed,
  objectOf,
  quantityOf,
  resultOf,
} from './forms.ts';
import { type ProvenAccount, proofCall, readProof, requireCode } from './proven-entries.ts';
import { FORK_CODE_BYTES_MAX, STORAGE_VALUES_MAX } from './response-bounds.ts';
import type { Upstream, UpstreamCall, UpstreamOutcome } from './upstream.ts';

/** An entry of the state of the pinned block. */
export type RemoteEntry =
  | { readonly kind: 'account'; readonly address: Address }
  | { readonly kind: 'storage'; readonly address: Address; readonly slot: Hash };

export interface RemoteAccount {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
  /** The root of its storage trie; undefined unless it was proven. */
  readonly storageRoot: Hash | undefined;
}

/** A fetched entry: the account, or the word of the slot. */
export type FetchedEntry =
  | { readonly kind: 'account'; readonly address: Address; readonly account: RemoteAccount }
  | { readonly kind: 'storage'; readonly address: Address; readonly slot: Hash; readonly word: Hash };

/** Abilities of a remote node that its responses have shown; undefined until then. */
interface Abilities {
  /** Blocks by hash in the parameters of methods (EIP-1898). */
  blockHashes?: boolean;
  /** `eth_getStorageValues`. */
  storageValues?: boolean;
}

/** Outcomes by the text of the call. */
type Outcomes = ReadonlyMap<string, UpstreamOutcome>;

const WORD_BYTES = 32;

const abilitiesOf = new WeakMap<Upstream, Abilities>();

/**
 * Fetches entries of the state of the pinned block, in as few requests as the remote node supports. The results have
 * the order of the entries.
 *
 * @param options `verify`: every entry is proven by the pinned block's state root
 * @throws {RemoteMissingError} if the remote node lacks the state of the block, {RemoteReorgError} if it has another
 * block at its number, {RemoteDataError} for a wrong form, {ProofError} for an entry that is not proven,
 * {RemoteCallError} for another error that it reports, {UpstreamError} without a valid response
 */
export async function fetchEntries(
  upstream: Upstream,
  point: ForkPoint,
  entries: readonly RemoteEntry[],
  { verify = false }: { readonly verify?: boolean } = {},
): Promise<readonly FetchedEntry[]> {
  if (entries.length === 0) return [];
  const abilities = abilitiesOf.get(upstream) ?? {};
  abilitiesOf.set(upstream, abilities);
  const fetcher = new EntryFetcher(upstream, point, abilities);
  return verify ? fetcher.proven(entries) : fetcher.unproven(entries);
}

/** The fetching of one set of entries. */
class EntryFetcher {
  readonly #upstream: Upstream;
  readonly #point: ForkPoint;
  readonly #abilities: Abilities;

  constructor(upstream: Upstream, point: ForkPoint, abilities: Abilities) {
    this.#upstream = upstream;
    this.#point = point;
    this.#abilities = abilities;
  }

  async unproven(entries: readonly RemoteEntry[]): Promise<FetchedEntry[]> {
    const slots = slotsOf(entries);
    const single = (block: unknown): UpstreamCall[] => entries.flatMap((entry) => callsOf(entry, block));
    // A single slot needs one call in either way.
    const usesValues = this.#abilities.storageValues !== false && slotCount(slots) > 1;
    const grouped = (block: unknown): UpstreamCall[] => [
      ...entries.flatMap((entry) => (entry.kind === 'account' ? callsOf(entry, block) : [])),
      ...valuesCalls(slots, block),
    ];
    let outcomes = await this.#calls(usesValues ? grouped : single);
    const words = usesValues ? this.#wordsOf(slots, outcomes) : undefined;
    if (usesValues && words === undefined) {
      const missing = (block: unknown): UpstreamCall[] =>
        entries.flatMap((entry) => (entry.kind === 'storage' ? callsOf(entry, block) : []));
      outcomes = new Map([...outcomes, ...(await this.#calls(missing))]);
    }
    return entries.map((entry) => {
      const { kind, address } = entry;
      if (kind === 'account') return { kind, address, account: this.#account(entry, outcomes) };
      const { slot } = entry;
      const known = words?.get(slotKey(address, slot));
      const [call] = callsOf(entry, undefined);
      return { kind, address, slot, word: known ?? wordOf(this.#value(call, outcomes)) };
    });
  }

  async proven(entries: readonly RemoteEntry[]): Promise<FetchedEntry[]> {
    const slots = slotsOf(entries);
    for (const { address } of entries) {
      const key = toPrefixedHex(address);
      if (!slots.has(key)) slots.set(key, []);
    }
    const chunks = [...slots].flatMap(([address, all]) =>
      chunksOf(all).map((part) => [address, part] as const),
    );
    const accounts = new Map(
      entries.flatMap((entry) => (entry.kind === 'account' ? [[toPrefixedHex(entry.address), entry]] : [])),
    );
    const outcomes = await this.#calls((block) => [
      ...chunks.map(([address, part]) => proofCall(address, part, block)),
      ...[...accounts.keys()].map((address) => ({ method: 'eth_getCode', params: [address, block] })),
    ]);
    const proven = new Map<string, ProvenAccount>();
    const words = new Map<string, Hash>();
    for (const [address, part] of chunks) {
      const sent = this.#value(proofCall(address, part, undefined), outcomes);
      const read = readProof(sent, this.#point.stateRoot, address, part);
      proven.set(address, read.account);
      for (const [slot, word] of read.words) words.set(address + slot, word);
    }
    return entries.map((entry) => {
      const { kind, address } = entry;
      const name = toPrefixedHex(address);
      if (kind === 'storage') {
        const word = words.get(name + toPrefixedHex(entry.slot));
        if (word === undefined) throw malformed('proof', `a proof of each slot of ${name}`);
        return { kind, address, slot: entry.slot, word };
      }
      const account = proven.get(name);
      if (account === undefined) throw malformed('proof', `a proof of ${name}`);
      const code = codeOf(this.#value({ method: 'eth_getCode', params: [name, undefined] }, outcomes));
      requireCode(name, account, code);
      const { balance, nonce, storageRoot } = account;
      return { kind, address, account: { balance, nonce, code, storageRoot } };
    });
  }

  /**
   * Calls the remote node for the state of the pinned block: by its hash; by its number if the node does not know that
   * form, together with the block of that number.
   */
  async #calls(make: (block: unknown) => readonly UpstreamCall[]): Promise<Outcomes> {
    const keys = make(undefined).map(keyOf);
    const named = (outcomes: readonly UpstreamOutcome[]): Outcomes =>
      new Map(outcomes.flatMap((outcome, index) => [[keys[index] ?? '', outcome] as const]));
    if (this.#abilities.blockHashes !== false) {
      const calls = make({ blockHash: toPrefixedHex(this.#point.hash) });
      const outcomes = await this.#upstream.calls(calls);
      const isRefused = outcomes.some(
        (outcome) => outcome.kind === 'error' && !isMissingMethod(outcome) && !isMissingState(outcome),
      );
      const isKnown = outcomes.some(({ kind }) => kind === 'result');
      if (isKnown) this.#abilities.blockHashes = true;
      // A node without the block reports the same as one without its state.
      if (outcomes.some(isMissingState)) await checkPin(this.#upstream, this.#point);
      if (isKnown || !isRefused) return named(outcomes);
    }
    const number = quantity(this.#point.number);
    const outcomes = await callsAtPin(this.#upstream, this.#point, make(number));
    if (outcomes.some(({ kind }) => kind === 'result')) this.#abilities.blockHashes = false;
    return named(outcomes);
  }

  /** Returns the result of a call; null and errors are no values. */
  #value(call: UpstreamCall | undefined, outcomes: Outcomes): unknown {
    if (call === undefined) throw malformed('response', 'an outcome of each call');
    const { name } = this.#upstream;
    const outcome = outcomes.get(keyOf(call));
    const isMissing = outcome !== undefined && isMissingState(outcome);
    const isNull = outcome?.kind === 'result' && outcome.result === null;
    if (!isMissing && !isNull) return resultOf(this.#upstream, call.method, outcome);
    const response = outcome?.kind === 'error' ? `error ${outcome.code}: ${outcome.message}` : 'null';
    throw new RemoteMissingError(
      `the remote node ${name} has no state for block ${this.#point.number} (it responded to ${call.method} with ` +
        `${response}): use an archive node, or fork at a newer block`,
    );
  }

  #account(entry: RemoteEntry, outcomes: Outcomes): RemoteAccount {
    const [balance, nonce, code] = callsOf(entry, undefined).map((call) => this.#value(call, outcomes));
    return {
      balance: quantityOf(balance, 'balance'),
      nonce: quantityOf(nonce, 'nonce', 64),
      code: codeOf(code),
      storageRoot: undefined,
    };
  }

  /** Reads the results of `eth_getStorageValues`, by address and slot; undefined if the remote node refuses it. */
  #wordsOf(slots: ReadonlyMap<string, readonly string[]>, outcomes: Outcomes): Map<string, Hash> | undefined {
    const words = new Map<string, Hash>();
    for (const call of valuesCalls(slots, undefined)) {
      const outcome = outcomes.get(keyOf(call));
      const isRefused = outcome?.kind === 'error' && !isMissingState(outcome);
      this.#abilities.storageValues = !isRefused;
      if (isRefused) return undefined;
      const byAddress = new Map(
        Object.entries(objectOf(this.#value(call, outcomes), 'storage values')).map(
          ([address, values]) => [address.toLowerCase(), arrayOf(values, 'storage values')] as const,
        ),
      );
      const [asked = {}] = call.params as readonly Record<string, readonly string[]>[];
      for (const [address, keys] of Object.entries(asked)) {
        const values = byAddress.get(address) ?? [];
        if (values.length !== keys.length)
          throw malformed('storage values', `${keys.length} values of ${address}`);
        for (const [index, slot] of keys.entries()) words.set(address + slot, wordOf(values[index]));
      }
    }
    return words;
  }
}

function codeOf(value: unknown): Uint8Array {
  const code = dataOf(value, 'code');
  if (code.length > FORK_CODE_BYTES_MAX) throw malformed('code', `at most ${FORK_CODE_BYTES_MAX} bytes`);
  return code;
}

/** Reads the word of a slot: DATA of 32 bytes, or a QUANTITY, as some nodes send it. */
function wordOf(value: unknown): Hash {
  const isShort = typeof value === 'string' && /^0x(0|[1-9a-f][0-9a-f]{0,62})$/i.test(value);
  if (!isShort) return toHash(dataOf(value, 'word of a slot', WORD_BYTES));
  return toHash(dataOf(`0x${value.slice(2).padStart(2 * WORD_BYTES, '0')}`, 'word of a slot'));
}

/** The calls for an entry. @param block undefined in keys of outcomes */
function callsOf(entry: RemoteEntry, block: unknown): UpstreamCall[] {
  const address = toPrefixedHex(entry.address);
  if (entry.kind === 'storage') {
    return [{ method: 'eth_getStorageAt', params: [address, toPrefixedHex(entry.slot), block] }];
  }
  const methods = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'];
  return methods.map((method) => ({ method, params: [address, block] }));
}

function valuesCalls(slots: ReadonlyMap<string, readonly string[]>, block: unknown): UpstreamCall[] {
  const all = [...slots].flatMap(([address, keys]) => keys.map((slot) => [address, slot] as const));
  return chunksOf(all).map((part) => {
    const positions: Record<string, string[]> = {};
    for (const [address, slot] of part) {
      positions[address] ??= [];
      positions[address].push(slot);
    }
    return { method: 'eth_getStorageValues', params: [positions, block] };
  });
}

/** Collects the slots of each address. */
function slotsOf(entries: readonly RemoteEntry[]): Map<string, string[]> {
  const slots = new Map<string, string[]>();
  for (const entry of entries) {
    if (entry.kind !== 'storage') continue;
    const address = toPrefixedHex(entry.address);
    const known = slots.get(address) ?? [];
    slots.set(address, known);
    known.push(toPrefixedHex(entry.slot));
  }
  return slots;
}

function slotCount(slots: ReadonlyMap<string, readonly string[]>): number {
  let count = 0;
  for (const keys of slots.values()) count += keys.length;
  return count;
}

/** Splits a list into parts that one call may ask for; one empty part of an empty list. */
function chunksOf<T>(list: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start === 0 || start < list.length; start += STORAGE_VALUES_MAX) {
    chunks.push(list.slice(start, start + STORAGE_VALUES_MAX));
  }
  return chunks;
}

function slotKey(address: Address, slot: Hash): string {
  return `0x${bytesToHex(address)}0x${bytesToHex(slot)}`;
}

/** The text of a call without its block. */
function keyOf({ method, params }: UpstreamCall): string {
  return JSON.stringify([method, ...params.slice(0, -1)]);
}
