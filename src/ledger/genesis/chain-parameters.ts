import { type Hardfork, type NamedPrecompile, precompilesOf } from '../../evm/index.ts';
import { type AccountId, type Address, accountAddress, type Hash } from '../../protocol/index.ts';
import type { StateRules } from '../state/state-rules.ts';
import { type Genesis, stateRulesOf } from './genesis.ts';
import { chainIdOf } from './genesis-codec.ts';
import type { Network } from './network.ts';
import { producerOf } from './turns.ts';

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
