import { type Address, encodeFunctionData, type Hash } from 'viem';
import type { CompiledContract } from '../contracts/compile.ts';
import { post } from '../json-rpc.ts';
import type { Program } from '../program.ts';

/** Gas of a call that notes something; without it every call would be estimated first. */
const GAS = '0x30d40';

/** A contract whose calls emit one event each, with the number of the call as its second topic. */
export class Noter {
  readonly address: Address;
  readonly #program: Program;
  readonly #probe: CompiledContract;
  readonly #sender: string;
  /** Hashes of all calls so far in their pending form; the index is the number of the call. */
  readonly sent: Hash[] = [];

  private constructor(program: Program, probe: CompiledContract, sender: string, address: Address) {
    this.#program = program;
    this.#probe = probe;
    this.#sender = sender;
    this.address = address;
  }

  static async deploy(program: Program, probe: CompiledContract): Promise<Noter> {
    const [sender = ''] = await program.call<string[]>('eth_accounts');
    const hash = await program.call('eth_sendTransaction', { from: sender, data: probe.bytecode });
    const receipt = await program.call<{ contractAddress: Address }>('eth_getTransactionReceipt', hash);
    return new Noter(program, probe, sender, receipt.contractAddress);
  }

  /** Sends the next calls together, in one batch. */
  async send(count: number): Promise<void> {
    const first = this.sent.length;
    const requests = Array.from({ length: count }, (_, index) => ({
      jsonrpc: '2.0',
      id: index,
      method: 'eth_sendTransaction',
      params: [{ from: this.#sender, to: this.address, gas: GAS, data: this.#dataOf(first + index) }],
    }));
    for (const { result } of (await post(this.#program.url, requests)).responses()) {
      if (typeof result !== 'string') throw new Error('a call was not accepted');
      this.sent.push(pendingForm(result));
    }
  }

  #dataOf(number: number) {
    return encodeFunctionData({ abi: this.#probe.abi, functionName: 'note', args: [BigInt(number), 1n] });
  }
}

/** Returns the pending form of a transaction's hash, without its position in the chain. */
function pendingForm(hash: string): Hash {
  return `0x${'0'.repeat(24)}${hash.slice(-40)}`;
}

/**
 * Makes some hundreds of blocks: one for each call, many at once, blocks with many calls, blocks without any,
 * and calls that wait. The last block holds one call.
 */
export async function driveAtEveryPace(program: Program, noter: Noter): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await noter.send(1);
  await noter.send(40);
  await mine(program, 60);
  await program.call('miner_stop');
  for (let turn = 0; turn < 40; turn += 1) {
    await noter.send(1 + (turn % 7));
    await mine(program, turn % 3);
  }
  await program.call('miner_start');
  await noter.send(60);
  await noter.send(1);
}

/** Forces blocks, all in one batch. */
async function mine(program: Program, count: number): Promise<void> {
  if (count === 0) return;
  const request = { jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] };
  const answers = (await post(program.url, Array(count).fill(request))).responses();
  if (answers.some(({ error }) => error !== undefined)) throw new Error('a block was not made');
}
