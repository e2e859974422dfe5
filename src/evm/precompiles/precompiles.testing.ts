import { Common, Mainnet } from '@ethereumjs/common';
import { createEVM, getActivePrecompiles } from '@ethereumjs/evm';
import { bytesToHex } from '../../protocol/index.ts';
import type { Hardfork } from '../hardfork.ts';
import { verifyProof } from './kzg.testing.ts';
import { precompileAt } from './registry.ts';

/** The outcome of a call: gas that the contract charges and its output as hex, or that it failed. */
export type Called = { readonly gas: bigint; readonly output: string } | 'failure';

export type Oracle = (address: number, input: Uint8Array) => Promise<Called>;

/** More gas than any call of the tests costs. */
const GAS_LIMIT = 10n ** 15n;

/** The contracts of another implementation, by the rules of a hard fork. */
export async function createOracle(hardfork: Hardfork = 'cancun'): Promise<Oracle> {
  const kzg = { verifyProof } as never; // of the library's interface only this is called
  const common = new Common({ chain: Mainnet, hardfork, customCrypto: { kzg } });
  const evm = await createEVM({ common });
  const contracts = getActivePrecompiles(common);
  return async (address, input) => {
    const contract = contracts.get(address.toString(16).padStart(40, '0'));
    if (contract === undefined) throw new TypeError(`the oracle has no contract ${address}`);
    const result = await contract({ data: input, gasLimit: GAS_LIMIT, common, _EVM: evm });
    if (result.exceptionError !== undefined) return 'failure';
    return { gas: result.executionGasUsed, output: bytesToHex(result.returnValue) };
  };
}

/** Calls this project's contract. */
export function call(address: number, input: Uint8Array, hardfork: Hardfork = 'cancun'): Called {
  const contract = precompileAt(address, hardfork);
  if (contract === undefined) throw new TypeError(`there is no contract ${address}`);
  const gas = contract.gas(input);
  const output = contract.run(input);
  return output === undefined ? 'failure' : { gas, output: bytesToHex(output) };
}

/** The output as hex, `undefined` for a failure. */
export function outputOf(address: number, input: Uint8Array, hardfork?: Hardfork): string | undefined {
  const called = call(address, input, hardfork);
  return called === 'failure' ? undefined : called.output;
}

/** Returns a number as big-endian bytes, by default 32. */
export function word(number: bigint, length = 32): Uint8Array {
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex'));
}
