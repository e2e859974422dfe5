import { toFunctionSelector } from 'viem';
import { accountId, contractId, coreAmount, type Hash, type Operation } from '../../src/protocol/index.ts';
import { compileContract } from '../contracts/compile.ts';
import type { Random } from '../fuzz/random.ts';
import type { BlockObject, TransactionObject } from '../json-rpc.ts';
import type { ChainModel } from './chain-model.ts';
import { Clients } from './clients.ts';
import type { Journal, SentTransaction } from './journal.ts';
import { callAll, headOf, resultsOf } from './node-client.ts';
import { type Signer, signOperations } from './transactions.ts';

export interface LoadOptions {
  readonly random: Random;
  readonly journal: Journal;
  /** The accounts and contracts of the chain. */
  readonly model: ChainModel;
  readonly signers: readonly Signer[];
  /** The native chain id. */
  readonly chainId: Hash;
  readonly tally: TallyCode;
}

/** Creation code and call data of a `Tally`, in hexadecimal. */
export interface TallyCode {
  readonly creation: string;
  /** Selector of `add`. */
  readonly add: string;
}

/** Accounts and contracts after which no more are made: the state is read whole after every start. */
const ACCOUNTS = 200;
const TALLIES = 40;
/** Seconds for which transactions are valid, some of which a restart exceeds. */
const PATIENCE_SECONDS = [1, 2, 3, 600, 3_600];
const TRANSFER_FEE = 20n;
const ACCOUNT_CREATE_FEE = 100n;
/** Gas for a creation and for a call of `Tally`, more than enough. */
const CREATION_GAS = 1_000_000n;
const CALL_GAS = 200_000n;
const ACCOUNT_PREFIX = `0x${'0'.repeat(24)}`;

/** Compiles the contract that the clients create and call. */
export async function compileTally(): Promise<TallyCode> {
  const { bytecode } = await compileContract('Tally');
  return { creation: bytecode.slice(2), add: toFunctionSelector('add(bytes32)').slice(2) };
}

/** Concurrent clients with an account each, which send transactions and journal the responses. */
export class Load {
  readonly #options: LoadOptions;
  /** Counted up, so that no two operations are equal. */
  #serial = 0;
  readonly #atWork = new Clients();

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /**
   * Runs all clients until the signal.
   * @throws CrashFinding for a wrong response
   */
  async run(url: string, signal: AbortSignal): Promise<void> {
    await this.#atWork.run(this.#options.signers, signal, (signer) => this.#turn(url, signer));
  }

  /** Waits until the next request with transactions is in flight. */
  sending(): Promise<void> {
    return this.#atWork.sending();
  }

  /** Runs one client's next requests: it reads the chain, sends, and checks earlier transactions. */
  async #turn(url: string, signer: Signer): Promise<void> {
    const { random, journal } = this.#options;
    const head = await headOf(url);
    journal.show(head);
    const count = random.oneIn(4) ? 1 + random.below(8) : 1;
    const sent = Array.from({ length: count }, () => this.#prepare(signer, head));
    await this.#send(url, [...sent, ...this.#unanswered()]);
    await this.#follow(url);
  }

  #prepare(signer: Signer, head: BlockObject): SentTransaction {
    const { random, journal, chainId } = this.#options;
    const operations = Array.from({ length: random.oneIn(8) ? 3 : 1 }, () => this.#operation(signer));
    const bytes = signOperations(operations, signer, chainId, head, random.pick(PATIENCE_SECONDS));
    return journal.send(bytes, operations.map(({ type }) => type).join());
  }

  /** Chooses sometimes an unacknowledged transaction of an earlier run to send again. */
  #unanswered(): SentTransaction[] {
    const { random, journal } = this.#options;
    const sent = random.oneIn(4) ? journal.oneToRepeat() : undefined;
    if (sent === undefined) return [];
    sent.attempts += 1;
    return [sent];
  }

  async #send(url: string, sent: readonly SentTransaction[]): Promise<void> {
    const answering = callAll(
      url,
      sent.map(({ raw }) => ['eth_sendRawTransaction', raw]),
    );
    this.#atWork.noteSending();
    const answers = await answering;
    answers.forEach(({ result, error }, index) => {
      const transaction = sent[index];
      if (transaction === undefined) return;
      if (error === undefined) this.#options.journal.accept(transaction, result);
      else this.#options.journal.refuse(transaction, error);
    });
  }

  /** Looks up an earlier transaction sometimes, and notes its block. */
  async #follow(url: string): Promise<void> {
    const { random, journal } = this.#options;
    const followed = random.oneIn(3) ? [...journal.given.values()].at(-1 - random.below(500)) : undefined;
    if (followed === undefined) return;
    const [found] = await resultsOf<TransactionObject | null>(url, [
      ['eth_getTransactionByHash', followed.pendingHash],
    ]);
    const { blockNumber, blockHash } = found ?? {};
    if (typeof blockNumber !== 'string' || typeof blockHash !== 'string') return;
    journal.show({ number: blockNumber, hash: blockHash });
  }

  #operation(signer: Signer): Operation {
    const { random, model } = this.#options;
    const tallies = [...model.tallies.keys()];
    return random.pickWeighted<() => Operation>([
      [10, () => this.#transfer(signer)],
      [tallies.length > 0 ? 8 : 0, () => this.#call(signer, random.pick(tallies))],
      [tallies.length < TALLIES ? 1 : 0, () => this.#creation(signer)],
      [model.balances.size < ACCOUNTS ? 1 : 0, () => this.#registration(signer)],
    ])();
  }

  #transfer({ id }: Signer): Operation {
    const { random, model } = this.#options;
    const accounts = [...model.balances.keys()].filter((address) => address.startsWith(ACCOUNT_PREFIX));
    this.#serial += 1;
    return {
      type: 'transfer',
      fee: coreAmount(TRANSFER_FEE),
      from: id,
      to: accountId(Number(random.pick(accounts))),
      amount: coreAmount(BigInt(this.#serial)),
    };
  }

  /** The lowest bit of the word decides if the call succeeds. */
  #call({ id }: Signer, callee: string): Operation {
    const { random, tally } = this.#options;
    this.#serial += 1;
    const word = random.hex(24).slice(2) + this.#serial.toString(16).padStart(16, '0');
    return {
      type: 'contractCall',
      fee: coreAmount(CALL_GAS),
      registrar: id,
      value: coreAmount(BigInt(random.below(100))),
      code: tally.add + word,
      // The last eight bytes of a contract's address are its instance.
      callee: contractId(Number(`0x${callee.slice(-16)}`)),
    };
  }

  #creation({ id }: Signer): Operation {
    this.#serial += 1;
    return {
      type: 'contractCreate',
      fee: coreAmount(CREATION_GAS),
      registrar: id,
      value: coreAmount(0n),
      // What follows the creation code is ignored, and makes it different from all others.
      code: this.#options.tally.creation + this.#serial.toString(16).padStart(16, '0'),
      ethAccuracy: false,
    };
  }

  /** Registers an account with an unused key. */
  #registration({ id, keys }: Signer): Operation {
    this.#serial += 1;
    return {
      type: 'accountCreate',
      fee: coreAmount(ACCOUNT_CREATE_FEE),
      registrar: id,
      name: `made-${this.#serial}`,
      active: { weightThreshold: 1, accountAuths: [], keyAuths: [[keys.publicKey, 1]] },
      echorandKey: keys.publicKey,
      options: { delegatingAccount: id, delegateShare: 0 },
    };
  }
}
