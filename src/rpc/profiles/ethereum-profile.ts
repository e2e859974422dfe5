import { AMOUNT_MAX } from '../../consensus.ts';
import type { Ledger, LedgerQueries, PendingState } from '../../ledger/index.ts';
import { PAST_PREFIX_ENTRIES_MAX } from '../../limits.ts';
import {
  type Address,
  addressOwner,
  type Hexadecimal,
  keccak256,
  quantity,
  toPrefixedHex,
} from '../../protocol/index.ts';
import {
  blockShapeWith,
  DETAILED_BLOCK,
  outcomeFields,
  type Shape,
  shape,
  toEthereumBlock,
} from '../../view/index.ts';
import { blockByReference } from '../blocks/find-block.ts';
import { ERRORS } from '../description/described-errors.ts';
import { RequestFailedError } from '../errors.ts';
import { ResponseBody } from '../json/response-body.ts';
import { runSteps } from '../json/text-steps.ts';
import type { MethodCall } from '../method.ts';
import { isTestChain, type MethodContext, type QueryContext } from '../method-context.ts';
import { type BlockReference, blockReferenceSchema } from '../parameters/block.ts';
import { controlQuantitySchema } from '../parameters/plain.ts';
import { mapped, optional, type Placed, type Schema } from '../parameters/schema.ts';
import { ethereumMessage, ethereumRequestSchema } from '../transactions/ethereum-call-messages.ts';
import { ETHEREUM_OBJECTS, transactionObject } from './ethereum-objects.ts';
import { ETHEREUM_SENDING } from './ethereum-sending.ts';
import type { CallBuilder, ChainControlStyle, GasPrices, Profile, StateReference } from './profile.ts';

const HEAD = 'latest';
const { read: readReference, ...stateSchema } = optional(blockReferenceSchema, HEAD);

/** The block parameter of state queries; the latest where it is absent. */
export const STATE_PARAMETER = {
  name: 'block',
  schema: {
    ...stateSchema,
    // Nearly all calls read the head: a look-up in the schema is a tenth of the time of a balance.
    read: (value, place) => (value === HEAD ? HEAD : readReference(value, place)),
  } as Schema<BlockReference>,
  summary: 'The latest where it is absent.',
} as const;

/** Difference from Ethereum of the methods with this parameter. */
export const STATE_DIFFERENCES =
  'The state of blocks within the kept window (`--undo-blocks`; on a test chain all); older ones are an error.';

const HEAD_TAGS: ReadonlySet<unknown> = new Set([undefined, null, HEAD, 'pending', 'safe', 'finalized']);

/** Returns a predicate for calls whose block, the parameter at an index, is the head or the pending state. */
export function readsHead(index: number): (call: MethodCall) => boolean {
  return ({ parameters }) => {
    if (!Array.isArray(parameters)) return true;
    const reference: unknown = parameters[index];
    return reference === HEAD || HEAD_TAGS.has(reference);
  };
}

/**
 * Returns the chain as of a block; `pending` selects the head.
 *
 * @throws RequestFailedError for an unknown block, and for one whose state is not kept any more
 */
export function stateAt(ledger: LedgerQueries, reference: BlockReference): LedgerQueries {
  if (reference === HEAD || reference === 'pending') return ledger;
  const block = blockByReference(ledger, reference);
  if (block === undefined) {
    throw new RequestFailedError(
      typeof reference === 'object' ? 'header for hash not found' : 'header not found',
    );
  }
  const head = ledger.blocks.head().number;
  if (block.number === head) return ledger;
  const { oldestKept } = ledger.history;
  if (block.number >= oldestKept) return ledger.history.stateBefore(block.number + 1);
  throw new RequestFailedError(
    `missing trie node: the state of block ${block.number} is not kept, only that of blocks ${oldestKept} to ${head} ` +
      '(--undo-blocks)',
  );
}

/**
 * Returns the state after the pending transactions for `pending`, else the state after a block. Throws as `stateAt`.
 *
 * @param pending undefined in a worker, which does not have the pool
 */
export function stateAtOrPending(
  pending: PendingState | undefined,
  ledger: LedgerQueries,
  reference: BlockReference,
): LedgerQueries | PendingState {
  return reference === 'pending' && pending !== undefined ? pending : stateAt(ledger, reference);
}

/** Root of a Merkle Patricia tree without entries. */
const EMPTY_ROOT: Hexadecimal = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

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

/** Difference of the methods that return it. */
export const ACCOUNT_STATE_DIFFERENCES =
  'The ledger keeps no tree of storage: `storageRoot` is the root of the empty tree where nothing is stored, ' +
  'and else null.';

/** Difference of those of them that read past states as well. */
export const PAST_STORAGE_DIFFERENCES =
  `A past state whose slots have been overwritten ${PAST_PREFIX_ENTRIES_MAX} times since counts ` +
  'as one where something is stored.';

/** Returns the hash of the code at an address: that of no bytes for an empty address, as in geth. */
export function codeHashAt(state: Pick<LedgerQueries, 'accounts'>, address: Address): Hexadecimal {
  return toPrefixedHex(keccak256(state.accounts.codeAt(address)));
}

/** Returns the storage root of an address without storage; undefined where something is stored, or may be. */
export function storageRootAt(
  state: Pick<LedgerQueries, 'accounts'>,
  address: Address,
): Hexadecimal | undefined {
  return state.accounts.hasStorage(address) === false ? EMPTY_ROOT : undefined;
}

/** The anvil whose methods a test chain has, by which tools know what to expect. */
const ANVIL = 'anvil/v1.7.1';

/** A transaction object with the outcome of the transaction. */
const detailedTransactionShape: Shape<object> = {
  describe: (components) => ({
    type: 'object',
    required: ['hash', 'output', 'revertReason'],
    properties: {
      output: outcomeFields.output.describe(components),
      revertReason: outcomeFields.revertReason.describe(components),
    },
  }),
};

/** The style of `/ethereum`: amounts in wei, results as anvil has them. */
const ETHEREUM_CONTROL: ChainControlStyle = {
  // The first snapshot of a chain is number 0 for anvil, and 1 for the ledger.
  firstSnapshot: 1,
  mined: '0x0',
  leads: true,
  secondsShape: shape.integer,
  seconds: (seconds) => seconds,
  detailedBlockShape: shape.named(
    'DetailedBlock',
    DETAILED_BLOCK,
    blockShapeWith(shape.array(detailedTransactionShape), {}),
  ),
  detailedBlock: (context, block, detailOf) => {
    const { ledger, blockFacts } = context;
    const transactions = ledger.blocks
      .blockTransactions(block.number)
      .map((operation) => ({ ...transactionObject(context, operation), ...detailOf(operation) }));
    const facts = runSteps(blockFacts.factSteps(ledger, block));
    return toEthereumBlock(block, facts, ledger.parameters.rules, transactions);
  },
  amount: controlQuantitySchema,
  inWei: (_, amount) => amount,
  // Tests set more than there can be; the operator is told.
  cappedBalance: ({ ledger, onBalanceCut }, address, wei) => {
    const most = ledger.parameters.inWei(AMOUNT_MAX);
    if (wei <= most) return wei;
    onBalanceCut?.(address, wei, most);
    return most;
  },
  requirePrice,
  requireBaseFee: requirePrice,
  countsOperations: (_, address) => addressOwner(address).kind === 'account',
  requireSender: () => undefined,
};

/** Prices on `/ethereum`: the base fee is the worth of a native unit. */
const ETHEREUM_PRICES: GasPrices = {
  gasPrice: madeOnce((rules: LedgerQueries['parameters']['rules']) => textOf(rules.weiPerUnit)),
  baseFee: madeOnce((rules: LedgerQueries['parameters']['rules']) => quantity(rules.weiPerUnit)),
  priorityFee: '0x0',
  blobBaseFee: '0x1',
  *usedRatio({ ledger, blockFacts }, block) {
    const gas = yield* blockFacts.gasSteps(ledger, block);
    return Math.min(1, Number(gas.at(-1) ?? 0n) / Number(ledger.parameters.rules.blockGasLimit));
  },
};

/** Returns the chain id as the text of a response. */
const chainIdText = madeOnce(({ chainId }: LedgerQueries['parameters']['network']) => textOf(chainId));

/** The profile of `/ethereum`: the shapes, units and block parameters of Ethereum's Execution APIs. */
export const ETHEREUM_PROFILE: Profile = {
  id: 'ethereum',
  errorStyle: 'geth',
  state: {
    parameter: STATE_PARAMETER,
    errors: [ERRORS.headerNotFound, ERRORS.stateNotKept],
    differences: STATE_DIFFERENCES,
    readsHead: readsHead,
    at: (ledger, reference = 'latest') => stateAt(ledger, reference),
    oldest: ({ history: { oldestKept } }) => oldestKept,
    readsPending: ({ pending }, { parameters }) =>
      !pending.isEmpty && Array.isArray(parameters) && parameters[1] === 'pending',
    atOrPending: ({ ledger, pending }, reference = 'latest') => stateAtOrPending(pending, ledger, reference),
  },
  objects: ETHEREUM_OBJECTS,
  sending: ETHEREUM_SENDING,
  control: ETHEREUM_CONTROL,
  pool: { chains: 'all', section: 'blocks' },
  call: mapped(
    ethereumRequestSchema,
    (request): CallBuilder =>
      (context, accounts, block) =>
        ethereumMessage(request, context, { accounts, block }),
  ),
  unit: 'wei',
  prices: ETHEREUM_PRICES,
  chainIdShape: shape.quantity,
  chainId: chainIdText,
  networkId: ({ chainId }) => chainId,
  clientVersion,
  perUnit: ({ parameters: { rules } }) => rules.weiPerUnit,
  balance: ({ ledger, pending }, address, reference = 'latest') =>
    stateAtOrPending(pending, ledger, reference).accounts.weiBalanceOf(address),
  transactionCount: nonceOf,
  codeShape: shape.data,
  code: toPrefixedHex,
};

/** Returns the nonce of an address; that of a native account, which has none, is its number of operations. */
function nonceOf(
  { ledger, pending }: QueryContext,
  address: Address,
  reference: StateReference = 'latest',
): bigint | number {
  // A key's address almost never begins with a zero.
  const isNative = address[0] === 0 && addressOwner(address).kind === 'account';
  // The transaction objects of its operations show the same count, also while some are pending.
  if (isNative && ledger.accounts.hasHistory)
    return stateAt(ledger, reference).accounts.operationCount(address);
  if (reference === 'pending' && !isNative && pending !== undefined) return pending.accounts.nonceOf(address);
  return stateAt(ledger, reference).accounts.nonceOf(address);
}

/** Accepts the price as well as 0 and 1: tools set these to have no fees to think of. */
function requirePrice({ parameters: { rules } }: Ledger, { value: price }: Placed<bigint>): void {
  if (price <= 1n || price === rules.weiPerUnit) return;
  throw new RequestFailedError(`a unit of gas costs ${rules.weiPerUnit} wei here, got ${price}`);
}

/** Names the client as Ethereum's do, on a test chain as an anvil. */
function clientVersion(context: MethodContext): string {
  const { version } = context;
  return isTestChain(context) ? `${ANVIL}-ledgerd-${version}` : `ledgerd/v${version}`;
}

function textOf(value: number | bigint): ResponseBody<Hexadecimal> {
  return new ResponseBody(JSON.stringify(quantity(value)));
}

/** Caches what follows from a part of the genesis: it stays the same object until another chain is loaded. */
function madeOnce<Part extends object, Value>(make: (part: Part) => Value): (part: Part) => Value {
  let known: { readonly part: Part; readonly value: Value } | undefined;
  return (part) => {
    if (known?.part !== part) known = { part, value: make(part) };
    return known.value;
  };
}
