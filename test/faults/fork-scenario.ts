import { verify } from '../crash/commands.ts';
import { isConnectionLost } from '../crash/node-client.ts';
import { NodeProcess } from '../node-process.ts';
import { CallError, call } from '../rpc-client.js';
import { endFaultyNode } from './ending.ts';
import { countCalls, type FaultChoice } from './shim.ts';

/** Contracts of the remote chain, bytes of the code of each, and bytes of the data of a transaction. */
const CONTRACTS = 12;
const BYTES = 9_000;

const addressOf = (index: number): string => `0x${'c0'.repeat(19)}${index.toString(16).padStart(2, '0')}`;
const codeOf = (index: number): string => `0x00${(index + 1).toString(16).padStart(2, '0').repeat(BYTES)}`;

/** Places the contracts of the scenario on a remote chain. */
export async function placeContracts(url: string): Promise<void> {
  for (let index = 0; index < CONTRACTS; index += 1) {
    await call(url, 'anvil_setCode', addressOf(index), codeOf(index));
  }
  await call(url, 'evm_mine');
}

/** A forked node that fetches entries and makes blocks while one call fails; then what another start finds. */
export class ForkScenario {
  readonly #remote: string;
  readonly #folder: string;

  /**
   * @param remote URL of a chain with the contracts
   * @param folder work folder, recreated for every run
   */
  constructor(remote: string, folder: string) {
    this.#remote = remote;
    this.#folder = folder;
  }

  /**
   * Runs once, with or without a fault; returns the number of calls.
   * @throws Error for any violation
   */
  run(fault: FaultChoice = {}): Promise<number> {
    return countCalls(this.#folder, fault, async (launcher) => {
      const acknowledged: string[] = [];
      await this.#live(launcher, acknowledged);
      await this.#restart(acknowledged);
      await verify(this.#folder);
    });
  }

  async #live(launcher: readonly string[], acknowledged: string[]): Promise<void> {
    const node = this.#start(launcher);
    try {
      const url = `${await node.ready()}/ethereum`;
      for (let index = 0; index < CONTRACTS; index += 1) {
        await ignoringRefusal(() => this.#read(url, index));
        await ignoringRefusal(async () => acknowledged.push(await this.#send(url, index)));
      }
    } catch (error) {
      // An ended node does not respond; its end is checked below.
      if (!isConnectionLost(error) && node.isRunning) throw error;
    }
    await endFaultyNode(node);
  }

  async #restart(acknowledged: readonly string[]): Promise<void> {
    const node = this.#start();
    try {
      const url = `${await node.ready()}/ethereum`;
      for (let index = 0; index < CONTRACTS; index += 1) await this.#read(url, index);
      for (const hash of acknowledged) {
        const receipt = await call(url, 'eth_getTransactionReceipt', hash);
        if (receipt?.status !== '0x1') throw new Error(`transaction ${hash} was acknowledged and is missing`);
      }
      await this.#send(url, 0);
    } finally {
      if (node.isRunning) await node.end('SIGTERM');
    }
  }

  async #read(url: string, index: number): Promise<void> {
    const code = await call(url, 'eth_getCode', addressOf(index), 'latest');
    if (code !== codeOf(index))
      throw new Error(`the code of contract ${index} is wrong: ${code.slice(0, 100)}`);
  }

  async #send(url: string, index: number): Promise<string> {
    const [from] = await call(url, 'eth_accounts');
    const transaction = { from, to: addressOf(index), gas: '0x100000', data: codeOf(index) };
    return call(url, 'eth_sendTransaction', transaction);
  }

  #start(launcher: readonly string[] = []): NodeProcess {
    const words = ['start', '--test', '--data-dir', this.#folder, '--port', '0', '--log-format', 'json'];
    const fork = ['--fork', this.#remote, '--fork-trust-header', '--no-fork-cache'];
    return new NodeProcess([...words, ...fork], launcher);
  }
}

/** Runs an action that the node may refuse with an error. */
async function ignoringRefusal(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}
