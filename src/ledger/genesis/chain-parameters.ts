import { ATTEMPT_MAX } from '../../consensus.ts';
import { type Hardfork, type NamedPrecompile, precompilesOf } from '../../evm/index.ts';
import { type AccountId, type Address, accountAddress, type Hash, invariant } from '../../protocol/index.ts';
import { NoForkBaseError } from '../errors/chain-errors.ts';
import type { ForkBase } from '../state/fork-base.ts';
import type { StateRules } from '../state/state-rules.ts';
import { type Genesis, type Network, remoteOriginOf } from './genesis.ts';
import { chainIdOf } from './genesis-codec.ts';
import { stateRulesOf } from './genesis-rules.ts';

/**
 * Returns the producer of a block: round-robin by block number, plus one for each attempt.
 * @param attempt number of producers that were skipped, since they were late
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
 * Returns the least number of seconds between the time stamps of a block and its parent: one interval for each skipped
 * producer, and one more, in whole seconds. The first attempt needs none.
 */
export function attemptSeconds({ blockInterval }: Pick<Genesis, 'blockInterval'>, attempt: number): number {
  // Of whole milliseconds, which are exact, unlike the sums of fractions of a second.
  return attempt === 0 ? 0 : Math.ceil(((attempt + 1) * Math.round(blockInterval * 1_000)) / 1_000);
}

/** Lists the attempts of a block that belong to some producers, one for each, in ascending order. */
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

/** The genesis of a chain and the values derived from it alone. */
export interface ChainOrigin {
  readonly genesis: Genesis;
  readonly chainId: Hash;
  readonly rules: StateRules;
}

/** The current origin of a chain. It changes when a test chain is replaced by one with another genesis. */
export interface OriginSource<Origin extends ChainOrigin = ChainOrigin> {
  readonly origin: Origin;
}

/**
 * Derives the origin of a genesis.
 * @param base the state at the block of a fork; needed if the genesis names one
 * @throws NoForkBaseError
 */
export function originOf(genesis: Genesis, base?: ForkBase): ChainOrigin {
  const remote = remoteOriginOf(genesis);
  if (remote !== undefined && base === undefined) throw new NoForkBaseError(remote.number, remote.hash);
  const rules = stateRulesOf(genesis);
  return { genesis, chainId: chainIdOf(genesis), rules: remote === undefined ? rules : { ...rules, base } };
}

/** A value derived from the origin of a chain on first use, and again for another origin. */
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

  /** The genesis of the chain; another one after a test chain was replaced. */
  get genesis(): Genesis {
    return this.#source.origin.genesis;
  }

  /** The native chain id, which signatures cover. */
  get chainId(): Hash {
    return this.#source.origin.chainId;
  }

  /** The rules of storing and executing the state. */
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

  get registrar(): AccountId {
    return this.genesis.registrar;
  }

  /** True if the chain accepts Ethereum transactions. */
  get knowsEthereum(): boolean {
    return this.genesis.ethereum !== undefined;
  }

  /** Converts units of the core asset to wei. */
  inWei(units: bigint): bigint {
    return units * this.rules.weiPerUnit;
  }

  /** Lists the precompiled contracts of the chain's fork. */
  precompiles(): readonly NamedPrecompile[] {
    return precompilesOf(this.hardfork);
  }
}
