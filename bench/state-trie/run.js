/** Measures the cost of the state trie. See ../README.md for the flags. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createTestGenesis, Ledger, NO_FEATURES, networkOf, systemClock } from '../../dist/ledger/index.js';
import { createKeyPair, toAddress, toSeed } from '../../dist/protocol/index.js';
import { openStore } from '../../dist/store/index.js';
import { print, quantile, showCount, showMicroseconds, table } from '../harness/report.js';

const { values: flags } = parseArgs({
  options: {
    accounts: { type: 'string', default: '200000' },
    entries: { type: 'string', default: '20000' },
  },
});

/** Accounts in a patch while the state grows. */
const GROWTH = 1_000;
/** Changed accounts of a commit. */
const SIZES = [1, 10, 100, 1_000];

const PRODUCER = createKeyPair(toSeed(new Uint8Array(32).fill(2)));

/** Opens a chain with Ethereum in a new folder, which `close` removes. */
async function openLedger(hasStateTrie) {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-bench-'));
  const store = openStore({ path: join(folder, 'ledger'), durable: false });
  const fees = { type: /** @type {const} */ ('fixed'), price: 0n };
  const features = { ...NO_FEATURES, fees, hasStateTrie };
  const genesis = createTestGenesis({
    network: networkOf('local'),
    hardfork: 'osaka',
    accounts: [],
    balance: 0n,
    producerKey: PRODUCER.publicKey,
    timestamp: 1_790_000_000,
    ethereum: { blockGasLimit: 45_000_000n, accounts: [], contracts: [], features },
  });
  const options = { store, genesis, clock: systemClock, keys: [PRODUCER] };
  const ledger = await Ledger.open({ ...options, mining: 'manual' });
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  };
  return { ledger, store, close };
}

/** Sets the balances of accounts in one commit, and makes an empty block. Returns the time of the commit in ms. */
function commit({ ledger }, addresses, balance) {
  const balances = addresses.map((address) => ({ address, balance }));
  const started = performance.now();
  ledger.chain.patch(() => ({ type: 'balances', balances }));
  const time = performance.now() - started;
  ledger.miner.mine();
  return time;
}

const sides = [await openLedger(false), await openLedger(true)];
const addresses = Array.from({ length: Number(flags.accounts) }, () =>
  toAddress(new Uint8Array(randomBytes(20))),
);
for (let start = 0; start < addresses.length; start += GROWTH) {
  for (const side of sides) commit(side, addresses.slice(start, start + GROWTH), 1n);
}
const bytes = sides.map(({ store }) => store.statistics().usedBytes / addresses.length);
const rows = [['accounts of a commit', 'without', 'with the trie', 'a changed account costs', 'bytes of it']];
let balance = 1n;
for (const size of SIZES) {
  const times = sides.map(() => /** @type {number[]} */ ([]));
  const before = sides.map(({ store }) => store.statistics().usedBytes);
  const rounds = Math.ceil(Number(flags.entries) / size);
  for (let round = 0; round < rounds; round += 1) {
    const first = Math.floor(Math.random() * (addresses.length - size));
    balance += 1n;
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      times[index]?.push(commit(sides[index], addresses.slice(first, first + size), balance));
    }
  }
  const [without, withTrie] = times.map((side) => (quantile(side, 0.5) * 1_000) / size);
  const [bare, kept] = sides.map(({ store }, index) => store.statistics().usedBytes - before[index]);
  rows.push([
    showCount(size),
    ...[without, withTrie, withTrie - without].map(showMicroseconds),
    showCount((kept - bare) / rounds / size),
  ]);
}
print(table(rows));
const [bare, kept] = bytes.map(Math.round);
const accounts = showCount(addresses.length);
print(`A state of ${accounts} accounts, with undo records: ${bare} and ${kept} bytes an account.`);
for (const { close } of sides) await close();
