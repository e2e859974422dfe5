/** The workers that sign and send. */

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { signTransaction } from '../../dist/ledger/index.js';
import {
  accountId,
  coreAmount,
  createKeyPair,
  encode,
  signedTransactionCodec,
  toSeed,
} from '../../dist/protocol/index.js';
import { call } from '../../test/rpc-client.js';
import { newestBlock, PATIENCE_SECONDS } from './newest-block.js';
import { compileContracts } from './workload.js';

const CREATION_GAS = 2_000_000n;
const RECEIPT_POLL_MS = 50;

/** The sent transactions, and their senders. */
export class Senders {
  #workers;
  #firstAccount;
  #firstAccounts;
  /** Accepted transactions, all and by kind. */
  sent = 0;
  kinds = {};

  constructor(workers, firstAccount, firstAccounts) {
    this.#workers = workers;
    this.#firstAccount = firstAccount;
    this.#firstAccounts = firstAccounts;
    for (const worker of workers) {
      worker.on('message', ({ kind, count, kinds }) => {
        if (kind !== 'sent') return;
        this.sent += count;
        for (const [name, number] of Object.entries(kinds)) {
          this.kinds[name] = (this.kinds[name] ?? 0) + number;
        }
      });
    }
  }

  /** Makes the contract that is called, and the workers. The chain has `firstAccounts` created accounts. */
  static async start(url, chain, batch, firstAccounts) {
    const code = compileContracts();
    const contract = await createContract(url, chain, code.soak);
    const world = { code, contract, accounts: chain.clients.map(({ account }) => account) };
    const workers = Array.from({ length: chain.senders }, (_, index) => {
      const senders = chain.clients.filter((_, place) => place % chain.senders === index);
      const { chainId } = chain;
      const workerData = { url, chainId, senders, first: index, step: chain.senders, batch, world };
      return new Worker(new URL('sender.js', import.meta.url), { workerData });
    });
    return new Senders(workers, chain.firstAccount, firstAccounts);
  }

  /** Has the following transactions refer to the newest block. All that were sent before must be in blocks. */
  async refer(url) {
    const { number, id, timestamp } = await newestBlock(url);
    const count = this.#firstAccounts + (this.kinds.accountCreate ?? 0);
    const created = { first: this.#firstAccount, count };
    const reference = { kind: 'reference', number, id, expiration: timestamp + PATIENCE_SECONDS, created };
    for (const worker of this.#workers) worker.postMessage(reference);
  }

  /** Sends all transactions before a serial number, or until a time in Unix milliseconds. */
  async send(last, until) {
    await Promise.all(
      this.#workers.map(async (worker) => {
        worker.postMessage({ kind: 'send', last, until });
        for (;;) {
          // Rejects when the worker fails.
          const [{ kind }] = await once(worker, 'message');
          if (kind === 'done') return;
        }
      }),
    );
  }

  async stop() {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** Creates a contract and gives its instance. */
async function createContract(url, { chainId, clients }, code) {
  const [{ seed, account }] = clients;
  /** @type {import('../../dist/protocol/index.js').Operation} */
  const operation = {
    type: 'contractCreate',
    fee: coreAmount(CREATION_GAS),
    registrar: accountId(account),
    value: coreAmount(0n),
    code,
    ethAccuracy: false,
  };
  const reference = await newestBlock(url);
  const expiration = reference.timestamp + PATIENCE_SECONDS;
  const transaction = signTransaction(operation, createKeyPair(toSeed(seed)), chainId, reference, expiration);
  const raw = Buffer.from(encode(signedTransactionCodec, transaction)).toString('hex');
  const hash = await call(url, 'eth_sendRawTransaction', `0x${raw}`);
  for (;;) {
    const receipt = await call(url, 'eth_getTransactionReceipt', hash);
    // The last eight bytes of the address are the instance.
    if (receipt !== null) return Number(`0x${receipt.contractAddress.slice(-16)}`);
    await delay(RECEIPT_POLL_MS);
  }
}
