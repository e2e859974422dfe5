import { AMOUNT_MAX } from '../../../consensus.ts';
import { constantShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { controlQuantitySchema } from '../../parameters/quantity.ts';
import { mapped, refusal } from '../../parameters/schema.ts';
import { peerNames } from '../../test-control/peer-names.ts';

const gasSchema = mapped(controlQuantitySchema, (gas, place) => {
  if (gas >= 1n && gas <= AMOUNT_MAX) return gas;
  throw refusal(place, `expected 1 to ${AMOUNT_MAX} gas, got ${gas}`);
});

export const setBlockGasLimit = defineMethod({
  ...peerNames('setBlockGasLimit', 'evm_setBlockGasLimit'),
  summary:
    'Bounds the gas of each block from now on: a transaction that offers more than what is left waits.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'gas', schema: gasSchema, summary: `${AMOUNT_MAX} is no bound.` }],
  result: constantShape(true),
  differences:
    'Bounds which transactions a block takes. The `gasLimit` of blocks and the opcode GASLIMIT stay what they are. ' +
    "What offers more than a whole block has waits until it is raised, which the node's log tells; anvil refuses " +
    'it. 0 is refused, as by Hardhat.',
  example: { parameters: ['0x1c9c380'], result: true },
  handler: ({ control }, [gas]) => {
    control.setGasLimit(gas === AMOUNT_MAX ? undefined : gas);
    return true;
  },
});
