import { type TypedData, WalletError } from '../../wallet/index.ts';
import { DEFAULT_RPC_LIMITS } from '../context/rpc-limits.ts';
import { parseJson } from '../messages/json-rpc.ts';
import { ParseError } from '../rpc-errors.ts';
import { textSchema } from './plain.ts';
import { mapped, named, refusal, type Schema, type WithPath } from './schema.ts';
import { arrayOf, entriesOf, membersOf, objectOf } from './structures.ts';

/** Characters of typed data that the test wallet signs, and types in it. */
const TYPED_DATA_CHARACTERS_MAX = 256 * 1024;
const TYPED_DATA_TYPES_MAX = 256;

const structureSchema: Schema<Readonly<Record<string, unknown>>> = {
  describe: () => ({ type: 'object' }),
  read: membersOf,
};

const fieldSchema = objectOf({ name: textSchema, type: textSchema }, 'ignored');

const typesSchema = mapped(entriesOf(textSchema, arrayOf(fieldSchema)), (types, path) => {
  if (types.length <= TYPED_DATA_TYPES_MAX) return new Map(types);
  throw refusal(path, `expected at most ${TYPED_DATA_TYPES_MAX} types`);
});

const dataSchema: Schema<TypedData> = objectOf(
  { types: typesSchema, primaryType: textSchema, domain: structureSchema, message: structureSchema },
  'ignored',
);

/** Typed structured data (EIP-712), as an object or as the JSON text of one. */
export const typedDataSchema: Schema<TypedData> = named(
  'TypedData',
  {
    title: 'typed data',
    description: 'An object with `types`, `primaryType`, `domain` and `message` (EIP-712), or its JSON text.',
  },
  {
    describe: (components) => ({ anyOf: [dataSchema.describe(components), { type: 'string' }] }),
    read: (value, path) => {
      const given = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      if (given.length > TYPED_DATA_CHARACTERS_MAX) {
        throw refusal(path, `expected at most ${TYPED_DATA_CHARACTERS_MAX} characters, got ${given.length}`);
      }
      return dataSchema.read(typeof value === 'string' ? parsedText(value) : value, path);
    },
  },
);

/**
 * Has typed data signed: what of it does not fit its types is an error of the parameter that has it.
 *
 * @throws InvalidParametersError, and what else signing throws
 */
export function signedAt<T>({ value, path }: WithPath<TypedData>, sign: (data: TypedData) => T): T {
  try {
    return sign(value);
  } catch (error) {
    if (!(error instanceof WalletError) || error.code !== 'INVALID_TYPED_DATA') throw error;
    throw refusal(path, error.message, error);
  }
}

/** Parses a text; returns the text itself where it is not JSON, which is refused as no object then. */
function parsedText(value: string): unknown {
  try {
    return parseJson(value, DEFAULT_RPC_LIMITS);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return value;
  }
}
