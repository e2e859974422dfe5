import { SECONDS_WRITTEN_MAX } from '../../../limits.ts';
import { integerShape } from '../../../view/index.ts';
import { describeValue } from '../../json/describe.ts';
import { defineMethod } from '../../method.ts';
import { controlQuantitySchema } from '../../parameters/quantity.ts';
import { placed, refusal, type Schema } from '../../parameters/schema.ts';
import { checkedBlockTime } from '../../test-control/mining-order.ts';
import { peerNames } from '../../test-control/peer-names.ts';

/** A time as `JSON.stringify` writes a date (ISO 8601). */
const DATE_TEXT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Unix time in seconds, however it is written. */
const timeSchema: Schema<bigint> = {
  describe: (components) => ({
    title: 'seconds, milliseconds or a date',
    anyOf: [controlQuantitySchema.describe(components), { type: 'string', format: 'date-time' }],
  }),
  read: (value, place) => {
    if (typeof value !== 'string' || /^(0x|\d+$)/.test(value)) {
      const time = controlQuantitySchema.read(value, place);
      return time > BigInt(SECONDS_WRITTEN_MAX) ? time / 1_000n : time;
    }
    const milliseconds = DATE_TEXT.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isFinite(milliseconds)) return BigInt(Math.floor(milliseconds / 1_000));
    throw refusal(
      place,
      `expected a QUANTITY or a date such as 2030-01-31T12:00:00Z, got ${describeValue(value)}`,
    );
  },
};

export const setTime = defineMethod({
  ...peerNames('setTime', 'evm_setTime'),
  summary: 'Sets the time of day that the next blocks go by, and answers by how many seconds it moved.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    {
      name: 'time',
      schema: placed(timeSchema),
      summary: 'Unix time in seconds, above 10^12 in milliseconds, or a date; not before the latest block.',
    },
  ],
  result: integerShape,
  differences: 'Answers a negative number where time went back.',
  handler: ({ control, ledger }, [time]) => {
    const next = checkedBlockTime(time, ledger);
    const before = ledger.now();
    control.setTime(next);
    return next - before;
  },
});
