import { WEI_PER_UNIT } from '../../consensus.ts';
import type { LedgerQueries } from '../../ledger/index.ts';
import { operationGasMax } from '../../ledger/index.ts';
import {
  type Address,
  accountAddress,
  decode,
  ethereumTransactionKind,
  gasLimit,
  hexToBytes,
  type Operation,
  parseEthereumTransaction,
  quantity,
  recoverSender,
  signedTransactionCodec,
  toAddress,
  toPrefixedHex,
} from '../../protocol/index.ts';

/** Gas from which a worker prewarms a sent transaction: the slowest precompiled contract uses it in some 40 ms. */
export const PREWARM_GAS_MIN = 500_000n;

/** An execution of code by a transaction. */
interface Execution {
  /** Returns the sender, which is expensive to recover. */
  from(): Address;
  /** Undefined for a creation. */
  readonly to: Address | undefined;
  readonly value: bigint;
  readonly input: Uint8Array;
  readonly gas: bigint;
}

/**
 * Returns the calls, as parameters of `eth_call`, that a worker runs before this process executes a transaction. The
 * execution reuses the results of their slow precompiled contracts.
 *
 * @param transaction transaction object, or hexadecimal bytes of a signed transaction
 * @throws FormatError, DecodeError, TypeError or SyntaxError for any other value
 */
export function prewarmCalls(transaction: unknown, ledger: LedgerQueries): object[] {
  return executionsOf(transaction, ledger)
    .filter(
      ({ gas, to }) =>
        gas >= PREWARM_GAS_MIN && (to === undefined || ledger.accounts.contractIdAt(to) !== undefined),
    )
    .map(({ from, to, value, input, gas }) => ({
      from: toPrefixedHex(from()),
      to: to && toPrefixedHex(to),
      value: quantity(value),
      data: toPrefixedHex(input),
      gas: quantity(gas),
    }));
}

function executionsOf(transaction: unknown, ledger: LedgerQueries): readonly Execution[] {
  if (typeof transaction !== 'string') return [executionOfObject(transaction as object, ledger)];
  const bytes = bytesOf(transaction);
  if (ethereumTransactionKind(bytes) === undefined) {
    const { operations } = decode(signedTransactionCodec, bytes, 'transaction');
    return operations.flatMap((operation) => executionOfOperation(operation, ledger) ?? []);
  }
  const signed = parseEthereumTransaction(bytes);
  return [{ ...signed, input: signed.data, from: () => recoverSender(signed) }];
}

/** Uses the maximum gas of an operation if the object has none, as an estimate does. */
function executionOfObject(transaction: object, ledger: LedgerQueries): Execution {
  const { from, to, value, data: payload, input, gas } = transaction as Record<string, unknown>;
  return {
    from: () => toAddress(bytesOf(from)),
    to: to == null ? undefined : toAddress(bytesOf(to)),
    value: BigInt(String(value ?? 0)),
    input: bytesOf(payload ?? input ?? '0x'),
    gas: gas === undefined ? operationGasMax(ledger.parameters.hardfork) : BigInt(String(gas)),
  };
}

function executionOfOperation(operation: Operation, ledger: LedgerQueries): Execution | undefined {
  if (operation.type === 'ethereumTransaction') {
    const { to, value, data: input, gas } = operation.innerTransaction;
    return { from: () => operation.sender, to, value: value / WEI_PER_UNIT, input, gas };
  }
  if (operation.type !== 'contractCreate' && operation.type !== 'contractCall') return undefined;
  const to =
    operation.type === 'contractCall' ? ledger.accounts.contractAddressOf(operation.callee) : undefined;
  if (operation.type === 'contractCall' && to === undefined) return undefined;
  const from = (): Address => accountAddress(operation.registrar);
  const input = hexToBytes(operation.code);
  return { from, to, value: operation.value.amount, input, gas: gasLimit(operation) };
}

/** Decodes hexadecimal digits after 0x. */
function bytesOf(text: unknown): Uint8Array {
  return hexToBytes(String(text).slice('0x'.length));
}
