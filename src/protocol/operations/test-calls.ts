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
  /** The sender: an account, a contract, or nobody's address. */
  readonly caller: Address;
  /** Absent: the data is creation code. */
  readonly to?: Address | undefined;
  /** Units of the core asset. */
  readonly value: bigint;
  readonly data: Uint8Array;
  /** Gas limit. */
  readonly gas: bigint;
}

export const testCall: TestOperationDescription<TestCall> = {
  number: 0x7f01,
  codec: struct<TestCall>('test_call', {
    type: discriminator('testCall'),
    caller: evmAddressCodec,
    to: optional(evmAddressCodec),
    value: amountNumber,
    data: variableBytes,
    gas: amountNumber,
  }),
  caller: ({ caller }) => caller,
  receiver: ({ to }) => to,
  moves: 'value',
  code: 'data',
  isMetered: true,
};

/**
 * Sends a message as a test call does, with a value in wei, perhaps charged to an account whose key the node holds
 * (operation 32516, an extension): on test chains that know Ethereum only.
 */
export interface TestWeiCall extends Omit<TestCall, 'type'> {
  readonly type: 'testWeiCall';
  /** Wei beyond the units of the value, less than a unit. */
  readonly dust: bigint;
  /** True if the caller pays for the gas. */
  readonly isCharged: boolean;
}

export const testWeiCall: TestOperationDescription<TestWeiCall> = {
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
  caller: ({ caller }) => caller,
  receiver: ({ to }) => to,
  moves: 'value',
  code: 'data',
  isMetered: true,
};
