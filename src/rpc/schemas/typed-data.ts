import { z } from 'zod';
import {
  JSON_DEPTH_MAX,
  JSON_VALUES_MAX,
  TYPED_DATA_CHARACTERS_MAX,
  TYPED_DATA_TYPES_MAX,
} from '../../limits.ts';
import type { TypedData } from '../../wallet/index.ts';
import { ParseError } from '../errors.ts';
import { describeValue } from '../json/describe.ts';
import { parseJson } from '../json/parse.ts';

const text = z.string({ error: ({ input }) => `expected a string, got ${describeValue(input)}` });
const anObject = {
  error: ({ input }: { input?: unknown }) => `expected an object, got ${describeValue(input)}`,
};

const dataSchema = z.object(
  {
    types: z
      .record(z.string(), z.array(z.object({ name: text, type: text }, anObject)), anObject)
      .transform((types) => new Map(Object.entries(types)))
      .refine(({ size }) => size <= TYPED_DATA_TYPES_MAX, `expected at most ${TYPED_DATA_TYPES_MAX} types`),
    primaryType: text,
    domain: z.record(z.string(), z.unknown(), anObject),
    message: z.record(z.string(), z.unknown(), anObject),
  },
  anObject,
);

/** Typed structured data (EIP-712), as an object or as the JSON text of one. */
export const typedDataSchema: z.ZodType<TypedData> = z
  .unknown()
  .transform((value, context): TypedData => {
    const refuse = (message: string, path: PropertyKey[] = []): never => {
      context.issues.push({ code: 'custom', message, path, input: value });
      return z.NEVER;
    };
    const given = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    if (given.length > TYPED_DATA_CHARACTERS_MAX) {
      return refuse(`expected at most ${TYPED_DATA_CHARACTERS_MAX} characters, got ${given.length}`);
    }
    const parsed = dataSchema.safeParse(typeof value === 'string' ? parsedText(value) : value);
    if (parsed.success) return parsed.data;
    const [problem] = parsed.error.issues;
    return refuse(problem?.message ?? 'not acceptable', [...(problem?.path ?? [])]);
  })
  .meta({
    id: 'TypedData',
    title: 'typed data',
    description: 'An object with `types`, `primaryType`, `domain` and `message` (EIP-712), or its JSON text.',
    anyOf: [{ type: 'object' }, { type: 'string' }],
  });

/** What a text holds; the text itself where it is not JSON, which is no object then. */
function parsedText(value: string): unknown {
  try {
    return parseJson(value, { jsonDepthMax: JSON_DEPTH_MAX, jsonValuesMax: JSON_VALUES_MAX });
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return value;
  }
}
