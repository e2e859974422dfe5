import type { ShapeDifference } from './openrpc-document.ts';

/**
 * Where the objects of the interface differ from those of Ethereum's Execution APIs: the fields are those of
 * docs/interface.md, and a native block or operation has nothing to fill others with.
 */
export const SHAPE_DIFFERENCES: readonly ShapeDifference[] = [
  {
    object: 'Block',
    field: 'gasLimit',
    kind: 'meaning',
    reason: 'always equal to `gasUsed`: a block has no limit of its own',
  },
  {
    object: 'Block',
    field: 'logsBloom',
    kind: 'meaning',
    reason: 'always zero; the bloom filters of receipts are true ones',
  },
  {
    object: 'Block',
    field: 'receiptsRoot',
    kind: 'meaning',
    reason: 'always zero: a native block commits to no receipts of this form',
  },
  {
    object: 'Transaction',
    field: 'blockTimestamp',
    kind: 'encoding',
    reason: 'null while the transaction is pending',
  },
  {
    object: 'Transaction',
    field: 'blockHash',
    kind: 'encoding',
    reason: 'null while the transaction is pending',
  },
  {
    object: 'Transaction',
    field: 'blockNumber',
    kind: 'encoding',
    reason: 'null while the transaction is pending',
  },
  {
    object: 'Transaction',
    field: 'transactionIndex',
    kind: 'encoding',
    reason: 'null while the transaction is pending',
  },
  {
    object: 'Transaction',
    field: 'nonce',
    kind: 'meaning',
    reason: 'always zero: expiration and reference block keep a transaction from being repeated',
  },
  {
    object: 'Transaction',
    field: 'v',
    kind: 'meaning',
    reason: 'always zero, as are `r` and `s`: operations are signed with Ed25519',
  },
  {
    object: 'Receipt',
    field: 'cumulativeGasUsed',
    kind: 'meaning',
    reason: 'equal to `gasUsed`, the charge of this operation alone',
  },
  {
    object: 'eth_chainId',
    field: 'result',
    kind: 'encoding',
    reason: 'a JSON integer',
  },
  {
    object: 'eth_getCode',
    field: 'result',
    kind: 'encoding',
    reason: 'the empty string where there is no code',
  },
];
