/** Writes with instant mining: sends each transaction and polls its receipt. */

import assert from 'node:assert/strict';
import { Connection, withConnection } from '../harness/connection.js';
import { LARGE_BYTES } from './contracts.js';
import { ACCOUNTS } from './peers.js';
import { encodeCall, GAS, transact } from './world.js';

/** Of so many writes one is a deployment of the large contract. */
const LARGE_PART = 10;

/** Returns the fields of a transfer of one of the accounts. */
const transfer = ({ accounts }, sender) => ({
  from: accounts[sender],
  to: accounts[(sender + 1) % accounts.length],
  value: 1n,
  gas: GAS.transfer,
});
const tokenTransfer = ({ accounts, contracts: { token } }, sender) => ({
  from: accounts[sender],
  to: token.address,
  data: encodeCall(token, 'transfer', accounts[(sender + 1) % accounts.length], 1n),
  gas: GAS.tokenTransfer,
});

/** Writes one after the other; gives how many a second. */
async function inTurn({ port }, fields, count) {
  return await withConnection(port, async (connection) => {
    const started = performance.now();
    for (let index = 0; index < count; index += 1) await transact(connection, fields);
    return (1_000 * count) / (performance.now() - started);
  });
}

/** Sends from every account at the same time, over separate connections. */
async function atOnce({ port, world }, count) {
  const each = Math.ceil(count / ACCOUNTS);
  const connections = await Promise.all(Array.from({ length: ACCOUNTS }, () => Connection.open(port)));
  try {
    const started = performance.now();
    await Promise.all(
      connections.map(async (connection, sender) => {
        for (let index = 0; index < each; index += 1) await transact(connection, transfer(world, sender));
      }),
    );
    return (1_000 * each * ACCOUNTS) / (performance.now() - started);
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function checkTransfer({ port, world: { accounts, contracts }, world }) {
  await withConnection(port, async (connection) => {
    const { token } = contracts;
    const [, receiver] = accounts;
    const held = async () => BigInt(await connection.call('eth_getBalance', receiver, 'latest'));
    const owned = async () => {
      const call = { to: token.address, data: encodeCall(token, 'balanceOf', receiver) };
      return BigInt(await connection.call('eth_call', call, 'latest'));
    };
    const [balance, tokens] = [await held(), await owned()];
    await transact(connection, transfer(world, 0));
    const { logs } = await transact(connection, tokenTransfer(world, 0));
    assert.equal(logs.length, 1);
    assert.deepEqual([await held(), await owned()], [balance + 1n, tokens + 1n]);
  });
}

async function checkLarge({ port, world }, large) {
  await withConnection(port, async (connection) => {
    const { contractAddress } = await transact(connection, deployment(world, large));
    const code = await connection.call('eth_getCode', contractAddress, 'latest');
    assert.equal(code, `0x${large.bytecode.slice(-2 * LARGE_BYTES)}`);
  });
}

function deployment({ accounts: [from] }, { bytecode }) {
  return { from, data: bytecode, gas: GAS.deploy };
}

/** Every write as work that is measured. */
export const WRITE_WORK = [
  {
    name: 'transfer',
    title: 'transfer, sent and received',
    check: checkTransfer,
    measure: (peer, { writes }) => inTurn(peer, transfer(peer.world, 0), writes),
  },
  {
    name: 'token transfer',
    title: 'ERC-20 transfer, sent and received',
    check: checkTransfer,
    measure: (peer, { writes }) => inTurn(peer, tokenTransfer(peer.world, 0), writes),
  },
  {
    name: 'senders',
    title: `transfers of ${ACCOUNTS} senders at once`,
    check: checkTransfer,
    measure: (peer, { writes }) => atOnce(peer, writes),
  },
  {
    name: 'deployment',
    title: 'deployment of 20 KiB',
    check: (peer, { contracts }) => checkLarge(peer, contracts.Large),
    measure: (peer, { writes, contracts }) =>
      inTurn(peer, deployment(peer.world, contracts.Large), Math.ceil(writes / LARGE_PART)),
  },
].map((work) => ({ ...work, unit: 'per second', tool: 'connection' }));
