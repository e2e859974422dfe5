import type { ShapeDifference } from './openrpc-document.ts';

const ROWS: readonly [object: string, field: string, kind: ShapeDifference['kind'], reason: string][] = [
  ['Block', 'gasLimit', 'meaning', 'always equal to `gasUsed`: a native block has no gas limit'],
  ['Block', 'logsBloom', 'meaning', 'always zero; receipts have correct bloom filters'],
  ['Block', 'receiptsRoot', 'meaning', 'always zero: a native block commits to no receipts of this form'],
  ['Transaction', 'blockTimestamp', 'encoding', 'null while the transaction is pending'],
  ['Transaction', 'blockHash', 'encoding', 'null while the transaction is pending'],
  ['Transaction', 'blockNumber', 'encoding', 'null while the transaction is pending'],
  ['Transaction', 'transactionIndex', 'encoding', 'null while the transaction is pending'],
  ['Transaction', 'nonce', 'meaning', 'always zero: the expiration and the reference block prevent replay'],
  ['Transaction', 'v', 'meaning', 'always zero, as are `r` and `s`: operations are signed with Ed25519'],
  ['Receipt', 'cumulativeGasUsed', 'meaning', 'equal to `gasUsed`, the charge of this operation alone'],
  ['eth_chainId', 'result', 'encoding', 'a JSON integer'],
  ['eth_getCode', 'result', 'encoding', 'the empty string for an address without code'],
];

/**
 * Differences between the objects of the interface and those of Ethereum's Execution APIs: their fields are those of
 * docs/interface.md, and a native block or operation has no values for others.
 */
export const SHAPE_DIFFERENCES: readonly ShapeDifference[] = ROWS.map(([object, field, kind, reason]) => ({
  object,
  field,
  kind,
  reason,
}));

/** Those of `/ethereum`. */
export const ETHEREUM_SHAPE_DIFFERENCES: readonly ShapeDifference[] = [
  {
    object: 'Receipt',
    field: 'blockTimestamp',
    kind: 'additional',
    reason: 'as in transactions and logs, and in the receipts of anvil',
  },
];
