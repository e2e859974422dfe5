import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { Account, Address } from '@ethereumjs/util';
import { SENDER } from '../world.js';

/** Opens `@ethereumjs/evm` over its state manager in memory. */
export async function openEthereumjs({ world, to, data, gas }) {
  const evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Cancun }) });
  const state = evm.stateManager;
  for (const [address, { balance, nonce, code, storage }] of world.accounts) {
    const place = new Address(Buffer.from(address, 'hex'));
    await state.putAccount(place, new Account(nonce, balance));
    if (code.length > 0) await state.putCode(place, code);
    for (const [key, value] of storage) {
      await state.putStorage(place, Buffer.from(key, 'hex'), withoutZeros(Buffer.from(value, 'hex')));
    }
  }
  const message = {
    caller: new Address(SENDER),
    to: new Address(to),
    data,
    gasLimit: gas,
    skipBalance: true,
  };
  const run = async () => {
    const start = performance.now();
    await evm.journal.checkpoint();
    const { execResult } = await evm.runCall(message);
    await evm.journal.revert();
    const time = performance.now() - start;
    await evm.journal.cleanup();
    const status = execResult.exceptionError === undefined ? 'success' : execResult.exceptionError.error;
    return { time, gas: execResult.executionGasUsed, output: execResult.returnValue, status };
  };
  return { run, close: async () => {} };
}

function withoutZeros(bytes) {
  const start = bytes.findIndex((byte) => byte !== 0);
  return start < 0 ? new Uint8Array(0) : bytes.subarray(start);
}
