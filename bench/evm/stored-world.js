/** A world in a store, as a node that starts finds its state: our engine reads it from LMDB. */

import {
  accountRecordOf,
  keccak256,
  openStore,
  StoreHost,
  stateKey,
  toAddress,
  toHash,
  trimmedWord,
} from './ledgerd.js';

const bytesOf = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
const NO_BLOCKS = { blockHash: () => undefined };
/** Units that the greatest balance fits, and Ethereum's addresses of contracts. */
const RULES = { weiPerUnit: 10n ** 12n, hasStandardAddresses: true };

/**
 * Writes a world into a store in a temporary folder, and returns the engine's host over it.
 *
 * @param {import('./world.js').World} world
 */
export function storeWorld(world) {
  const store = openStore({ durable: false });
  const state = new Map();
  for (const { key, value } of entriesOf(world)) state.set(Buffer.from(key).toString('hex'), { key, value });
  store.commitBlock({
    number: 0,
    block: new Uint8Array(1),
    transactions: [],
    receipts: [],
    operationHashes: [],
    logs: [],
    payers: [],
    state: [...state.values()].map(({ key, value }) => ({ key, before: undefined, after: value })),
    accumulator: new Uint8Array(1),
  });
  const host = new StoreHost(
    store,
    /** @type {any} */ (NO_BLOCKS),
    /** @type {any} */ ({ firstContractOfBlock: 0 }),
    /** @type {any} */ (RULES),
  );
  return { host, close: () => store.close() };
}

/** Yields the entries of the state, the code of several accounts more than once. */
function* entriesOf({ accounts }) {
  for (const [hex, { balance, nonce, code, storage }] of accounts) {
    const address = toAddress(bytesOf(hex));
    const codeHash = code.length > 0 ? keccak256(code) : undefined;
    const record = accountRecordOf({ balance, nonce, codeHash }, RULES.weiPerUnit);
    yield { key: stateKey.account(address), value: record };
    if (codeHash !== undefined) yield { key: stateKey.code(codeHash), value: code };
    for (const [slot, word] of storage) {
      const value = trimmedWord(bytesOf(word));
      if (value !== undefined) yield { key: stateKey.storage(address, toHash(bytesOf(slot))), value };
    }
  }
}
