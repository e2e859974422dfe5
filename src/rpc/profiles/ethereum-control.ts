import { AMOUNT_MAX } from '../../consensus.ts';
import type { Ledger } from '../../ledger/index.ts';
import { addressOwner } from '../../protocol/index.ts';
import {
  arrayShape,
  blockShapeWith,
  data,
  dataShape,
  describedShape,
  integerShape,
  namedShape,
  nullableShape,
  type Shape,
  textShape,
  toEthereumBlock,
} from '../../view/index.ts';
import { RequestFailedError } from '../errors.ts';
import { stepped } from '../json/text-steps.ts';
import { controlQuantitySchema } from '../parameters/quantity.ts';
import type { Placed } from '../parameters/schema.ts';
import type { ChainControlStyle } from './chain-control.ts';
import { transactionObject } from './ethereum-objects.ts';

/** A transaction object with what came of the transaction. */
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
export const ETHEREUM_CONTROL: ChainControlStyle = {
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
    const transactions = ledger.blockTransactions(block.number).map((operation) => {
      const { output, revertReason } = detailOf(operation);
      return { ...transactionObject(context, operation), output: data(output), revertReason };
    });
    return toEthereumBlock(block, stepped(blockFacts.factSteps(ledger, block)), ledger.rules, transactions);
  },
  amount: controlQuantitySchema,
  inWei: (_, amount) => amount,
  // Tests set more than there can be; the operator is told.
  holdable: ({ ledger, onBalanceCut }, address, wei) => {
    const most = ledger.inWei(AMOUNT_MAX);
    if (wei <= most) return wei;
    onBalanceCut?.(address, wei, most);
    return most;
  },
  requirePrice,
  requireBaseFee: requirePrice,
  countsOperations: (_, address) => addressOwner(address).kind === 'account',
  requireSender: () => undefined,
};

/** Accepts the price as well as 0 and 1: tools set these to have no fees to think of. */
function requirePrice({ rules }: Ledger, { value: price }: Placed<bigint>): void {
  if (price <= 1n || price === rules.weiPerUnit) return;
  throw new RequestFailedError(`a unit of gas costs ${rules.weiPerUnit} wei here, got ${price}`);
}
