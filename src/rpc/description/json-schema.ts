import { z } from 'zod';
import type { JsonSchema } from './openrpc-document.ts';

/** Collects the named schemas of a description and writes schemas that refer to them. */
export interface SchemaWriter {
  /** Writes a schema as a JSON Schema of draft 7; parts that have an id become components. */
  write(schema: z.ZodType): JsonSchema;
  /** The components so far, in the order of their names. */
  components(): Record<string, JsonSchema>;
}

const DEFINITIONS = '#/definitions/';
const COMPONENTS = '#/components/schemas/';

/** Creates a writer without components. */
export function createSchemaWriter(): SchemaWriter {
  const found = new Map<string, JsonSchema>();
  return {
    write: (schema) => {
      const converted = z.toJSONSchema(schema, {
        target: 'draft-7',
        // What goes over the wire: a transformed parameter is described as it is before it is transformed.
        io: 'input',
        // A check of our own has no JSON Schema; its metadata say what it is.
        unrepresentable: 'any',
      });
      const { $schema: _, definitions, id, ...own } = rewritten(converted);
      for (const [name, definition] of Object.entries(membersOf(definitions))) {
        found.set(name, withoutId(membersOf(definition)));
      }
      if (typeof id !== 'string') return own;
      found.set(id, own);
      return { $ref: `${COMPONENTS}${id}` };
    },
    components: () => Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** A copy whose references point to where an OpenRPC document keeps schemas. */
function rewritten(schema: unknown): Record<string, unknown> {
  const copy: unknown = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(DEFINITIONS)
      ? `${COMPONENTS}${value.slice(DEFINITIONS.length)}`
      : value,
  );
  return membersOf(copy);
}

function withoutId({ id: _, ...schema }: Record<string, unknown>): JsonSchema {
  return schema;
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
