/** The accounts of one state test: the host of an engine, and the comparison with the expected state. */

import { createAddress, keccak256 } from '../../dist/protocol/index.js';
import { toBytes, toHex, toNumber, wordHex } from './encoding.js';

const ZERO_WORD = wordHex(0n);

/**
 * Accounts by address, each `{ nonce, balance, code, storage }`; storage is a map of 64 digits to 64 digits
 * without zero values.
 */
export class World {
  /** @param {object} pre accounts in the format of the test file */
  constructor(pre) {
    this.accounts = new Map();
    this.codes = new Map();
    for (const [address, { nonce, balance, code, storage }] of Object.entries(pre)) {
      this.accounts.set(address.slice(2).toLowerCase(), {
        nonce: toNumber(nonce),
        balance: toNumber(balance),
        codeHash: this.#addCode(toBytes(code)),
        storage: readStorage(storage),
      });
    }
  }

  #addCode(code) {
    if (code.length === 0) return undefined;
    const hash = keccak256(code);
    this.codes.set(toHex(hash), code);
    return hash;
  }

  /** The host's side. */
  account(address) {
    return this.accounts.get(toHex(address));
  }

  storage(address, slot) {
    const value = this.accounts.get(toHex(address))?.storage.get(toHex(slot));
    return value === undefined ? undefined : toBytes(`0x${value}`);
  }

  hasStorage(address) {
    return (this.accounts.get(toHex(address))?.storage.size ?? 0) > 0;
  }

  code(hash) {
    const code = this.codes.get(toHex(hash));
    if (code === undefined) throw new Error(`unknown code ${toHex(hash)}`);
    return code;
  }

  /** Rule of the official tests: the hash of the block's decimal number. */
  blockHash(number) {
    return keccak256(Buffer.from(number.toString()));
  }

  /** Ethereum's rule. */
  createAddress(creator, nonce) {
    return createAddress(creator, nonce);
  }

  /**
   * Applies the changes of an engine.
   *
   * @returns {string[]} differences between the engine's old values and the state
   */
  apply(changes) {
    const errors = [];
    const storages = new Map([...this.accounts].map(([address, { storage }]) => [address, storage]));
    for (const change of changes) if (change.kind === 'code') this.#addCode(change.code);
    for (const change of changes) {
      if (change.kind === 'account') errors.push(...this.#applyAccount(change, storages));
      else if (change.kind === 'storageCleared') storages.get(toHex(change.address))?.clear();
    }
    for (const change of changes) {
      if (change.kind === 'storage') errors.push(...applySlot(change, storages));
    }
    for (const [address, storage] of storages) {
      if (storage.size > 0 && !this.accounts.has(address)) errors.push(`storage is left of 0x${address}`);
    }
    return errors;
  }

  #applyAccount({ address, before, after }, storages) {
    const name = toHex(address);
    const known = this.accounts.get(name);
    const isRight = equalAccounts(known, before);
    if (!storages.has(name)) storages.set(name, new Map());
    if (after === undefined) this.accounts.delete(name);
    else this.accounts.set(name, { ...after, storage: storages.get(name) });
    return isRight ? [] : [`the engine has a wrong old state of 0x${name}`];
  }

  /**
   * Lists the differences between the accounts and those that a test expects.
   *
   * @returns {string[]}
   */
  differences(expected) {
    const wanted = new Map(
      Object.entries(expected).map(([key, value]) => [key.slice(2).toLowerCase(), value]),
    );
    const missing = [...wanted].flatMap(([address, account]) => this.#accountDifferences(address, account));
    const surplus = [...this.accounts.keys()].filter((address) => !wanted.has(address));
    return [...missing, ...surplus.map((address) => `0x${address}: exists, expected no account`)];
  }

  #accountDifferences(address, expected) {
    const found = this.accounts.get(address);
    if (found === undefined) return [`0x${address}: no account, expected one`];
    const code = found.codeHash === undefined ? '' : toHex(this.code(found.codeHash));
    const rows = [
      ['nonce', found.nonce, toNumber(expected.nonce)],
      ['balance', found.balance, toNumber(expected.balance)],
      ['code', `0x${code}`, expected.code],
    ];
    const slots = readStorage(expected.storage);
    for (const slot of new Set([...slots.keys(), ...found.storage.keys()])) {
      rows.push([`slot 0x${slot}`, found.storage.get(slot) ?? ZERO_WORD, slots.get(slot) ?? ZERO_WORD]);
    }
    return rows
      .filter(([, actual, wanted]) => actual !== wanted)
      .map(([what, actual, wanted]) => `0x${address}: ${what} ${actual}, expected ${wanted}`);
  }
}

function readStorage(storage) {
  const slots = Object.entries(storage).map(([slot, value]) => [toNumber(slot), toNumber(value)]);
  return new Map(
    slots.filter(([, value]) => value !== 0n).map(([slot, value]) => [wordHex(slot), wordHex(value)]),
  );
}

function equalAccounts(a, b) {
  if (a === undefined || b === undefined) return a === b;
  const [hashA, hashB] = [a, b].map(({ codeHash }) => (codeHash === undefined ? '' : toHex(codeHash)));
  return a.balance === b.balance && a.nonce === b.nonce && hashA === hashB;
}

function applySlot({ address, slot, before, after }, storages) {
  const account = toHex(address);
  const name = toHex(slot);
  if (!storages.has(account)) storages.set(account, new Map());
  const storage = storages.get(account);
  const isRight = (storage.get(name) ?? ZERO_WORD) === toHex(before);
  if (toHex(after) === ZERO_WORD) storage.delete(name);
  else storage.set(name, toHex(after));
  return isRight ? [] : [`the engine has a wrong old value of slot 0x${name} of 0x${account}`];
}
