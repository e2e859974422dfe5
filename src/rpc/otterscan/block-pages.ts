import type { BlockSummary, IncludedOperation } from '../../ledger/index.ts';
import { invariant } from '../../protocol/index.ts';
import {
  arrayShape,
  namedShape,
  objectShape,
  quantity,
  quantityShape,
  type Shape,
} from '../../view/index.ts';
import { listPieces, readingOf } from '../blocks/block-steps.ts';
import { ResponseBody } from '../json/response-body.ts';
import { TextSteps } from '../json/text-steps.ts';
import type { QueryContext } from '../method-context.ts';
import type { Profile } from '../profiles/profile.ts';

/** Digits of `0x` and a selector. */
const SELECTOR_CHARACTERS = 10;

/** An object of the profile, with changes that its schema would not allow. */
const changedShape = (title: string, description: string): Shape<unknown> => ({
  describe: () => ({ type: 'object', title, description }),
});

const headerShape = changedShape(
  'block object of the profile',
  'Without transactions, but for `getBlockTransactions`; `transactionCount` is a number, `logsBloom` null.',
);

/** A block with what it has paid out. */
export const blockDetailsShape = namedShape(
  'BlockDetails',
  { title: 'block with what it has paid out' },
  objectShape({
    block: headerShape,
    issuance: objectShape({
      blockReward: quantityShape,
      uncleReward: quantityShape,
      issuance: quantityShape,
    }),
    totalFees: quantityShape,
  }),
);

/** A page of the transactions of a block. */
export const blockPageShape = namedShape(
  'BlockPage',
  { title: 'transactions of a block' },
  objectShape({
    fullblock: headerShape,
    receipts: arrayShape(changedShape('receipt object of the profile', '`logs` and `logsBloom` are null.')),
  }),
);

/** What of a block is shown beside its transactions. */
function* headerOf(context: QueryContext, profile: Profile, block: BlockSummary) {
  const header = yield* profile.objects.blockFields(context, block);
  return { ...header, logsBloom: null, transactionCount: block.operationCount, transactions: [] };
}

/** A block and its fees; nothing is issued here. Written in steps. */
export function blockDetails(context: QueryContext, profile: Profile, block: BlockSummary): ResponseBody {
  const nothing = quantity(0);
  const write = function* (): Generator<string, void> {
    const header = yield* headerOf(context, profile, block);
    yield JSON.stringify({
      block: header,
      issuance: { blockReward: nothing, uncleReward: nothing, issuance: nothing },
      totalFees: quantity(block.feesCollected * profile.perUnit(context.ledger)),
    });
  };
  return new ResponseBody(new TextSteps(write(), { advice: FEWER }));
}

/** Transactions of a block from its end on, in the order of the block: page 0 has the last ones. Written in steps. */
export function blockPage(
  context: QueryContext,
  profile: Profile,
  block: BlockSummary,
  page: number,
  size: number,
): ResponseBody {
  const end = Math.max(0, block.operationCount - page * size);
  const places = Array.from({ length: Math.min(size, end) }, (_, place) => end - Math.min(size, end) + place);
  const write = function* (): Generator<string, void> {
    const header = yield* headerOf(context, profile, block);
    yield `{"fullblock":${JSON.stringify(header).slice(0, -NO_TRANSACTIONS.length)}`;
    yield* listPieces(
      eachOf(context, block, places, (operation) => shortTransaction(context, profile, operation)),
    );
    yield '},"receipts":';
    yield* listPieces(
      eachOf(context, block, places, (operation) => shortReceipt(context, profile, operation)),
    );
    yield '}';
  };
  return new ResponseBody(new TextSteps(write(), { advice: FEWER }));
}

const FEWER = 'ask for fewer transactions';
/** The end of a header object. */
const NO_TRANSACTIONS = '[]}';

/** The texts of operations of a block, each in pieces. @throws RequestFailedError */
function* eachOf(
  { ledger }: QueryContext,
  block: BlockSummary,
  places: readonly number[],
  write: (operation: IncludedOperation) => Iterable<string>,
): Generator<Iterable<string>, void> {
  const check = readingOf(ledger, block);
  for (const place of places) {
    const operation = ledger.operationAt(block.number, place);
    if (operation !== undefined) yield write(operation);
    check();
  }
}

function* shortTransaction(
  context: QueryContext,
  profile: Profile,
  operation: IncludedOperation,
): Generator<string, void> {
  const pieces: string[] = [];
  for (const piece of profile.objects.transaction(context, operation).pieces()) {
    pieces.push(piece);
    yield '';
  }
  const transaction: { input: string } = JSON.parse(pieces.join(''));
  yield JSON.stringify({ ...transaction, input: transaction.input.slice(0, SELECTOR_CHARACTERS) });
}

function* shortReceipt(
  context: QueryContext,
  profile: Profile,
  operation: IncludedOperation,
): Generator<string, void> {
  const receipt = yield* profile.objects.logFreeReceipt(context, operation);
  invariant(receipt !== null, 'every operation of a block has a receipt');
  yield JSON.stringify({ ...receipt, logs: null, logsBloom: null });
}
