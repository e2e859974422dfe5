import { ATTEMPT_MAX } from '../../consensus.ts';
import { type Hardfork, type NamedPrecompile, precompilesOf } from '../../evm/index.ts';
import { type AccountId, type Address, accountAddress, type Hash, invariant } from '../../protocol/index.ts';
import type { StateRules } from '../state/state-rules.ts';
import { type Genesis, type Network, stateRulesOf } from './genesis.ts';
import { chainIdOf } from './genesis-codec.ts';

/**
 * The account that produces a block: the producers take turns by block number, and with each attempt the turn passes to
 * the next of them.
 *
 * @param attempt how many producers were passed over, since they had no block of this number in time
 */
export function producerOf(
  { producers }: Pick<Genesis, 'producers'>,
  number: number,
  attempt = 0,
): AccountId {
  const id = producers[(number + attempt) % producers.length];
  invariant(id !== undefined, 'a checked genesis has producers');
  return id;
}

/**
 * Seconds that lie at least between the time stamps of a block of an attempt and of the block before it: as many whole
 * ones as the turns that were missed, and its own, take. None are asked of the first attempt.
 */
export function attemptSeconds({ blockInterval }: Pick<Genesis, 'blockInterval'>, attempt: number): number {
  // Of whole milliseconds, which are exact, unlike the sums of fractions of a second.
  return attempt === 0 ? 0 : Math.ceil(((attempt + 1) * Math.round(blockInterval * 1_000)) / 1_000);
}

/** The attempts of a block, the least first, that are the turns of some of the producers: one for each of those. */
export function attemptsOf(
  { producers }: Pick<Genesis, 'producers'>,
  number: number,
  isHeld: (producer: AccountId) => boolean,
): number[] {
  const first = number % producers.length;
  return producers
    .flatMap((producer, index) =>
      isHeld(producer) ? [(index - first + producers.length) % producers.length] : [],
    )
    .filter((attempt) => attempt <= ATTEMPT_MAX)
    .sort((left, right) => left - right);
}

/** The genesis of a chain, and what follows from it alone. */
export interface ChainOrigin {
  readonly genesis: Genesis;
  readonly chainId: Hash;
  readonly rules: StateRules;
}

/** The origin of a chain as it is now: another one once a test chain was replaced by one of another genesis. */
export interface OriginSource<Origin extends ChainOrigin = ChainOrigin> {
  readonly origin: Origin;
}

export function originOf(genesis: Genesis): ChainOrigin {
  return { genesis, chainId: chainIdOf(genesis), rules: stateRulesOf(genesis) };
}

/** A value that is made for the origin of a chain when it is first needed, and anew for another origin. */
export class PerOrigin<Value> {
  readonly #source: OriginSource;
  readonly #make: () => Value;
  #made: { readonly origin: ChainOrigin; readonly value: Value } | undefined;

  constructor(source: OriginSource, make: () => Value) {
    this.#source = source;
    this.#make = make;
  }

  get value(): Value {
    const { origin } = this.#source;
    if (this.#made?.origin !== origin) this.#made = { origin, value: this.#make() };
    return this.#made.value;
  }
}

/** The parameters of a chain, as its genesis sets them. */
export class ChainParameters {
  readonly #source: OriginSource;

  constructor(source: OriginSource) {
    this.#source = source;
  }

  /** What the chain began with: another one once a test chain was replaced by one of another genesis. */
  get genesis(): Genesis {
    return this.#source.origin.genesis;
  }

  /** The native chain id, which signatures cover. */
  get chainId(): Hash {
    return this.#source.origin.chainId;
  }

  /** How the state is kept and executed on. */
  get rules(): StateRules {
    return this.#source.origin.rules;
  }

  get network(): Network {
    return this.genesis.network;
  }

  get hardfork(): Hardfork {
    return this.genesis.hardfork;
  }

  /** The first account of the consensus configuration. */
  get coinbase(): Address {
    return accountAddress(producerOf(this.genesis, 0));
  }

  /** The account that pays for registrations. */
  get registrar(): AccountId {
    return this.genesis.registrar;
  }

  /** Whether the chain takes Ethereum's transactions. */
  get knowsEthereum(): boolean {
    return this.genesis.ethereum !== undefined;
  }

  /** Units of the core asset as the EVM counts them, in Wei. */
  inWei(units: bigint): bigint {
    return units * this.rules.weiPerUnit;
  }

  /** The precompiled contracts of the chain's fork. */
  precompiles(): readonly NamedPrecompile[] {
    return precompilesOf(this.hardfork);
  }
}
