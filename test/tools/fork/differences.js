/** The differences between ledgerd and anvil 1.7.1 as forks, with reasons. Each must occur. */

/**
 * @typedef {import('./step.js').Step} Step
 * @typedef {object} Explained
 * @property {string} reason
 * @property {RegExp} method
 * @property {RegExp} path place in the response
 * @property {RegExp} [of] tag of the step, or name of the transaction that is its parameter; absent: any
 * @property {(ours: any, theirs: any) => boolean} [holds] absent: for any values
 */

const isAbsent = (/** @type {unknown} */ ours) => ours === undefined;
const isNumberHere = (/** @type {string} */ ours, /** @type {number} */ theirs) => Number(ours) === theirs;
const RECEIPT = /^eth_get(TransactionReceipt|BlockReceipts)$/;
const TRACE = /^debug_trace/;
const BLOCK = /^eth_getBlockByNumber$/;

/** @type {readonly Explained[]} */
const FIELDS = [
  {
    reason: 'geth has blobGasPrice in receipts of type 3 only',
    ...{ method: RECEIPT, path: /^result(\.\d+)?\.blobGasPrice$/, holds: isAbsent },
  },
  {
    reason:
      'anvil has the time of the block in receipts as a JSON number, other fields of receipts are quantities',
    ...{ method: RECEIPT, path: /^result(\.\d+)?\.blockTimestamp$/, holds: isNumberHere },
  },
  {
    reason: 'each node draws PREVRANDAO of its blocks',
    ...{ method: BLOCK, path: /^result\.mixHash$/ },
  },
  {
    reason:
      'blocks are those of the ledger: docs/ethereum.md, "The block hash" and "Proofs need a state trie"',
    ...{ method: BLOCK, path: /^result\.(transactionsRoot|stateRoot|receiptsRoot|size)$/ },
  },
  {
    reason: 'execution-apis has removed totalDifficulty',
    ...{ method: BLOCK, path: /^result\.totalDifficulty$/, holds: isAbsent },
  },
  {
    reason: 'geth has a null blockTimestamp in pending transactions, anvil none',
    ...{ method: /^(eth_getTransactionByHash|txpool_content)$/, path: /\.blockTimestamp$/, of: /^pending/ },
    holds: (ours, theirs) => ours === null && theirs === undefined,
  },
  {
    reason: 'fees that a node fills in: geth adds the tip to twice the base fee, anvil to the base fee',
    ...{
      method: /^eth_getTransactionByHash$/,
      path: /^result\.maxFeePerGas$/,
      of: /^(filled in|whale transfers)$/,
    },
    holds: (ours, theirs) => BigInt(ours) > BigInt(theirs),
  },
  {
    reason:
      'a signature of other fees, or one that a node makes up for an impersonated account: docs/testing.md',
    ...{
      method: /^eth_getTransactionByHash$/,
      path: /^result\.(r|s|v|yParity)$/,
      of: /^(filled in|whale transfers)$/,
    },
  },
];

/** @type {readonly Explained[]} */
const TRACES = [
  {
    reason:
      "geth's callTracer begins with the gas limit of the transaction, anvil's with the gas of the first call",
    ...{
      method: TRACE,
      path: /^result(\.\d+\.result)?\.gas$/,
      holds: (ours, theirs) => BigInt(ours) > BigInt(theirs),
    },
  },
  {
    reason: "geth's prestateTracer has code hashes, anvil's has none",
    ...{ method: TRACE, path: /\.0x[0-9a-f]{40}\.codeHash$/, holds: (_ours, theirs) => theirs === undefined },
  },
  {
    reason:
      'fees go to the producer of a block, not to its coinbase: docs/ethereum.md, "Base fees are not burned"',
    ...{ method: TRACE, path: /^result\.((pre|post)\.)?0x0{40}(\.balance)?$/ },
  },
  {
    reason:
      "geth's prestateTracer leaves out empty accounts (includeEmpty), anvil's lists precompiled contracts",
    ...{ method: TRACE, path: /^result\.0x0{38}[0-9a-f]{2}$/ },
    holds: (ours, theirs) => ours === undefined && theirs.balance === '0x0',
  },
  {
    reason: "geth's 4byteTracer leaves out calls of precompiled contracts",
    ...{ method: TRACE, path: /^result\.0x[0-9a-f]{8}-\d+$/, holds: isAbsent },
  },
  {
    reason: 'geth counts the refunds of a transaction and leaves out 0, anvil counts those of a call',
    ...{ method: TRACE, path: /^result\.structLogs\.\d+\.refund$/, holds: (ours) => ours !== 0 },
  },
  {
    reason: "Parity's format has no result of a failed call",
    ...{
      method: /^trace_transaction$/,
      path: /^result\.\d+\.result$/,
      of: /^fails$/,
      holds: (ours) => ours === null,
    },
  },
];

/** @type {readonly Explained[]} */
const STEPS = [
  {
    reason: 'a call that names no price sees BASEFEE 0, as in geth: docs/ethereum.md, "Calls use the price"',
    ...{ method: /^eth_call$/, path: /^result$/, of: /^BASEFEE$/, holds: (ours) => BigInt(ours) === 0n },
  },
  {
    reason: 'anvil estimates a transfer without looking at the balance of its sender; geth refuses it',
    ...{ method: /^eth_estimateGas$/, path: /^outcome$/, of: /^no funds$/ },
    holds: ({ error }) => /^insufficient funds for/.test(error?.message),
  },
  {
    reason:
      'the contract ignores failures of its calls: it succeeds with any limit, and searches end at different ones',
    ...{ method: /^eth_estimateGas$/, path: /^result$/, of: /^inner calls may fail$/ },
  },
  {
    reason: 'geth refuses a range that ends before it begins, anvil has no logs for it',
    ...{ method: /^eth_getLogs$/, path: /^outcome$/, of: /^no range$/ },
    holds: ({ error }) => /invalid block range params/.test(error?.message),
  },
  {
    reason: 'geth refuses a range of logs that ends beyond the head',
    ...{ method: /^eth_getLogs$/, path: /^outcome$/, of: /^beyond the head$/ },
    holds: ({ error }) => /block range extends beyond current head block/.test(error?.message),
  },
  {
    reason: 'blocks of ledgerd are final at once, of anvil after 64: docs/ethereum.md, "safe and finalized"',
    ...{ method: /^eth_getBalance$/, path: /^result$/, of: /^finality$/ },
  },
  {
    reason: 'the total of all moves is 0 while the clock is behind that of the machine: docs/methods.md',
    ...{ method: /^evm_increaseTime$/, path: /^result$/, of: /^moved clock$/ },
    holds: (ours, theirs) => ours === 0 && theirs < 0,
  },
  {
    reason:
      'a reset without forking goes to the block of the fork, of anvil to an empty chain: docs/forking.md',
    ...{ method: /^eth_blockNumber$/, path: /^result$/, of: /^reset without forking$/ },
    holds: (_ours, theirs) => theirs === '0x0',
  },
  {
    reason: 'the lists of anvil lack the blocks up to the fork',
    ...{ method: /^eth_feeHistory$/, path: /^result\./, of: /^across the fork$/ },
  },
  {
    reason: 'anvil does not search the remote chain for a sender and a nonce',
    ...{ method: /^eth_getTransactionBySenderAndNonce$/, path: /^result$/ },
    holds: (_ours, theirs) => theirs === null,
  },
  {
    reason: 'anvil keeps the base fee of reverted blocks',
    ...{ method: /^eth_get/, path: /^result\.(baseFeePerGas|effectiveGasPrice)$/ },
    of: /^(after a revert|rolled back)$/,
  },
  {
    reason: 'anvil keeps the base fee of the former fork after a reset',
    ...{ method: RECEIPT, path: /^result\.effectiveGasPrice$/, of: /^after (a reset|another)$/ },
  },
  {
    reason: 'anvil returns remote transactions of blocks after the fork',
    ...{
      method: /^eth_getTransactionByHash$/,
      path: /^result$/,
      of: /^after the fork$/,
      holds: (ours) => ours === null,
    },
  },
];

/**
 * Errors: codes and texts of ledgerd are those of geth, which test/tools/rows/hostile.js checks too.
 *
 * @type {readonly { ours: RegExp, theirs: RegExp, reason: string }[]}
 */
const ERRORS = [
  {
    reason: 'anvil appends the name and the data of a custom error, which is in the data of both',
    ...{ ours: /^execution reverted$/, theirs: /^execution reverted: custom error 0x/ },
  },
  { reason: "geth's text for an unknown block", ours: /^header not found$/, theirs: /^BlockOutOfRangeError/ },
  {
    reason: "geth's text for gas that does not suffice",
    ours: /^out of gas$/,
    theirs: /^EVM error OutOfGas$/,
  },
  {
    reason: "geth's text, with the balance, for a sender without funds",
    ...{
      ours: /^(err: )?insufficient funds for gas \* price \+ value: address 0x/,
      theirs: /^Insufficient funds for gas/,
    },
  },
  {
    reason: "geth's text for a signer that the node does not have",
    ...{ ours: /^unknown account 0x/, theirs: /^No Signer available$/ },
  },
  {
    reason: "geth's text, with both nonces",
    ours: /^nonce too low: address 0x.* tx: 0 state: /,
    theirs: /^nonce too low$/,
  },
  {
    reason: "geth's text, with both chain ids",
    ...{ ours: /^invalid chain id for signer: have \d+ want \d+$/, theirs: /^invalid chain id for signer$/ },
  },
  {
    reason: 'the message of a parameter states which one it is and what was expected',
    ...{ ours: /^invalid argument 0 \(/, theirs: /^(odd number of digits|invalid value: string)/ },
  },
  {
    reason: 'the message of a transaction states where it cannot be read',
    ...{ ours: /^transaction at byte 1: /, theirs: /^Failed to decode transaction$/ },
  },
];

const FIXED = [...FIELDS, ...TRACES, ...STEPS];

/** Reasons of all differences. */
export const REASONS = [...FIXED, ...ERRORS].map(({ reason }) => reason);

/**
 * Returns the reason of a difference; undefined for one that nothing explains.
 *
 * @param {Step} step
 * @param {import('./compare.js').Difference} difference
 */
export function reasonOf(step, { path, ours, theirs }) {
  if (path === 'error') {
    // Refused sends have a code of the Execution APIs' error groups.
    const data = ours.data?.code === undefined ? ours.data : undefined;
    if (JSON.stringify(data) !== JSON.stringify(theirs.data)) return undefined;
    return ERRORS.find((entry) => entry.ours.test(ours.message) && entry.theirs.test(theirs.message))?.reason;
  }
  const of = step.tag ?? /** @type {{ name?: string } | undefined} */ (step.params[0])?.name ?? '';
  const found = FIXED.find(
    (entry) =>
      entry.method.test(step.method) &&
      entry.path.test(path) &&
      (entry.of?.test(of) ?? true) &&
      (entry.holds?.(ours, theirs) ?? true),
  );
  return found?.reason;
}
