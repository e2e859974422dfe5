import { blockHashOf } from '../../protocol/index.ts';
import {
  data,
  hashShape,
  integerShape,
  namedShape,
  nullShape,
  objectShape,
  quantity,
  quantityShape,
  textShape,
} from '../../view/index.ts';
import { defineControlMethod, peerNames } from '../method.ts';

const nodeInfoShape = namedShape(
  'TestNodeInfo',
  { title: 'what a test node is' },
  objectShape({
    currentBlockNumber: quantityShape,
    currentBlockTimestamp: integerShape,
    currentBlockHash: hashShape,
    hardFork: textShape,
    transactionOrder: textShape,
    environment: objectShape({
      baseFee: quantityShape,
      chainId: integerShape,
      gasLimit: quantityShape,
      gasPrice: quantityShape,
    }),
    forkConfig: objectShape({ forkUrl: nullShape, forkBlockNumber: nullShape, forkRetryBackoff: nullShape }),
  }),
);

export const nodeInfo = defineControlMethod({
  ...peerNames('nodeInfo'),
  summary: 'Tells what the node runs: its head, its fork, and what gas costs.',
  work: 'quick',
  result: nodeInfoShape,
  handler: ({ ledger }) => {
    const { number, id, header } = ledger.head();
    const { weiPerUnit, blockGasLimit } = ledger.rules;
    return {
      currentBlockNumber: quantity(number),
      currentBlockTimestamp: header.timestamp,
      currentBlockHash: data(blockHashOf(id)),
      hardFork: ledger.hardfork,
      transactionOrder: 'fifo',
      environment: {
        baseFee: quantity(weiPerUnit),
        chainId: ledger.network.chainId,
        gasLimit: quantity(blockGasLimit),
        gasPrice: quantity(weiPerUnit),
      },
      forkConfig: { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null },
    };
  },
});
