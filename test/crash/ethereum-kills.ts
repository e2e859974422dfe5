import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { keccak256, type Seed, signEthereumTransaction, toPrefixedHex } from '../../src/protocol/index.ts';
import { ETHEREUM_DERIVATION_PATH, evmAddressOf, mnemonicKeys } from '../../src/wallet/index.ts';
import { Random } from '../fuzz/random.ts';
import { NodeProcess } from '../node-process.ts';
import { verify } from './commands.ts';
import { CrashFinding } from './finding.ts';
import { callAll, isConnectionLost, resultsOf } from './node-client.ts';

/** What a campaign does. */
export interface EthereumKillOptions {
  readonly kills: number;
  /** Determines what is sent and when the node is killed; the machine's own timing it does not. */
  readonly seed: number;
  report(line: string): void;
}

/** What came of a campaign that found nothing. */
export interface EthereumKillSummary {
  /** Transactions that were answered: all of them are in blocks in the end, each once. */
  readonly answered: number;
}

const MNEMONIC = 'test test test test test test test test test test test junk';
const SENDERS = 4;
const CHAIN_ID = 31_337n;
const FEE = 20n * 10n ** 9n;
/** Milliseconds from a start to the kill at most. */
const KILL_MS = 500;
/** Transactions of one sender that are sent from the last to the first. */
const TOGETHER = 4;

/** A sender, and the nonces of what was answered. */
interface Sender {
  readonly key: Seed;
  readonly address: string;
  next: number;
  readonly answered: Set<number>;
}

/**
 * Kills a node in test mode with a data folder again and again while keys send transactions to it, some of them behind a
 * gap of nonces: afterwards every one that was answered is there, and in the end each is in one block.
 *
 * @throws CrashFinding for anything else; the folder stays then
 */
export async function runEthereumKills(options: EthereumKillOptions): Promise<EthereumKillSummary> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-ethereum-'));
  const run = new EthereumKills(folder, new Random(options.seed));
  try {
    for (let kill = 0; kill < options.kills; kill += 1) {
      options.report(
        `kill ${kill + 1} among Ethereum transactions: ${await run.next()} were answered before`,
      );
      await verify(folder, '--quick');
    }
    const answered = await run.finish();
    await verify(folder);
    rmSync(folder, { recursive: true, force: true });
    return { answered };
  } catch (error) {
    await run.abandon();
    const message = error instanceof Error ? error.message : String(error);
    throw new CrashFinding(`seed ${options.seed}: ${message}\nthe folder is kept: ${folder}`, {
      cause: error,
    });
  }
}

class EthereumKills {
  readonly #folder: string;
  readonly #random: Random;
  readonly #senders: readonly Sender[];
  #node: NodeProcess | undefined;

  constructor(folder: string, random: Random) {
    this.#folder = folder;
    this.#random = random;
    this.#senders = mnemonicKeys(MNEMONIC, ETHEREUM_DERIVATION_PATH, SENDERS).map((key) => ({
      key,
      address: toPrefixedHex(evmAddressOf(key)),
      next: 0,
      answered: new Set(),
    }));
  }

  /** Starts the node, looks for everything, and kills it among more. Gives how many were answered meanwhile. */
  async next(): Promise<number> {
    const url = await this.#start();
    await this.#lookForAll(url);
    const before = this.#answered();
    const sending = Promise.all(this.#senders.map((sender) => this.#send(url, sender)));
    await delay(this.#random.below(KILL_MS));
    await this.#node?.end('SIGKILL');
    await sending;
    return this.#answered() - before;
  }

  /** Has all of them included, and looks that each is in one block. */
  async finish(): Promise<number> {
    const url = await this.#start();
    for (const sender of this.#senders) {
      // What fills the gaps that the last kill left.
      for (let nonce = 0; nonce < sender.next; nonce += 1) {
        if (!sender.answered.has(nonce)) await this.#sendOne(url, sender, nonce);
      }
    }
    await resultsOf(url, [['evm_mine'], ['evm_mine']]);
    await this.#lookForAll(url, 'eth_getTransactionReceipt');
    for (const { address, next } of this.#senders) {
      const [count] = await resultsOf<string>(url, [['eth_getTransactionCount', address, 'latest']]);
      if (Number(count) !== next) throw new CrashFinding(`${address} has the nonce ${count}, not ${next}`);
    }
    await this.#node?.end('SIGTERM');
    return this.#answered();
  }

  async abandon(): Promise<void> {
    if (this.#node?.isRunning === true) await this.#node.end('SIGKILL');
  }

  #answered(): number {
    return this.#senders.reduce((sum, { answered }) => sum + answered.size, 0);
  }

  /** With blocks at once, or some time later, so that they wait. */
  async #start(): Promise<string> {
    const words = ['--data-dir', this.#folder, '--port', '0', '--log-format', 'json'];
    const paces = this.#random.oneIn(2) ? [] : ['--block-time', '0.2'];
    this.#node = new NodeProcess(['start', '--test', '--ethereum', ...paces, ...words]);
    return `${await this.#node.ready()}/ethereum`;
  }

  /** Every one that was answered is known. */
  async #lookForAll(url: string, method = 'eth_getTransactionByHash'): Promise<void> {
    for (const sender of this.#senders) {
      const nonces = [...sender.answered];
      const found = await resultsOf<{ status?: string } | null>(
        url,
        nonces.map((nonce) => [method, toPrefixedHex(keccak256(rawOf(sender, nonce)))] as const),
      );
      found.forEach((object, index) => {
        if (object !== null && object.status !== '0x0') return;
        throw new CrashFinding(`${method} of nonce ${nonces[index]} of ${sender.address} gives ${object}`);
      });
    }
  }

  /** Sends transactions until the node is gone: now and then a few from the last to the first. */
  async #send(url: string, sender: Sender): Promise<void> {
    try {
      for (;;) {
        const count = this.#random.oneIn(3) ? TOGETHER : 1;
        const first = this.#firstMissing(sender);
        sender.next = Math.max(sender.next, first + count);
        for (let nonce = first + count - 1; nonce >= first; nonce -= 1)
          await this.#sendOne(url, sender, nonce);
      }
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
    }
  }

  #firstMissing({ answered }: Sender): number {
    let nonce = answered.size;
    while (nonce > 0 && !answered.has(nonce - 1)) nonce -= 1;
    while (answered.has(nonce)) nonce += 1;
    return nonce;
  }

  async #sendOne(url: string, sender: Sender, nonce: number): Promise<void> {
    const raw = rawOf(sender, nonce);
    const [response] = await callAll(url, [['eth_sendRawTransaction', toPrefixedHex(raw)]]);
    const message = response?.error?.message ?? '';
    // It was taken before the kill, and its answer was lost.
    const isThere = message.startsWith('already known') || message.startsWith('nonce too low');
    if (response?.error !== undefined && !isThere) throw new CrashFinding(`nonce ${nonce}: ${message}`);
    sender.answered.add(nonce);
  }
}

/** The transaction of a nonce: always the same bytes. */
function rawOf({ key }: Sender, nonce: number): Uint8Array {
  return signEthereumTransaction(
    {
      ...{ type: 'dynamicFee', chainId: CHAIN_ID, nonce: BigInt(nonce), gas: 21_000n, value: BigInt(nonce) },
      ...{ maxFeePerGas: FEE, maxPriorityFeePerGas: 0n, to: evmAddressOf(key), accessList: [] },
      data: new Uint8Array(),
    },
    key,
  );
}
