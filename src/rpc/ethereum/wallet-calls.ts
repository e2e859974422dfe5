import { BoundedMap } from '../../caching/bounded-map.ts';
import { ethereumHashOf, shape } from '../../formatters/index.ts';
import { type IncludedOperation, isSince } from '../../ledger/index.ts';
import {
  type Address,
  blockHashOf,
  delegationOf,
  equalBytes,
  type Hash,
  hexToBytes,
  quantity,
  toHash,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { ERRORS, SUBMISSION_ERRORS } from '../description/described-errors.ts';
import { shorten } from '../json/describe.ts';
import { defineMethod, defineTestMethod, type MethodDefinition } from '../method.ts';
import type { MethodContext, TestChainContext } from '../method-context.ts';
import { flagSchema, quantitySchema, textSchema } from '../parameters/plain.ts';
import { addressSchema, dataSchema, field, optional, type ReadBy } from '../parameters/schema.ts';
import { arrayOf, entriesOf, objectOf } from '../parameters/structures.ts';
import { sendRequest } from '../profiles/ethereum-sending.ts';
import { LimitError, WalletCallError } from '../rpc-errors.ts';
import { type EthereumRequest, ethereumRequestSchema } from '../transactions/ethereum-call-messages.ts';
import { BATCH_ACCOUNT, type BatchedCall, encodeBatch } from './batch-call.ts';

/** Bundles of calls of a wallet (EIP-5792): the node is the wallet of its keys, and bundles calls by EIP-7702. */

/** Calls of a bundle of `wallet_sendCalls`, and characters of its id (EIP-5792). */
const CALLS_OF_BUNDLE_MAX = 100;
const CALL_BUNDLE_ID_CHARACTERS_MAX = 4_096;
/** Bundles with ids of clients that a node remembers. */
const CALL_BUNDLES_MAX = 1_024;

const VERSION = '2.0.0';

/** States of a bundle. */
const STATUS = { pending: 100, confirmed: 200, reverted: 500 } as const;

const capabilitiesSchema = optional(
  entriesOf(textSchema, objectOf({ optional: optional(flagSchema, false) }, 'ignored')),
  [],
);

const callSchema = objectOf({
  to: optional(addressSchema),
  value: optional(quantitySchema, 0n),
  data: optional(dataSchema, new Uint8Array()),
  capabilities: capabilitiesSchema,
});

const bundleSchema = objectOf({
  version: textSchema,
  id: field(textSchema, 'Absent: the hash of the transaction.'),
  from: field(addressSchema, 'An account of the node; absent: the first.'),
  chainId: quantitySchema,
  atomicRequired: flagSchema,
  calls: arrayOf(callSchema),
  capabilities: capabilitiesSchema,
});

type Bundle = ReadBy<typeof bundleSchema>;

/** Transactions of the bundles that clients named, for each node. */
const namedBundles = new WeakMap<object, BoundedMap<string, Hash>>();

function namedBundlesOf({ ledger }: MethodContext): BoundedMap<string, Hash> {
  const known = namedBundles.get(ledger) ?? new BoundedMap<string, Hash>(CALL_BUNDLES_MAX);
  namedBundles.set(ledger, known);
  return known;
}

const HASH = /^0x[0-9a-f]{64}$/;

/** Finds the operation of a bundle; undefined for an unknown id. */
function operationOf(context: MethodContext, id: string) {
  const hash =
    namedBundlesOf(context).get(id) ?? (HASH.test(id) ? toHash(hexToBytes(id.slice(2))) : undefined);
  return hash && context.ledger.pool.findOperation(hash);
}

/** Returns true if an account of the node can run several calls in one transaction. */
function canBundle({ ledger, keys }: MethodContext, address: Address): boolean {
  if (keys?.holds(address) !== true || !isSince(ledger.parameters.hardfork, 'prague')) return false;
  if (ledger.accounts.codeAt(BATCH_ACCOUNT).length === 0) return false;
  const code = ledger.accounts.codeAt(address);
  return code.length === 0 || delegatesToBatch(code);
}

function delegatesToBatch(code: Uint8Array): boolean {
  const delegate = delegationOf(code);
  return delegate !== undefined && equalBytes(delegate, BATCH_ACCOUNT);
}

const getCapabilities = defineMethod({
  name: 'wallet_getCapabilities',
  summary: 'Returns what the node as a wallet can do for an account, by chain id (EIP-5792).',
  section: 'client',
  parameters: [
    { name: 'address', schema: addressSchema },
    {
      name: 'chainIds',
      schema: optional(arrayOf(quantitySchema)),
      summary: 'Absent: the chain of the node.',
    },
  ],
  beforeFork: 'local',
  result: shape.record(shape.object({ atomic: shape.object({ status: shape.text }) })),
  differences: 'Bundles are atomic for the accounts of a node in test mode, from Prague on.',
  handler: (context, [address, chainIds]) => {
    const chainId = BigInt(context.ledger.parameters.network.chainId);
    if (chainIds?.includes(chainId) === false) return {};
    return {
      [quantity(chainId)]: { atomic: { status: canBundle(context, address) ? 'supported' : 'unsupported' } },
    };
  },
});

/** Checks a bundle, and returns its sender. @throws WalletCallError, with the codes of EIP-5792 */
function checkBundle(context: TestChainContext, bundle: Bundle): Address {
  const { ledger, keys } = context;
  const { chainId, calls, id } = bundle;
  const from = bundle.from ?? keys?.list()[0];
  if (from === undefined || keys?.holds(from) !== true) throw new WalletCallError(ERRORS.unauthorized);
  if (chainId !== BigInt(ledger.parameters.network.chainId)) {
    throw new WalletCallError(ERRORS.unsupportedChain, `${chainId}`);
  }
  for (const { capabilities } of [bundle, ...calls]) {
    const needed = capabilities.find(([, capability]) => !capability.optional);
    if (needed !== undefined) throw new WalletCallError(ERRORS.unsupportedCapability, shorten(needed[0]));
  }
  if (calls.length > CALLS_OF_BUNDLE_MAX || (id?.length ?? 0) > CALL_BUNDLE_ID_CHARACTERS_MAX) {
    throw new WalletCallError(ERRORS.bundleTooLarge, `${CALLS_OF_BUNDLE_MAX} calls`);
  }
  if (id !== undefined && operationOf(context, id) !== undefined) {
    throw new WalletCallError(ERRORS.duplicateBundle);
  }
  return from;
}

/** Returns the transaction that runs the calls of a bundle. @throws WalletCallError if it needs several */
function requestOf(context: TestChainContext, { calls }: Bundle, from: Address): EthereumRequest {
  const [call, ...others] = calls;
  if (call === undefined) throw new WalletCallError(ERRORS.noAtomicity, 'a bundle has at least one call');
  if (others.length === 0) return { ...EMPTY_REQUEST, from, to: call.to, value: call.value, data: call.data };
  if (!canBundle(context, from)) {
    throw new WalletCallError(ERRORS.noAtomicity, `${toPrefixedHex(from)} cannot delegate to code for it`);
  }
  const batched = calls.map(({ to, value, data }): BatchedCall => {
    if (to === undefined)
      throw new WalletCallError(ERRORS.noAtomicity, 'a creation needs a bundle of its own');
    return { to, value, data };
  });
  const request = { ...EMPTY_REQUEST, from, to: from, data: encodeBatch(batched) };
  if (context.ledger.accounts.codeAt(from).length > 0) return request;
  const { pool, parameters } = context.ledger;
  const nonce = pool.pending.nonceOf(from);
  const fields = { chainId: BigInt(parameters.network.chainId), address: BATCH_ACCOUNT, nonce: nonce + 1n };
  const authorization = context.keys?.signAuthorization(from, fields);
  return { ...request, nonce, authorizationList: authorization && [authorization] };
}

const EMPTY_REQUEST = ethereumRequestSchema.read({}, { within: undefined, key: 'transaction' });

const sendCalls = defineTestMethod({
  name: 'wallet_sendCalls',
  summary:
    'Sends calls of an account of the node in one transaction, and returns the id of the bundle (EIP-5792).',
  parameters: [{ name: 'bundle', schema: bundleSchema }],
  result: shape.object({ id: shape.text }),
  errors: [
    ERRORS.unauthorized,
    ERRORS.unsupportedCapability,
    ERRORS.unsupportedChain,
    ERRORS.duplicateBundle,
    ERRORS.bundleTooLarge,
    ERRORS.noAtomicity,
    ERRORS.authenticationNeeded,
    ERRORS.executionReverted,
    ERRORS.insufficientFunds,
    ...SUBMISSION_ERRORS,
  ],
  differences:
    'Always atomic: the account delegates to the preinstalled `Simple7702Account` (EIP-7702) for more than one call.',
  handler: (context, [bundle]) => {
    const from = checkBundle(context, bundle);
    const hash = sendRequest(context, requestOf(context, bundle, from));
    const { id } = bundle;
    if (id !== undefined) namedBundlesOf(context).set(id, hash);
    return { id: id ?? toPrefixedHex(hash) };
  },
});

const statusShape = shape.object({
  version: shape.text,
  id: shape.text,
  chainId: shape.quantity,
  status: shape.described(shape.integer, '100 pending, 200 confirmed, 500 reverted.'),
  atomic: shape.flag,
  receipts: shape.optional(
    shape.array(
      shape.object({
        logs: shape.array(
          shape.object({ address: shape.address, data: shape.data, topics: shape.array(shape.hash) }),
        ),
        status: shape.quantity,
        blockHash: shape.hash,
        blockNumber: shape.quantity,
        gasUsed: shape.quantity,
        transactionHash: shape.hash,
      }),
    ),
  ),
});

function receiptOf({ ledger, limits }: MethodContext, operation: IncludedOperation) {
  const { block, index } = operation;
  const outline = ledger.blocks.receiptOutlineOf(block.number, index);
  if (outline === undefined) return undefined;
  if (outline.logCount > limits.logsMax) {
    throw new LimitError(`the bundle has more than ${limits.logsMax} logs (--max-logs): request its receipt`);
  }
  const { status, gasUsed } = outline;
  return {
    logs: Array.from(outline.logs(), ({ address, data, topics }) => ({
      address: toPrefixedHex(address),
      data: toPrefixedHex(data),
      topics: topics.map(toPrefixedHex),
    })),
    status: quantity(status === 'success' ? 1 : 0),
    blockHash: toPrefixedHex(blockHashOf(block.id)),
    blockNumber: quantity(block.number),
    gasUsed: quantity(gasUsed),
    transactionHash: toPrefixedHex(ethereumHashOf(operation)),
  };
}

const getCallsStatus = defineTestMethod({
  name: 'wallet_getCallsStatus',
  summary: 'Returns the state of a bundle that `wallet_sendCalls` sent, with its receipt (EIP-5792).',
  scheduling: 'turn',
  parameters: [{ name: 'id', schema: textSchema }],
  result: statusShape,
  errors: [ERRORS.unknownBundle],
  handler: (context, [id]) => {
    const found = operationOf(context, id);
    if (found === undefined) throw new WalletCallError(ERRORS.unknownBundle);
    const receipt = found.kind === 'included' ? receiptOf(context, found) : undefined;
    const chainId = quantity(context.ledger.parameters.network.chainId);
    const common = { version: VERSION, id, chainId, atomic: true };
    if (receipt === undefined) return { ...common, status: STATUS.pending };
    const status = receipt.status === '0x1' ? STATUS.confirmed : STATUS.reverted;
    return { ...common, status, receipts: [receipt] };
  },
});

/** The methods of EIP-5792. */
export const WALLET_CALL_METHODS: readonly MethodDefinition[] = [getCapabilities, sendCalls, getCallsStatus];
