/** The transactions of a soak: a fixed mixture, of which every transaction is another. */

import { accountId, coreAmount } from '../../dist/protocol/index.js';
import { compile } from '../harness/contracts.js';
import { word } from '../harness/words.js';

/** Shares of the kinds of transactions, in percent. */
export const MIXTURE = {
  transfer: 45,
  tokenTransfer: 25,
  storageWrite: 12,
  accountCreate: 8,
  failingCall: 6,
  contractCreate: 4,
};

/** Offered gas; unused gas is not charged. */
const CALL_GAS = 120_000n;
const CREATION_GAS = 400_000n;
const TRANSFER_FEE = 20n;
const ACCOUNT_CREATE_FEE = 100n;
/** Number of holders of the token, besides the senders. */
const HOLDERS = 100_000;
const FAILING_VALUE = 2n ** 200n;

/** A step through the mixture that meets all kinds evenly: it has no divisor in common with 100. */
const STRIDE = 37;
const KINDS = Object.entries(MIXTURE).flatMap(([kind, share]) => Array(share).fill(kind));

/** Compiles the contracts: creation codes and selectors, hex digits. */
export function compileContracts() {
  const { Soak, Box } = compile(new URL('Soak.sol', import.meta.url), 'cancun');
  return {
    soak: Soak.bytecode.slice(2),
    box: Box.bytecode.slice(2),
    transfer: Soak.selectors['transfer(address,uint256)'],
    store: Soak.selectors['store(uint256,uint256)'],
  };
}

/** Returns the kind of the transaction with a serial number. */
export function kindOf(serial) {
  return KINDS[(serial * STRIDE) % KINDS.length];
}

/**
 * The operation of a serial number.
 *
 * @param {number} serial different for every transaction of a soak
 * @param {number} sender instance of the account that pays
 * @param {object} world `code`: the compiled contracts; `contract`: instance of the one that is called;
 *   `accounts`: instances of the senders; `publicKey`: key of new accounts; `createdAccounts`: `first` instance and
 *   `count` of the accounts that the soak has made so far
 */
export function operationOf(serial, sender, world) {
  return MAKERS[kindOf(serial)](serial, accountId(sender), world);
}

const call = (registrar, callee, code) => ({
  type: 'contractCall',
  fee: coreAmount(CALL_GAS),
  registrar,
  value: coreAmount(0n),
  code,
  callee,
});

const MAKERS = {
  transfer: (serial, from, { accounts, createdAccounts: { first, count } }) => {
    const place = scattered(serial, accounts.length + count);
    const to = accounts[place] ?? first + place - accounts.length;
    const amount = coreAmount(BigInt(serial));
    return { type: 'transfer', fee: coreAmount(TRANSFER_FEE), from, to: accountId(to), amount };
  },
  tokenTransfer: (serial, registrar, { code, contract }) => {
    const holder = (0x1000_0000 + scattered(serial, HOLDERS)).toString(16);
    return call(registrar, contract, `${code.transfer}${word(BigInt(`0x${holder}`))}${word(BigInt(serial))}`);
  },
  storageWrite: (serial, registrar, { code, contract }) =>
    call(registrar, contract, `${code.store}${word(BigInt(serial))}${word(BigInt(serial) ** 3n)}`),
  failingCall: (serial, registrar, { code, contract }) =>
    call(registrar, contract, `${code.transfer}${word(BigInt(serial))}${word(FAILING_VALUE)}`),
  contractCreate: (serial, registrar, { code }) => ({
    type: 'contractCreate',
    fee: coreAmount(CREATION_GAS),
    registrar,
    value: coreAmount(0n),
    // What follows the creation code is ignored, and makes it different from all others.
    code: code.box + word(BigInt(serial)),
    ethAccuracy: false,
  }),
  accountCreate: (serial, registrar, { publicKey }) =>
    accountCreation(`soak-${serial}`, registrar, publicKey),
};

/** Returns the operation that creates an account without coins. */
export function accountCreation(name, registrar, publicKey) {
  return {
    type: 'accountCreate',
    fee: coreAmount(ACCOUNT_CREATE_FEE),
    registrar,
    name,
    active: { weightThreshold: 1, accountAuths: [], keyAuths: [[publicKey, 1]] },
    echorandKey: publicKey,
    options: { delegatingAccount: registrar, delegateShare: 0 },
  };
}

/** A number below a bound that jumps from one serial number to the next. */
function scattered(serial, bound) {
  return (Math.imul(serial, 0x9e3779b1) >>> 0) % bound;
}
