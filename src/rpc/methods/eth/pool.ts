import { shape } from '../../../formatters/index.ts';
import type { PendingOperation } from '../../../ledger/index.ts';
import {
  bytesToHex,
  equalBytes,
  type Hexadecimal,
  isEthereumTransaction,
  quantity,
  senderAddress,
  toPrefixedHex,
} from '../../../protocol/index.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import type { MethodContext } from '../../method-context.ts';
import { addressSchema } from '../../parameters/schema.ts';
import { SHAPES } from '../../profiles/ethereum-objects.ts';
import type { Profile } from '../../profiles/profile.ts';
import { LimitError } from '../../rpc-errors.ts';

/** Transactions of the pool that one response of `/ethereum` lists. */
const POOL_LISTED_MAX = 5_000;

const COUNTED =
  'The nonce of a native operation is the number of operations that its payer paid for before it.';

const linesShape = shape.record(shape.record(shape.text), shape.address);

const poolStatus = ({ pool }: Profile): MethodDefinition =>
  defineMethod({
    name: 'txpool_status',
    summary: 'Counts the transactions of the pool: pending ones, and those queued behind a nonce gap.',
    ...pool,
    scheduling: 'turn',
    beforeFork: 'local',
    result: shape.object({ pending: shape.quantity, queued: shape.quantity }),
    differences: 'Counts operations, which are the transactions here.',
    example: { parameters: [], result: { pending: '0x0', queued: '0x0' } },
    handler: ({ ledger }: MethodContext) => ({
      pending: quantity(ledger.pool.pendingOperations().length),
      queued: quantity(ledger.pool.queuedOperations().length),
    }),
  });

const poolContent = ({ pool }: Profile): MethodDefinition => {
  const contentShape = shape.record(shape.record(SHAPES.pendingTransaction), shape.address);
  return defineMethod({
    name: 'txpool_content',
    summary: 'Lists the pending and the queued transactions by payer and by nonce.',
    ...pool,
    scheduling: 'turn',
    beforeFork: 'local',
    result: shape.object({ pending: contentShape, queued: contentShape }),
    differences: COUNTED,
    example: { parameters: [], result: { pending: {}, queued: {} } },
    handler: (context: MethodContext) => {
      const { pending, queued } = waitingOperations(context);
      const write: Writer<object> = (...waiting) => context.objects.pendingTransaction(context, ...waiting);
      return { pending: listed(context, pending, write), queued: listed(context, queued, write) };
    },
  });
};

const poolContentFrom = ({ pool }: Profile): MethodDefinition => {
  const contentShape = shape.record(SHAPES.pendingTransaction);
  return defineMethod({
    name: 'txpool_contentFrom',
    summary: 'Lists the pending and the queued transactions of one payer by nonce.',
    ...pool,
    scheduling: 'turn',
    parameters: [{ name: 'address', schema: addressSchema }],
    beforeFork: 'local',
    result: shape.object({ pending: contentShape, queued: contentShape }),
    example: {
      parameters: ['0x0000000000000000000000000000000000000400'],
      result: { pending: {}, queued: {} },
    },
    handler: (context: MethodContext, [address]) => {
      const { ledger } = context;
      context.profile.requireSender(ledger, address);
      const write: Writer<object> = (...waiting) => context.objects.pendingTransaction(context, ...waiting);
      const ofAddress = (operations: readonly PendingOperation[]) => {
        const own = operations.filter(({ operation }) => equalBytes(senderAddress(operation), address));
        return listed(context, own, write)[toPrefixedHex(address)] ?? {};
      };
      return {
        pending: ofAddress(ledger.pool.pendingOperations()),
        queued: ofAddress(ledger.pool.queuedOperations()),
      };
    },
  });
};

const poolInspection = ({ pool }: Profile): MethodDefinition =>
  defineMethod({
    name: 'txpool_inspect',
    summary: 'Lists the same transactions as `txpool_content`, each as a line of text.',
    ...pool,
    scheduling: 'turn',
    beforeFork: 'local',
    result: shape.object({ pending: linesShape, queued: linesShape }),
    example: { parameters: [], result: { pending: {}, queued: {} } },
    handler: (context: MethodContext) => {
      const { pending, queued } = waitingOperations(context);
      const write: Writer<string> = (operation) => {
        const { to, value, gas, gasPrice } = context.objects.pendingTransaction(context, operation);
        const receiver = to ?? 'contract creation';
        return `${receiver}: ${BigInt(value)} wei + ${BigInt(gas)} gas × ${BigInt(gasPrice)} wei`;
      };
      return { pending: listed(context, pending, write), queued: listed(context, queued, write) };
    },
  });

const pendingTransactions = defineMethod({
  name: 'eth_pendingTransactions',
  summary: 'Lists the transactions that are ready for a block.',
  section: 'blocks',
  beforeFork: 'local',
  result: shape.array(SHAPES.pendingTransaction),
  differences: "All pending transactions, not only those of the node's accounts.",
  example: { parameters: [], result: [] },
  handler: (context) =>
    waitingOperations(context).pending.map((operation) =>
      context.objects.pendingTransaction(context, operation),
    ),
});

/** Returns the methods that show the pending transactions. */
export function poolMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    poolStatus(profile),
    poolContent(profile),
    poolContentFrom(profile),
    poolInspection(profile),
    pendingTransactions,
  ];
}

/** Writes a pending transaction, with the nonce that it has or will have. */
type Writer<T> = (operation: PendingOperation, nonce: bigint) => T;

/** Pending transactions by payer and by nonce. */
type WaitingByPayer<T> = Readonly<Record<Hexadecimal, Readonly<Record<string, T>>>>;

/** Returns all pending transactions. @throws LimitError for more than one response may have */
function waitingOperations({ ledger }: MethodContext) {
  const parts = { pending: ledger.pool.pendingOperations(), queued: ledger.pool.queuedOperations() };
  const count = parts.pending.length + parts.queued.length;
  if (count <= POOL_LISTED_MAX) return parts;
  throw new LimitError(
    `${count} transactions are pending, the limit of a response is ${POOL_LISTED_MAX}: request those of one sender`,
  );
}

/** Lists operations by payer and nonce; a native one counts on from the operations of its payer. */
function listed<T>(
  { ledger }: MethodContext,
  operations: readonly PendingOperation[],
  write: Writer<T>,
): WaitingByPayer<T> {
  const content: Record<Hexadecimal, Record<string, T>> = {};
  const next = new Map<string, bigint>();
  for (const waiting of operations) {
    const { operation } = waiting;
    const payer = senderAddress(operation);
    const name = bytesToHex(payer);
    const count =
      next.get(name) ?? BigInt(ledger.accounts.hasHistory ? ledger.accounts.operationCount(payer) : 0);
    const isNative = !isEthereumTransaction(operation);
    const nonce = isNative ? count : operation.innerTransaction.nonce;
    if (isNative) next.set(name, count + 1n);
    const own = content[toPrefixedHex(payer)] ?? {};
    own[String(nonce)] = write(waiting, nonce);
    content[toPrefixedHex(payer)] = own;
  }
  return content;
}
