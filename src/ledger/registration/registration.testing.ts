import { formatPublicKey, proofOfWorkHash, solves } from '../../protocol/index.ts';
import type { RegistrationTask } from '../index.ts';
import { keyOf } from '../ledger.testing.ts';
import type { RegistrationSolution } from './registration.ts';

/** Returns the public key of a name, as a caller writes it. */
export function keyText(name: string): string {
  return formatPublicKey(keyOf(name).publicKey);
}

/** Returns the least nonce that solves a task, or that does not. */
export function nonceOf({ blockId, randNum, difficulty }: RegistrationTask, isSolution = true): bigint {
  let nonce = 0n;
  while (solves(blockId, randNum, nonce, difficulty) !== isSolution) nonce += 1n;
  return nonce;
}

/** Returns a valid solution of a task, with the fields of `changes` replaced. */
export function solutionOf(
  task: RegistrationTask,
  changes: Partial<RegistrationSolution> = {},
): RegistrationSolution {
  return {
    name: 'alice',
    activeKey: keyText('alice active'),
    echorandKey: keyText('alice consensus'),
    evmAddress: null,
    nonce: nonceOf(task),
    randNum: task.randNum,
    ...changes,
  };
}

/** Returns the hash of a solution in hexadecimal. */
export function hashOf({ blockId, randNum }: RegistrationTask, nonce: bigint): string {
  return Buffer.from(proofOfWorkHash(blockId, randNum, nonce)).toString('hex');
}
