/** Operations and signed transactions of the chains. */

import { accountCreateOf, referencePrefix } from '../../dist/ledger/index.js';
import { accountId, contractId, coreAmount, transactionDigest } from '../../dist/protocol/index.js';
import { word } from '../harness/words.js';

/** Instance of the first account of a test chain. */
export const FIRST_ACCOUNT = 1_024;
/** The token: the first contract of its chain. */
export const TOKEN = contractId(0);
/** Units that are offered for an operation without gas, an account's creation among them. */
const BASIC_FEE = 100n;
const CREATION_GAS = 2_000_000n;
const TRANSFER_GAS = 60_000n;
/** Units of the token that its creator gets. */
const SUPPLY = 10n ** 24n;
/** Seconds that a transaction has to get into a block. */
const VALID_SECONDS = 60;

/** The account of a test chain that has this position, counted from 0. */
export function accountAt(position) {
  return accountId(FIRST_ACCOUNT + position);
}

export function transfer(from, to, amount) {
  return { type: 'transfer', fee: coreAmount(BASIC_FEE), from, to, amount: coreAmount(amount) };
}

export function accountCreation(registrar, name, publicKey) {
  const account = { name, activeKey: publicKey, echorandKey: publicKey, evmAddress: undefined };
  return accountCreateOf(account, registrar, BASIC_FEE);
}

/** @param {string} bytecode of the token, with `0x` */
export function tokenCreation(registrar, bytecode) {
  const code = bytecode.slice(2) + word(SUPPLY);
  const [fee, value] = [coreAmount(CREATION_GAS), coreAmount(0n)];
  return { type: 'contractCreate', fee, registrar, value, code, ethAccuracy: false };
}

export function tokenTransfer(token, from, to, amount) {
  const code = `a9059cbb${word(to)}${word(amount)}`;
  const [fee, value] = [coreAmount(TRANSFER_GAS), coreAmount(0n)];
  return { type: 'contractCall', fee, registrar: from, value, code, callee: token };
}

/** Call data of the token's `balanceOf`, with `0x`. */
export function balanceOf(account) {
  return `0x70a08231${word(account)}`;
}

/**
 * Makes a transaction of operations that refers to the head.
 *
 * @param {number} [later] seconds by which it expires later: what tells apart those that say the same
 */
export function signedBy(keys, ledger, operations, later = 0) {
  const { number, id, header } = ledger.blocks.head();
  const transaction = {
    refBlockNum: number & 0xffff,
    refBlockPrefix: referencePrefix(id),
    expiration: header.timestamp + VALID_SECONDS + later,
    operations,
  };
  const signature = keys.sign(transactionDigest(ledger.parameters.chainId, transaction));
  return { ...transaction, signatures: [signature], signedWithEchorandKey: false };
}
