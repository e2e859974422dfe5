/** The state that a workload runs on: accounts in memory, and a way to make them by deploying contracts. */

import { Engine, HARDFORK, keccak256 } from './ledgerd.js';

const hexOf = (bytes) => Buffer.from(bytes).toString('hex');

/** Who sends every message. */
export const SENDER = Buffer.from('5e'.repeat(20), 'hex');
/** Where a program without state of its own is placed. */
export const PROGRAM = Buffer.from('c0'.repeat(20), 'hex');

/** The block that every engine runs in. */
export const BLOCK = {
  number: 1000n,
  timestamp: 1_700_000_000n,
  coinbase: Buffer.alloc(20, 0xcb),
  randomness: Buffer.alloc(32, 7),
  gasLimit: 1_000_000_000_000n,
  chainId: 31337n,
  baseFee: 0n,
};

/** Accounts by their address in hexadecimal: {balance, nonce, code, storage: Map of hexadecimal words}. */
export class World {
  accounts = new Map();
  #codes = new Map();

  put(address, { balance = 0n, nonce = 1n, code = new Uint8Array(0), storage = new Map() }) {
    this.accounts.set(hexOf(address), { balance, nonce, code, storage });
    if (code.length > 0) this.#codes.set(hexOf(keccak256(code)), code);
  }

  /** The host of our engine over these accounts. */
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
      code: (hash) => this.#codes.get(hexOf(hash)),
      blockHash: () => undefined,
      createAddress: (creator, nonce) =>
        keccak256(Buffer.concat([creator, Buffer.from(`${nonce}`)])).slice(12),
    };
  }
}

/**
 * Runs `prepare` on an engine and returns the state that it leaves.
 *
 * @param {(send: (to: Uint8Array | undefined, data: Uint8Array) => { contractAddress: Uint8Array }) => void} prepare
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
  const codes = new Map(
    changes.filter(({ kind }) => kind === 'code').map(({ codeHash, code }) => [hexOf(codeHash), code]),
  );
  for (const { kind, address, after } of changes) {
    if (kind !== 'account' || after === undefined) continue;
    const code = after.codeHash === undefined ? new Uint8Array(0) : codes.get(hexOf(after.codeHash));
    world.put(address, { balance: after.balance, nonce: after.nonce, code, storage: new Map() });
  }
  for (const { kind, address, slot, after } of changes) {
    if (kind === 'storage') world.accounts.get(hexOf(address)).storage.set(hexOf(slot), hexOf(after));
  }
  return world;
}
