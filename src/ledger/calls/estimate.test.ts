import { beforeEach, describe, expect, test } from 'vitest';
import { type Address, contractAddress, contractId, hexToBytes } from '../../protocol/index.ts';
import { type CallMessage, type Ledger, RefusedError } from '../index.ts';
import { addressAt, createContract, keyAt, openTestLedger, sign } from '../ledger.testing.ts';

/** Calls itself as often as its input demands, with all the gas, and stores a word at the end of each call. */
const nested = (value: string) =>
  `5f358015601d57600190035f525f5f60205f${value}305af115602457601d565b60015f3555005bfe`;
/** Contracts by their code, each with a description. */
const PROGRAMS: readonly (readonly [title: string, runtime: string])[] = [
  ['calls within calls', nested('5f')],
  ['calls that pass on the value', nested('34')],
  // PUSH3 500000 GAS GT PUSH1 10 JUMPI INVALID JUMPDEST STOP
  ['code that looks at its gas', '6207a1205a11600a57fe5b00'],
  // Clears a slot that it has just set, for a refund.
  ['a refund', '60015f555f5f5500'],
  // Creates a contract, and fails where that fails.
  ['a creation', '6b6003600860003960036000f35f52600c60145ff015601a57005bfe'],
  ['nothing', '00'],
];

let ledger: Ledger;

beforeEach(async () => {
  ({ ledger } = await openTestLedger());
});

function deploy(runtime: string): Address {
  const size = (runtime.length / 2).toString(16).padStart(2, '0');
  const code = `60${size}600c60003960${size}6000f3${runtime}`;
  ledger.pool.submit(sign(ledger, [createContract(0, code)], [keyAt(0)]));
  expect(ledger.blocks.receiptOf(1, 0)).toMatchObject({ status: 'success' });
  return contractAddress(contractId(0));
}

function succeeds(message: CallMessage): boolean {
  try {
    return ledger.calls.call(message).status === 'success';
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}

describe('an estimate is the least gas that succeeds', () => {
  test.each(PROGRAMS)('args: %s', (_title, runtime) => {
    const to = deploy(runtime);
    for (const depth of ['00', '01', '02', '05', '10']) {
      for (const value of [0n, 7n]) {
        const message = { from: addressAt(0), to, value, data: hexToBytes(depth.padStart(64, '0')) };
        const least = ledger.calls.estimateGas(message);
        expect(succeeds({ ...message, gas: least })).toBe(true);
        expect(succeeds({ ...message, gas: least - 1n })).toBe(false);
      }
    }
  });
});
