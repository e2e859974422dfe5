import { AMOUNT_MAX } from '../../consensus.ts';
import type { Ledger, LedgerQueries } from '../../ledger/index.ts';
import { type Address, addressOwner } from '../../protocol/index.ts';
import {
  arrayShape,
  blockShapeWith,
  data,
  dataShape,
  describedShape,
  type Hexadecimal,
  integerShape,
  namedShape,
  nullableShape,
  quantity,
  quantityShape,
  type Shape,
  textShape,
  toEthereumBlock,
} from '../../view/index.ts';
import { ERRORS } from '../description/described-errors.ts';
import { RequestFailedError } from '../errors.ts';
import { ResponseBody } from '../json/response-body.ts';
import { stepped } from '../json/text-steps.ts';
import { isTestChain, type MethodContext, type QueryContext } from '../method-context.ts';
import { controlQuantitySchema } from '../parameters/quantity.ts';
import { mapped, type Placed } from '../parameters/schema.ts';
import { ethereumMessage, ethereumRequestSchema } from '../transactions/ethereum-call-messages.ts';
import { ETHEREUM_OBJECTS, transactionObject } from './ethereum-objects.ts';
import { ETHEREUM_SENDING } from './ethereum-sending.ts';
import type { CallBuilder, ChainControlStyle, GasPrices, Profile, StateReference } from './profile.ts';
import { meansHead, pendingOr, STATE_DIFFERENCES, STATE_PARAMETER, stateAt } from './state-at.ts';

/** The anvil whose methods a test chain has, by which tools know what to expect. */
const ANVIL = 'anvil/v1.7.1';

/** A transaction object with the outcome of the transaction. */
const detailedTransactionShape: Shape<object> = {
  describe: (components) => ({
    type: 'object',
    required: ['hash', 'output', 'revertReason'],
    properties: {
      output: describedShape(dataShape, 'Revert data; empty after a success.').describe(components),
      revertReason: describedShape(nullableShape(textShape), 'Why it failed; null after a success.').describe(
        components,
      ),
    },
  }),
};

/** The style of `/ethereum`: amounts in wei, results as anvil has them. */
const ETHEREUM_CONTROL: ChainControlStyle = {
  // The first snapshot of a chain is number 0 for anvil, and 1 for the ledger.
  firstSnapshot: 1,
  mined: '0x0',
  leads: true,
  secondsShape: integerShape,
  seconds: (seconds) => seconds,
  detailedBlockShape: namedShape(
    'DetailedBlock',
    { title: 'block object with what came of its transactions' },
    blockShapeWith(arrayShape(detailedTransactionShape), {}),
  ),
  detailedBlock: (context, block, detailOf) => {
    const { ledger, blockFacts } = context;
    const transactions = ledger.blocks.blockTransactions(block.number).map((operation) => {
      const { output, revertReason } = detailOf(operation);
      return { ...transactionObject(context, operation), output: data(output), revertReason };
    });
    return toEthereumBlock(
      block,
      stepped(blockFacts.factSteps(ledger, block)),
      ledger.parameters.rules,
      transactions,
    );
  },
  amount: controlQuantitySchema,
  inWei: (_, amount) => amount,
  // Tests set more than there can be; the operator is told.
  holdable: ({ ledger, onBalanceCut }, address, wei) => {
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
    readsHead: meansHead,
    at: (ledger, reference = 'latest') => stateAt(ledger, reference),
    oldest: ({ history: { oldestKept } }) => oldestKept,
    readsPending: ({ pending }, { parameters }) =>
      !pending.isEmpty && Array.isArray(parameters) && parameters[1] === 'pending',
    atOrPending: ({ ledger, pending }, reference = 'latest') => pendingOr(pending, ledger, reference),
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
  chainIdShape: quantityShape,
  chainId: chainIdText,
  networkId: ({ chainId }) => chainId,
  clientVersion,
  perUnit: ({ parameters: { rules } }) => rules.weiPerUnit,
  balance: ({ ledger, pending }, address, reference = 'latest') =>
    pendingOr(pending, ledger, reference).accounts.weiBalanceOf(address),
  transactionCount: nonceOf,
  codeShape: dataShape,
  code: data,
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
