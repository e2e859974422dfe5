/** The state that a workload runs on: accounts in memory, and a way to make them by deploying contracts. */

import { Engine, HARDFORK, keccak256, toAddress, toHash } from './ledgerd.js';

const hexOf = (bytes) => Buffer.from(bytes).toString('hex');

/** Sender of every message. */
export const SENDER = toAddress(new Uint8Array(20).fill(0x5e));
/** Address of a program without state. */
export const PROGRAM = toAddress(new Uint8Array(20).fill(0xc0));

/** The block that every engine runs in. */
export const BLOCK = {
  number: 1000n,
  timestamp: 1_700_000_000n,
  coinbase: toAddress(new Uint8Array(20).fill(0xcb)),
  randomness: toHash(new Uint8Array(32).fill(7)),
  gasLimit: 1_000_000_000_000n,
  chainId: 31337n,
  baseFee: 0n,
  blobBaseFee: 1n,
};

/** Accounts by their address in hexadecimal: {balance, nonce, code, storage: Map of hexadecimal words}. */
export class World {
  accounts = new Map();
  #codes = new Map();

  put(address, { balance = 0n, nonce = 1n, code = new Uint8Array(0), storage = new Map() }) {
    this.accounts.set(hexOf(address), { balance, nonce, code, storage });
    if (code.length > 0) this.#codes.set(hexOf(keccak256(code)), code);
  }

  /**
   * The host of our engine over these accounts.
   *
   * @returns {import('../../dist/evm/index.js').Host}
   */
  host() {
    const bytesOf = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
    return {
      account: (address) => {
        const account = this.accounts.get(hexOf(address));
        if (account === undefined) return undefined;
        const { balance, nonce, code } = account;
        return { balance, nonce, codeHash: code.length > 0 ? keccak256(code) : undefined };
      },
      storage: (address, slot) => {
        const value = this.accounts.get(hexOf(address))?.storage.get(hexOf(slot));
        return value === undefined ? undefined : bytesOf(value);
      },
      mayHaveStorage: (address) => (this.accounts.get(hexOf(address))?.storage.size ?? 0) > 0,
      hasStorage: (address) => (this.accounts.get(hexOf(address))?.storage.size ?? 0) > 0,
      code: (hash) => this.#codes.get(hexOf(hash)),
      blockHash: () => undefined,
      createAddress: (creator, nonce) =>
        toAddress(keccak256(Buffer.concat([creator, Buffer.from(`${nonce}`)])).slice(12)),
    };
  }
}

/**
 * Runs `prepare` on an engine and returns the state that it leaves.
 *
 * @typedef {import('../../dist/protocol/index.js').Address} Address
 * @param {(send: (to: Address | undefined, data: Uint8Array) => { contractAddress?: Address }) => void} prepare
 */
export async function prepareWorld(prepare) {
  const world = new World();
  world.put(SENDER, { balance: 10n ** 30n, nonce: 0n });
  const engine = await Engine.create({ hardfork: HARDFORK, host: world.host() });
  engine.setBlock(BLOCK);
  let sent = 0n;
  prepare((to, data) => {
    engine.setNonce(SENDER, sent++);
    const outcome = engine.execute({
      caller: SENDER,
      to,
      value: 0n,
      data,
      gas: 100_000_000n,
      gasPrice: 0n,
      payForGas: false,
    });
    if (outcome.status !== 'success') throw new Error(`preparation: ${outcome.status} ${outcome.halt ?? ''}`);
    return outcome;
  });
  const changes = engine.changes();
  const codes = new Map();
  for (const change of changes) if (change.kind === 'code') codes.set(hexOf(change.codeHash), change.code);
  for (const change of changes) {
    if (change.kind !== 'account' || change.after === undefined) continue;
    const { balance, nonce, codeHash } = change.after;
    const code = codeHash === undefined ? undefined : codes.get(hexOf(codeHash));
    world.put(change.address, { balance, nonce, code });
  }
  for (const change of changes) {
    if (change.kind !== 'storage') continue;
    world.accounts.get(hexOf(change.address)).storage.set(hexOf(change.slot), hexOf(change.after));
  }
  return world;
}
