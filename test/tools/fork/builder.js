/** Sends the transactions that make the remote chain. */

import { receiptOf } from '../differential/receipts.js';
import { creationOf, dataOf, preinstalls } from './contracts.js';

/**
 * @typedef {import('./contracts.js').Hex} Hex
 * @typedef {import('./contracts.js').Contract} Contract
 * @typedef {import('../harness/endpoint.js').Endpoint} Endpoint
 */

/** Sends transactions, and waits for them. */
export class Builder {
  /** @type {Hex[]} */
  hashes = [];
  multicall = known('Multicall3');
  /** @param {Endpoint} node @param {Hex} from */
  constructor(node, from) {
    this.node = node;
    this.from = from;
  }

  /** @param {object} transaction */
  async send(transaction) {
    const hash = await this.node.call('eth_sendTransaction', {
      ...{ from: this.from, gas: '0xf00000' },
      ...transaction,
    });
    const receipt = await receiptOf(this.node, hash);
    if (receipt?.status !== '0x1') {
      const text = JSON.stringify(transaction).slice(0, 300);
      throw new Error(`a transaction of the remote chain failed: ${text}, ${JSON.stringify(receipt)}`);
    }
    this.hashes.push(hash);
    return receipt;
  }

  /**
   * @param {import('./contracts.js').Artifact} artifact
   * @param {...unknown} args
   * @returns {Promise<Contract>}
   */
  async deploy(artifact, ...args) {
    const { contractAddress } = await this.send({ data: creationOf(artifact, ...args) });
    return { abi: artifact.abi, address: contractAddress };
  }

  /** @param {Contract} contract @param {string} name @param {...unknown} args */
  run(contract, name, ...args) {
    return this.send({ to: contract.address, data: dataOf(contract, name, ...args) });
  }

  /** @param {Contract} contract @param {string} name @param {...unknown} args @returns {Promise<Hex>} */
  read(contract, name, ...args) {
    return this.node.call(
      'eth_call',
      { to: contract.address, data: dataOf(contract, name, ...args) },
      'latest',
    );
  }

  /** @param {Contract} contract @param {string} name @param {...unknown} args */
  async address(contract, name, ...args) {
    return /** @type {Hex} */ (`0x${(await this.read(contract, name, ...args)).slice(-40)}`);
  }
}

/**
 * A contract that has one address on every chain.
 *
 * @param {string} name
 */
export function known(name) {
  const found = preinstalls().find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`${name} is not preinstalled`);
  return found.address;
}
