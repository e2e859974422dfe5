import {
  arrayShape,
  describedShape,
  namedShape,
  numberShape,
  objectShape,
  optionalShape,
  quantityShape,
  type ValueOf,
} from './shapes.ts';

/** The result of `eth_feeHistory`. */
export const feeHistoryShape = namedShape(
  'FeeHistory',
  { title: 'fee history' },
  objectShape({
    oldestBlock: quantityShape,
    baseFeePerGas: describedShape(arrayShape(quantityShape), 'One more than blocks: that of the next.'),
    gasUsedRatio: arrayShape(numberShape),
    baseFeePerBlobGas: arrayShape(quantityShape),
    blobGasUsedRatio: arrayShape(numberShape),
    reward: optionalShape(arrayShape(arrayShape(quantityShape))),
  }),
);

export type FeeHistory = ValueOf<typeof feeHistoryShape>;
