import type { Address } from '../bytes/bytes.ts';
import { amountNumber, bool, variableBytes } from '../codec/scalars.ts';
import { discriminator, optional, struct } from '../codec/structures.ts';
import { evmAddressCodec } from '../objects/value-codecs.ts';
import type { TestOperationDescription } from './operation-description.ts';

/**
 * Sends a message from any address, unsigned and free of charge (operation 32513, an extension): on test chains only.
 */
export interface TestCall {
  readonly type: 'testCall';
  /** The sender: an account, a contract or any other address. */
  readonly caller: Address;
  /** Absent: the data is creation code. */
  readonly to?: Address | undefined;
  /** Units of the core asset. */
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly gas: bigint;
}

/** The common part of both descriptions. */
const CALL = {
  caller: ({ caller }: Omit<TestCall, 'type'>) => caller,
  receiver: ({ to }: Omit<TestCall, 'type'>) => to,
  moves: 'value',
  code: 'data',
  isMetered: true,
} as const;

export const testCall: TestOperationDescription<TestCall> = {
  ...CALL,
  number: 0x7f01,
  codec: struct<TestCall>('test_call', {
    type: discriminator('testCall'),
    caller: evmAddressCodec,
    to: optional(evmAddressCodec),
    value: amountNumber,
    data: variableBytes,
    gas: amountNumber,
  }),
};

/**
 * Sends a message like a test call, with a value in wei, and optionally charges the caller for the gas (operation
 * 32516, an extension): only on test chains with Ethereum.
 */
export interface TestWeiCall extends Omit<TestCall, 'type'> {
  readonly type: 'testWeiCall';
  /** Wei beyond the units of the value, less than a unit. */
  readonly dust: bigint;
  /** True if the caller pays for the gas. */
  readonly isCharged: boolean;
}

export const testWeiCall: TestOperationDescription<TestWeiCall> = {
  ...CALL,
  number: 0x7f04,
  codec: struct<TestWeiCall>('test_wei_call', {
    type: discriminator('testWeiCall'),
    caller: evmAddressCodec,
    to: optional(evmAddressCodec),
    value: amountNumber,
    dust: amountNumber,
    data: variableBytes,
    gas: amountNumber,
    isCharged: bool,
  }),
};
