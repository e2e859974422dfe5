/**
 * The pending pool: transactions from their arrival until a block has them.
 *
 * A transaction passes through these steps, in this order. The codes are those of `RefusedError`.
 *
 * 1. Parsing. `submitEthereum` parses the bytes of a client, recovers the sender and makes the native transaction
 *    around them: `ethereumMalformed`, `unprotectedTransaction`. A native transaction is parsed by its caller.
 * 2. Policy of this node, in `Pool.submit`. It needs no state: operations that only the node itself makes
 *    (`testOperationSubmitted`), a blob transaction without its sidecar (`sidecarMissing`), the least fee cap
 *    (`underpriced`).
 * 3. State of this node: `writesPaused`, `makesNoBlocks`, `alreadyPending`.
 *    With instant production, a transaction that fits into a block, and whose nonce is not ahead, is applied to the
 *    head as a block of its own. It is checked as in step 6, and is never in the pool. All others go on.
 * 4. Limits (`pool-limits.ts`). A full pool must have a transaction that yields to it: one with a lower tip, or one of
 *    the sender with the largest share (`poolUnderpriced`, `pendingPoolFull`). An account with a delegation has one
 *    pending transaction (`delegatedInFlight`, `delegatedGap`, `authorityReserved`).
 * 5. Replacement. One with the sender and nonce of another must offer higher fees (`replacementUnderpriced`). The other
 *    leaves, and all are executed again without it.
 * 6. Execution (`PendingState`), on the state after all that precede it, for the next block: form, reference block and
 *    expiration, signatures and authorities, then each operation by its rules, which include nonce, fees and funds.
 * 7. Queue. An Ethereum transaction that is too early, behind a nonce gap or below the base fee, is queued if its
 *    sender can pay for it: at most 64 of a sender, 1,024 in all, for three hours (`queueFull`). A blob transaction
 *    behind a gap is refused. If pending ones before it were not executed yet, it stays pending behind them.
 * 8. Eviction. The pool gets room for it; see step 4.
 * 9. One commit stores it with its sidecar, and removes those that it replaced or evicted. A round of sends
 *    (`Pool.together`) has one commit for all.
 * 10. Listeners are notified after the commit: first of the dropped transactions, then of the accepted one.
 *
 * A refusal leaves nothing behind. Before step 5 nothing has changed, except that transactions which had become invalid
 * may be dropped. After it, those that were to be replaced or evicted are pending again, and all are executed again
 * from the head. The same holds if the commit fails; then all transactions of its round leave the pool, and the blocks
 * of the round are reverted.
 *
 * An accepted transaction stays until its block. `inBlockOrder` orders those of the next block by tip, each sender's by
 * nonce, or by arrival. A block of exactly the executed ones takes their results (`executedFor`). The commit of a block
 * removes its transactions; then all others are executed again within a slice (`rebase`), the rest later
 * (`Pool.refreshPending`). One that is refused then is queued if it is early, else dropped: it leaves the store with
 * the next block, and listeners get the reason. A queued one is promoted once it is neither behind a gap nor below the
 * base fee, behind all pending ones.
 *
 * `Pool` accepts, and is the part `pool` of a ledger. `PendingTransactions` adds, orders, evicts and drops.
 * `PoolIndex` has the entries, their look-ups, shares and queue; `PendingState` the state after them; `PendingBlock`
 * the block `pending` of Ethereum's clients; `ChainSnapshots` copies of the pool for tests.
 */

export {
  ChainSnapshots,
  type RestoredTransaction,
  type SnapshotReference,
} from './chain-snapshots.ts';
export { type PendingBlock, PendingBlockUnmadeError } from './pending-block.ts';
export { unlessMissing } from './pending-state.ts';
export { PendingTransactions, type PoolCore } from './pending-transactions.ts';
export { Pool, requireProtected, type Submission, submitEthereum, submitImpersonated } from './pool.ts';
export { DEFAULT_PRICE_POLICY } from './prices.ts';
