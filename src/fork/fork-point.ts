import { type Hardfork, LATEST_HARDFORK } from '../evm/index.ts';
import { movingFees, pricesAfterFees } from '../ledger/index.ts';
import { type Address, type Hash, quantity, toHash, toPrefixedHex } from '../protocol/index.ts';
import { ForkPointError, RemoteReorgError } from './fork-errors.ts';
import { addressOf, blockOf, hashOf, type JsonObject, numberOf, objectOf, quantityOf } from './forms.ts';
import type { Upstream, UpstreamCall, UpstreamOutcome } from './upstream.ts';

/** The block of a remote chain that a forked chain starts from. */
export interface ForkPoint {
  readonly chainId: bigint;
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly stateRoot: Hash;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** Undefined before London. */
  readonly baseFee: bigint | undefined;
  /** Of the next block (EIP-1559); undefined before London. */
  readonly nextBaseFee: bigint | undefined;
  /** Undefined before Cancun. */
  readonly excessBlobGas: bigint | undefined;
  readonly blobGasUsed: bigint | undefined;
  readonly prevRandao: Hash;
  readonly miner: Address;
  /** The newest fork that the fields of the header imply; the remote chain may have a later one without new fields. */
  readonly hardfork: Hardfork;
  /** True if the header has fields of a fork that the engine does not know. */
  readonly hasNewerRules: boolean;
}

/** Fields by which a header implies a fork, the newest first. */
const HARDFORK_FIELDS: readonly (readonly [field: string, hardfork: Hardfork])[] = [
  ['requestsHash', 'prague'],
  ['excessBlobGas', 'cancun'],
  ['withdrawalsRoot', 'shanghai'],
];

const NEWER_FIELDS = ['blockAccessListHash', 'slotNumber'];

/**
 * Returns the fork point of a header.
 *
 * @throws {RemoteDataError} for a field with a wrong form
 */
export function forkPointOf(header: JsonObject, hash: Hash, chainId: bigint): ForkPoint {
  const optional = (name: string): bigint | undefined =>
    header[name] === undefined || header[name] === null ? undefined : quantityOf(header[name], name, 128);
  const baseFee = optional('baseFeePerGas');
  const gasLimit = quantityOf(header.gasLimit, 'gasLimit', 64);
  const gasUsed = quantityOf(header.gasUsed, 'gasUsed', 64);
  return {
    chainId,
    number: numberOf(header.number, 'number'),
    hash,
    parentHash: hashOf(header.parentHash, 'parentHash'),
    timestamp: numberOf(header.timestamp, 'timestamp'),
    stateRoot: hashOf(header.stateRoot, 'stateRoot'),
    gasLimit,
    gasUsed,
    baseFee,
    nextBaseFee: baseFee === undefined ? undefined : nextBaseFeeOf(baseFee, gasUsed, gasLimit),
    excessBlobGas: optional('excessBlobGas'),
    blobGasUsed: optional('blobGasUsed'),
    // Only the header of a chain with other rules lacks it, which the caller trusts.
    prevRandao: header.mixHash === undefined ? toHash(new Uint8Array(32)) : hashOf(header.mixHash, 'mixHash'),
    miner: addressOf(header.miner, 'miner'),
    hardfork: hardforkOf(header),
    hasNewerRules: NEWER_FIELDS.some((name) => header[name] !== undefined && header[name] !== null),
  };
}

function hardforkOf(header: JsonObject): Hardfork {
  const [, hardfork] =
    HARDFORK_FIELDS.find(([name]) => header[name] !== undefined && header[name] !== null) ?? [];
  if (hardfork !== undefined) return hardfork;
  const isMerged = header.difficulty !== undefined && quantityOf(header.difficulty, 'difficulty') === 0n;
  return isMerged ? 'paris' : 'london';
}

/** Source: EIP-1559. */
function nextBaseFeeOf(baseFee: bigint, gasUsed: bigint, gasLimit: bigint): bigint {
  if (gasLimit < 2n) throw new ForkPointError('the pinned block has no gas limit: choose another block');
  const noBlobs = { excessBlobGas: 0n, blobGasUsed: 0n };
  const rules = {
    fees: movingFees(baseFee),
    blobs: undefined,
    hardfork: LATEST_HARDFORK,
    blockGasLimit: gasLimit,
    weiPerUnit: 1n,
  };
  return pricesAfterFees({ baseFee, gasUsed, ...noBlobs }, rules).baseFee;
}

/**
 * Checks that the remote chain still has the pinned block.
 *
 * @throws {RemoteReorgError} if it has another block or none at its number, {RemoteDataError} for a wrong form,
 * {UpstreamError} without a valid response, {RemoteCallError} for another error that it reports
 */
export async function checkPin(upstream: Upstream, point: ForkPoint): Promise<void> {
  await callsAtPin(upstream, point, []);
}

/**
 * Calls the remote node for what depends on its chain up to the pinned block, which it must have afterwards: the
 * blocks, transactions and states that numbers name are others on another chain. Errors as `checkPin`.
 */
export async function callsAtPin(
  upstream: Upstream,
  point: ForkPoint,
  calls: readonly UpstreamCall[],
): Promise<readonly UpstreamOutcome[]> {
  if (upstream.isOffline === true) return upstream.calls(calls);
  const pinned = { method: 'eth_getBlockByNumber', params: [quantity(point.number), false] };
  // At the end of the batch: a reorganisation before it would show.
  const outcomes = await upstream.calls([...calls, pinned]);
  requirePinned(upstream, point, blockOf(upstream, outcomes.at(-1)));
  return outcomes.slice(0, -1);
}

/**
 * Checks a block that a remote node sent for the number of the pinned one.
 *
 * @throws {RemoteReorgError} if it is another block or none, {RemoteDataError} for a wrong form
 */
function requirePinned(upstream: Upstream, point: ForkPoint, block: unknown): void {
  const hash = toPrefixedHex(point.hash);
  const there =
    block === null ? 'no block' : `block ${toPrefixedHex(hashOf(objectOf(block, 'block').hash, 'hash'))}`;
  if (there === `block ${hash}`) return;
  throw new RemoteReorgError(
    `the remote node ${upstream.name} has ${there} at number ${point.number}, where this chain was forked from ` +
      `${hash}: its chain was reorganised, or it is another node. Fork again, best at an older block`,
  );
}
