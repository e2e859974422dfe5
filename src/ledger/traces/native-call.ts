import type { TraceListener } from '../../evm/index.ts';
import {
  encode,
  gasLimit,
  movedAmount,
  movedWei,
  operationCodec,
  senderAddress,
} from '../../protocol/index.ts';
import type { Outcome } from '../operations/outcome.ts';
import type { ReplayedOperation } from './replayed-operation.ts';

const NO_BYTES = new Uint8Array(0);

/**
 * Tells a listener of an operation that runs no code as of one call: of a transfer without input, and of any other from
 * its payer to itself, with the bytes of the operation. Its gas is the fee.
 */
export function tellNativeCall(
  listener: TraceListener,
  { operation, to }: ReplayedOperation,
  { gasUsed }: Outcome,
  weiPerUnit: bigint,
): void {
  const from = senderAddress(operation);
  const moved = movedAmount(operation);
  const isTransfer = moved !== undefined && to !== undefined;
  listener.enter?.({
    kind: 'CALL',
    from,
    to: isTransfer ? to : from,
    value: isTransfer ? movedWei(operation, weiPerUnit) : 0n,
    gas: gasLimit(operation),
    callerGas: 0n,
    input: isTransfer ? NO_BYTES : encode(operationCodec, operation),
  });
  listener.leave?.({ failure: undefined, gasUsed, gasLeft: 0n, output: NO_BYTES });
}
