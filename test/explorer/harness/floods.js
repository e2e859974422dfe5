/** Operations and blocks that are as long as a block lets them be. */

import { encodeFunctionData } from 'viem';
import { floodContract } from './contracts.js';

/** As much as one operation may use. */
const GAS = '0xffffff';
const TRANSFERS = 1_000;
const BATCH = 100;

/** Code that calls itself with all of its gas: `PUSH0` five times, `ADDRESS`, `GAS`, `CALL`, `STOP`. */
const DIVER = '0x685f5f5f5f5f305af1005f5260096017f3';

/**
 * @typedef {object} Floods
 * @property {`0x${string}`} logger a contract with 9,000 logs of one block
 * @property {`0x${string}`} unlisted a contract with more logs in one block than `eth_getLogs` returns
 * @property {`0x${string}`} logged its operation with 19,000 logs
 * @property {`0x${string}`} stored an operation that wrote 700 slots
 * @property {`0x${string}`} keeper the contract that has them
 * @property {`0x${string}`} said an operation with 5,000 lines of the console
 * @property {`0x${string}`} dived an operation with hundreds of calls, each inside of the one before
 * @property {number} crowded the block of 1,000 transfers
 */

/**
 * Makes them at a node in test mode.
 *
 * @param {import('./node.js').Node} node
 * @returns {Promise<Floods>}
 */
export async function makeFloods(node) {
  const [from, to] = await node.call('eth_accounts');
  const { abi, bytecode } = floodContract();
  const send = async (/** @type {Record<string, unknown>} */ transaction) => {
    const hash = await node.call('eth_sendTransaction', { from, gas: GAS, ...transaction });
    return node.call('eth_getTransactionReceipt', hash);
  };
  const flood = async (/** @type {string} */ name, /** @type {bigint} */ count) => {
    const { contractAddress } = await send({ data: bytecode });
    const data = encodeFunctionData({ abi, functionName: name, args: [count] });
    const { status, transactionHash } = await send({ to: contractAddress, data });
    if (status !== '0x1') throw new Error(`${name} failed`);
    return { contract: contractAddress, hash: transactionHash };
  };
  const logger = await flood('log', 9_000n);
  const unlisted = await flood('log', 19_000n);
  const keeper = await flood('store', 700n);
  const said = await flood('say', 5_000n);
  const { contractAddress: diver } = await send({ data: DIVER });
  const dived = await send({ to: diver });
  return {
    logger: logger.contract,
    unlisted: unlisted.contract,
    logged: unlisted.hash,
    stored: keeper.hash,
    keeper: keeper.contract,
    said: said.hash,
    dived: dived.transactionHash,
    crowded: await crowd(node, from, to),
  };
}

/** Makes a block of very many transfers, and returns its number. */
async function crowd(
  /** @type {import('./node.js').Node} */ node,
  /** @type {string} */ from,
  /** @type {string} */ to,
) {
  await node.call('evm_setAutomine', false);
  for (let sent = 0; sent < TRANSFERS; sent += BATCH) {
    await Promise.all(
      Array.from({ length: BATCH }, (_, index) =>
        node.call('eth_sendTransaction', { from, to, value: `0x${(sent + index + 1).toString(16)}` }),
      ),
    );
  }
  await node.call('evm_mine');
  await node.call('evm_setAutomine', true);
  return Number(await node.call('eth_blockNumber'));
}
