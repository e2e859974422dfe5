import { describeValue } from '../json/describe.ts';
import { mapped, refusal, type Schema } from '../parameters/schema.ts';
import { arrayOf } from '../parameters/structures.ts';
import type { ParityKinds } from './parity-traces.ts';

const KINDS = ['trace', 'vmTrace', 'stateDiff'] as const;

const kindSchema: Schema<(typeof KINDS)[number]> = {
  describe: () => ({ type: 'string', enum: [...KINDS] }),
  read: (value, place) => {
    const kind = KINDS.find((known) => known === value);
    if (kind !== undefined) return kind;
    const got = typeof value === 'string' ? JSON.stringify(value.slice(0, 32)) : describeValue(value);
    throw refusal(place, `expected one of ${KINDS.join(', ')}, got ${got}`);
  },
};

/** Which traces are asked for: a list of their names. */
export const parityKindsSchema: Schema<ParityKinds> = mapped(
  arrayOf(kindSchema, { most: KINDS.length, unit: 'kinds of traces' }),
  (kinds) => ({
    trace: kinds.includes('trace'),
    vmTrace: kinds.includes('vmTrace'),
    stateDiff: kinds.includes('stateDiff'),
  }),
);
