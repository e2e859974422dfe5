import { type ContractErrorType, reasonOf, visible } from '../abi/index.ts';
import { messageOf } from '../client/errors.ts';

/** Greatest depth at which wallets wrap the errors of nodes. */
const WRAPPINGS = 6;

const HEX = /^0x(?:[0-9a-f]{2})*$/i;

/** Describes the failure of a call or a transaction, with the contract's decoded errors. */
export function describeFailure(error: unknown, errors: readonly ContractErrorType[] = []): string {
  const message = failureMessage(error);
  const data = revertData(error, WRAPPINGS);
  const reason = data === undefined ? undefined : reasonOf(data, errors);
  if (reason === undefined || visible(message).includes(reason)) return visible(message);
  return `${visible(message)}: ${reason}`;
}

/** Wallets throw plain objects, too (EIP-1193). */
function failureMessage(error: unknown): string {
  const isObject = typeof error === 'object' && error !== null && !(error instanceof Error);
  if (isObject && 'message' in error && typeof error.message === 'string') return error.message;
  return messageOf(error);
}

/** Returns the revert data of an error, however wallets have wrapped it. */
function revertData(error: unknown, depth: number): string | undefined {
  if (typeof error === 'string' && error.length > 2 && HEX.test(error)) return error;
  if (depth === 0 || typeof error !== 'object' || error === null) return undefined;
  const wrapped: Record<string, unknown> = { ...error };
  for (const name of ['data', 'originalError', 'error', 'cause']) {
    const found = revertData(wrapped[name], depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
