/** Known differences of other programs, with reasons: their failures are not findings. */

/** @type {readonly { target: string, row: string, what: RegExp, reason: string }[]} */
const EXCEPTIONS = [
  {
    target: 'anvil',
    row: 'fork-viem',
    what: /^simulateCalls: /,
    reason: 'it refuses creations in eth_simulateV1',
  },
  {
    target: 'anvil',
    row: 'fork-hardhat3',
    what: /^http: (the helpers|the plugins|reset)/,
    reason: 'it has no hardhat_setPrevRandao, at which the script ends',
  },
  {
    target: 'anvil',
    row: 'ethers',
    what: /^the price is 10 gwei/,
    reason: 'its base fee moves, and it pays tips',
  },
  {
    target: 'anvil',
    row: 'mixed',
    what: /^a contract sees 10 gwei/,
    reason: 'its base fee moves, and it pays tips',
  },
  {
    target: 'anvil',
    row: 'safe',
    what: /^the singleton factory/,
    reason: 'it is not preinstalled',
  },
  {
    target: 'anvil',
    row: 'hostile',
    what: /: high s$/,
    reason: 'it accepts either form of a signature',
  },
  {
    target: 'anvil',
    row: 'hostile',
    what: /: r of 0$|^type [35]$/,
    reason: 'its error texts differ',
  },
  {
    target: 'anvil',
    row: 'hostile',
    what: /^type 0: wrong chain id$|^legacy for any chain$/,
    reason: 'it accepts legacy transactions of any chain',
  },
  {
    target: 'anvil',
    row: 'hostile',
    what: /^type 4 /,
    reason: 'it refuses that in words of its own, or not',
  },
  {
    target: 'anvil',
    row: 'hostile',
    what: /^bytes behind it$/,
    reason: 'its decoder ignores them',
  },
  {
    target: 'anvil',
    row: 'hostile',
    what: /^the last nonce there is$|^more gas than EIP-7825 allows$/,
    reason: 'it does not check this',
  },
  {
    target: 'anvil',
    row: 'hostile',
    what: /^replaced by less than 10 % more$/,
    reason: 'any higher price replaces',
  },
];

/**
 * Returns the reason for which a check may fail at a target; undefined if it may not.
 *
 * @param {string} target
 * @param {string} row
 * @param {string} what
 */
export function exceptionOf(target, row, what) {
  return EXCEPTIONS.find((entry) => entry.target === target && entry.row === row && entry.what.test(what))
    ?.reason;
}
