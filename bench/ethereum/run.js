/**
 * Measures signed Ethereum transactions on ledgerd and anvil, alternating, and the reads of `/ethereum` beside those of
 * `/`. See ../README.md.
 */

import { ANVIL_PACKAGE, anvilCommand } from '../harness/anvil.js';
import { Connection } from '../harness/connection.js';
import { outputOf, readFlags } from '../harness/flags.js';
import { startLedgerd } from '../harness/ledgerd.js';
import {
  load,
  machine,
  median,
  print,
  showCount,
  showProgress,
  table,
  writeReport,
} from '../harness/report.js';
import { inTurn } from '../harness/rounds.js';
import { startServer } from '../harness/server.js';
import { Senders } from './senders.js';

const SENDERS = 64;

const flags = readFlags({ rounds: 5, transfers: 1_280, reads: 20_000, output: outputOf('ethereum') });

/** @typedef {{ name: string, port: number, path: string, senders: Senders, stop: () => Promise<void> }} Peer */

/** @returns {Promise<Peer[]>} */
async function startPeers() {
  const ledgerd = await startLedgerd(['--ethereum', '--accounts', String(SENDERS)]);
  const anvil = await startServer((port) => [
    ...anvilCommand(port),
    ...['--accounts', String(SENDERS), '--base-fee', '0'],
  ]);
  return [
    { name: 'ledgerd', path: '/ethereum', senders: new Senders(SENDERS), ...ledgerd },
    { name: 'anvil', path: '/', senders: new Senders(SENDERS), ...anvil },
  ];
}

/**
 * Sends transfers, and polls the receipt of each.
 *
 * @param {Connection} connection
 * @param {readonly string[]} transfers
 */
async function sendAll(connection, transfers) {
  for (const raw of transfers) {
    const hash = await connection.call('eth_sendRawTransaction', raw);
    for (;;) {
      const receipt = await connection.call('eth_getTransactionReceipt', hash);
      if (receipt === null) continue;
      if (receipt.status !== '0x1') throw new Error(`${hash} failed`);
      break;
    }
  }
}

/**
 * Measures the transfers a second of concurrent senders.
 *
 * @param {Peer} peer
 * @param {number} count of senders
 */
async function send({ port, path, senders }, count) {
  const each = Math.ceil(flags.transfers / count);
  const transfers = Array.from({ length: count }, (_, sender) => senders.transfers(sender, each));
  const connections = await Promise.all(transfers.map(() => Connection.open(port, path)));
  try {
    const started = performance.now();
    await Promise.all(connections.map((connection, sender) => sendAll(connection, transfers[sender] ?? [])));
    return (1_000 * each * count) / (performance.now() - started);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/**
 * Measures the requests a second on one connection.
 *
 * @param {number} port
 * @param {string} path
 * @param {string} method
 * @param {readonly unknown[] | typeof A_HASH} given
 */
async function read(port, path, method, given) {
  const connection = await Connection.open(port, path);
  try {
    const params = given === A_HASH ? [await newestTransaction(connection)] : given;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const started = performance.now();
    for (let index = 0; index < flags.reads; index += 1) await connection.send(body);
    return (1_000 * flags.reads) / (performance.now() - started);
  } finally {
    connection.close();
  }
}

/**
 * The hash of a transaction of the newest block, as the profile of a connection shows it.
 *
 * @param {Connection} connection
 * @returns {Promise<string>}
 */
async function newestTransaction(connection) {
  const { transactions } = await connection.call('eth_getBlockByNumber', 'latest', false);
  return transactions[0];
}

const ADDRESS = '0x0000000000000000000000000000000000000400';
/** Placeholder for the hash of a transaction, which differs between the profiles. */
const A_HASH = 'hash';
/** @type {readonly (readonly [method: string, params: readonly unknown[] | typeof A_HASH])[]} */
const READS = [
  ['eth_blockNumber', []],
  ['eth_getBalance', [ADDRESS, 'latest']],
  ['eth_call', [{ to: '0xcA11bde05977b3631167028862bE2a173976CA11', data: '0x42cbb15c' }, 'latest']],
  ['eth_getBlockByNumber', ['latest', false]],
  ['eth_getTransactionByHash', A_HASH],
  ['eth_getTransactionReceipt', A_HASH],
];

/** @param {readonly number[]} values with half of their range */
const shown = (values) => {
  const half = (Math.max(...values) - Math.min(...values)) / 2;
  return `${showCount(median(values))} ± ${Math.round((100 * half) / median(values))} %`;
};

/** @param {Peer[]} peers */
async function writes(peers) {
  const rows = [['transfers a second', 'ledgerd', 'anvil', '×', 'goal']];
  for (const [count, goal] of /** @type {const} */ ([
    [1, 1],
    [SENDERS, 5],
  ])) {
    /** @type {Map<string, number[]>} */
    const measured = new Map(peers.map(({ name }) => [name, []]));
    for (let round = -1; round < flags.rounds; round += 1) {
      for (const peer of inTurn(peers, round)) {
        showProgress(`${count} senders: round ${round + 1}, ${peer.name}\n`);
        const value = await send(peer, count);
        if (round >= 0) measured.get(peer.name)?.push(value);
      }
    }
    const [own = [], theirs = []] = peers.map(({ name }) => measured.get(name));
    const ratio = median(own) / median(theirs);
    const verdict = `${goal}: ${ratio >= goal ? 'met' : '**missed**'}`;
    rows.push([`${count} at once`, shown(own), shown(theirs), ratio.toFixed(1), verdict]);
  }
  return rows;
}

/** @param {number} port */
async function reads(port) {
  const rows = [['reads a second', '`/`', '`/ethereum`', '×']];
  for (const [method, params] of READS) {
    /** @type {Record<string, number[]>} */
    const measured = { '/': [], '/ethereum': [] };
    for (let round = -1; round < flags.rounds; round += 1) {
      for (const path of inTurn(['/', '/ethereum'], round)) {
        const value = await read(port, path, method, params);
        if (round >= 0) measured[path]?.push(value);
      }
    }
    const [plain = [], ethereum = []] = [measured['/'], measured['/ethereum']];
    rows.push([method, shown(plain), shown(ethereum), (median(ethereum) / median(plain)).toFixed(2)]);
  }
  return rows;
}

const before = load();
const peers = await startPeers();
try {
  const [first] = peers;
  if (first === undefined) throw new RangeError('no peers');
  const tables = [await writes(peers), await reads(first.port)];
  const text = [
    '# Ethereum transactions\n',
    `${machine()}; load ${before} at the start, ${load()} at the end; ${ANVIL_PACKAGE}. Medians of ${flags.rounds} ` +
      'rounds in turns, ± half the range.\n',
    ...tables.map((rows) => `${table(rows)}\n`),
  ].join('\n');
  print(text);
  writeReport(flags.output, text, { machine: machine(), tables });
} finally {
  await Promise.all(peers.map(({ stop }) => stop()));
}
