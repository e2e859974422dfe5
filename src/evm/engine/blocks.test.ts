import { describe, expect, test } from 'vitest';
import { type Address, concatBytes, equalBytes, keccak256, toAddress } from '../../protocol/index.ts';
import { Engine, type EvmChange, type Execution, HARDFORKS, type Hardfork, type Message } from '../index.ts';
import { BLOCK, SENDER, SENDER_BALANCE } from '../testing/engine.testing.ts';
import { MemoryHost, word } from '../testing/memory-host.testing.ts';
import { createRandom, type Random, randomBytes } from '../testing/random.testing.ts';
import { contractAddressOf, randomProgram } from '../testing/random-program.testing.ts';

/**
 * Blocks of random transactions on two engines. One retains its tables from block to block, runs transactions that are
 * reverted in between, and settles or discards whole blocks. The other is emptied before each transaction, and its host
 * stores the changes at once. Both must have the same results.
 */

const CONTRACTS = 4;
const BLOCKS = 5;
const SEEDS = Array.from({ length: 10 }, (_, seed) => seed);

/** A host that derives the addresses of contracts from creator and nonce alone. */
class HashingHost extends MemoryHost {
  override createAddress(creator: Address, nonce: bigint): Address {
    return toAddress(keccak256(concatBytes(creator, word(nonce))).slice(12));
  }

  /** A host with the same state. */
  copy(): HashingHost {
    const host = new HashingHost();
    for (const [name, account] of this.accounts) host.accounts.set(name, account);
    for (const [name, value] of this.slots) host.slots.set(name, value);
    for (const [name, code] of this.codes) host.codes.set(name, code);
    return host;
  }

  /** The state of the host, without code, since one may store more code than needed. */
  state() {
    return { accounts: new Map(this.accounts), slots: new Map(this.slots) };
  }
}

function randomHost(random: Random, hardfork: Hardfork): HashingHost {
  const host = new HashingHost();
  host.set(SENDER, { balance: SENDER_BALANCE });
  for (let index = 0; index < CONTRACTS; index += 1) {
    const program = { random, hardfork, contracts: CONTRACTS, firstCallee: index + 1 };
    const code = randomProgram(program, 4 + random.below(12));
    const storage: Record<number, bigint> = index === 0 ? {} : { 0: BigInt(index), 2: 5n };
    host.set(contractAddressOf(index), { balance: 1_000n, nonce: 1n, code, storage });
  }
  return host;
}

function randomMessage(random: Random, hardfork: Hardfork): Message {
  const program = { random, hardfork, contracts: CONTRACTS, firstCallee: 0 };
  const creates = random.below(8) === 0;
  return {
    caller: SENDER,
    to: creates ? undefined : contractAddressOf(random.below(3)),
    value: BigInt(random.below(3)),
    data: creates ? randomProgram(program, 5) : randomBytes(random, random.below(60)),
    gas: BigInt(random.pick([150_000, 1_000_000, 3_000_000])),
    gasPrice: 10n,
    payForGas: true,
  };
}

/** Executes a message and increases the sender's nonce, so that the next creation gets another address. */
function send(engine: Engine, message: Message): Execution {
  const execution = engine.execute(message);
  engine.setNonce(SENDER, (engine.accountState(SENDER)?.nonce ?? 0n) + 1n);
  return execution;
}

/** Runs transactions and reverts them. */
function sendInVain(engine: Engine, random: Random): void {
  const checkpoint = engine.checkpoint();
  for (let count = random.below(3); count > 0; count -= 1) {
    engine.credit(contractAddressOf(0), 1n);
    send(engine, randomMessage(random, engine.rules.hardfork));
  }
  engine.revertTo(checkpoint);
}

/** Runs one message on an empty engine, and stores its changes in the host. */
function sendAlone(engine: Engine, host: HashingHost, message: Message): Execution {
  engine.clear();
  const execution = send(engine, message);
  host.apply(engine.changes());
  return execution;
}

/** Checks that every change starts from the state of the host. */
function checkBefore(changes: readonly EvmChange[], host: HashingHost): void {
  for (const change of changes) {
    if (change.kind === 'account') expect(change.before).toEqual(host.account(change.address));
    if (change.kind !== 'storage') continue;
    const isCleared = changes.some(
      (other) => other.kind === 'storageCleared' && isSameAccount(other, change),
    );
    if (!isCleared) expect(change.before).toEqual(host.storage(change.address, change.slot) ?? word(0n));
  }
}

function isSameAccount(a: { readonly address: Address }, b: { readonly address: Address }): boolean {
  return equalBytes(a.address, b.address);
}

describe.each(HARDFORKS)('blocks by the rules of %s', (hardfork) => {
  test.each(SEEDS)('behavior: warm tables do not change results, seed %i', async (seed) => {
    const random = createRandom(seed);
    const host = randomHost(random, hardfork);
    const warm = await Engine.create({ hardfork, host });
    warm.setBlock(BLOCK);
    for (let block = 0; block < BLOCKS; block += 1) {
      const aloneHost = host.copy();
      const alone = await Engine.create({ hardfork, host: aloneHost });
      alone.setBlock(BLOCK);
      for (let count = 1 + random.below(3); count > 0; count -= 1) {
        sendInVain(warm, random);
        const message = randomMessage(random, hardfork);
        const execution = send(warm, message);
        expect(execution).toEqual(sendAlone(alone, aloneHost, message));
      }
      if (random.below(4) === 0) {
        warm.discard();
        expect(warm.changes()).toEqual([]);
      } else {
        const changes = warm.changes();
        checkBefore(changes, host);
        host.apply(changes);
        warm.settle();
        expect(warm.changes()).toEqual([]);
        expect(host.state()).toEqual(aloneHost.state());
      }
    }
  });
});
