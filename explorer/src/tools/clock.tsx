import { numberOf, quantityOf } from '../client/reading.ts';
import { call } from '../client/rpc.ts';
import { POLL_MS } from '../limits.ts';
import { liveBlocks } from '../live/feed.ts';
import { Section } from '../parts/layout.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { momentText } from '../text/times.ts';
import { ActionForm, type Field, FieldError, type Values } from './action-form.tsx';
import { integerField, quantity } from './reading-fields.ts';

const FORWARD: readonly Field[] = [
  { name: 'amount', label: 'How far', initial: '1', input: { kind: 'number' } },
  {
    name: 'unit',
    label: 'Unit',
    input: {
      kind: 'choice',
      choices: [
        { value: '3600', label: 'hours' },
        { value: '86400', label: 'days' },
        { value: '60', label: 'minutes' },
        { value: '1', label: 'seconds' },
      ],
    },
  },
];

const MOMENT: readonly Field[] = [
  {
    name: 'moment',
    label: 'Time of the next block',
    hint: 'seconds since 1970, or a date in UTC such as 2030-01-31 12:00',
    input: { kind: 'wide' },
  },
];

/** Moves the clock of the next blocks. */
export function ClockTool() {
  const forward = async (values: Values) => {
    const seconds = integerField(values, 'amount') * integerField(values, 'unit');
    const total = quantityOf(await call('evm_increaseTime', quantity(seconds)));
    return <p>The clock is {String(total)} s ahead of the machine's, for the blocks that follow.</p>;
  };
  const set = async (values: Values) => {
    const moment = readMoment(values.moment ?? '');
    await call('evm_setNextBlockTimestamp', quantity(BigInt(moment)));
    return <p>The next block will be of {momentText(moment)}.</p>;
  };
  return (
    <Section title="Time" note={<ChainClock />}>
      <ActionForm fields={FORWARD} action="Go forward" label="Time" run={forward} />
      <ActionForm fields={MOMENT} action="Set" label="Time of the next block" run={set} />
    </Section>
  );
}

/** Shows the time of the latest block, and by how much the clock is ahead of the machine's. */
function ChainClock() {
  const [head] = liveBlocks.value;
  const loaded = useLoaded(
    `clock ${head?.header.hash}`,
    async () => numberOf(await call('evm_increaseTime', '0x0')),
    POLL_MS,
  );
  if (head === undefined) return null;
  const ahead = loaded.state === 'ready' ? loaded.value : 0;
  return (
    <>
      latest block {momentText(head.header.timestamp)}
      {ahead !== 0 && `, clock ${ahead}\u202fs ahead`}
    </>
  );
}

/** Unix time in seconds. @throws FieldError */
function readMoment(text: string): number {
  const trimmed = text.trim();
  if (/^\d{1,11}$/.test(trimmed)) return Number(trimmed);
  const [, date, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)Z?)?$/.exec(trimmed) ?? [];
  const milliseconds = date === undefined ? Number.NaN : Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(milliseconds)) throw new FieldError('moment', 'expected seconds since 1970, or a date');
  return milliseconds / 1_000;
}
