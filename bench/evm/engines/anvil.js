import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { SENDER } from '../world.js';

/** The program itself: the script of the package would stay between us and it. */
const MACHINE = { x64: 'amd64' }[process.arch] ?? process.arch;
const PROGRAM = fileURLToPath(
  new URL(`../../node_modules/@foundry-rs/anvil-${process.platform}-${MACHINE}/bin/anvil`, import.meta.url),
);
const OPTIONS = ['--port', '0', '--hardfork', 'cancun', '--base-fee', '0', '--gas-limit', '1000000000000'];
const MORE_OPTIONS = ['--disable-code-size-limit', '--no-request-size-limit'];
const NOWHERE = Buffer.alloc(20, 0xee);

const hex = (bytes) => `0x${Buffer.from(bytes).toString('hex')}`;
const quantity = (number) => `0x${number.toString(16)}`;

/**
 * anvil in a process of its own. A run is an `eth_call` over HTTP; `fixed` times the same call to an address
 * without code, which is what a run costs apart from the execution.
 */
export async function openAnvil({ world, to, data, gas }) {
  const child = spawn(PROGRAM, [...OPTIONS, ...MORE_OPTIONS], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await listeningPort(child);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = (method, parameters) => send(agent, port, method, parameters);
  for (const [address, { balance, nonce, code, storage }] of world.accounts) {
    const place = `0x${address}`;
    await call('anvil_setBalance', [place, quantity(balance)]);
    await call('anvil_setNonce', [place, quantity(nonce)]);
    if (code.length > 0) await call('anvil_setCode', [place, hex(code)]);
    for (const [key, value] of storage) await call('anvil_setStorageAt', [place, `0x${key}`, `0x${value}`]);
  }
  const message = { from: hex(SENDER), data: hex(data), gas: quantity(gas), gasPrice: '0x0' };
  const timed = async (target) => {
    const start = performance.now();
    const output = await call('eth_call', [{ ...message, to: hex(target) }, 'latest']);
    return {
      time: performance.now() - start,
      output: Buffer.from(output.slice(2), 'hex'),
      status: 'success',
    };
  };
  const close = async () => {
    agent.destroy();
    child.kill();
  };
  return { run: () => timed(to), fixed: () => timed(NOWHERE), close };
}

function listeningPort(child) {
  return new Promise((settle, refuse) => {
    let text = '';
    child.on('error', refuse);
    child.on('exit', (code) => refuse(new Error(`anvil ended with ${code}: ${text}`)));
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const match = /Listening on [\d.]+:(\d+)/.exec(text);
      if (match !== null) settle(Number(match[1]));
    });
  });
}

function send(agent, port, method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((settle, refuse) => {
    const message = request({ agent, port, host: '127.0.0.1', method: 'POST', headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const { result, error } = JSON.parse(Buffer.concat(chunks).toString());
        if (error === undefined) settle(result);
        else refuse(new Error(`${method}: ${error.message}`));
      });
    });
    message.on('error', refuse);
    message.end(body);
  });
}
