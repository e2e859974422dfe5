import { headNumber } from '../client/blocks.ts';
import { call } from '../client/rpc.ts';
import { Section } from '../parts/layout.tsx';
import { BlockLink } from '../parts/links.tsx';
import { ActionForm, type Field, FieldError, type Values } from './action-form.tsx';
import { integerField, quantity } from './reading-fields.ts';

const FIELDS: readonly Field[] = [
  { name: 'count', label: 'Blocks', initial: '1', input: { kind: 'number' } },
  { name: 'interval', label: 'Seconds between them', initial: '0', input: { kind: 'number' } },
];

const MODES: readonly Field[] = [
  {
    name: 'mode',
    label: 'Mining mode',
    input: {
      kind: 'choice',
      choices: [
        { value: 'instant', label: 'Automine: a block for each transaction' },
        { value: 'interval', label: 'Interval' },
        { value: 'none', label: 'Manual: on request only' },
      ],
    },
  },
  { name: 'seconds', label: 'Interval in seconds', initial: '5', input: { kind: 'number' } },
];

/** Makes blocks, and selects when they are made automatically. */
export function MiningTool() {
  const mine = async (values: Values) => {
    const count = integerField(values, 'count');
    const interval = integerField(values, 'interval');
    await call('hardhat_mine', quantity(count), quantity(interval));
    return (
      <p>
        The latest block is <BlockLink number={await headNumber()} />.
      </p>
    );
  };
  return (
    <Section title="Mining">
      <ActionForm fields={FIELDS} action="Mine" label="Blocks now" run={mine} />
      <ActionForm fields={MODES} action="Set" label="Mining mode" run={setMode} />
    </Section>
  );
}

async function setMode(values: Values) {
  switch (values.mode) {
    case 'instant':
      await call('evm_setAutomine', true);
      return <p>Automine is on: each transaction gets its block at once.</p>;
    case 'none':
      // An interval that was set before would come back.
      await call('evm_setIntervalMining', 0);
      await call('evm_setAutomine', false);
      return <p>Manual: blocks are mined on request only.</p>;
    default: {
      const seconds = integerField(values, 'seconds');
      if (seconds === 0n) throw new FieldError('seconds', 'at least 1 second');
      await call('evm_setIntervalMining', Number(seconds));
      return <p>Interval: a block every {String(seconds)} s.</p>;
    }
  }
}
