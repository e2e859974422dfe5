/** Signed transfers of the accounts that ledgerd and anvil both begin with. */

import { signEthereumTransaction } from '../../dist/protocol/index.js';
import { ETHEREUM_DERIVATION_PATH, evmAddressOf, mnemonicKeys } from '../../dist/wallet/index.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
const CHAIN_ID = 31_337n;
/** Twice ledgerd's constant base fee, which exceeds anvil's initial one. */
const FEE = 20n * 10n ** 9n;

/** The accounts, each with the nonce of its next transaction. */
export class Senders {
  #keys;
  /** @type {number[]} */
  #nonces;

  /** @param {number} count */
  constructor(count) {
    this.#keys = mnemonicKeys(MNEMONIC, ETHEREUM_DERIVATION_PATH, count);
    this.#nonces = this.#keys.map(() => 0);
  }

  /**
   * The next transfers of a sender, as `eth_sendRawTransaction` takes them.
   *
   * @param {number} sender
   * @param {number} count
   * @returns {string[]}
   */
  transfers(sender, count) {
    const key = this.#keys[sender];
    const receiver = this.#keys[(sender + 1) % this.#keys.length];
    if (key === undefined || receiver === undefined) throw new RangeError(`there is no sender ${sender}`);
    const to = evmAddressOf(receiver);
    return Array.from({ length: count }, () => {
      const nonce = this.#nonces[sender] ?? 0;
      this.#nonces[sender] = nonce + 1;
      const raw = signEthereumTransaction(
        {
          ...{ type: 'dynamicFee', chainId: CHAIN_ID, nonce: BigInt(nonce), gas: 21_000n, to, value: 1n },
          ...{ maxFeePerGas: FEE, maxPriorityFeePerGas: 0n, data: new Uint8Array(), accessList: [] },
        },
        key,
      );
      return `0x${Buffer.from(raw).toString('hex')}`;
    });
  }
}
