/** Where another program does not do what is asked of ledgerd, and why: there its failure is no finding. */

/** @type {readonly { target: string, row: string, what: RegExp, reason: string }[]} */
const EXCEPTIONS = [
  {
    target: 'anvil',
    row: 'ethers',
    what: /^the price is 10 gwei/,
    reason: 'its base fee moves, and it pays tips',
  },
];

/**
 * Why a check may fail at a target; undefined when it may not.
 *
 * @param {string} target
 * @param {string} row
 * @param {string} what
 */
export function exceptionOf(target, row, what) {
  return EXCEPTIONS.find((entry) => entry.target === target && entry.row === row && entry.what.test(what))?.reason;
}
