import { BLOCK_NUMBER_MAX, TIMESTAMP_MAX } from '../consensus.ts';
import {
  encodeRlp,
  equalBytes,
  type Hash,
  keccak256,
  numberToBytes,
  quantity,
  Trie,
  toPrefixedHex,
} from '../protocol/index.ts';
import { headerOf } from './block-header.ts';
import { ForkPointError, RemoteDataError, RemoteReorgError } from './fork-errors.ts';
import { type ForkPoint, forkPointOf } from './fork-point.ts';
import {
  arrayOf,
  blockOf,
  callRemote,
  dataOf,
  hashOf,
  isMissingMethod,
  type JsonObject,
  numberOf,
  objectOf,
  quantityOf,
  resultOf,
} from './forms.ts';
import type { Upstream } from './upstream.ts';

/** The choice of a block to fork at. A transaction stands for the state before it. */
export type PinChoice =
  | { readonly kind: 'latest' }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'transaction'; readonly hash: Hash };

export interface PinOptions {
  /** Chain id that the remote node must have. */
  readonly chainId?: bigint | undefined;
  /** True to accept a header that does not verify, as of chains whose headers have other fields. */
  readonly trustsHeader?: boolean;
}

/** A pinned block. */
export interface PinnedBlock {
  readonly point: ForkPoint;
  /** Serialized transactions to replay on it: those before the chosen one in the next block. */
  readonly preceding: readonly Uint8Array[];
}

/**
 * Fetches the block to fork at, and checks the forms of its fields and its header against its hash.
 *
 * @throws {ForkPointError} for another chain id, a block or transaction that does not exist or is pending, and a header
 * that does not verify; {RemoteDataError} for data of a wrong form or that contradict a hash; {RemoteReorgError} if the
 * chain changes meanwhile; {UpstreamError} without a valid response; {RemoteCallError} or {RemoteMissingError} for an
 * error that the remote node reports
 */
export async function pinBlock(
  upstream: Upstream,
  choice: PinChoice,
  options: PinOptions = {},
): Promise<PinnedBlock> {
  if (choice.kind === 'transaction') return pinBefore(upstream, choice.hash, options);
  const tag = choice.kind === 'latest' ? 'latest' : quantity(choice.number);
  const outcomes = await upstream.calls([
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getBlockByNumber', params: [tag, false] },
  ]);
  const chainId = checkChainId(upstream, resultOf(upstream, 'eth_chainId', outcomes[0]), options.chainId);
  const block = blockOf(upstream, outcomes[1]);
  if (block === null)
    throw await missingBlock(upstream, choice.kind === 'latest' ? undefined : choice.number);
  const point = pointOf(upstream, objectOf(block, 'block'), chainId, options);
  if (choice.kind === 'number' && point.number !== choice.number) {
    throw new RemoteDataError(`the remote node sent block ${point.number} instead of ${choice.number}`);
  }
  return { point, preceding: [] };
}

/** Pins the block before a transaction's. */
async function pinBefore(upstream: Upstream, hash: Hash, options: PinOptions): Promise<PinnedBlock> {
  const name = toPrefixedHex(hash);
  const found = await callRemote(upstream, 'eth_getTransactionByHash', [name]);
  if (found === null) throw new ForkPointError(`the remote chain has no transaction ${name}`);
  const transaction = objectOf(found, 'transaction');
  if (!equalBytes(hashOf(transaction.hash, 'hash'), hash))
    throw new RemoteDataError('the remote node sent another transaction');
  if (transaction.blockNumber === null)
    throw new ForkPointError(`the transaction ${name} is pending: it has no block`);
  const number = numberOf(transaction.blockNumber, 'blockNumber');
  if (number === 0) throw new ForkPointError(`the transaction ${name} is in the genesis block`);
  const { point } = await pinBlock(upstream, { kind: 'number', number: number - 1 }, options);
  const block = objectOf(
    await callRemote(upstream, 'eth_getBlockByNumber', [quantity(number), false]),
    'block',
  );
  const next = pointOf(upstream, block, point.chainId, options);
  if (!equalBytes(next.parentHash, point.hash)) {
    throw new RemoteReorgError(
      `the chain of the remote node ${upstream.name} was reorganised meanwhile: try again`,
    );
  }
  const hashes = arrayOf(block.transactions, 'transactions').map((item) => hashOf(item, 'transaction hash'));
  const index = hashes.findIndex((other) => equalBytes(other, hash));
  if (index < 0)
    throw new RemoteDataError(`the remote node sent block ${number} without its transaction ${name}`);
  const raw = await rawTransactions(upstream, hashes);
  const isVerified =
    options.trustsHeader === true || equalBytes(rootOf(raw), hashOf(block.transactionsRoot, 'root'));
  if (!isVerified) throw new RemoteDataError(`the transactions of block ${number} have another root`);
  return { point, preceding: raw.slice(0, index) };
}

/** Fetches serialized transactions, and checks them against their hashes. */
async function rawTransactions(upstream: Upstream, hashes: readonly Hash[]): Promise<Uint8Array[]> {
  const method = 'eth_getRawTransactionByHash';
  const outcomes = await upstream.calls(hashes.map((hash) => ({ method, params: [toPrefixedHex(hash)] })));
  return outcomes.map((outcome, index) => {
    if (isMissingMethod(outcome)) {
      throw new ForkPointError(
        `the remote node ${upstream.name} has no ${method}, which a fork at a transaction needs: use another remote ` +
          'node, or fork at a block',
      );
    }
    const raw = dataOf(resultOf(upstream, method, outcome), 'serialized transaction');
    const hash = hashes[index];
    if (hash !== undefined && equalBytes(keccak256(raw), hash)) return raw;
    throw new RemoteDataError('the remote node sent a transaction with another hash');
  });
}

/** Returns the root of the trie of a block's transactions (yellow paper, section 4.3.2). */
function rootOf(transactions: readonly Uint8Array[]): Hash {
  const trie = new Trie();
  for (const [index, raw] of transactions.entries()) trie.set(encodeRlp(numberToBytes(BigInt(index))), raw);
  return trie.commit().root;
}

function checkChainId(upstream: Upstream, value: unknown, expected: bigint | undefined): bigint {
  if (typeof value === 'number') {
    throw new ForkPointError(
      `the chain id of ${upstream.name} is a JSON number, as at the native interface of ledgerd, which cannot be ` +
        'forked: add /ethereum to the URL',
    );
  }
  const chainId = quantityOf(value, 'chain id', 64);
  if (expected === undefined || expected === chainId) return chainId;
  throw new ForkPointError(
    `the remote node ${upstream.name} has chain id ${chainId}, not ${expected}: use the URL of that chain, or ` +
      'another --fork-chain-id',
  );
}

/** Checks a block and returns its fork point. */
function pointOf(
  upstream: Upstream,
  block: JsonObject,
  chainId: bigint,
  { trustsHeader }: PinOptions,
): ForkPoint {
  if (block.hash === null)
    throw new ForkPointError('the remote node sent a pending block: choose one with a hash');
  const hash = hashOf(block.hash, 'hash');
  const number = numberOf(block.number, 'number');
  const header = trustsHeader === true ? block : headerOf(block, hash);
  if (header === undefined) {
    throw new ForkPointError(
      `the header of block ${number} of the remote node ${upstream.name} cannot be verified: its fields do not have ` +
        `the hash ${toPrefixedHex(hash)}. Either the node sent wrong data, or the headers of its chain differ from ` +
        "Ethereum's: only if you trust the node, add --fork-trust-header",
    );
  }
  const point = forkPointOf(header, hash, chainId);
  if (point.number > BLOCK_NUMBER_MAX || point.timestamp > TIMESTAMP_MAX) {
    throw new ForkPointError(`block ${number} has a number or a time stamp beyond the bounds of this node`);
  }
  return point;
}

async function missingBlock(upstream: Upstream, number: number | undefined): Promise<ForkPointError> {
  if (number === undefined) return new ForkPointError(`the remote node ${upstream.name} has no block yet`);
  const newest = numberOf(await callRemote(upstream, 'eth_blockNumber', []), 'block number');
  const reason =
    newest < number
      ? `the newest is ${newest}`
      : `the newest is ${newest}, but the node does not have this one any more: use an archive node`;
  return new ForkPointError(`block ${number} does not exist on the remote node ${upstream.name}; ${reason}`);
}
