import { BLOCK_NUMBER_MAX } from '../../../consensus.ts';
import { type Shape, shape, toLog, type ValueOf } from '../../../formatters/index.ts';
import { jsonPieces } from '../../../json/pieces.ts';
import { bytesToHex, quantity, toPrefixedHex } from '../../../protocol/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import type { ResponseBody } from '../../json/response-body.ts';
import { writtenInPieces } from '../../json/text-in-pieces.ts';
import { defineStateQuery, type MethodDefinition } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import { boundedQuantity } from '../../parameters/plain.ts';
import { addressSchema, explained, optional } from '../../parameters/schema.ts';
import { objectOf } from '../../parameters/structures.ts';
import {
  findHoldings,
  type Holding,
  TOKEN_BALANCES_MAX,
  TOKEN_CANDIDATES_MAX,
} from '../../standards/holdings.ts';
import { type Token, tokenAt } from '../../standards/token.ts';
import {
  findTransfers,
  type LogPlace,
  TRANSFER_LOGS_MAX,
  type TransferLog,
  type TransferSearch,
} from '../../standards/transfer-logs.ts';

/** Transfers of one page, at most and by default; those of the last log may exceed it. */
const TOKEN_TRANSFERS_MAX = 100;
const TOKEN_TRANSFERS_DEFAULT = 25;

const FOREIGN = 'Text of a stranger, cleaned of control and direction characters, and cut; null for none.';

const tokenFields = {
  address: shape.address,
  standard: shape.described(shape.text, '`ERC20`, `ERC721`, `ERC1155` or `ERC4626`.'),
  name: shape.described(shape.nullable(shape.text), FOREIGN),
  symbol: shape.described(shape.nullable(shape.text), FOREIGN),
  decimals: shape.described(
    shape.nullable(shape.integer),
    'Null if the token states none, or more than 36: amounts are then in its smallest units.',
  ),
};
const shortTokenShape = shape.named('TokenName', { title: 'token' }, shape.object(tokenFields));

const tokenShape = shape.named(
  'Token',
  { title: 'token with its supply' },
  shape.object({
    ...tokenFields,
    totalSupply: shape.nullable(shape.quantity),
    asset: shape.described(shape.nullable(shape.address), 'Of a vault of ERC-4626.'),
    assetsPerShare: shape.described(shape.nullable(shape.quantity), 'Assets for one whole share of it.'),
  }),
);

/** Returns the members of a token that each mention of it has. */
function shortToken({ address, standard, name, symbol, decimals }: Token) {
  return {
    address: toPrefixedHex(address),
    standard,
    name: name ?? null,
    symbol: symbol ?? null,
    decimals: decimals ?? null,
  };
}

const quantityOrNull = (number: bigint | undefined) => (number === undefined ? null : quantity(number));

const LATEST =
  'Ethereum has no such method. The contract runs in the latest state, with 100000 gas for each call.';

const getToken = defineStateQuery({
  name: 'ledger_getToken',
  summary:
    'Returns the token at an address, by its own answers (ERC-165, ERC-20, ERC-721, ERC-1155, ERC-4626); null for any ' +
    'other address.',
  parameters: [{ name: 'address', schema: addressSchema }],
  beforeFork: 'local',
  result: shape.nullable(tokenShape),
  differences: LATEST,
  handler: ({ ledger }, [address]) => {
    const token = tokenAt(ledger, address);
    if (token === undefined) return null;
    const { totalSupply, asset, assetsPerShare } = token;
    return {
      ...shortToken(token),
      totalSupply: quantityOrNull(totalSupply),
      asset: asset === undefined ? null : toPrefixedHex(asset),
      assetsPerShare: quantityOrNull(assetsPerShare),
    };
  },
});

const placeShape = shape.object({ blockNumber: shape.quantity, logIndex: shape.quantity });

const transferPageShape = shape.object({
  transfers: shape.array(
    shape.object({
      token: shortTokenShape,
      from: shape.address,
      to: shape.address,
      tokenId: shape.described(shape.nullable(shape.quantity), 'Null for ERC-20.'),
      amount: shape.quantity,
      blockNumber: shape.quantity,
      blockTimestamp: shape.quantity,
      transactionHash: shape.hash,
      logIndex: shape.quantity,
    }),
  ),
  next: shape.described(shape.nullable(placeShape), 'The `before` of the next page; null on the last page.'),
});

const transferSearchSchema = objectOf({
  address: explained(optional(addressSchema), { description: 'Transfers from or to it.' }),
  token: explained(optional(addressSchema), { description: 'Transfers of it.' }),
});

const placeSchema = objectOf({
  blockNumber: boundedQuantity(BLOCK_NUMBER_MAX, 'as a block number'),
  logIndex: boundedQuantity(Number.MAX_SAFE_INTEGER, 'as a position'),
});

const SEARCH_ERRORS = [ERRORS.tooManyLogs, ERRORS.answerTooLong, ERRORS.blockReverted];
const SEARCHED =
  'Ethereum has no such method. It reads the index of event logs; balances that a token changes without a log are ' +
  'not found. On a fork, transfers before it are not found.';

const getTokenTransfers = defineStateQuery({
  name: 'ledger_getTokenTransfers',
  summary:
    'Returns transfers of tokens, newest first: by `Transfer`, `TransferSingle` and `TransferBatch` of contracts that ' +
    'answer as tokens.',
  parameters: [
    { name: 'search', schema: transferSearchSchema },
    {
      name: 'before',
      schema: optional(placeSchema),
      summary: 'The `next` of the previous page; null for the first page.',
    },
    {
      name: 'count',
      schema: optional(boundedQuantity(TOKEN_TRANSFERS_MAX, 'transfers'), TOKEN_TRANSFERS_DEFAULT),
      summary:
        `Transfers of a page: ${TOKEN_TRANSFERS_DEFAULT} by default, at most ${TOKEN_TRANSFERS_MAX}; ` +
        'the last log may have more.',
    },
  ],
  beforeFork: 'local',
  result: transferPageShape,
  errors: SEARCH_ERRORS,
  differences: SEARCHED,
  handler: (context, [{ address, token }, before, count]) => {
    const head = context.ledger.blocks.head();
    const found = findTransfers(context, { token, holder: address }, head, before);
    return written(transferPage(context, found, count, before), 'request fewer transfers');
  },
});

type TransferPage = ValueOf<typeof transferPageShape>;

/** Reads a page of transfers in steps, and those of contracts that are no tokens too, which it leaves out. */
function* transferPage(
  context: QueryContext,
  found: ReturnType<typeof findTransfers>,
  count: number,
  before: LogPlace | undefined,
): Generator<undefined, TransferPage> {
  const tokens = new Map<string, Token | undefined>();
  const transfers: TransferPage['transfers'][number][] = [];
  let last = before && { blockNumber: quantity(before.blockNumber), logIndex: quantity(before.logIndex) };
  while (transfers.length < count) {
    const next = found.next();
    if (next.done === true) return { transfers, next: next.value ? null : (last ?? null) };
    yield;
    if (next.value === undefined) continue;
    const { blockNumber, logIndex } = toLog(next.value.log);
    last = { blockNumber, logIndex };
    transfers.push(...transferObjects(context, next.value, tokens));
  }
  return { transfers, next: last ?? null };
}

function transferObjects(
  { ledger, objects }: QueryContext,
  { log, transfers }: TransferLog,
  tokens: Map<string, Token | undefined>,
): TransferPage['transfers'] {
  const key = bytesToHex(log.address);
  if (!tokens.has(key)) tokens.set(key, tokenAt(ledger, log.address));
  const token = tokens.get(key);
  if (token === undefined) return [];
  const [shown = log] = objects.logs(ledger, [log]);
  const { blockNumber, blockTimestamp, transactionHash, logIndex } = toLog(shown);
  return transfers.map(({ from, to, tokenId, amount }) => ({
    token: shortToken(token),
    from: toPrefixedHex(from),
    to: toPrefixedHex(to),
    tokenId: quantityOrNull(tokenId),
    amount: quantity(amount),
    blockNumber,
    blockTimestamp,
    transactionHash,
    logIndex,
  }));
}

const holdingShape = <const F extends Fields>(fields: F) =>
  shape.object({
    balances: shape.array(
      shape.object({
        ...fields,
        tokenId: shape.described(shape.nullable(shape.quantity), 'Only of ERC-1155.'),
        balance: shape.described(shape.quantity, 'By the `balanceOf` of the token.'),
      }),
      TOKEN_BALANCES_MAX,
    ),
    complete: shape.described(
      shape.flag,
      `False if there may be others: at most ${TRANSFER_LOGS_MAX} transfers with ${TOKEN_CANDIDATES_MAX} balances are ` +
        `searched, the newest, for the time of a trace, and ${TOKEN_BALANCES_MAX} balances are read, the greatest by ` +
        'the transfers.',
    ),
  });
type Fields = Readonly<Record<string, Shape<unknown>>>;

const getTokenBalances = defineStateQuery({
  name: 'ledger_getTokenBalances',
  summary: 'Returns the balances of an address in the tokens that it sent or received, the greatest first.',
  parameters: [{ name: 'address', schema: addressSchema }],
  beforeFork: 'local',
  result: holdingShape({ token: shortTokenShape }),
  errors: SEARCH_ERRORS,
  differences: SEARCHED,
  handler: (context, [holder]) =>
    written(
      balances(context, { token: undefined, holder }, ({ token }) => ({ token: shortToken(token) })),
      ADVICE,
    ),
});

const getTokenHolders = defineStateQuery({
  name: 'ledger_getTokenHolders',
  summary: 'Returns the balances of the addresses that sent or received a token, the greatest first.',
  parameters: [{ name: 'token', schema: addressSchema }],
  beforeFork: 'local',
  result: holdingShape({ holder: shape.address }),
  errors: SEARCH_ERRORS,
  differences: SEARCHED,
  handler: (context, [token]) =>
    written(
      balances(context, { token, holder: undefined }, ({ holder }) => ({ holder: toPrefixedHex(holder) })),
      ADVICE,
    ),
});

const ADVICE = 'use ledger_getTokenTransfers';

function* balances<T extends object>(
  context: QueryContext,
  search: TransferSearch,
  partyOf: (holding: Holding) => T,
) {
  const { holdings, isComplete } = yield* findHoldings(context, search, context.ledger.blocks.head());
  return {
    balances: holdings.map((holding) => ({
      ...partyOf(holding),
      tokenId: quantityOrNull(holding.tokenId),
      balance: quantity(holding.balance),
    })),
    complete: isComplete,
  };
}

/** Writes the result of a job as a response in pieces, with a pause after each step. */
function written<T>(job: Generator<undefined, T>, advice: string): ResponseBody<T> {
  return writtenInPieces<T>(piecesOf(job), advice);
}

function* piecesOf(job: Generator<undefined, unknown>): Generator<string, void> {
  for (;;) {
    const next = job.next();
    if (next.done === true) return yield* jsonPieces(next.value);
    yield '';
  }
}

/** The methods that show tokens, by the index of event logs and by calls of their contracts. */
export const TOKEN_QUERIES: readonly MethodDefinition[] = [
  getToken,
  getTokenTransfers,
  getTokenBalances,
  getTokenHolders,
];
