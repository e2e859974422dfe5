import type { Authorization, AuthorizationList } from '../../protocol/index.ts';
import { boundedQuantity, quantitySchema, uint64Schema } from './plain.ts';
import { addressSchema, explained, mapped, optional, type Schema } from './schema.ts';
import { arrayOf, objectOf } from './structures.ts';

/** `v` of an even y, in the older form of signatures. */
const EVEN_V = 27;

const numberSchema = optional(quantitySchema, 0n);
const parityNumberSchema = optional(boundedQuantity(0xff, 'as a byte'));

const authorizationSchema: Schema<Authorization> = mapped(
  objectOf(
    {
      chainId: explained(quantitySchema, { description: '0 for every chain.' }),
      address: explained(addressSchema, { description: 'The account with the code; zero to remove it.' }),
      nonce: explained(uint64Schema, { description: 'Nonce of the signing account.' }),
      yParity: parityNumberSchema,
      v: explained(parityNumberSchema, { description: 'Instead of `yParity`: 27 or 28.' }),
      r: explained(numberSchema, {
        description: 'Absent without a signature: the entry is skipped, and costs gas.',
      }),
      s: numberSchema,
    },
    'ignored',
  ),
  ({ v, yParity = v === undefined ? 0 : v < EVEN_V ? v : v - EVEN_V, ...authorization }) => ({
    ...authorization,
    yParity,
  }),
);

/** Authorizations of a transaction object (EIP-7702); the gas of the transaction bounds their number. */
export const authorizationListSchema: Schema<AuthorizationList> = arrayOf(authorizationSchema);
