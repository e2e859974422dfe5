import { anvilCommand } from '../../harness/anvil.js';
import { Connection } from '../../harness/connection.js';
import { timed } from '../../harness/rounds.js';
import { startServer } from '../../harness/server.js';
import { quantity, toHex } from '../../harness/words.js';
import { SENDER } from '../world.js';

const RULES = ['--hardfork', 'cancun', '--base-fee', '0', '--gas-limit', '1000000000000'];
const NO_LIMITS = ['--disable-code-size-limit', '--no-request-size-limit'];
const NOWHERE = Buffer.alloc(20, 0xee);

/**
 * Runs anvil in a separate process. A run is an `eth_call` over HTTP; `fixed` times the same call to an address without
 * code, which is the cost apart from the execution.
 */
export async function openAnvil({ world, to, data, gas }) {
  const anvil = await startServer((port) => [...anvilCommand(port), ...RULES, ...NO_LIMITS]);
  const connection = await Connection.open(anvil.port);
  for (const [address, { balance, nonce, code, storage }] of world.accounts) {
    const place = `0x${address}`;
    await connection.call('anvil_setBalance', place, quantity(balance));
    await connection.call('anvil_setNonce', place, quantity(nonce));
    if (code.length > 0) await connection.call('anvil_setCode', place, toHex(code));
    for (const [key, value] of storage) {
      await connection.call('anvil_setStorageAt', place, `0x${key}`, `0x${value}`);
    }
  }
  const message = { from: toHex(SENDER), data: toHex(data), gas: quantity(gas), gasPrice: '0x0' };
  const callTo = async (target) => {
    const call = { ...message, to: toHex(target) };
    const { value: output, ms } = await timed(() => connection.call('eth_call', call, 'latest'));
    return { time: ms, output: Buffer.from(output.slice(2), 'hex'), status: 'success' };
  };
  const close = async () => {
    connection.close();
    await anvil.stop();
  };
  return { run: () => callTo(to), fixed: () => callTo(NOWHERE), close };
}
