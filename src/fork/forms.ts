import { type Address, type Hash, type LedgerdError, readHex, toAddress, toHash } from '../protocol/index.ts';
import { RemoteCallError, RemoteDataError, RemoteMissingError } from './fork-errors.ts';
import { isRangeRefusal, isRevert } from './retry.ts';
import type { Upstream, UpstreamOutcome } from './upstream.ts';

/** A JSON object of a remote node. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Digits of a QUANTITY of 32 bytes, with leading zeros. */
const QUANTITY = /^0x[0-9a-f]{1,64}$/i;
const WORD_BYTES = 32;

/** Messages of nodes that lack the state of a block, or part of it. */
const MISSING_STATE = new RegExp(
  [
    'missing trie node',
    'state (is )?(not available|unavailable|not found|missing|pruned)',
    'no state available|historical state|required history|ancient',
    'pruned|archive|proof window',
    'header not found|unknown block|block (was |is )?not found',
  ].join('|'),
  'i',
);

/** @throws {RemoteDataError} for a value that is no JSON object */
export function objectOf(value: unknown, field: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw malformed(field, 'an object');
}

/** @throws {RemoteDataError} for a value that is no array */
export function arrayOf(value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw malformed(field, 'an array');
}

/** Reads a QUANTITY of at most so many bits. @throws {RemoteDataError} for anything else */
export function quantityOf(value: unknown, field: string, bits = 256): bigint {
  if (typeof value === 'string' && QUANTITY.test(value)) {
    const number = BigInt(value);
    if (number < 1n << BigInt(bits)) return number;
  }
  throw malformed(field, `a QUANTITY of at most ${bits} bits`);
}

/** Reads a QUANTITY as a number. @throws {RemoteDataError} for anything else, and for an unsafe integer */
export function numberOf(value: unknown, field: string): number {
  return Number(quantityOf(value, field, 53));
}

/** Reads DATA. @param length in bytes; undefined for any @throws {RemoteDataError} for anything else */
export function dataOf(value: unknown, field: string, length?: number): Uint8Array {
  const bytes = typeof value === 'string' && value.startsWith('0x') ? readHex(value.slice(2)) : undefined;
  if (bytes !== undefined && (length === undefined || bytes.length === length)) return bytes;
  throw malformed(field, length === undefined ? 'DATA' : `DATA of ${length} bytes`);
}

/** Reads DATA of 32 bytes. @throws {RemoteDataError} for anything else */
export function hashOf(value: unknown, field: string): Hash {
  return toHash(dataOf(value, field, WORD_BYTES));
}

/** Reads an address. @throws {RemoteDataError} for anything else */
export function addressOf(value: unknown, field: string): Address {
  return toAddress(dataOf(value, field, 20));
}

/**
 * Returns the result of a call.
 *
 * @throws {RemoteMissingError} if the remote node reports that it lacks the state, {RemoteCallError} for another error
 */
export function resultOf(upstream: Upstream, method: string, outcome: UpstreamOutcome | undefined): unknown {
  if (outcome?.kind === 'result') return outcome.result;
  if (outcome === undefined) throw malformed(method, 'an outcome');
  const text = `the remote node ${upstream.name} reported error ${outcome.code} to ${method}: ${outcome.message}`;
  if (isMissingState(outcome)) {
    throw new RemoteMissingError(`${text}; use an archive node, or fork at a newer block`);
  }
  throw new RemoteCallError(text, outcome.code, outcome.message, outcome.data);
}

/** Returns a block or null; some nodes report an error for a block that they do not have. Errors of `resultOf`. */
export function blockOf(upstream: Upstream, outcome: UpstreamOutcome | undefined): unknown {
  const isMissing = outcome !== undefined && isMissingState(outcome);
  return isMissing ? null : resultOf(upstream, 'eth_getBlockByNumber', outcome);
}

/** Returns true for an error that means that a node lacks the state of a block. */
export function isMissingState(outcome: UpstreamOutcome): boolean {
  if (outcome.kind !== 'error' || isRevert(outcome) || isRangeRefusal(outcome)) return false;
  return MISSING_STATE.test(outcome.message);
}

/** Returns true for an error that means that a node does not have a method. */
export function isMissingMethod(outcome: UpstreamOutcome | undefined): boolean {
  if (outcome?.kind !== 'error') return false;
  return (
    outcome.code === -32_601 ||
    /method.*(not (found|supported|available|exist|allowed)|unknown)/i.test(outcome.message)
  );
}

/**
 * Calls one method of a remote node.
 *
 * @throws {UpstreamError} without a valid response, and the errors of `resultOf`
 */
export async function callRemote(
  upstream: Upstream,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const [outcome] = await upstream.calls([{ method, params }]);
  return resultOf(upstream, method, outcome);
}

/** Returns the error for a value of another form. */
export function malformed(field: string, expected: string): LedgerdError {
  return new RemoteDataError(`the remote node sent a wrong ${field}: expected ${expected}`);
}
