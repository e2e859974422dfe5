import { AMOUNT_MAX } from '../../consensus.ts';
import { CODE_SET_BYTES_MAX } from '../../limits.ts';
import { dataSchema } from './bytes.ts';
import { controlQuantitySchema } from './quantity.ts';
import { explained, mapped, refusal, type Schema } from './schema.ts';

/** QUANTITY of native units that an account can hold. */
export const balanceSchema: Schema<bigint> = explained(
  mapped(controlQuantitySchema, (value, place) => {
    if (value <= AMOUNT_MAX) return value;
    const limit = `expected at most ${AMOUNT_MAX} native units, which is what an account can hold`;
    throw refusal(place, `${limit}, got ${value}`);
  }),
  { description: `Native units, at most ${AMOUNT_MAX}: about 9.22 of what clients take for 10^18 units.` },
);

/** DATA that is code, or an empty text for none. */
export const codeSchema: Schema<Uint8Array> = {
  describe: (components) => ({ anyOf: [dataSchema.describe(components), { type: 'string', maxLength: 0 }] }),
  read: (value, place) => {
    const code = value === '' ? new Uint8Array() : dataSchema.read(value, place);
    if (code.length <= CODE_SET_BYTES_MAX) return code;
    throw refusal(place, `expected at most ${CODE_SET_BYTES_MAX} bytes of code, got ${code.length}`);
  },
};
