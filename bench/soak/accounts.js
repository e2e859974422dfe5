/** Creates the accounts that a soak begins with. */

import { setTimeout as delay } from 'node:timers/promises';
import { referencePrefix } from '../../dist/ledger/index.js';
import {
  accountId,
  createKeyPair,
  encode,
  signedTransactionCodec,
  toSeed,
  transactionDigest,
} from '../../dist/protocol/index.js';
import { call } from '../../test/rpc-client.js';
import { newestBlock, PATIENCE_SECONDS } from './newest-block.js';
import { accountCreation } from './workload.js';

const OPERATIONS_PER_TRANSACTION = 500;
/** Accounts that are sent before the pool has to be empty again. */
const ACCOUNTS_PER_ROUND = 50_000;
const PENDING_POLL_MS = 100;

/**
 * Creates accounts without coins, with transactions of many operations each.
 *
 * @param {string} url
 * @param {Awaited<ReturnType<typeof import('./chain.js').makeChain>>} chain
 * @param {number} count
 * @param {(created: number) => void} progress
 */
export async function createAccounts(url, { chainId, clients }, count, progress) {
  const [{ seed, account }] = clients;
  const keys = createKeyPair(toSeed(seed));
  let created = 0;
  while (created < count) {
    const { number, id, timestamp } = await newestBlock(url);
    const end = Math.min(count, created + ACCOUNTS_PER_ROUND);
    while (created < end) {
      const next = Math.min(end, created + OPERATIONS_PER_TRANSACTION);
      const operations = [];
      for (; created < next; created += 1)
        operations.push(accountCreation(`first-${created}`, accountId(account), keys.publicKey));
      const transaction = {
        refBlockNum: number & 0xffff,
        refBlockPrefix: referencePrefix(id),
        expiration: timestamp + PATIENCE_SECONDS,
        operations,
      };
      const signatures = [keys.sign(transactionDigest(chainId, transaction))];
      const signed = { ...transaction, signatures, signedWithEchorandKey: false };
      const raw = Buffer.from(encode(signedTransactionCodec, signed)).toString('hex');
      await call(url, 'eth_sendRawTransaction', `0x${raw}`);
    }
    while (Number(await call(url, 'eth_getBlockTransactionCountByNumber', 'pending')) > 0)
      await delay(PENDING_POLL_MS);
    progress(created);
  }
}
