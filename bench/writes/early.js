/**
 * Measures the first transactions of a new node, in CPU time of all its threads: 64 transfers, then 24 deployments of
 * 20 KiB, each with its receipt, over one connection. See ../README.md for the flags.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { keccak256, signEthereumTransaction } from '../../dist/protocol/index.js';
import { ETHEREUM_DERIVATION_PATH, mnemonicKeys } from '../../dist/wallet/index.js';
import { requestOf } from '../../test/rpc-client.js';
import { Connection } from '../harness/connection.js';
import { PROGRAM, readFlags } from '../harness/flags.js';
import { startLedgerd } from '../harness/ledgerd.js';
import { median, print, table } from '../harness/report.js';
import { inTurn } from '../harness/rounds.js';
import { startServer } from '../harness/server.js';
import { toHex } from '../harness/words.js';

const flags = readFlags({ rounds: 5, idle: 2, programs: PROGRAM, anvil: '' });

const MNEMONIC = 'test test test test test test test test test test test junk';
const TRANSFERS = 64;
const DEPLOYMENTS = 24;
const CODE_BYTES = 20 * 1_024;
/** PUSH2 size DUP1 PUSH1 12 PUSH1 0 CODECOPY PUSH1 0 RETURN. */
const INIT = [0x61, CODE_BYTES >> 8, CODE_BYTES & 0xff, 0x80, 0x60, 12, 0x60, 0, 0x39, 0x60, 0, 0xf3];
const FEE = 20n * 10n ** 9n;

const [key] = mnemonicKeys(MNEMONIC, ETHEREUM_DERIVATION_PATH, 1);
/** Zeros: how long their analysis takes is not measured here. */
const code = new Uint8Array(CODE_BYTES);
const bodies = Array.from({ length: TRANSFERS + DEPLOYMENTS }, (_, nonce) => {
  const fields =
    nonce < TRANSFERS
      ? { to: new Uint8Array(20).fill(0x11), value: 1n, gas: 21_000n, data: new Uint8Array() }
      : { to: undefined, value: 0n, gas: 8_000_000n, data: Uint8Array.from([...INIT, ...code]) };
  const common = { type: 'dynamicFee', chainId: 31_337n, accessList: [], maxPriorityFeePerGas: 0n };
  const raw = signEthereumTransaction(
    /** @type {any} */ ({ ...common, ...fields, nonce: BigInt(nonce), maxFeePerGas: FEE }),
    key ?? new Uint8Array(),
  );
  return [
    requestOf('eth_sendRawTransaction', toHex(raw)),
    requestOf('eth_getTransactionReceipt', toHex(keccak256(raw))),
  ];
});

/** @param {number} port */
const anvilAt = (port) => [flags.anvil, '--port', String(port), '--silent'];
/** @param {string} program */
const ledgerd = (program) => ({
  name: program,
  path: '/ethereum',
  start: () => startLedgerd(['--ethereum', '--quiet'], { program }),
});
const PEERS = [
  ...flags.programs.split(',').map(ledgerd),
  ...(flags.anvil === '' ? [] : [{ name: 'anvil', path: '/', start: () => startServer(anvilAt) }]),
];

/**
 * Milliseconds of CPU time that all threads of a process have used: its own count has steps of 10 ms.
 *
 * @param {number} processId
 */
function threadMs(processId) {
  const folder = `/proc/${processId}/task`;
  const times = readdirSync(folder).map((task) =>
    Number(readFileSync(`${folder}/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}

/** @param {{ path: string, start: () => Promise<import('../harness/server.js').Server> }} peer */
async function measure({ path, start }) {
  const node = await start();
  const { processId } = node;
  const before = threadMs(processId);
  await setTimeout(1_000 * flags.idle);
  const idleMs = threadMs(processId) - before;
  const connection = await Connection.open(node.port, path);
  /** @param {number} from @param {number} to */
  const each = async (from, to) => {
    const begin = threadMs(processId);
    for (const [send = '', receipt = ''] of bodies.slice(from, to)) {
      await connection.send(send);
      // Anvil makes the block after its response.
      let text = 'null}';
      while (text.endsWith('null}')) text = await connection.send(receipt);
      if (!text.includes('"status":"0x1"')) throw new Error(text);
    }
    return (threadMs(processId) - begin) / (to - from);
  };
  const transfer = await each(0, TRANSFERS);
  const deployment = await each(TRANSFERS, bodies.length);
  connection.close();
  await node.stop();
  return [transfer, deployment, idleMs];
}

const HEAD = ['', 'ms a transfer', 'ms a deployment', 'ms while idle'];
/** @type {Map<string, number[][]>} */
const results = new Map(PEERS.map(({ name }) => [name, []]));
for (let round = 0; round < flags.rounds; round += 1) {
  for (const peer of inTurn(PEERS, round)) results.get(peer.name)?.push(await measure(peer));
}
/** @param {number[]} values */
const show = (values) =>
  `${median(values).toFixed(2)} [${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}]`;
const rows = [...results].map(([name, rounds]) => [
  name,
  ...HEAD.slice(1).map((_, column) => show(rounds.map((values) => values[column] ?? Number.NaN))),
]);
print(table([HEAD, ...rows]));
