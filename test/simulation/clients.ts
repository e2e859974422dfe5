import { type Ledger, RefusedError, signTransaction } from '../../src/ledger/index.ts';
import { coreAmount, invariant, type SignedTransaction } from '../../src/protocol/index.ts';
import type { Random } from '../fuzz/random.ts';
import { ACCOUNT_KEYS, ACCOUNTS, accountAt } from './chain.ts';
import { makeEthereumTransaction } from './ethereum-transactions.ts';
import type { Machine, Surroundings } from './machine.ts';
import { ProcessEnded } from './process.ts';

/** The most milliseconds between two transactions. */
const PAUSE_MS = 700;
const EXPIRATION_SECONDS_MIN = 2;
const EXPIRATION_SECONDS_MAX = 60;
/** Greatest age of a reference block, in blocks. */
const REFERENCE_BLOCKS_MAX = 5;
/** The most units that a transfer moves. */
const AMOUNT_MAX = 8_000;
/** Number of transactions that are remembered to be sent again. */
const REMEMBERED = 8;

/** Clients that send transactions to any machine, and sometimes the same one to another. */
export class Clients {
  readonly #around: Surroundings;
  readonly #machines: readonly Machine[];
  readonly #random: Random;
  readonly #sent: SignedTransaction[] = [];
  answered = 0;

  constructor(around: Surroundings, machines: readonly Machine[], random: Random) {
    this.#around = around;
    this.#machines = machines;
    this.#random = random;
  }

  /** They send until a moment. */
  start(until: number): void {
    const { clock } = this.#around;
    const next = (): void => {
      if (clock.now() >= until) return;
      this.#send();
      clock.at(clock.now() + this.#random.below(PAUSE_MS), next);
    };
    clock.at(clock.now(), next);
  }

  #send(): void {
    const machine = this.#random.pick(this.#machines);
    machine.process?.time.deliver(() => this.#sendTo(machine));
  }

  #sendTo(machine: Machine): void {
    const { node } = machine;
    if (node === undefined) return;
    const again = this.#sent.length > 0 && this.#random.oneIn(4);
    const transaction = again ? this.#random.pick(this.#sent) : this.#makeAny(node.ledger);
    try {
      node.submit(transaction);
    } catch (error) {
      if (error instanceof RefusedError || error instanceof ProcessEnded) return;
      this.#around.checker.violate(`${machine.name} fails to take a transaction: ${String(error)}`);
      return;
    }
    // A process that ended meanwhile has accepted nothing.
    if (machine.process === undefined) return;
    this.answered += 1;
    const id = this.#around.checker.answer(machine.name, transaction);
    this.#around.note(`${machine.name} answers for ${id}${again ? ', which was sent before' : ''}`);
  }

  /** A native transaction, or one of Ethereum's where the chain knows it. */
  #makeAny(ledger: Ledger): SignedTransaction {
    const isEthereum = ledger.parameters.knowsEthereum && this.#random.oneIn(2);
    const transaction = isEthereum ? makeEthereumTransaction(ledger, this.#random) : this.#make(ledger);
    this.#sent.push(transaction);
    if (this.#sent.length > REMEMBERED) this.#sent.shift();
    return transaction;
  }

  #make(ledger: Ledger): SignedTransaction {
    const random = this.#random;
    const from = random.below(ACCOUNTS);
    const key = ACCOUNT_KEYS[from];
    invariant(key !== undefined, 'each account has a key');
    const head = ledger.blocks.head();
    const reference =
      ledger.blocks.blockByNumber(Math.max(0, head.number - random.below(REFERENCE_BLOCKS_MAX))) ?? head;
    const seconds = EXPIRATION_SECONDS_MIN + random.below(EXPIRATION_SECONDS_MAX - EXPIRATION_SECONDS_MIN);
    return signTransaction(
      {
        type: 'transfer',
        fee: coreAmount(20n),
        from: accountAt(from),
        to: accountAt(random.below(ACCOUNTS)),
        amount: coreAmount(BigInt(random.below(AMOUNT_MAX))),
      },
      key,
      ledger.parameters.chainId,
      reference,
      head.header.timestamp + seconds,
    );
  }
}
