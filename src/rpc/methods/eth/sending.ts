import { shape } from '../../../formatters/index.ts';
import { type Inclusion, RefusedError } from '../../../ledger/index.ts';
import {
  type Hash,
  invariant,
  quantity,
  type SignedTransaction,
  toPrefixedHex,
} from '../../../protocol/index.ts';
import type { Caller } from '../../context/caller.ts';
import { COMPOSITION_ERRORS, ERRORS, SUBMISSION_ERRORS } from '../../description/described-errors.ts';
import { ResponseBody } from '../../json/response-body.ts';
import { defineMethod, defineTestMethod, type MethodDefinition } from '../../method.ts';
import type { MethodContext } from '../../method-context.ts';
import { boundedQuantity, passphraseSchema } from '../../parameters/plain.ts';
import { dataSchema, optional, withPath } from '../../parameters/schema.ts';
import { SHAPES } from '../../profiles/ethereum-objects.ts';
import type { Profile } from '../../profiles/profile.ts';
import type { ProfileReceipt } from '../../response-cache/response-cache.ts';
import {
  ForwardedError,
  RequestFailedError,
  STILL_PENDING_CODE,
  StillPendingError,
} from '../../rpc-errors.ts';
import type { RawTransaction } from '../../transactions/raw-transactions.ts';

/** Milliseconds that a send waits for its block (EIP-7966): by default, and at most. */
const SEND_WAIT_MS_DEFAULT = 20_000;
const SEND_WAIT_MS_MAX = 60_000;

const WAIT_PARAMETER = {
  name: 'timeout',
  schema: optional(boundedQuantity(SEND_WAIT_MS_MAX, 'milliseconds')),
  summary: `Milliseconds to wait for the block; ${SEND_WAIT_MS_DEFAULT} when absent.`,
} as const;

function failureOf(inclusion: Exclude<Inclusion, { kind: 'included' }>, hash: Hash, wait: number): Error {
  switch (inclusion.kind) {
    case 'dropped':
      return new RequestFailedError(`the transaction was dropped: ${inclusion.error.message}`);
    case 'late':
      return new StillPendingError(
        `no block came within ${wait} ms: the transaction stays pending`,
        toPrefixedHex(hash),
      );
    case 'closed':
      return new StillPendingError('the node stops: the transaction stays pending', toPrefixedHex(hash));
  }
}

/** A signed transaction to send by a method. */
interface Sending {
  readonly method: string;
  readonly bytes: RawTransaction;
  readonly caller: Caller;
  /** Milliseconds for which the method waits for a block; absent: it does not. */
  readonly waitMs?: number;
}

/**
 * Submits a transaction here, or forwards it where this node only follows others, whose result it then returns: one
 * that was accepted there is pending here, too.
 *
 * @param shown returns the result of its hash
 * @throws as `SendingStyle.submit`; if forwarded as its `check`, and ForwardedError, RequestFailedError, LimitError
 */
function sendOrForward<R>(
  { id: profile, sending }: Profile,
  context: MethodContext,
  { method, bytes, caller, waitMs }: Sending,
  shown: (hash: Hash) => R | Promise<R | ResponseBody<R>>,
): R | Promise<R | ResponseBody<R>> {
  const { forwarder } = context;
  if (forwarder === undefined) {
    const sent = sending.submit(context, bytes, caller);
    // A wait begins at once: a later send of this round may replace the transaction.
    return sent instanceof Promise ? sent.then(shown) : shown(sent);
  }
  const transaction = sending.check(context, bytes);
  const parameters = [toPrefixedHex(bytes.value), ...(waitMs === undefined ? [] : [quantity(waitMs)])];
  const send = { profile, method, parameters, waitMs: waitMs ?? 0 };
  return forwarder.forward(send, caller.hops ?? 0).then(
    (result) => {
      keepForwarded(context, method, transaction);
      return new ResponseBody<R>(JSON.stringify(result));
    },
    (error: unknown) => {
      const isPending = error instanceof ForwardedError && error.rpcCode === STILL_PENDING_CODE;
      if (isPending) keepForwarded(context, method, transaction);
      throw error;
    },
  );
}

/** Adds a transaction to the pending ones that the followed node has accepted, unless its block is here already. */
function keepForwarded(
  { ledger, onFailure }: MethodContext,
  method: string,
  transaction: SignedTransaction | undefined,
): void {
  if (transaction === undefined) return;
  try {
    ledger.pool.submit(transaction, 'forwarded');
  } catch (error) {
    // The followed node has another state or pool; the caller gets its result in any case.
    if (!(error instanceof RefusedError)) onFailure?.(method, error);
  }
}

const GROUPED_DATA =
  '`data` of an error is code and message in the groups of the Execution APIs (gas 800 to 999, pool 1000 to 1199), ' +
  'if they have it.';

/** Errors of sending a signed transaction. */
export const RAW_ERRORS = [
  ERRORS.transactionRefused,
  ERRORS.alreadyKnown,
  ERRORS.insufficientFunds,
  ERRORS.transactionLimit,
  ERRORS.pendingPoolFull,
  ERRORS.takesNoTransactions,
  ERRORS.writesPaused,
  ERRORS.outcomeUnknown,
  ERRORS.tooManyForwarded,
];

/** Returns the methods that send signed transactions. */
export function rawSendingMethods(profile: Profile): readonly MethodDefinition[] {
  const { sending } = profile;
  const errors = [
    ...RAW_ERRORS,
    ERRORS.nonceTooLow,
    ERRORS.replacementUnderpriced,
    ERRORS.feeTooLow,
    ERRORS.typeNotSupported,
  ];
  const transaction = {
    name: 'transaction',
    schema: withPath(dataSchema),
    summary: sending.rawForm,
  } as const;
  const sendRawTransaction = defineMethod({
    name: 'eth_sendRawTransaction',
    summary: 'Sends a signed transaction and returns its hash.',
    section: 'blocks',
    scheduling: 'send',
    parameters: [transaction],
    beforeFork: 'local',
    result: shape.hash,
    errors,
    differences:
      'Type 3 is refused on a chain without blobs; its proofs are of the blobs or, from Osaka on, of their cells. ' +
      `Type 4 is refused before Prague. ${GROUPED_DATA}`,
    expect: (context, [bytes]) => sending.expect(context, bytes),
    handler: (context, [bytes], caller) =>
      sendOrForward(profile, context, { method: 'eth_sendRawTransaction', bytes, caller }, toPrefixedHex),
  });
  const sendRawTransactionSync = defineMethod({
    name: 'eth_sendRawTransactionSync',
    summary: 'Sends like `eth_sendRawTransaction`, waits for the block and returns the receipt (EIP-7966).',
    section: 'blocks',
    scheduling: 'send',
    parameters: [transaction, WAIT_PARAMETER],
    beforeFork: 'local',
    result: SHAPES.receipt,
    errors: [...errors, ERRORS.stillPending, ERRORS.transactionDropped],
    differences: 'If no block includes the transaction in time, `data` of the error is its hash.',
    expect: (context, [bytes]) => sending.expect(context, bytes),
    handler: (context, [bytes, waitMs = SEND_WAIT_MS_DEFAULT], caller) =>
      sendOrForward<ProfileReceipt>(
        profile,
        context,
        { method: 'eth_sendRawTransactionSync', bytes, caller, waitMs },
        (hash) => receiptAfter(context, hash, waitMs),
      ),
  });
  return [sendRawTransaction, sendRawTransactionSync];
}

const sendTransaction = ({ sending }: Profile): MethodDefinition =>
  defineTestMethod({
    name: 'eth_sendTransaction',
    aliases: ['wallet_sendTransaction'],
    summary:
      'Sends a transaction of an account of the node, or of an impersonated address; returns its hash.',
    parameters: [{ name: 'transaction', schema: sending.transaction }],
    result: shape.hash,
    errors: [ERRORS.unknownAccount, ERRORS.authenticationNeeded, ...COMPOSITION_ERRORS, ...SUBMISSION_ERRORS],
    differences:
      'A native account of the wallet sends native operations, whose amounts `/` rounds down to whole units. ' +
      `An impersonated address pays for its gas; r and s of its transactions contain its address. ${GROUPED_DATA}`,
    handler: (context, [transaction]) => toPrefixedHex(transaction.send(context)),
  });

const sendTransactionSync = ({ sending }: Profile): MethodDefinition =>
  defineTestMethod({
    name: 'eth_sendTransactionSync',
    summary: 'Sends like `eth_sendTransaction`, waits for the block and returns the receipt.',
    parameters: [{ name: 'transaction', schema: sending.transaction }, WAIT_PARAMETER],
    result: SHAPES.receipt,
    errors: [
      ERRORS.unknownAccount,
      ERRORS.authenticationNeeded,
      ...COMPOSITION_ERRORS,
      ...SUBMISSION_ERRORS,
      ERRORS.stillPending,
      ERRORS.transactionDropped,
    ],
    differences:
      'As `eth_sendTransaction`. If no block includes the transaction in time, `data` of the error is its hash.',
    handler: (context, [transaction, timeout]) => receiptAfter(context, transaction.send(context), timeout),
  });

const sendTransactionWithPassphrase = ({ sending }: Profile): MethodDefinition =>
  defineTestMethod({
    name: 'personal_sendTransaction',
    summary: 'Sends a transaction of an account given its passphrase; a locked account stays locked.',
    parameters: [
      { name: 'transaction', schema: sending.transaction },
      { name: 'passphrase', schema: passphraseSchema },
    ],
    result: shape.hash,
    errors: [ERRORS.unknownAccount, ERRORS.wrongPassword, ...COMPOSITION_ERRORS, ...SUBMISSION_ERRORS],
    differences: 'As `eth_sendTransaction`.',
    handler: (context, [transaction, passphrase]) => toPrefixedHex(transaction.send(context, passphrase)),
  });

const sendUnsignedTransaction = ({ sending }: Profile): MethodDefinition =>
  defineTestMethod({
    name: 'eth_sendUnsignedTransaction',
    summary: 'Sends from any address without its key, as if the address were impersonated for this call.',
    parameters: [{ name: 'transaction', schema: sending.transaction }],
    result: shape.hash,
    errors: [ERRORS.evmAddressGiven, ...COMPOSITION_ERRORS, ...SUBMISSION_ERRORS],
    differences: 'As `eth_sendTransaction` of an impersonated address.',
    handler: (context, [transaction]) => toPrefixedHex(transaction.sendUnsigned(context)),
  });

/** Returns the methods of test mode that send transaction objects. */
export function sendingMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    sendTransaction(profile),
    sendTransactionWithPassphrase(profile),
    sendTransactionSync(profile),
    sendUnsignedTransaction(profile),
  ];
}

/**
 * Waits for the block of a transaction that was sent (EIP-7966), and returns the receipt of its first operation.
 *
 * @throws StillPendingError, and RequestFailedError when it is dropped or the node stops
 */
async function receiptAfter(
  context: MethodContext,
  hash: Hash,
  milliseconds = SEND_WAIT_MS_DEFAULT,
): Promise<ResponseBody<ProfileReceipt>> {
  const transaction = context.ledger.pool.findTransaction(hash);
  invariant(transaction !== undefined, 'a transaction that was accepted is found');
  const inclusion = await context.inclusions.wait(transaction, hash, milliseconds);
  if (inclusion.kind !== 'included') throw failureOf(inclusion, hash, milliseconds);
  const receipt = context.objects.receipt(context, inclusion.operation);
  invariant(receipt !== null, 'an included operation has a receipt');
  return receipt;
}
