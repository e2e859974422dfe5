/** A chain with a busy and partly hostile history. */

import { encodeFunctionData } from 'viem';
import { shopContract, stockContract } from './contracts.js';

/** Texts that would be somebody else's page where they were taken for anything but text. */
export const HOSTILE = {
  image: '<img src=x onerror="window.attacked=1">',
  script: '"><script>window.attacked=2</script>',
  link: '<a id=hostile href="javascript:window.attacked=3">press</a>',
  turned: '\u202Egnisrever\u202C and \u2066isolated',
  long: `${'long'.repeat(700)}<b id=hostile>`,
};

const TRANSFERS = 30;

/**
 * @typedef {object} History
 * @property {`0x${string}`[]} accounts
 * @property {`0x${string}`} shop a contract whose interface the node knows
 * @property {`0x${string}`} hostileShop the same, with an interface of hostile names
 * @property {`0x${string}`} bought a transaction with logs and a line of the console
 * @property {`0x${string}`} transfer
 * @property {`0x${string}`} failed a transaction that reverted with a custom error
 * @property {`0x${string}`[]} hostile transactions with hostile notes, reasons and lines
 * @property {number} head
 * @property {string} headHash
 */

/**
 * Makes the history at a node in test mode.
 *
 * @param {import('./node.js').Node} node
 * @returns {Promise<History>}
 */
export async function makeHistory(node) {
  const accounts = await node.call('eth_accounts');
  const [from, ...others] = accounts;
  const { abi, bytecode } = shopContract();
  const send = async (/** @type {Record<string, unknown>} */ transaction) => {
    const hash = await node.call('eth_sendTransaction', { from, ...transaction });
    return node.call('eth_getTransactionReceipt', hash);
  };
  const called = (/** @type {string} */ functionName, /** @type {unknown[]} */ ...args) =>
    encodeFunctionData({ abi, functionName, args });
  const shop = (await send({ data: bytecode })).contractAddress;
  const hostileShop = (await send({ data: bytecode })).contractAddress;
  await node.call('ledger_addArtifact', { name: 'Shop', abi, address: shop });
  await node.call('ledger_addArtifact', { name: 'Stock', ...stockContract() });
  await node.call('ledger_addArtifact', {
    name: HOSTILE.image,
    abi: hostileInterface(abi),
    address: hostileShop,
  });
  for (let count = 0; count < TRANSFERS; count += 1) {
    await send({ to: others[count % others.length], value: `0x${(1_000 + count).toString(16)}` });
  }
  const transfer = (await send({ to: others[0], value: '0x5' })).transactionHash;
  const bought = (await send({ to: shop, data: called('buy', 3n, 'three apples') })).transactionHash;
  const failed = await send({ to: shop, data: called('buy', 1_000n, 'far too many'), gas: '0x30d40' });
  const hostile = [];
  for (const text of Object.values(HOSTILE)) {
    hostile.push((await send({ to: hostileShop, data: called('buy', 1n, text) })).transactionHash);
    hostile.push(
      (await send({ to: hostileShop, data: called('buy', 1_000n, text), gas: '0x4c4b40' })).transactionHash,
    );
    hostile.push(
      (await send({ to: hostileShop, data: called('fail', text), gas: '0x4c4b40' })).transactionHash,
    );
  }
  await send({ to: hostileShop, data: called('rename', HOSTILE.image) });
  const head = await node.call('eth_getBlockByNumber', 'latest', false);
  return {
    accounts,
    shop,
    hostileShop,
    bought,
    transfer,
    failed: failed.transactionHash,
    hostile,
    head: Number(head.number),
    headHash: head.hash,
  };
}

/** Returns the same functions, events and errors with hostile parameter names, and functions that do not exist. */
function hostileInterface(/** @type {any[]} */ abi) {
  const texts = Object.values(HOSTILE);
  let next = 0;
  const named = (/** @type {any} */ parameter) => ({
    ...parameter,
    name: texts[next++ % texts.length],
    ...(parameter.components === undefined ? {} : { components: parameter.components.map(named) }),
  });
  const renamed = abi.map((entry) => ({
    ...entry,
    inputs: (entry.inputs ?? []).map(named),
    outputs: (entry.outputs ?? []).map(named),
  }));
  const invented = texts.flatMap((name) =>
    ['view', 'payable'].map((stateMutability) => ({
      type: 'function',
      name: `${stateMutability}${name}`,
      stateMutability,
      inputs: [{ name, type: 'uint256' }],
      outputs: [{ name, type: 'string' }],
    })),
  );
  return [...renamed, ...invented];
}
