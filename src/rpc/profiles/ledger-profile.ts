import { AMOUNT_MAX } from '../../consensus.ts';
import {
  type BlockSummary,
  type IncludedOperation,
  type LedgerQueries,
  type PendingOperation,
  RefusedError,
  requireProtected,
} from '../../ledger/index.ts';
import { accountAddress, bytesToHex, quantity, toPrefixedHex } from '../../protocol/index.ts';
import {
  blockShape,
  detailedBlockShape,
  headerShape,
  receiptShape,
  shape,
  toHeader,
  toReceipt,
  toTransaction,
  transactionShape,
} from '../../view/index.ts';
import { listPieces, operationsIn } from '../blocks/block-steps.ts';
import { NO_ADVICE, receiptSteps, withLogs, withoutLogs } from '../blocks/receipts.ts';
import { COMPOSITION_ERRORS, ERRORS } from '../description/described-errors.ts';
import type { MethodContext } from '../method-context.ts';
import { ignoredBlockSchema } from '../parameters/block.ts';
import { callRequestSchema, sendRequestSchema } from '../parameters/call-object.ts';
import { balanceSchema, flagSchema } from '../parameters/plain.ts';
import { mapped, refusal, type WithPath } from '../parameters/schema.ts';
import { LOGS_AT_ONCE_MAX } from '../response-cache/block-facts-cache.ts';
import { callMessage, sendMessage } from '../transactions/call-messages.ts';
import { decodeTransaction, rawTransaction } from '../transactions/raw-transactions.ts';
import type {
  CallBuilder,
  ChainControlStyle,
  GasPrices,
  ObjectFormatters,
  OutgoingTransaction,
  Profile,
  SendingStyle,
} from './profile.ts';

const LEDGER_OBJECTS: ObjectFormatters = {
  blockShape,
  headerShape,
  transactionShape,
  receiptShape,
  fullTransactions: flagSchema,
  block: ({ ledger, responses }, number, fullTransactions) =>
    responses.block(number, fullTransactions, function* (block) {
      yield `${JSON.stringify(toHeader(block)).slice(0, -1)},"transactions":`;
      yield* listPieces(transactionTexts(ledger, block, fullTransactions));
      yield '}';
    }),
  header: (_, block) => toHeader(block),
  transaction: ({ ledger, responses }, operation) =>
    responses.transactions.of(bytesToHex(operation.hash), () => transactionObject(ledger, operation)),
  pendingTransactionShape: transactionShape,
  pendingTransaction: ({ ledger }, operation) => transactionObject(ledger, operation),
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
    return responses.receipts.inSteps(key, NO_ADVICE, () => receiptSteps(ledger, empty, position, outline));
  },
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

function transactionObject({ parameters }: LedgerQueries, operation: IncludedOperation | PendingOperation) {
  return toTransaction(operation, parameters.rules.fees.type !== 'unit');
}

function* transactionTexts(
  ledger: LedgerQueries,
  block: BlockSummary,
  fullTransactions: boolean,
): Generator<readonly string[]> {
  for (const operation of operationsIn(ledger, block)) {
    yield [
      fullTransactions
        ? JSON.stringify(transactionObject(ledger, operation))
        : `"${toPrefixedHex(operation.hash)}"`,
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

/** Control of test chains on `/`: amounts in native units, and the only price is 1. */
const LEDGER_CONTROL: ChainControlStyle = {
  firstSnapshot: 0,
  mineResult: null,
  intervalPrecedesFirst: false,
  secondsShape: shape.quantity,
  seconds: quantity,
  detailedBlockShape,
  detailedBlock: ({ ledger }, block, detailOf) => ({
    ...toHeader(block),
    transactions: ledger.blocks
      .blockTransactions(block.number)
      .map((operation) => ({ ...transactionObject(ledger, operation), ...detailOf(operation) })),
  }),
  amount: balanceSchema,
  inWei: (ledger, amount) => ledger.parameters.inWei(amount),
  cappedBalance: ({ ledger }, address, wei, path) => {
    if (wei <= ledger.parameters.inWei(AMOUNT_MAX)) return wei;
    const units = wei / ledger.parameters.rules.weiPerUnit;
    throw refusal(
      path,
      `${toPrefixedHex(address)} would have ${units} native units, and an account can hold at most ${AMOUNT_MAX}`,
    );
  },
  setMinGasPrice: (_, price) => requireUpToOne(price, 'the price of gas is 1 here'),
  setBaseFee: (_, fee) => requireUpToOne(fee, 'there is no base fee here'),
  countsOperations: (ledger, address) => ledger.accounts.contractIdAt(address) === undefined,
  requireSender: (ledger, address) => {
    const account = ledger.accounts.accountByEvmAddress(address);
    if (account === undefined) return;
    throw new RefusedError({ code: 'senderNotAccount', address, accountAddress: accountAddress(account) });
  },
};

/** Sending on `/`: native transactions, signed by the wallet. */
const LEDGER_SENDING: SendingStyle = {
  transaction: mapped(
    sendRequestSchema,
    (request): OutgoingTransaction => ({
      send: (context, passphrase) => {
        const message = sendMessage(request, context);
        const { wallet } = context;
        return passphrase === undefined
          ? wallet.send(message)
          : wallet.sendWithPassphrase(message, passphrase);
      },
      sendUnsigned: (context) => context.wallet.sendUnsigned(sendMessage(request, context)),
      sign: (context, passphrase) =>
        rawTransaction(context.wallet.sign(sendMessage(request, context), passphrase)),
      // The index makes equal transactions differ in their expiration.
      signForBlock: (context, index) => context.wallet.sign(sendMessage(request, context), undefined, index),
    }),
  ),
  signedShape: shape.data,
  signer: ({ wallet }) => wallet,
  compositionErrors: COMPOSITION_ERRORS,
  lockedError: ERRORS.accountLocked,
  passphraseError: ERRORS.wrongPassphrase,
  decode: (raw) => decodeTransaction(raw, { knowsEthereum: false }),
  check: ({ ledger }, raw) => decodeTransaction(raw, ledger.parameters),
  expect: ({ ledger }, raw) => ledger.pool.signatures.expect(decodeTransaction(raw, ledger.parameters)),
  // An Ethereum transaction in it must be valid on `/ethereum`.
  submit: ({ ledger, allowUnprotected = false }, raw) => {
    const transaction = decodeTransaction(raw, ledger.parameters);
    if (ledger.parameters.knowsEthereum) requireProtected(transaction, { allowUnprotected });
    return ledger.pool.submit(transaction).hash;
  },
};

/** Prices on `/`: a unit of gas costs a native unit, without a base fee. */
const LEDGER_PRICES: GasPrices = {
  gasPrice: () => '0x1',
  baseFee: () => '0x0',
  priorityFee: () => '0x1',
  baseFeeOf: () => '0x0',
  *rewards(_context, _block, percentiles) {
    return percentiles.map(() => '0x1');
  },
  blobBaseFee: () => '0x0',
  blobRatio: () => 0,
  // biome-ignore lint/correctness/useYield: needs no steps.
  *usedRatio(_, { feesCollected }) {
    return feesCollected > 0n ? 1 : 0;
  },
};

/** The profile of `/`: the native interface, which always reads the head. */
export const LEDGER_PROFILE: Profile = {
  id: 'ledger',
  errorStyle: 'ledger',
  state: {
    parameter: { name: 'block', schema: ignoredBlockSchema },
    errors: [],
    differences: undefined,
    readsHead: () => () => true,
    at: (ledger) => ledger,
    oldest: (ledger) => ledger.blocks.head().number,
  },
  objects: LEDGER_OBJECTS,
  sending: LEDGER_SENDING,
  control: LEDGER_CONTROL,
  pool: { chains: 'test', section: 'control' },
  call: mapped(
    callRequestSchema,
    (request): CallBuilder =>
      (context, accounts, block) =>
        callMessage(request, context, accounts, block),
  ),
  unit: 'native units',
  prices: LEDGER_PRICES,
  chainIdShape: shape.integer,
  chainId: ({ chainId }) => chainId,
  networkId: ({ networkId }) => networkId,
  clientVersion,
  perUnit: () => 1n,
  balance: ({ ledger }, address) => ledger.accounts.balanceOf(address),
  transactionCount: ({ ledger }, address) => ledger.accounts.operationCount(address),
  codeShape: shape.either(shape.data, shape.constant('')),
  code: (bytes) => (bytes.length === 0 ? '' : toPrefixedHex(bytes)),
};

/** Accepts 0 and 1, which tools set. */
function requireUpToOne({ value, path }: WithPath<bigint>, reason: string): void {
  if (value > 1n) throw refusal(path, `${reason}: expected 0 or 1, got ${value}`);
}

/** Returns the chain name, the version, the operating system and its bitness. */
function clientVersion({ version }: MethodContext): string {
  const bits = ARCHITECTURES_32_BIT.has(process.arch) ? 32 : 64;
  return `LEDGER/${version}/${PLATFORM_NAMES[process.platform] ?? process.platform}.${bits}-bit`;
}
