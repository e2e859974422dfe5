import { shape } from '../../formatters/index.ts';
import { type LedgerQueries, PAST_PREFIX_ENTRIES_MAX } from '../../ledger/index.ts';
import {
  type Address,
  EMPTY_TRIE_ROOT,
  type Hexadecimal,
  keccak256,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { blockByReference } from '../blocks/find-block.ts';
import { ERRORS } from '../description/described-errors.ts';
import type { MethodCall } from '../method.ts';
import {
  isTestChain,
  type MethodContext,
  type QueryContext,
  type StateReference,
} from '../method-context.ts';
import { type BlockReference, blockReferenceSchema } from '../parameters/block.ts';
import { mapped, optional, type Schema } from '../parameters/schema.ts';
import { RequestFailedError } from '../rpc-errors.ts';
import { ethereumMessage, ethereumRequestSchema } from '../transactions/ethereum-call-messages.ts';
import { ETHEREUM_OBJECTS } from './ethereum-objects.ts';
import { ETHEREUM_SENDING } from './ethereum-sending.ts';
import type { CallBuilder, Profile } from './profile.ts';

const HEAD = 'latest';
const { read: readReference, ...stateSchema } = optional(blockReferenceSchema, HEAD);

/** The block parameter of state queries, by default `latest`. */
export const STATE_PARAMETER = {
  name: 'block',
  schema: {
    ...stateSchema,
    // A fast path for the head: a look-up in the schema would take a tenth of the time of a balance.
    read: (value, path) => (value === HEAD ? HEAD : readReference(value, path)),
  } as Schema<BlockReference>,
  summary: 'The latest block if absent.',
} as const;

/** Difference from Ethereum of the methods with `STATE_PARAMETER`. */
export const STATE_DIFFERENCES =
  'States of the last blocks are retained (`--undo-blocks`; on a test chain all); older ones are an error.';

/** Errors of a query for an unknown block or a pruned state. */
export const STATE_ERRORS = [ERRORS.headerNotFound, ERRORS.stateNotKept];

const HEAD_TAGS: ReadonlySet<unknown> = new Set([undefined, null, HEAD, 'pending', 'safe', 'finalized']);

/** Returns a predicate for calls whose block parameter selects the head or the pending state. */
export function readsHead(index: number): (call: MethodCall) => boolean {
  return ({ parameters }) => {
    if (!Array.isArray(parameters)) return true;
    const reference: unknown = parameters[index];
    return reference === HEAD || HEAD_TAGS.has(reference);
  };
}

/**
 * Returns the state after a block; `pending` selects the head, which is that block where a call names it.
 *
 * @throws RequestFailedError for an unknown block, and for a pruned state
 */
export function stateAt(ledger: LedgerQueries, reference: StateReference = HEAD): LedgerQueries {
  if (reference === HEAD || reference === 'pending') return ledger;
  const block = blockByReference(ledger, reference);
  if (block === undefined) {
    throw new RequestFailedError(
      typeof reference === 'object' ? 'header for hash not found' : 'header not found',
    );
  }
  const head = ledger.blocks.head().number;
  if (block.number === head) return ledger;
  const { oldestState } = ledger.history;
  if (block.number >= oldestState) return ledger.history.stateBefore(block.number + 1);
  throw new RequestFailedError(
    `missing trie node: the state of block ${block.number} is not stored, only that of blocks ` +
      `${oldestState} to ${head} (--undo-blocks)`,
  );
}

/** The result of `eth_getAccount`. */
export const accountStateShape = shape.named(
  'AccountState',
  { title: 'account state' },
  shape.object({
    balance: shape.quantity,
    nonce: shape.quantity,
    codeHash: shape.hash,
    storageRoot: shape.nullable(shape.hash),
  }),
);

/** Difference from Ethereum of the methods that return `accountStateShape`. */
export const ACCOUNT_STATE_DIFFERENCES =
  'On a chain without a state trie `storageRoot` is the root of the empty tree for an empty storage, else null.';

/** Difference from Ethereum of those that read past states. */
export const PAST_STORAGE_DIFFERENCES =
  `A past storage in which ${PAST_PREFIX_ENTRIES_MAX} or more slots were overwritten since the block counts as a ` +
  'storage that is not empty.';

/** Returns the code hash of an address: that of no bytes for an empty address, as in geth. */
export function codeHashAt(state: Pick<LedgerQueries, 'accounts'>, address: Address): Hexadecimal {
  return toPrefixedHex(keccak256(state.accounts.codeAt(address)));
}

/**
 * Returns the storage root of an address. On a chain without a state trie undefined for one that has, or may have,
 * storage.
 */
export function storageRootAt(
  { accounts, parameters }: Pick<LedgerQueries, 'accounts' | 'parameters'>,
  address: Address,
): Hexadecimal | undefined {
  if (parameters.rules.hasStateTrie) return toPrefixedHex(accounts.prove(address).value.storageRoot);
  return accounts.hasStorage(address) === false ? toPrefixedHex(EMPTY_TRIE_ROOT) : undefined;
}

/** Name and version in `web3_clientVersion` by which tools detect anvil's methods. */
const ANVIL = 'anvil/v1.7.1';

/** The profile of `/ethereum`: the shapes, units and block parameters of Ethereum's Execution APIs. */
export const ETHEREUM_PROFILE: Profile = {
  id: 'ethereum',
  errorStyle: 'geth',
  stateParameter: STATE_PARAMETER,
  objects: ETHEREUM_OBJECTS,
  sending: ETHEREUM_SENDING,
  firstSnapshot: 1,
  requireSender: () => undefined,
  pool: { chains: 'all', section: 'blocks' },
  lenientLogs: false,
  call: mapped(
    ethereumRequestSchema,
    (request): CallBuilder =>
      (context, accounts, block) =>
        ethereumMessage(request, context, { accounts, block }),
  ),
  clientVersion,
  balance: ({ ledger }, address, reference) => stateAt(ledger, reference).accounts.weiBalanceOf(address),
  transactionCount: nonceOf,
};

export function isNativeAccount({ accounts }: Pick<LedgerQueries, 'accounts'>, address: Address): boolean {
  // Checks the first byte, since the address of a key almost never begins with a zero.
  return address[0] === 0 && accounts.accountByAddress(address) !== undefined;
}

/** Returns the nonce of an address; for a native account its number of operations. */
function nonceOf(
  { ledger, pending }: QueryContext,
  address: Address,
  reference: StateReference,
): bigint | number {
  const isNative = isNativeAccount(ledger, address);
  // Equals the nonces in its transaction objects, which do not count pending ones.
  if (isNative && ledger.accounts.hasHistory)
    return stateAt(ledger, reference).accounts.operationCount(address);
  if (reference === 'pending' && !isNative && pending !== undefined) return pending.nonceOf(address);
  return stateAt(ledger, reference).accounts.nonceOf(address);
}

/** Returns the client version in Ethereum's form; on a test chain it begins with anvil's. */
function clientVersion(context: MethodContext): string {
  const { version } = context;
  return isTestChain(context) ? `${ANVIL}-ledgerd-${version}` : `ledgerd/v${version}`;
}
