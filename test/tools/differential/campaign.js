import { deepStrictEqual, match } from 'node:assert';
import { getCreateAddress, HDNodeWallet, Transaction } from 'ethers';
import { makeBlobs, signWithBlobs, withBlobs } from './blobs.js';
import { BLOB_READER, INIT_CODES, SLOTS } from './programs.js';
import { Random } from './random.js';
import { outcomeOf, receiptOf } from './receipts.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
const SENDERS = 8;
/** Accounts that only authorize: what they sign may raise their nonce. */
const AUTHORITIES = 4;
const GWEI = 10n ** 9n;
/** Share of the blocks before which a test sets the base fee: otherwise it only falls, since blocks are small. */
const SET_SHARE = 20;
/** Base fees that a test sets. */
const BASE_FEES = [0n, 1n, 7n, 10n ** 6n, GWEI, 10n * GWEI, 123_456_789_012n];
/** Share of the transactions of type 2 that become blob transactions, which take a quarter of a second. */
const BLOB_SHARE = 4;
/** An account whose code logs what it sees of blobs. */
const READER = `0x${'b10b'.repeat(10)}`;
/** Transactions between two comparisons of everything. */
const COMPARED_EVERY = 100;

/**
 * Transactions that anvil accepts and may never include: too little gas, which geth rejects too, and less than the
 * base fee.
 */
const NEVER_INCLUDED = /intrinsic gas too low|floor data gas|less than block base fee/;

/** @typedef {import('../harness/endpoint.js').Endpoint} Endpoint */
/** @typedef {{ wallet: HDNodeWallet, nonce: number }} Sender */

/**
 * Sends the same random transactions to a ledgerd node and to anvil, whose accounts begin with the same balances, and
 * compares the outcomes: status, gas, prices, logs, contract addresses, base fee and blob gas of the block; and
 * sometimes nonces, balances, code and storage. The excess of blob gas (EIP-4844) stays 0, since each blob transaction
 * has a separate block: anvil 1.7.1 never raises it, and has Prague's schedule of blobs in Osaka.
 */
export class Differential {
  counts = { sent: 0, refused: 0, created: 0, failed: 0, queued: 0, replaced: 0, withBlobs: 0 };
  #ledgerd;
  #anvil;
  #random;
  /** @type {Sender[]} */
  #senders;
  /** @type {HDNodeWallet[]} */
  #authorities;
  /** @type {string[]} */
  #contracts = [];
  #blobs = makeBlobs();
  /** @type {bigint} */
  #chainId = 0n;

  /**
   * @param {Endpoint} ledgerd
   * @param {Endpoint} anvil
   * @param {number} seed
   */
  constructor(ledgerd, anvil, seed) {
    this.#ledgerd = ledgerd;
    this.#anvil = anvil;
    this.#random = new Random(seed);
    this.#senders = Array.from({ length: SENDERS }, (_, index) => ({ wallet: walletOf(index), nonce: 0 }));
    this.#authorities = Array.from({ length: AUTHORITIES }, (_, index) => walletOf(1_000 + index));
  }

  /**
   * @param {number} transactions
   * @param {(line: string) => void} report
   */
  async run(transactions, report) {
    const [here, there] = await this.#both('eth_chainId');
    deepStrictEqual(here, there, 'both nodes have one chain id');
    this.#chainId = BigInt(here);
    // The coinbase is warm from the beginning (EIP-3651).
    await this.#anvil.call('anvil_setCoinbase', await this.#ledgerd.call('eth_coinbase'));
    // An authority that exists in one node's cache but not in its state would be refunded there.
    for (const { address } of this.#authorities) await this.#both('anvil_setBalance', address, '0x1');
    await this.#both('anvil_setCode', READER, BLOB_READER);
    let compared = 0;
    while (this.counts.sent + this.counts.refused < transactions) {
      if (this.#random.oneIn(12)) await this.#waiting();
      else await this.#single();
      if (this.counts.sent >= compared + COMPARED_EVERY) {
        compared = this.counts.sent;
        await this.#compareState();
        report(JSON.stringify(this.counts));
      }
    }
    await this.#compareState();
    return this.counts;
  }

  /** Sends one transaction in a separate block. */
  async #single() {
    const sender = this.#random.pick(this.#senders);
    const plain = this.#fields(sender, await this.#nextBaseFee());
    const fields = await this.#withAuthorizations(this.#withBlobs(plain));
    const hash = await this.#send(sender, fields);
    if (hash === undefined) return;
    sender.nonce += 1;
    await this.#compareReceipt(hash, sender, fields);
  }

  /** Transfers with gaps, in any order, some of them replaced, until all are in blocks. */
  async #waiting() {
    const random = this.#random;
    await this.#both('evm_setAutomine', false);
    const count = 2 + random.below(5);
    /** @type {Map<string, { sender: Sender, fields: any }>} */
    const latest = new Map();
    const nonces = Array.from({ length: count }, (_, index) => index);
    for (let index = count - 1; index > 0; index -= 1) {
      const other = random.below(index + 1);
      [nonces[index], nonces[other]] = [
        /** @type {number} */ (nonces[other]),
        /** @type {number} */ (nonces[index]),
      ];
    }
    const sender = random.pick(this.#senders);
    const first = sender.nonce;
    // More than any base fee that a test sets.
    const fee = 1_000n * GWEI;
    for (const offset of nonces) {
      const fields = this.#transfer(first + offset, fee);
      const hash = await this.#send(sender, fields);
      if (hash === undefined) throw new Error('a transfer that waits was refused');
      latest.set(`${offset}`, { sender, fields });
      if (offset > 0) this.counts.queued += 1;
      if (!random.oneIn(4)) continue;
      // By less than 10 % it is refused, as geth does; anvil takes whatever is more.
      const underpriced = await this.#sign(sender, this.#transfer(first + offset, (fee * 105n) / 100n));
      const { error } = await this.#ledgerd.ask('eth_sendRawTransaction', underpriced);
      match(error?.message ?? '', /^replacement transaction underpriced/);
      const replacement = this.#transfer(first + offset, 2n * fee);
      if ((await this.#send(sender, replacement)) === undefined) throw new Error('a replacement was refused');
      latest.set(`${offset}`, { sender, fields: replacement });
      this.counts.replaced += 1;
    }
    sender.nonce = first + count;
    for (let round = 0; round < 20; round += 1) {
      await this.#nextBaseFee();
      await this.#both('evm_mine');
      const [here, there] = await this.#both('eth_getTransactionCount', sender.wallet.address, 'latest');
      deepStrictEqual(here, there, 'nonces after a block');
      if (Number(here) === sender.nonce) break;
    }
    await this.#both('evm_setAutomine', true);
    for (const { fields } of latest.values()) {
      await this.#compareReceipt(await this.#hashOf(sender, fields), sender, fields);
    }
  }

  /** Sets the base fee of the next block now and then, and returns it. */
  async #nextBaseFee() {
    if (this.#random.oneIn(SET_SHARE)) {
      const baseFee = this.#random.pick(BASE_FEES);
      await this.#both('anvil_setNextBlockBaseFeePerGas', `0x${baseFee.toString(16)}`);
    }
    return BigInt(await this.#ledgerd.call('eth_baseFee'));
  }

  /**
   * @param {number} nonce
   * @param {bigint} fee
   */
  #transfer(nonce, fee) {
    const to = this.#random.pick(this.#senders).wallet.address;
    const value = BigInt(this.#random.below(2 ** 31));
    return {
      type: 2,
      nonce,
      to,
      value,
      gasLimit: 21_000n,
      maxFeePerGas: fee,
      maxPriorityFeePerGas: fee,
      data: '0x',
    };
  }

  /**
   * @param {Sender} sender
   * @param {bigint} baseFee
   */
  #fields(sender, baseFee) {
    const random = this.#random;
    const creates = random.oneIn(4) || this.#contracts.length === 0;
    const to = creates ? null : this.#anybody();
    const data = creates ? random.pick(INIT_CODES) : this.#callData();
    const gasLimit = BigInt(
      random.pick([21_000, 25_000, 60_000, 200_000, 200_000, 400_000, 400_000, 16_777_216]),
    );
    const value = random.pick([0n, 0n, 0n, 1n, 10n ** 9n - 1n, BigInt(random.below(2 ** 31)), 10n ** 16n]);
    const nonce = sender.nonce + random.pick([0, 0, 0, 0, 0, 0, 0, 0, 0, -1]);
    const common = { nonce: Math.max(0, nonce), to, data, gasLimit, value };
    const offered = baseFee + random.pick([0n, 0n, 1n, GWEI, 10n * GWEI, -1n]);
    const fee = offered < 0n ? 0n : offered;
    const accessList = random.oneIn(2)
      ? []
      : [{ address: this.#anybody(), storageKeys: random.oneIn(2) ? [] : [`0x${'00'.repeat(32)}`] }];
    switch (random.below(3)) {
      case 0:
        return { type: 0, gasPrice: fee, ...common };
      case 1:
        return { type: 1, gasPrice: fee, accessList, ...common };
      default:
        return {
          type: 2,
          maxFeePerGas: fee,
          maxPriorityFeePerGas: random.pick([0n, fee < 1n ? fee : 1n, fee, fee < GWEI ? fee : GWEI]),
          accessList,
          ...common,
        };
    }
  }

  /**
   * Makes some transactions of type 2 ones with blobs (type 3).
   *
   * @param {any} fields
   */
  #withBlobs(fields) {
    const random = this.#random;
    if (fields.type !== 2 || !random.oneIn(BLOB_SHARE)) return fields;
    const to = random.oneIn(2) || fields.to === null ? READER : fields.to;
    return withBlobs({ ...fields, to }, this.#blobs, random);
  }

  /**
   * Makes some calls of type 2 to transactions that set code (type 4), with valid and invalid authorizations.
   *
   * @param {any} fields
   */
  async #withAuthorizations(fields) {
    const random = this.#random;
    if (fields.type !== 2 || fields.to === null || !random.oneIn(2)) return fields;
    const authorizationList = [];
    for (let count = 1 + random.below(3); count > 0; count -= 1) {
      const wallet = random.pick(this.#authorities);
      const nonce = BigInt(await this.#ledgerd.call('eth_getTransactionCount', wallet.address, 'latest'));
      authorizationList.push(
        wallet.authorizeSync({
          address: random.oneIn(5) ? `0x${'00'.repeat(20)}` : this.#anybody(),
          nonce: nonce + random.pick([0n, 0n, 0n, 1n]),
          chainId: random.pick([this.#chainId, this.#chainId, 0n, this.#chainId + 1n]),
        }),
      );
    }
    return { ...fields, type: 4, authorizationList };
  }

  #anybody() {
    const random = this.#random;
    const known = [...this.#contracts.slice(-20), ...this.#contracts.slice(-20)];
    const others = [
      random.pick(this.#senders).wallet.address,
      random.pick(this.#authorities).address,
      `0x${random.hex(20)}`,
      READER,
    ];
    return random.pick([...known, ...known, ...others, ...['0x02', '0x04'].map(precompile)]);
  }

  #callData() {
    const random = this.#random;
    const target = this.#contracts.length === 0 ? random.hex(20) : random.pick(this.#contracts).slice(2);
    return random.pick([
      '0x',
      `0x${target.padStart(64, '0')}`,
      `0x${String(random.below(4)).padStart(64, '0')}${random.hex(32)}`,
      `0x${random.hex(random.below(80))}`,
    ]);
  }

  /**
   * @param {Sender} sender
   * @param {any} fields
   */
  async #sign({ wallet }, fields) {
    const transaction = { chainId: this.#chainId, ...fields };
    return fields.type === 3 ? signWithBlobs(wallet, transaction) : wallet.signTransaction(transaction);
  }

  /**
   * @param {Sender} sender
   * @param {any} fields
   */
  async #hashOf(sender, fields) {
    return /** @type {string} */ (Transaction.from(await this.#sign(sender, fields)).hash);
  }

  /**
   * Both take it, or both refuse it.
   *
   * @param {Sender} sender
   * @param {any} fields
   * @returns {Promise<string | undefined>} its hash
   */
  async #send(sender, fields) {
    const raw = await this.#sign(sender, fields);
    const here = await this.#ledgerd.ask('eth_sendRawTransaction', raw);
    if (here.error !== undefined && NEVER_INCLUDED.test(here.error.message)) {
      this.counts.refused += 1;
      return undefined;
    }
    const there = await this.#anvil.ask('eth_sendRawTransaction', raw);
    const both = `${show(fields)}: ledgerd ${show(here)}, anvil ${show(there)}`;
    if ((here.error === undefined) !== (there.error === undefined)) throw new Error(`one took it: ${both}`);
    if (here.error !== undefined) {
      this.counts.refused += 1;
      return undefined;
    }
    deepStrictEqual(here.result, there.result, both);
    this.counts.sent += 1;
    return here.result;
  }

  /**
   * @param {string} hash
   * @param {Sender} sender
   * @param {any} fields
   */
  async #compareReceipt(hash, sender, fields) {
    const receipts = await Promise.all([receiptOf(this.#ledgerd, hash), receiptOf(this.#anvil, hash)]);
    const [here, there] = receipts.map((receipt) => outcomeOf(receipt));
    deepStrictEqual(here, there, `${show(fields)}: ledgerd ${show(here)}, anvil ${show(there)}`);
    const [receipt] = receipts;
    const blocks = await this.#both('eth_getBlockByNumber', receipt.blockNumber, false);
    const [fees, others] = blocks.map(({ baseFeePerGas, blobGasUsed, excessBlobGas }) => [
      baseFeePerGas,
      blobGasUsed,
      excessBlobGas,
    ]);
    const what = `base fee, blob gas and its excess of block ${receipt.blockNumber}`;
    deepStrictEqual(fees, others, `${what}: ledgerd ${fees}, anvil ${others}`);
    if (fields.type === 3) {
      const prices = await this.#both('eth_blobBaseFee');
      deepStrictEqual(prices[0], prices[1], `the base fee of blob gas: ledgerd, anvil ${prices}`);
      await this.#compareBalance(sender.wallet.address);
      this.counts.withBlobs += 1;
    }
    if (receipt.status === '0x0') this.counts.failed += 1;
    if (fields.to !== null) return;
    const expected = getCreateAddress({ from: sender.wallet.address, nonce: fields.nonce }).toLowerCase();
    deepStrictEqual(receipt.contractAddress, expected, 'the address of a contract');
    if (receipt.status === '0x1') {
      this.#contracts.push(expected);
      this.counts.created += 1;
    }
  }

  /** @param {string} address */
  async #compareBalance(address) {
    const [here, there] = await this.#both('eth_getBalance', address, 'latest');
    deepStrictEqual(here, there, `the balance of ${address}`);
  }

  async #compareState() {
    for (const { wallet, nonce } of this.#senders) {
      await this.#compareBalance(wallet.address);
      const counts = await this.#both('eth_getTransactionCount', wallet.address, 'latest');
      deepStrictEqual(counts.map(Number), [nonce, nonce], `the nonce of ${wallet.address}`);
    }
    for (const address of [...this.#contracts.slice(-40), ...this.#authorities.map((one) => one.address)]) {
      for (const method of ['eth_getBalance', 'eth_getCode', 'eth_getTransactionCount']) {
        const [here, there] = await this.#both(method, address, 'latest');
        deepStrictEqual(here, there, `${method} of ${address}`);
      }
      for (const slot of SLOTS) {
        const [here, there] = await this.#both('eth_getStorageAt', address, slot, 'latest');
        deepStrictEqual(here, there, `slot ${slot} of ${address}`);
      }
    }
  }

  /**
   * @param {string} method
   * @param {unknown[]} params
   */
  #both(method, ...params) {
    return Promise.all([this.#ledgerd.call(method, ...params), this.#anvil.call(method, ...params)]);
  }
}

/** @param {number} index */
const walletOf = (index) => HDNodeWallet.fromPhrase(MNEMONIC, undefined, `m/44'/60'/0'/0/${index}`);

/** @param {string} address */
const precompile = (address) => `0x${address.slice(2).padStart(40, '0')}`;

/** Shows a value, with the beginning of long data. @param {unknown} value */
const show = (value) =>
  JSON.stringify(value, (_, part) => {
    if (typeof part === 'bigint') return String(part);
    return typeof part === 'string' && part.length > 1_000 ? `${part.slice(0, 20)}…` : part;
  });
