import { toHeader, toReceipt, toTransaction } from '../../formatters/index.ts';
import { type BlockSummary, type LedgerQueries, RefusedError, requireProtected } from '../../ledger/index.ts';
import { accountAddress, bytesToHex, toPrefixedHex } from '../../protocol/index.ts';
import { listPieces, operationsIn } from '../blocks/block-operations.ts';
import { NO_ADVICE, withLogs, withoutLogs, writeReceipt } from '../blocks/receipts.ts';
import type { MethodContext, ObjectFormatters } from '../method-context.ts';
import { ignoredBlockSchema } from '../parameters/block.ts';
import { callRequestSchema, sendRequestSchema } from '../parameters/call-object.ts';
import { mapped } from '../parameters/schema.ts';
import type { CallBuilder, OutgoingTransaction, Profile, SendingStyle } from '../profiles/profile.ts';
import { LOGS_AT_ONCE_MAX } from '../response-cache/block-facts-cache.ts';
import { callMessage, sendMessage } from '../transactions/call-messages.ts';
import { decodeTransaction, rawTransaction } from '../transactions/raw-transactions.ts';

const NATIVE_OBJECTS: ObjectFormatters = {
  block: ({ ledger, responses }, number, fullTransactions) =>
    responses.block(number, fullTransactions, function* (block) {
      yield `${JSON.stringify(toHeader(block)).slice(0, -1)},"transactions":`;
      yield* listPieces(transactionTexts(ledger, block, fullTransactions));
      yield '}';
    }),
  header: (_, block) => toHeader(block),
  transaction: ({ responses }, operation) =>
    responses.transactions.of(bytesToHex(operation.hash), () => toTransaction(operation)),
  pendingTransaction: (_, operation) => toTransaction(operation),
  receipt: ({ ledger, responses }, operation) => {
    const { block, index, hash } = operation;
    const key = bytesToHex(hash);
    const known = responses.receipts.get(key);
    if (known !== undefined) return known;
    const outline = ledger.blocks.receiptOutlineOf(block.number, index);
    if (outline === undefined) return null;
    if (outline.logCount <= LOGS_AT_ONCE_MAX) {
      return responses.receipts.of(key, () => toReceipt(operation, withLogs(outline)));
    }
    const empty = toReceipt(operation, withoutLogs(outline));
    const position = { block, operation: index, transactionHash: hash };
    return responses.receipts.getOrWrite(key, NO_ADVICE, () =>
      writeReceipt(ledger, empty, position, outline),
    );
  },
  perUnit: () => 1n,
  hash: ({ hash }) => toPrefixedHex(hash),
  acceptedHash: (_, hash) => toPrefixedHex(hash),
  // biome-ignore lint/correctness/useYield: needs no steps.
  *logFreeReceipt({ ledger }, operation) {
    const outline = ledger.blocks.receiptOutlineOf(operation.block.number, operation.index);
    return outline === undefined ? null : toReceipt(operation, withoutLogs(outline));
  },
  // biome-ignore lint/correctness/useYield: needs no steps.
  *blockFields(_, block) {
    return toHeader(block);
  },
  logs: (_, logs) => logs,
  innerTransactionBytes: () => undefined,
};

function* transactionTexts(
  ledger: LedgerQueries,
  block: BlockSummary,
  fullTransactions: boolean,
): Generator<readonly string[]> {
  for (const operation of operationsIn(ledger, block)) {
    yield [
      fullTransactions ? JSON.stringify(toTransaction(operation)) : `"${toPrefixedHex(operation.hash)}"`,
    ];
  }
}

/** Platform names that differ from `process.platform`. */
const PLATFORM_NAMES: Readonly<Record<string, string>> = {
  linux: 'Linux',
  darwin: 'Darwin',
  win32: 'Windows',
};

const ARCHITECTURES_32_BIT: ReadonlySet<string> = new Set(['arm', 'ia32', 'mips', 'mipsel']);

/** Sending on `/`: native transactions, signed by the wallet. */
const NATIVE_SENDING: SendingStyle = {
  transaction: mapped(
    sendRequestSchema,
    (request): OutgoingTransaction => ({
      send: (context, passphrase) => context.wallet.send(sendMessage(request, context), passphrase),
      sendUnsigned: (context) => context.wallet.sendUnsigned(sendMessage(request, context)),
      sign: (context, passphrase) =>
        rawTransaction(context.wallet.sign(sendMessage(request, context), passphrase)),
      // The index makes equal transactions differ in their expiration.
      signForBlock: (context, index) => context.wallet.sign(sendMessage(request, context), undefined, index),
    }),
  ),
  signer: ({ wallet }) => wallet,
  rawForm: 'A signed native transaction in its binary form.',
  check: ({ ledger }, raw) => decodeTransaction(raw, ledger.parameters),
  expect: ({ ledger }, raw) => ledger.pool.signatures.expect(decodeTransaction(raw, ledger.parameters)),
  // An Ethereum transaction in it must be valid on `/ethereum`.
  submit: ({ ledger, allowUnprotected = false }, raw) => {
    const transaction = decodeTransaction(raw, ledger.parameters);
    if (ledger.parameters.knowsEthereum) requireProtected(transaction, { allowUnprotected });
    return ledger.pool.submit(transaction).hash;
  },
};

/** The profile of `/`: the native interface, which always reads the head. */
export const NATIVE_PROFILE: Profile = {
  id: 'ledger',
  errorStyle: 'strict',
  stateParameter: { name: 'block', schema: ignoredBlockSchema },
  objects: NATIVE_OBJECTS,
  sending: NATIVE_SENDING,
  firstSnapshot: 0,
  requireSender: (ledger, address) => {
    const account = ledger.accounts.accountByEvmAddress(address);
    if (account === undefined) return;
    throw new RefusedError({ code: 'senderNotAccount', address, accountAddress: accountAddress(account) });
  },
  pool: { chains: 'test', section: 'control' },
  lenientLogs: true,
  call: mapped(
    callRequestSchema,
    (request): CallBuilder =>
      (context, accounts, block) =>
        callMessage(request, context, accounts, block),
  ),
  clientVersion,
  balance: ({ ledger }, address) => ledger.accounts.balanceOf(address),
  transactionCount: ({ ledger }, address) => ledger.accounts.operationCount(address),
};

/** Returns the chain name, the version, the operating system and its bitness. */
function clientVersion({ version }: MethodContext): string {
  const bits = ARCHITECTURES_32_BIT.has(process.arch) ? 32 : 64;
  return `LEDGER/${version}/${PLATFORM_NAMES[process.platform] ?? process.platform}.${bits}-bit`;
}
