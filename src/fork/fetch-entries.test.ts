import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bytesToHex,
  encodeRlp,
  type Hash,
  keccak256,
  numberToBytes,
  ProofError,
  Trie,
  toAddress,
  toHash,
  toPrefixedHex,
} from '../protocol/index.ts';
import anvil from './anvil-blocks.testing.json' with { type: 'json' };
import { headerHashOf } from './block-header.ts';
import {
  fetchEntries,
  HttpUpstream,
  pinBlock,
  type RemoteEntry,
  RemoteMissingError,
  RemoteReorgError,
} from './index.ts';
import { type Faults, RemoteFault, startRemote, type TestRemote } from './remote.testing.ts';
import { FORK_CODE_BYTES_MAX } from './response-bounds.ts';

interface Account {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
  readonly storage: ReadonlyMap<string, bigint>;
}

/** Abilities and faults of the state of a remote node. */
interface Traits extends Faults {
  readonly blockHashes?: boolean;
  readonly storageValues?: boolean;
  readonly hasState?: boolean;
  readonly isPinned?: boolean;
  readonly changeProof?: boolean;
}

const addressOf = (seed: number) => toAddress(keccak256(Uint8Array.of(seed)).slice(0, 20));
const slotOf = (number: number): Hash => toHash(numberToBytes(BigInt(number), 32));
const NONE: Account = { balance: 0n, nonce: 0n, code: new Uint8Array(), storage: new Map() };

/** A trie that is stored, so that it can prove. */
function storedTrie(leaves: readonly (readonly [Uint8Array, Uint8Array])[]) {
  const trie = new Trie();
  for (const [key, value] of leaves) trie.set(keccak256(key), value);
  const { root, changes } = trie.commit();
  const records = new Map(changes.map(({ key, after }) => [bytesToHex(key), after]));
  const stored = new Trie({ prefix: new Uint8Array(), read: (key) => records.get(bytesToHex(key)) });
  return { root, prove: (key: Uint8Array) => stored.prove(keccak256(key)).map(toPrefixedHex) };
}

const storageTrie = ({ storage }: Account) =>
  storedTrie(
    [...storage].map(([slot, word]) => [Buffer.from(slot.slice(2), 'hex'), encodeRlp(numberToBytes(word))]),
  );

function stateTrie(accounts: ReadonlyMap<string, Account>) {
  return storedTrie(
    [...accounts].map(([address, account]) => [
      Buffer.from(address.slice(2), 'hex'),
      encodeRlp([
        numberToBytes(account.nonce),
        numberToBytes(account.balance),
        storageTrie(account).root,
        keccak256(account.code),
      ]),
    ]),
  );
}

/** Starts a remote node with this state at its only block. */
async function startState(accounts: ReadonlyMap<string, Account>, traits: Traits = {}) {
  const trie = stateTrie(accounts);
  const header = { ...anvil.osaka.blocks[1], stateRoot: toPrefixedHex(trie.root) };
  const block = { ...header, hash: toPrefixedHex(headerHashOf(header)) };
  let isPinning = true;
  const state = (method: string, params: readonly unknown[]): unknown => {
    const [first, second] = params;
    const at = params.at(-1);
    if (typeof at === 'object' && traits.blockHashes === false)
      throw new RemoteFault(-32_602, 'invalid argument 1');
    if (traits.hasState === false)
      throw new RemoteFault(-32_000, 'missing trie node 12ab (path ) state is not available');
    if (method === 'eth_getStorageValues') {
      if (traits.storageValues === false) throw new RemoteFault(-32_601, 'the method does not exist');
      const asked = Object.entries(first as Record<string, string[]>);
      return Object.fromEntries(
        asked.map(([address, slots]) => [address, slots.map((slot) => word(address, slot))]),
      );
    }
    const account = accounts.get(String(first)) ?? NONE;
    switch (method) {
      case 'eth_getBalance':
        return `0x${account.balance.toString(16)}`;
      case 'eth_getTransactionCount':
        return `0x${account.nonce.toString(16)}`;
      case 'eth_getCode':
        return toPrefixedHex(account.code);
      case 'eth_getStorageAt':
        return word(String(first), String(second));
      case 'eth_getProof': {
        const address = Buffer.from(String(first).slice(2), 'hex');
        const storage = storageTrie(account);
        const accountProof = trie.prove(address);
        if (traits.changeProof === true) accountProof.pop();
        return {
          accountProof,
          storageProof: (second as string[]).map((slot) => ({
            proof: storage.prove(Buffer.from(slot.slice(2), 'hex')),
          })),
        };
      }
    }
    throw new RemoteFault(-32_601, `the method ${method} does not exist`);
  };
  const word = (address: string, slot: string): string =>
    toPrefixedHex(numberToBytes(accounts.get(address)?.storage.get(slot) ?? 0n, 32));
  const remote = await startRemote((method, params) => {
    if (method === 'eth_chainId') return '0x1';
    if (method !== 'eth_getBlockByNumber') return state(method, params);
    return isPinning || traits.isPinned !== false ? block : anvil.osaka.blocks[1];
  }, traits);
  const upstream = new HttpUpstream({ url: remote.url, backoffMs: 1, retries: 10 });
  const { point } = await pinBlock(upstream, { kind: 'latest' });
  isPinning = false;
  const before = upstream.counts.requests;
  return { remote, upstream, point, requests: () => upstream.counts.requests - before };
}

const accountArbitrary = fc.record({
  balance: fc.bigInt({ min: 0n, max: 2n ** 128n }),
  nonce: fc.bigInt({ min: 0n, max: 2n ** 64n - 2n }),
  code: fc.uint8Array({ maxLength: 40 }),
  storage: fc
    .array(fc.tuple(fc.nat(20), fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })), { maxLength: 8 })
    .map((pairs) => new Map(pairs.map(([slot, word]) => [toPrefixedHex(slotOf(slot)), word]))),
});

const stateArbitrary = fc
  .array(accountArbitrary, { maxLength: 6 })
  .map((accounts) => new Map(accounts.map((account, index) => [toPrefixedHex(addressOf(index)), account])));

const entriesArbitrary = fc.array(
  fc.oneof(
    fc.nat(8).map((seed): RemoteEntry => ({ kind: 'account', address: addressOf(seed) })),
    fc
      .tuple(fc.nat(8), fc.nat(20))
      .map(
        ([seed, slot]): RemoteEntry => ({ kind: 'storage', address: addressOf(seed), slot: slotOf(slot) }),
      ),
  ),
  { maxLength: 30 },
);

/** The expected result for an entry. */
function expected(accounts: ReadonlyMap<string, Account>, entry: RemoteEntry, isProven: boolean): unknown {
  const account = accounts.get(toPrefixedHex(entry.address)) ?? NONE;
  if (entry.kind === 'storage') {
    const word = account.storage.get(toPrefixedHex(entry.slot)) ?? 0n;
    return { ...entry, word: toHash(numberToBytes(word, 32)) };
  }
  const { storage: _storage, ...fields } = account;
  return { ...entry, account: { ...fields, storageRoot: isProven ? storageTrie(account).root : undefined } };
}

const TRAITS: readonly Traits[] = [
  {},
  { storageValues: false },
  { blockHashes: false },
  { blockHashes: false, storageValues: false, batchMax: 1 },
  { rateLimited: 0.1, cut: 0.1, wrongId: 0.1, html: 0.1, batchMax: 10 },
];

test.each(TRAITS)(
  'behavior: entries of any state, proven or not, from a remote node with %j',
  async (traits) => {
    await fc.assert(
      fc.asyncProperty(stateArbitrary, entriesArbitrary, fc.boolean(), async (accounts, entries, verify) => {
        const { upstream, point } = await startState(accounts, traits);
        for (let round = 0; round < 2; round += 1) {
          const fetched = await fetchEntries(upstream, point, entries, { verify });
          expect(fetched).toEqual(entries.map((entry) => expected(accounts, entry, verify)));
        }
      }),
      { numRuns: 10 },
    );
  },
);

const ACCOUNT = {
  balance: 5n,
  nonce: 1n,
  code: Uint8Array.of(1, 2),
  storage: new Map([[toPrefixedHex(slotOf(1)), 7n]]),
};
const STATE = new Map([[toPrefixedHex(addressOf(0)), ACCOUNT]]);
const ENTRIES: readonly RemoteEntry[] = [
  ...Array.from({ length: 5 }, (_, seed): RemoteEntry => ({ kind: 'account', address: addressOf(seed) })),
  ...Array.from(
    { length: 20 },
    (_, at): RemoteEntry => ({ kind: 'storage', address: addressOf(0), slot: slotOf(at) }),
  ),
];

const methodsOf = ({ bodies }: TestRemote): string[] => {
  const last: unknown = JSON.parse(bodies.at(-1) ?? '[]');
  return (Array.isArray(last) ? last : [last]).map(({ method }: { method: string }) => method);
};

test('default: one request, with all slots in one call', async () => {
  const { upstream, point, requests, remote } = await startState(STATE);
  await fetchEntries(upstream, point, ENTRIES);
  expect(requests()).toBe(1);
  expect(methodsOf(remote)).toHaveLength(16);
  expect(await fetchEntries(upstream, point, [])).toEqual([]);
});

test('behavior: what a remote node does not support is found out once', async () => {
  const { upstream, point, requests } = await startState(STATE, { blockHashes: false, storageValues: false });
  await fetchEntries(upstream, point, ENTRIES);
  const first = requests();
  await fetchEntries(upstream, point, ENTRIES);
  expect([first, requests() - first]).toEqual([3, 1]);
});

test.each([true, false])(
  'error: a remote node without the state of the block (verify: %s)',
  async (verify) => {
    const { upstream, point } = await startState(STATE, { hasState: false });
    const fetched = fetchEntries(upstream, point, ENTRIES, { verify });
    await expect(fetched).rejects.toThrow(RemoteMissingError);
    await expect(fetched).rejects.toThrow(
      /has no state for block 1 .*use an archive node, or fork at a newer block/,
    );
  },
);

test('error: another block under the number of the pinned one', async () => {
  const { upstream, point } = await startState(STATE, { blockHashes: false, isPinned: false });
  await expect(fetchEntries(upstream, point, ENTRIES)).rejects.toThrow(RemoteReorgError);
});

test.each([false, true])('error: a code that no account can have (proven: %s)', async (verify) => {
  const code = new Uint8Array(FORK_CODE_BYTES_MAX + 1);
  const accounts = new Map([[toPrefixedHex(addressOf(0)), { ...ACCOUNT, code }]]);
  const { upstream, point } = await startState(accounts);
  await expect(fetchEntries(upstream, point, ENTRIES, { verify })).rejects.toMatchObject({
    ...{ code: 'REMOTE_DATA', message: 'the remote node sent a wrong code: expected at most 65536 bytes' },
  });
});

test('error: an account that is not proven', async () => {
  const { upstream, point } = await startState(STATE, { changeProof: true });
  await expect(fetchEntries(upstream, point, ENTRIES, { verify: true })).rejects.toThrow(ProofError);
});

test.each([null, '0x', '0x01ff', '', 5, {}, `0x${'11'.repeat(33)}`])(
  'error: %j is no word of a slot',
  async (word) => {
    const { point } = await startState(STATE);
    const remote = await startRemote(() => word);
    const entry: RemoteEntry = { kind: 'storage', address: addressOf(0), slot: slotOf(1) };
    const fetched = fetchEntries(new HttpUpstream({ url: remote.url }), point, [entry]);
    await expect(fetched).rejects.toMatchObject({ code: word === null ? 'REMOTE_MISSING' : 'REMOTE_DATA' });
  },
);
