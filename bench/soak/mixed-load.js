/** The requests of a mixed soak. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { privateKeyToAddress } from 'viem/accounts';
import WebSocket from 'ws';
import {
  serializeBlobWrapper,
  signEthereumTransaction,
  toAddress,
  toHash,
  versionedHashOf,
} from '../../dist/protocol/index.js';
import { call, post, request } from '../../test/rpc-client.js';
import { quantity, toHex, word } from '../harness/words.js';
import { compileContracts } from './workload.js';

/** Funded keys. */
export const SENDERS = 40;
const SENDS_PER_ROUND = 24;
/** Requests of a batch of full blocks. */
const BATCH_BLOCKS = 40;
/** Rounds for which a WebSocket stays. */
const SOCKET_ROUNDS = 5;
const GWEI = 10n ** 9n;
const MAX_FEE = 200n * GWEI;

const keyOf = (index) => createHash('sha256').update(`mixed soak ${index}`).digest();
/** The address of a key, by its number. */
export const addressOf = (index) => privateKeyToAddress(`0x${keyOf(index).toString('hex')}`);

/** The blob of zeros: its commitment and proofs are the point at infinity. */
const INFINITY = Uint8Array.from({ length: 48 }, (_, index) => (index === 0 ? 0xc0 : 0));
const SIDECAR = {
  version: /** @type {const} */ (1),
  blobs: [new Uint8Array(131_072)],
  commitments: [INFINITY],
  proofs: Array.from({ length: 128 }, () => INFINITY),
};

/** A fixed mixture of requests, round by round. */
export class MixedLoad {
  #url;
  #socketUrl;
  #chainId = 0n;
  #contract = '';
  #code = compileContracts();
  #nonces = Array(SENDERS).fill(0n);
  #serial = 0;
  #round = 0;
  #filters = [];
  #sockets = [];
  #hashes = [];
  requests = 0;
  sends = 0;
  /** Responses by method and message. */
  outcomes = new Map();

  /** @param {{ port: number }} node */
  constructor({ port }) {
    this.#url = `http://127.0.0.1:${port}/ethereum`;
    this.#socketUrl = `ws://127.0.0.1:${port}/ethereum`;
  }

  async begin() {
    this.#chainId = BigInt(await call(this.#url, 'eth_chainId'));
    const hash = await call(
      this.#url,
      'eth_sendRawTransactionSync',
      this.#sign(0, { to: undefined, data: Buffer.from(this.#code.soak, 'hex'), gas: 2_000_000n }),
    );
    this.#contract = hash.contractAddress;
  }

  async end() {
    for (const { socket } of this.#sockets) socket.terminate();
  }

  async round() {
    this.#round += 1;
    await Promise.all([this.#send(), this.#read(), this.#watch(), this.#connect()]);
  }

  async #ask(method, ...params) {
    this.requests += 1;
    try {
      const { result, error } = await request(this.#url, method, ...params);
      this.#count(method, error);
      return result;
    } catch (error) {
      // A response that is late because the machine is busy, or none: it is counted like an error of the node.
      this.#count(method, { code: 0, message: String(error) });
      return undefined;
    }
  }

  #count(method, error) {
    const outcome =
      error === undefined ? 'result' : `${error.code} ${error.message.replace(/0x\w+|\d+/g, '…')}`;
    const key = `${method}: ${outcome}`;
    this.outcomes.set(key, (this.outcomes.get(key) ?? 0) + 1);
  }

  /** Signs with the next nonce of a sender, unless one is given. */
  #sign(index, fields) {
    const nonce = fields.nonce ?? this.#nonces[index]++;
    const signed = signEthereumTransaction(
      {
        type: 'dynamicFee',
        chainId: this.#chainId,
        maxFeePerGas: MAX_FEE,
        maxPriorityFeePerGas: GWEI,
        gas: 120_000n,
        to: toAddress(Buffer.from(addressOf((index + 1) % SENDERS).slice(2), 'hex')),
        value: 1n,
        data: new Uint8Array(),
        accessList: [],
        ...fields,
        nonce,
      },
      keyOf(index),
    );
    if (fields.type !== 'blob') return toHex(signed);
    return toHex(serializeBlobWrapper(signed, SIDECAR));
  }

  #next() {
    const serial = this.#serial++;
    const index = serial % SENDERS;
    const to = toAddress(Buffer.from(this.#contract.slice(2), 'hex'));
    const call = (data, more) =>
      this.#sign(index, { to, value: 0n, data: Buffer.from(data, 'hex'), ...more });
    const transfer = `${this.#code.transfer}${word(serial % 5_000)}${word(serial)}`;
    const previous = this.#nonces[index] - 1n;
    switch (serial % 23) {
      case 0:
        return this.#sign(index, {
          type: 'blob',
          maxFeePerBlobGas: 100n * GWEI,
          blobVersionedHashes: SIDECAR.commitments.map(versionedHashOf),
        });
      case 1:
        return this.#sign(index, {
          to: undefined,
          data: Buffer.from(this.#code.box, 'hex'),
          value: 0n,
          gas: 400_000n,
        });
      case 2: // Replaces a transaction, or comes too late.
        return this.#sign(index, {
          nonce: previous < 0n ? 0n : previous,
          maxPriorityFeePerGas: 3n * GWEI,
          maxFeePerGas: 3n * MAX_FEE,
        });
      case 3: // Underpriced.
        return this.#sign(index, { nonce: this.#nonces[index], maxFeePerGas: 1n, maxPriorityFeePerGas: 1n });
      case 4: // Of the past.
        return this.#sign(index, { nonce: 0n });
      case 5: // Waits for another one that never comes.
        return this.#sign(index, { nonce: this.#nonces[index] + 5_000n + BigInt(serial) });
      case 6: // Without means.
        return this.#sign(index, { nonce: this.#nonces[index], value: 10n ** 30n });
      case 7: // Reverts.
        return call(`${this.#code.transfer}${word(1)}${word(2n ** 200n)}`);
      case 8: // Not a transaction.
        return '0x02c0';
      case 9:
      case 10:
      case 11:
        return call(`${this.#code.store}${word(serial)}${word(serial)}`);
      case 12:
      case 13:
      case 14:
      case 15:
        return this.#sign(index, { gas: 21_000n });
      default:
        return call(transfer);
    }
  }

  async #send() {
    const sending = Array.from({ length: SENDS_PER_ROUND }, () =>
      this.#ask('eth_sendRawTransaction', this.#next()),
    );
    const hashes = (await Promise.all(sending)).filter((hash) => typeof hash === 'string');
    this.sends += SENDS_PER_ROUND;
    this.#hashes.push(...hashes);
    this.#hashes.splice(0, this.#hashes.length - 500);
    if (this.#round % 10 !== 0) return;
    for (let index = 0; index < SENDERS; index += 1) {
      this.#nonces[index] = BigInt(
        (await this.#ask('eth_getTransactionCount', addressOf(index), 'pending')) ?? this.#nonces[index],
      );
    }
  }

  async #read() {
    const to = this.#contract;
    const from = addressOf(this.#round % SENDERS);
    const data = `0x${this.#code.transfer}${word(7)}${word(7)}`;
    const head = Number((await this.#ask('eth_blockNumber')) ?? 1);
    const back = quantity(Math.max(1, head - (this.#round % 60)));
    const stateDiff = { [toHex(toHash(new Uint8Array(32)))]: toHex(toHash(new Uint8Array(32).fill(1))) };
    const overrides = { [from]: { balance: quantity(10n ** 24n) }, [to]: { stateDiff } };
    const hash = this.#hashes[(this.#round * 7) % Math.max(1, this.#hashes.length - 100)];
    await Promise.all([
      this.#ask('eth_call', { from, to, data }, 'latest', overrides),
      this.#ask('eth_call', { from, to, data }, 'pending'),
      this.#ask('eth_estimateGas', { from, to, data }),
      this.#ask('eth_getLogs', {
        address: to,
        fromBlock: quantity(Math.max(1, head - 50)),
        toBlock: 'latest',
      }),
      this.#ask('eth_getProof', to, [quantity(this.#round % 500)], 'latest'),
      this.#ask('eth_getBlockByNumber', 'pending', true),
      this.#ask('eth_feeHistory', 20, 'latest', [10, 50, 90]),
      this.#ask('eth_getBlockReceipts', back),
      this.#ask(
        'eth_simulateV1',
        {
          blockStateCalls: [{ stateOverrides: overrides, calls: [{ from, to, data }] }],
          traceTransfers: true,
        },
        'latest',
      ),
      ...(hash === undefined
        ? []
        : [
            this.#ask('eth_getTransactionByHash', hash),
            this.#ask('eth_getTransactionReceipt', hash),
            this.#ask('debug_traceTransaction', hash, {}),
            this.#ask('debug_traceTransaction', hash, { tracer: 'prestateTracer' }),
          ]),
    ]);
    if (this.#round % 4 === 0) {
      await this.#ask('debug_traceBlockByNumber', back, { tracer: 'callTracer' });
      await this.#ask('trace_block', back);
    }
    if (this.#round % 8 === 0) {
      const first = Math.max(1, head - BATCH_BLOCKS);
      const calls = Array.from({ length: BATCH_BLOCKS }, (_, id) => {
        const params = [quantity(Math.min(head, first + id)), true];
        return { jsonrpc: '2.0', id, method: 'eth_getBlockByNumber', params };
      });
      this.requests += BATCH_BLOCKS;
      const responses = await post(this.#url, JSON.stringify(calls)).catch(() => []);
      for (const { error } of responses) this.#count('batch', error);
    }
  }

  /** Polls filters; every third one is left behind. */
  async #watch() {
    const kinds = ['eth_newFilter', 'eth_newBlockFilter', 'eth_newPendingTransactionFilter'];
    const kind = kinds[this.#round % 3];
    const id = await this.#ask(kind, ...(kind === 'eth_newFilter' ? [{ address: this.#contract }] : []));
    this.#filters.push(id);
    for (const filter of this.#filters) await this.#ask('eth_getFilterChanges', filter);
    if (this.#filters.length < 6) return;
    const oldest = this.#filters.shift();
    if (this.#round % 3 !== 0) await this.#ask('eth_uninstallFilter', oldest);
  }

  /** Opens a WebSocket with subscriptions; it leaves later without a word. */
  async #connect() {
    if (this.#round % 3 === 0) {
      const socket = new WebSocket(this.#socketUrl);
      await once(socket, 'open');
      for (const params of [
        ['newHeads'],
        ['logs', { address: this.#contract }],
        ['newPendingTransactions', true],
      ]) {
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
      }
      this.#sockets.push({ socket, until: this.#round + SOCKET_ROUNDS });
    }
    for (const { socket, until } of this.#sockets) if (until <= this.#round) socket.terminate();
    this.#sockets = this.#sockets.filter(({ until }) => until > this.#round);
  }
}
