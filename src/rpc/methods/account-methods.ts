import type { MethodDefinition } from '../method.ts';
import type { Profile } from '../profiles/profile.ts';
import { findContracts } from './ledger/findContracts.ts';
import { getAccount } from './ledger/getAccount.ts';
import { getArtifact } from './ledger/getArtifact.ts';
import { getOperation } from './ledger/getOperation.ts';
import { getOperations } from './ledger/getOperations.ts';

/** The methods that show accounts, contracts and their operations, in the units and hashes of a profile. */
export function accountMethods(profile: Profile): readonly MethodDefinition[] {
  return [getAccount(profile), getOperations(profile), getOperation(profile), getArtifact, findContracts];
}
