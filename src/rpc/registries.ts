import type { ProfileId } from './context/profile-id.ts';
import { ETHEREUM_UNIMPLEMENTED, UNIMPLEMENTED } from './description/unimplemented.ts';
import { ETHEREUM_ONLY_METHODS } from './ethereum/ethereum-methods.ts';
import { shorten } from './json/describe.ts';
import { type MethodDefinition, namesOf } from './method.ts';
import { profileMethods } from './methods/profile-methods.ts';
import { NATIVE_METHODS } from './native/native-methods.ts';
import { NATIVE_PROFILE } from './native/native-profile.ts';
import { ETHEREUM_PROFILE } from './profiles/ethereum-profile.ts';
import type { Profile } from './profiles/profile.ts';
import { MethodNotFoundError } from './rpc-errors.ts';

export const PROFILES: Readonly<Record<ProfileId, Profile>> = {
  ledger: NATIVE_PROFILE,
  ethereum: ETHEREUM_PROFILE,
};

/** Methods by each of their names. A `Map`, so that no name of a method ever meets the prototype of an object. */
export type MethodRegistry = ReadonlyMap<string, MethodDefinition>;

export const METHODS = registryOf(NATIVE_METHODS);

export const ETHEREUM_METHODS = registryOf([...profileMethods(ETHEREUM_PROFILE), ...ETHEREUM_ONLY_METHODS]);

function registryOf(methods: readonly MethodDefinition[]): MethodRegistry {
  return new Map(methods.flatMap((method) => namesOf(method).map((name) => [name, method] as const)));
}

const REASONS: Readonly<Record<ProfileId, ReadonlyMap<string, string>>> = {
  ledger: UNIMPLEMENTED,
  ethereum: ETHEREUM_UNIMPLEMENTED,
};

/** The error for a name that is not a method of a profile, with the reason where the name is known. */
export function unknownMethod(profile: ProfileId, name: string): MethodNotFoundError {
  const reason = REASONS[profile].get(name);
  return new MethodNotFoundError(
    reason === undefined
      ? `the method ${shorten(name)} does not exist/is not available`
      : `the method ${name} is not implemented: ${reason}`,
  );
}

/** The error for every method at `/ethereum` of a chain without Ethereum. */
export function withoutEthereum(): MethodNotFoundError {
  return new MethodNotFoundError(
    'this chain accepts no Ethereum transactions, and has no methods here: `ledgerd start --root ethereum` starts ' +
      'a test chain that does, `ledgerd init --ethereum` creates a persistent one; its methods are at /ledger',
  );
}
