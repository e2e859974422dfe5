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
    label: 'Blocks come',
    input: {
      kind: 'choice',
      choices: [
        { value: 'instant', label: 'for each transaction at once' },
        { value: 'interval', label: 'at an interval' },
        { value: 'none', label: 'on request only' },
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
        The newest block is <BlockLink number={await headNumber()} />.
      </p>
    );
  };
  return (
    <Section title="Mining">
      <ActionForm fields={FIELDS} action="Mine" label="Blocks now" run={mine} />
      <ActionForm fields={MODES} action="Set" label="When blocks come" run={setMode} />
    </Section>
  );
}

async function setMode(values: Values) {
  switch (values.mode) {
    case 'instant':
      await call('evm_setAutomine', true);
      return <p>Each transaction gets its block at once.</p>;
    case 'none':
      // An interval that was set before would come back.
      await call('evm_setIntervalMining', 0);
      await call('evm_setAutomine', false);
      return <p>No block comes by itself.</p>;
    default: {
      const seconds = integerField(values, 'seconds');
      if (seconds === 0n) throw new FieldError('seconds', 'at least 1 second');
      await call('evm_setIntervalMining', Number(seconds));
      return <p>A block comes every {String(seconds)} s.</p>;
    }
  }
}
