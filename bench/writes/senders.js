/** Signed Ethereum transactions of the accounts that ledgerd and anvil both begin with. */

import { encodeDeployData, encodeFunctionData, getContractAddress } from 'viem';
import { keccak256, signEthereumTransaction } from '../../dist/protocol/index.js';
import { ETHEREUM_DERIVATION_PATH, evmAddressOf, mnemonicKeys } from '../../dist/wallet/index.js';
import { requestOf } from '../../test/rpc-client.js';
import { toHex } from '../harness/words.js';
import { loadContracts } from '../peers/contracts.js';
import { GAS } from '../peers/world.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
const CHAIN_ID = 31_337n;
/** Twice ledgerd's constant base fee, which exceeds anvil's initial one. */
const FEE = 20n * 10n ** 9n;
const SUPPLY = 10n ** 27n;
/** Tokens that each sender gets. */
const SHARE = 10n ** 18n;

/**
 * A transaction as the bodies of two requests: to send it, and to get its receipt.
 *
 * @typedef {{ send: string, receipt: string }} Prepared
 */

/** The accounts, each with the nonce of its next transaction. */
export class Senders {
  #keys;
  /** @type {bigint[]} */
  #nonces;
  #addresses;
  #contracts = loadContracts();

  /** @param {number} count */
  constructor(count) {
    this.#keys = mnemonicKeys(MNEMONIC, ETHEREUM_DERIVATION_PATH, count);
    this.#nonces = this.#keys.map(() => 0n);
    this.#addresses = this.#keys.map((key) => evmAddressOf(key));
  }

  /**
   * The next transfers of a sender.
   *
   * @param {number} sender
   * @param {number} count
   */
  transfers(sender, count) {
    const fields = { gas: BigInt(GAS.transfer), to: this.#neighbour(sender), value: 1n };
    return this.#next(sender, count, fields);
  }

  /**
   * The next deployments of a contract of 20 KiB.
   *
   * @param {number} sender
   * @param {number} count
   */
  deployments(sender, count) {
    return this.#next(sender, count, creationOf(this.#contracts.Large?.bytecode));
  }

  /**
   * The deployment of a token by the first sender, and its transfers of a share to each of the others.
   *
   * @returns {{ token: `0x${string}`, transactions: Prepared[] }}
   */
  token() {
    const [nonce = 0n] = this.#nonces;
    const token = getContractAddress({ from: hexAddress(this.#addresses[0]), nonce });
    const { abi = [], bytecode = '0x' } = this.#contracts.Token ?? {};
    const creation = this.#next(0, 1, creationOf(encodeDeployData({ abi, bytecode, args: [SUPPLY] })));
    const shares = this.#addresses
      .slice(1)
      .flatMap((receiver) => this.#next(0, 1, this.#tokenTransfer(token, receiver, SHARE)));
    return { token, transactions: [...creation, ...shares] };
  }

  /**
   * The next transfers of a token.
   *
   * @param {number} sender
   * @param {number} count
   * @param {`0x${string}`} token
   */
  tokenTransfers(sender, count, token) {
    return this.#next(sender, count, this.#tokenTransfer(token, this.#neighbour(sender), 1n));
  }

  #tokenTransfer(token, receiver, amount) {
    const { abi = [] } = this.#contracts.Token ?? {};
    const args = [hexAddress(receiver), amount];
    const data = fromHex(encodeFunctionData({ abi, functionName: 'transfer', args }));
    return { gas: BigInt(GAS.tokenTransfer), to: fromHex(token), data };
  }

  #neighbour(sender) {
    return this.#addresses[(sender + 1) % this.#addresses.length];
  }

  /** @returns {Prepared[]} */
  #next(sender, count, fields) {
    const key = this.#keys[sender];
    if (key === undefined) throw new RangeError(`there is no sender ${sender}`);
    return Array.from({ length: count }, () => {
      const nonce = this.#nonces[sender] ?? 0n;
      this.#nonces[sender] = nonce + 1n;
      const raw = signEthereumTransaction(
        {
          ...{ type: 'dynamicFee', chainId: CHAIN_ID, nonce, maxFeePerGas: FEE, maxPriorityFeePerGas: 0n },
          ...{ value: 0n, data: new Uint8Array(), accessList: [] },
          ...fields,
        },
        key,
      );
      return {
        send: requestOf('eth_sendRawTransaction', toHex(raw)),
        receipt: requestOf('eth_getTransactionReceipt', toHex(keccak256(raw))),
      };
    });
  }
}

/** The fields of a deployment. */
function creationOf(bytecode) {
  return { gas: BigInt(GAS.deploy), to: undefined, data: fromHex(bytecode) };
}

/** @returns {`0x${string}`} */
function hexAddress(bytes) {
  return /** @type {`0x${string}`} */ (toHex(bytes));
}

/** @param {string} text with `0x` */
function fromHex(text) {
  return Uint8Array.from(Buffer.from(text.slice(2), 'hex'));
}
