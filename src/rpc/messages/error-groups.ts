import { type Refusal, RefusedError } from '../../ledger/index.ts';
import { INVALID_SIGNATURE } from '../../protocol/index.ts';
import type { ErrorObject } from './json-rpc.ts';

/** Source: ethereum/execution-apis, src/error-groups: gas errors from 800 to 999, pool errors from 1000 to 1199. */
const MESSAGES = {
  800: 'Intrinsic gas too low / Intrinsic gas exceeds gas limit',
  802: 'Gas price too low / Gas price below configured minimum',
  803: 'Tx gas limit exceeds max block gas limit',
  804: 'Max priority fee per gas higher than max fee per gas',
  806: 'Max fee per gas less than block base fee',
  809: 'Insufficient funds for gas * price + value',
  1000: 'Already known transaction',
  1001: 'Invalid sender',
} as const;

const CODES: { readonly [C in Refusal['code']]?: keyof typeof MESSAGES } = {
  intrinsicGas: 800,
  floorDataGas: 800,
  feeTooLow: 800,
  intrinsicGasTooLow: 800,
  underpriced: 802,
  poolUnderpriced: 802,
  blockGasExceeded: 803,
  tipAboveFeeCap: 804,
  feeCapTooLow: 806,
  insufficientWei: 809,
  insufficientFunds: 809,
  alreadyPending: 1000,
  alreadyIncluded: 1000,
  wrongChainId: 1001,
};

/** The methods whose errors the Execution APIs group, and their relatives. */
const METHODS: ReadonlySet<string> = new Set([
  'eth_sendRawTransaction',
  'eth_sendRawTransactionSync',
  'eth_sendTransaction',
  'eth_sendTransactionSync',
  'wallet_sendTransaction',
]);

/** Adds the error of its group to the error of a method of `/ethereum` that sends transactions, if there is one. */
export function withGroupedError(method: string, thrown: unknown, error: ErrorObject): ErrorObject {
  if (!METHODS.has(method) || !(thrown instanceof RefusedError)) return error;
  const { reason } = thrown;
  const isUnsigned = reason.code === 'ethereumMalformed' && reason.detail === INVALID_SIGNATURE;
  const code = isUnsigned ? 1001 : CODES[reason.code];
  return code === undefined ? error : { ...error, data: { code, message: MESSAGES[code] } };
}
