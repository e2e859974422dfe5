import { createMPT, verifyMPTWithMerkleProof } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Address,
  bytesToHex,
  bytesToNumber,
  concatBytes,
  createAddress,
  EMPTY_TRIE_ROOT,
  encodeRlp,
  type Hash,
  headerDigest,
  hexToBytes,
  keccak256,
  numberToBytes,
  toAddress,
  toHash,
} from '../protocol/index.ts';
import { openStore, type Store, stateKey } from '../store/index.ts';
import { accountStateOf } from './chain/records.ts';
import { ethereumAddress, sendBy, trieGenesis } from './ethereum.testing.ts';
import {
  compareChains,
  type Genesis,
  type Ledger,
  type Patch,
  RefusedError,
  replayChain,
  verifyState,
} from './index.ts';
import {
  accountAt,
  addressAt,
  keyAt,
  openTestLedger,
  PRODUCER_KEY,
  sign,
  transfer,
  transported,
} from './ledger.testing.ts';
import { stateTrieRoot } from './state/state-trie.ts';

/** Stores its second word under its first; self-destructs for one byte of data; reverts for two. */
const STORE_CODE = hexToBytes('366001146016573660021460195760203560003555005b33ff5b60006000fd');
const CREATE_STORE = concatBytes(hexToBytes('601f80600b6000396000f3'), STORE_CODE);
const SLOTS = 12;
const word = (value: number | bigint): Hash => toHash(numberToBytes(BigInt(value), 32));
const ANYWHERE = toAddress(new Uint8Array(20).fill(0x77));
/** The first contracts of the key 0, whether they exist or not. */
const contracts = [0n, 1n, 2n].map((nonce) => createAddress(ethereumAddress(0), nonce));
const addresses: readonly Address[] = [
  ...[...contracts, ANYWHERE, addressAt(0), addressAt(1), addressAt(2)],
  ...[0, 1, 2, 3].map(ethereumAddress),
  toAddress(new Uint8Array(20).fill(0xee)),
];

const stepArbitrary = fc.oneof(
  fc.record({ type: fc.constant('transfer' as const), key: fc.integer({ min: 1, max: 3 }), to: fc.nat(11) }),
  fc.record({ type: fc.constant('native' as const), amount: fc.integer({ min: 1, max: 1_000 }) }),
  fc.record({ type: fc.constant('create' as const) }),
  fc.record({
    type: fc.constant('write' as const),
    contract: fc.nat(2),
    slot: fc.nat(SLOTS - 1),
    value: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })),
  }),
  fc.record({ type: fc.constant('selfDestruct' as const), contract: fc.nat(2) }),
  fc.record({ type: fc.constant('revertCall' as const), contract: fc.nat(2) }),
  fc.record({ type: fc.constant('setBalance' as const), to: fc.nat(11), balance: fc.bigInt(0n, 10n ** 20n) }),
  fc.record({ type: fc.constant('setCode' as const), isEmpty: fc.boolean() }),
  fc.record({ type: fc.constant('setStorage' as const), slot: fc.nat(SLOTS - 1), value: fc.nat(3) }),
  fc.record({ type: fc.constant('revertBlocks' as const), depth: fc.integer({ min: 1, max: 3 }) }),
);
type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never;

const call = (ledger: Ledger, contract: number, data: Uint8Array): void => {
  sendBy(0, ledger, { to: contracts[contract], data, gas: 200_000n });
};

function run(ledger: Ledger, step: Step): void {
  const patch = (change: Patch): void => ledger.chain.patch(() => change);
  switch (step.type) {
    case 'transfer':
      sendBy(step.key, ledger, { to: addresses[step.to], value: 12_345n, gas: 100_000n });
      break;
    case 'native':
      ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), BigInt(step.amount))], [keyAt(0)]));
      break;
    case 'create':
      sendBy(0, ledger, { to: undefined, data: CREATE_STORE, gas: 300_000n });
      break;
    case 'write':
      call(ledger, step.contract, concatBytes(word(step.slot), word(step.value)));
      break;
    case 'selfDestruct':
      call(ledger, step.contract, new Uint8Array(1));
      break;
    case 'revertCall':
      call(ledger, step.contract, new Uint8Array(2));
      break;
    case 'setBalance': {
      const address = addresses[step.to] ?? ANYWHERE;
      patch({ type: 'balances', balances: [{ address, balance: step.balance }] });
      break;
    }
    case 'setCode':
      patch({ type: 'code', address: ANYWHERE, code: step.isEmpty ? new Uint8Array() : STORE_CODE });
      break;
    case 'setStorage':
      patch({ type: 'storage', address: ANYWHERE, slot: word(step.slot), value: word(step.value) });
      break;
    case 'revertBlocks': {
      const to = ledger.blocks.head().number - step.depth;
      if (to >= 0) ledger.chain.revertTo(to);
      break;
    }
  }
}

/** Runs a step, which the rules may forbid: a sender may lack funds, and an address may be reserved. */
function tryTo(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
}

/** Computes the root of the state by another implementation, from a scan of the accounts and slots. */
async function referenceRoot(store: Store): Promise<string> {
  const trie = await createMPT();
  const found = [...store.stateEntries()].flatMap(({ key }) => stateKey.addressIn(key) ?? []);
  for (const address of new Map(found.map((one) => [bytesToHex(one), one])).values()) {
    const value = store.state(stateKey.account(address));
    const storage = await createMPT();
    for (const slot of store.stateEntries(stateKey.storagePrefix(address))) {
      await storage.put(keccak256(slot.key.slice(21)), encodeRlp(slot.value));
    }
    const state = value && accountStateOf(value, 10n ** 10n);
    const { nonce = 0n, balance = 0n, codeHash = keccak256(new Uint8Array()) } = state ?? {};
    const leaf = [numberToBytes(nonce), numberToBytes(balance), storage.root(), codeHash];
    await trie.put(keccak256(address), encodeRlp(leaf));
  }
  return bytesToHex(trie.root());
}

/** Values of the state after a block. */
function valuesOf({ accounts }: Pick<Ledger, 'accounts'>) {
  return addresses.map((address) => ({
    balance: accounts.weiBalanceOf(address),
    nonce: accounts.nonceOf(address),
    codeHash: bytesToHex(keccak256(accounts.codeAt(address))),
    slots: Array.from({ length: SLOTS }, (_, slot) => bytesToNumber(accounts.storageAt(address, word(slot)))),
  }));
}

/** Verifies proofs of all addresses and slots by another implementation. */
async function expectProven(
  { accounts }: Pick<Ledger, 'accounts'>,
  root: Uint8Array,
  values: ReturnType<typeof valuesOf>,
): Promise<void> {
  const trie = await createMPT();
  for (const [index, address] of addresses.entries()) {
    const expected = values[index];
    const { value: account, nodes } = accounts.prove(address);
    const leaf = await verifyMPTWithMerkleProof(trie, root, keccak256(address), [...nodes]);
    const { nonce, balance, storageRoot, codeHash } = account;
    const fields = [numberToBytes(nonce), numberToBytes(balance), storageRoot, codeHash];
    const isAbsent =
      nonce === 0n &&
      balance === 0n &&
      bytesToHex(codeHash) === expected?.codeHash &&
      expected.slots.every((value) => value === 0n) &&
      leaf === null;
    expect(leaf).toEqual(isAbsent ? null : encodeRlp(fields));
    expect({ nonce, balance, codeHash: bytesToHex(codeHash) }).toEqual({
      ...{ nonce: expected?.nonce, balance: expected?.balance, codeHash: expected?.codeHash },
    });
    if (isAbsent) continue;
    for (const [slot, wanted] of (expected?.slots ?? []).entries()) {
      const proof = accounts.proveSlot(address, word(slot));
      expect(bytesToNumber(proof.value)).toBe(wanted);
      if (bytesToHex(storageRoot) === bytesToHex(EMPTY_TRIE_ROOT)) {
        expect({ nodes: proof.nodes, wanted }).toEqual({ nodes: [], wanted: 0n });
        continue;
      }
      const item = await verifyMPTWithMerkleProof(trie, storageRoot, keccak256(word(slot)), [...proof.nodes]);
      expect(item).toEqual(wanted === 0n ? null : encodeRlp(numberToBytes(wanted)));
    }
  }
}

const rootOf = (ledger: Ledger, number: number): string =>
  ledger.blocks.blockByNumber(number)?.header.vmRoot[1] ?? '';

test.each<{ hardfork: Genesis['hardfork']; writesLater: 'always' | undefined }>([
  { hardfork: 'shanghai', writesLater: 'always' },
  { hardfork: 'osaka', writesLater: undefined },
])(
  'behavior: the trie agrees with another implementation over any history: $hardfork, $writesLater',
  async ({ hardfork, writesLater }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 20, maxLength: 60 }), async (steps) => {
        const store = openStore({ durable: false, writesLater });
        const { ledger } = await openTestLedger({ store, genesis: { ...trieGenesis(), hardfork } });
        const values = new Map<number, ReturnType<typeof valuesOf>>();
        values.set(0, valuesOf(ledger));
        expect(rootOf(ledger, 0)).toBe(await referenceRoot(store));
        for (const step of [{ type: 'create' } as const, ...steps]) {
          const before = ledger.blocks.head().number;
          tryTo(() => run(ledger, step));
          const { number } = ledger.blocks.head();
          values.set(number, valuesOf(ledger));
          if (number > before) expect(rootOf(ledger, number)).toBe(await referenceRoot(store));
        }
        const { number: head } = ledger.blocks.head();
        await verifyState(store);
        ledger.miner.mine();
        for (const number of new Set([0, Math.floor(head / 2), head])) {
          const known = values.get(number);
          if (known === undefined) continue;
          const root = stateTrieRoot(store.before(number + 1));
          if (store.patchCount(number) === 0) expect(bytesToHex(root)).toBe(rootOf(ledger, number));
          await expectProven(ledger.history.stateBefore(number + 1), root, known);
        }
        await store.close();
      }),
      { numRuns: 5 },
    );
  },
  60_000,
);

test('default: proofs of a state 100 blocks ago', async () => {
  const { ledger, store } = await openTestLedger({ genesis: trieGenesis() });
  sendBy(0, ledger, { to: undefined, data: CREATE_STORE, gas: 300_000n });
  for (let slot = 0; slot < SLOTS; slot += 2) call(ledger, 0, concatBytes(word(slot), word(slot + 1)));
  const { number } = ledger.blocks.head();
  const values = valuesOf(ledger);
  for (let block = 0; block < 100; block += 1) {
    call(ledger, 0, concatBytes(word(block % SLOTS), word(block % 3 === 0 ? 0 : block)));
  }
  expect(ledger.blocks.head().number).toBe(number + 100);
  await expectProven(ledger.history.stateBefore(number + 1), hexToBytes(rootOf(ledger, number)), values);
  await expectProven(ledger, hexToBytes(rootOf(ledger, number + 100)), valuesOf(ledger));
  await verifyState(store);
});

test('behavior: an account with storage alone is in reads, root and proofs alike', async () => {
  const { ledger, store } = await openTestLedger({ genesis: trieGenesis() });
  const setSlot = (value: number): void => {
    ledger.chain.patch(() => ({ type: 'storage', address: ANYWHERE, slot: word(1), value: word(value) }));
  };
  const check = async (): Promise<void> => {
    ledger.miner.mine();
    const { number } = ledger.blocks.head();
    expect(rootOf(ledger, number)).toBe(await referenceRoot(store));
    await expectProven(ledger, hexToBytes(rootOf(ledger, number)), valuesOf(ledger));
    await verifyState(store);
  };
  setSlot(7);
  await check();
  expect(ledger.accounts.prove(ANYWHERE).value.storageRoot).not.toEqual(EMPTY_TRIE_ROOT);
  for (const balance of [5n, 0n]) {
    ledger.chain.patch(() => ({ type: 'balances', balances: [{ address: ANYWHERE, balance }] }));
    await check();
  }
  setSlot(0);
  await check();
  expect(ledger.accounts.prove(ANYWHERE).value.storageRoot).toEqual(EMPTY_TRIE_ROOT);
});

test('behavior: a replay gives the same tables, and a block with another root is rejected', async () => {
  const genesis = trieGenesis();
  const { ledger, store } = await openTestLedger({ genesis });
  sendBy(0, ledger, { to: undefined, data: CREATE_STORE, gas: 300_000n });
  call(ledger, 0, concatBytes(word(1), word(2)));
  ledger.chain.patch(() => ({ type: 'storage', address: ANYWHERE, slot: word(1), value: word(2) }));
  call(ledger, 0, concatBytes(word(1), word(0)));
  const target = openStore({ durable: false });
  await replayChain({ source: store, target });
  expect(await compareChains(store, target)).toBeUndefined();
  await verifyState(target);
  await target.close();
  const { ledger: other } = await openTestLedger({ genesis, keys: [] });
  const block = transported(ledger, 1);
  const [roots = '', , ...rest] = block.vmRoot;
  const changed = { ...block, vmRoot: [roots, 'ab'.repeat(32), ...rest] };
  const edSignature = PRODUCER_KEY.sign(headerDigest(ledger.parameters.chainId, changed));
  expect(() => other.chain.importBlock({ ...changed, edSignature })).toThrow('vm_root');
  other.chain.importBlock(block);
  expect(rootOf(other, 1)).toBe(rootOf(ledger, 1));
});

test('error: a damaged trie', async () => {
  const { ledger, store } = await openTestLedger({ genesis: trieGenesis() });
  sendBy(0, ledger, { to: undefined, data: CREATE_STORE, gas: 300_000n });
  call(ledger, 0, concatBytes(word(1), word(2)));
  ledger.chain.patch(() => ({ type: 'rand', rand: word(1) }));
  const [accumulator, patch] = [store.accumulator(), store.newestPatch()];
  const damage = (key: Uint8Array, after: Uint8Array | undefined): void => {
    store.commitPatch({
      ...{ patch: patch ?? new Uint8Array(), counts: [], accumulator: accumulator ?? new Uint8Array() },
      state: [{ key, before: store.state(key), after }],
    });
  };
  const root = stateKey.storageTrie(keccak256(contracts[0] ?? ANYWHERE));
  const accounts = store.state(stateKey.accountTrie());
  const record = store.state(root);
  for (const [key, damaged] of [
    [root, undefined],
    [root, Uint8Array.of(0xc0)],
    [root, accounts],
    [stateKey.accountTrie(), record],
    [Uint8Array.of(...root, 1), record],
  ] as const) {
    const before = store.state(key);
    damage(key, damaged);
    await expect(verifyState(store)).rejects.toThrow(/state trie/);
    damage(key, before);
    await verifyState(store);
  }
});
