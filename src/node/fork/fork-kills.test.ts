import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ForkPack, forkPointIn } from '../../fork/index.ts';
import { end, REAL_BLOCKS, RemoteFault, serve, startRemote } from '../../fork/remote.testing.ts';
import { bytesToHex, keccak256, toPrefixedHex } from '../../protocol/index.ts';
import { type StateEntry, stateKey } from '../../store/index.ts';
import { StoreProcess } from '../../store/store-process.testing.ts';
import { testJob } from '../chain.testing.ts';
import { verifyChain } from '../maintenance/verify.ts';
import { openEntries } from '../stored-chain.ts';
import {
  COUNTED_SLOTS,
  COUNTER,
  COUNTER_CODE,
  type ForkedAt,
  KilledChain,
  RECEIVER,
} from './block-kills.testing.ts';
import { startNode, temporaryFolder, word } from './forked-nodes.testing.ts';

const KILLS = Number(process.env.FORK_KILLS ?? 20);
const SEED = Number(process.env.FORK_SEED ?? 1);
/** Kills while blocks are made, and those of one chain. */
const BLOCK_KILLS = Math.ceil(KILLS / 2);
const LIVES = 10;

/** Fetches slots and balances and packs them, again and again; tells each slot that is stored, and each pack. */
const FETCH_AND_PACK = `
  const [url, folder, file, caches, compiled] = words;
  process.env.XDG_CACHE_HOME = caches;
  const fork = await import(compiled + 'fork/index.js');
  const { openForkStores } = await import(compiled + 'node/fork/fork-stores.js');
  const { Closers } = await import(compiled + 'node/closers.js');
  const upstream = new fork.HttpUpstream({ url });
  const { point } = await fork.pinBlock(upstream, { kind: 'number', number: 2 }, {});
  say({ pinned: true });
  const cache = { url, isProven: false, onDamaged: () => undefined };
  const stores = await openForkStores(point, folder, 'unproven', cache, new Closers());
  const entries = new fork.RemoteEntries(stores, {
    state: (missing) => fork.fetchEntries(upstream, point, missing, { verify: false }),
  });
  const history = new fork.RemoteHistory(upstream, point, stores);
  const address = new Uint8Array(20).fill(7);
  const packAll = async () => {
    for (;;) {
      await fork.writePack(stores.own, file, { stop: new AbortController().signal, onEntries: () => undefined });
      say({ packed: true });
      await yieldToEventLoop();
    }
  };
  const fetchAll = async () => {
    for (let number = 0; ; number += 3) {
      const slots = [0, 1, 2].map((more) => new Uint8Array(32).fill(1, 28).map((byte, at) => (at < 28 ? byte :
        ((number + more) >> (8 * (31 - at))) & 255)));
      await entries.fetch(slots.map((slot) => ({ kind: 'storage', address, slot })));
      const holder = '0x' + Buffer.from(address).toString('hex');
      await history.forward('eth_getBalance', [holder, '0x' + number.toString(16)], 'quantity');
      say({ slots: slots.map((slot) => Buffer.from(slot).toString('hex')) });
    }
  };
  await Promise.all([packAll(), fetchAll()]);`;

/** Random numbers below a bound, the same for each seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const wordOf = (slot: Uint8Array): Uint8Array => keccak256(slot);

/** Results of the remote node. */
function respond(method: string, [first, second]: readonly unknown[]): unknown {
  switch (method) {
    case 'eth_chainId':
      return '0x7a69';
    case 'eth_getBlockByNumber':
      return REAL_BLOCKS.find(({ number }) => number === first) ?? null;
    case 'eth_getStorageAt':
      return toPrefixedHex(wordOf(Buffer.from(String(second).slice(2).padStart(64, '0'), 'hex')));
    case 'eth_getBalance':
      return second;
  }
  throw new RemoteFault(-32_601, `the method ${method} does not exist`);
}

/** Checks that each entry is that of the remote chain. Returns the slots. */
function checkEntries(entries: Iterable<StateEntry>): Set<string> {
  const slots = new Set<string>();
  for (const { key, value } of entries) {
    const slot = stateKey.slotIn(key);
    if (slot === undefined) {
      expect(Buffer.from(value).toString()).toMatch(/^\{"result":"0x[0-9a-f]+"\}$/);
      continue;
    }
    const expected = bytesToHex(wordOf(slot)).replace(/^(00)+/, '');
    expect(bytesToHex(value)).toBe(expected);
    slots.add(bytesToHex(slot));
  }
  return slots;
}

/** Checks the entries in a folder. Returns the slots. */
async function checkFolder(folder: string): Promise<Set<string>> {
  const store = openEntries(folder);
  if (store === undefined) return new Set();
  const record = store.genesis();
  if (record !== undefined) expect(forkPointIn(record).number).toBe(2);
  const slots = checkEntries(store.stateEntries());
  await store.close();
  return slots;
}

test(`behavior: ${KILLS} kills at random: no entry is wrong or lost, a pack is complete or absent`, async () => {
  const random = randomOf(SEED);
  let requests = 0;
  let atRequest = Number.POSITIVE_INFINITY;
  let killed: (() => void) | undefined;
  const remote = await startRemote((method, parameters) => {
    requests += 1;
    if (requests === atRequest) killed?.();
    return respond(method, parameters);
  });
  const [root, cache] = [temporaryFolder(), temporaryFolder()];
  const [data, file] = [join(root, 'data'), join(root, 'a.fork')];
  const compiled = new URL('../../../dist/', import.meta.url).href;
  let packed = false;
  let stored = new Set<string>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    if (kill % 5 === 4) {
      rmSync(data, { recursive: true, force: true });
      stored = new Set();
    }
    const child = new StoreProcess(FETCH_AND_PACK, [remote.url, data, file, cache, compiled]);
    killed = () => process.kill(child.processId, 'SIGKILL');
    // Some are killed while they create the store, some during a request, some after a number of reports.
    atRequest = kill % 3 === 1 ? requests + 1 + random(200) : Number.POSITIVE_INFINITY;
    const reports = kill % 5 === 4 ? 1 : kill % 3 === 1 ? Number.POSITIVE_INFINITY : 1 + random(60);
    try {
      for (let count = 0; count < reports; count += 1) {
        const { slots = [], packed: isPacked } = await child.heard<{ slots?: string[]; packed?: boolean }>();
        for (const slot of slots) stored.add(slot);
        packed ||= isPacked === true;
      }
    } catch (error) {
      // The one of a process that was killed meanwhile.
      expect(String(error)).toContain('SIGKILL');
    }
    await child.kill();
    const found = await checkFolder(data);
    expect([...stored].filter((slot) => !found.has(slot))).toEqual([]);
    for (const fork of existsSync(join(cache, 'ledgerd/forks'))
      ? readdirSync(join(cache, 'ledgerd/forks'))
      : []) {
      await checkFolder(join(cache, 'ledgerd/forks', fork, 'entries'));
    }
    expect(existsSync(file) || !packed).toBe(true);
    if (!existsSync(file)) continue;
    const pack = new ForkPack(file);
    checkEntries(pack.entries());
    pack.close();
  }
  expect(packed).toBe(true);
}, 600_000);

/** Prepares a remote chain: contracts with slots, and a block of three transactions, the last of which is chosen. */
async function prepareRemote(onRequest: () => void): Promise<ForkedAt> {
  const node = await startNode({});
  await node.call('anvil_setCode', COUNTER, COUNTER_CODE);
  for (let slot = 0; slot < COUNTED_SLOTS; slot += 1) {
    await node.call('anvil_setStorageAt', COUNTER, word(slot), word(slot + 7));
  }
  await node.call('evm_mine');
  const number = Number(await node.call('eth_blockNumber'));
  await node.call('evm_setAutomine', false);
  const [from] = (await node.call('eth_accounts')) as string[];
  let transaction = '';
  for (const value of ['0x5', '0x7', '0x9']) {
    transaction = String(
      await node.call('eth_sendTransaction', { from, to: RECEIVER, value, gas: '0x5208' }),
    );
  }
  await node.call('evm_mine');
  const { url } = await serve((body, response) => {
    onRequest();
    void fetch(node.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
      .then((answer) => answer.text())
      .then((text) => end(response, 200, text));
  });
  return { url, transaction, number, received: 12n };
}

test(`behavior: ${BLOCK_KILLS} kills: nothing that was acknowledged is lost, and no block is wrong`, async () => {
  const random = randomOf(SEED);
  let requests = 0;
  let atRequest = Number.POSITIVE_INFINITY;
  let killed: (() => void) | undefined;
  const at = await prepareRemote(() => {
    requests += 1;
    if (requests === atRequest) killed?.();
  });
  let chain = new KilledChain(join(temporaryFolder(), 'data'), at, random);
  let acknowledged = 0;
  for (let kill = 0; kill < BLOCK_KILLS; kill += 1) {
    const life = kill % LIVES;
    const isLast = life === LIVES - 1 || kill === BLOCK_KILLS - 1;
    const child = chain.start();
    killed = () => void child.kill();
    // The first lives of a chain are killed while it begins, others at a request, others after acknowledgements.
    const wait = life < 2 ? 1 + random(12) : life % 3 === 1 ? 4 + random(30) : Number.POSITIVE_INFINITY;
    atRequest = isLast ? Number.POSITIVE_INFINITY : requests + wait;
    await chain.live(child, 1 + random(25), life % 4 === 3);
    if (!isLast) continue;
    await chain.end();
    expect((await verifyChain(chain.dataDir, testJob())).head).toBeGreaterThan(at.number);
    acknowledged += chain.acknowledged;
    chain = new KilledChain(join(temporaryFolder(), 'data'), at, random);
  }
  expect(acknowledged).toBeGreaterThan(BLOCK_KILLS);
}, 1_800_000);
