/** A JSON Schema of draft 7, or a reference to one of the components of its document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The named schemas of a document. */
export type SchemaComponents = Map<string, JsonSchema>;

/** A parameter or a result with a JSON Schema. */
export interface Described {
  /** Returns the schema, or a reference to a named schema, which it adds to the components. */
  describe(components: SchemaComponents): JsonSchema;
}

export interface Annotation {
  readonly title?: string;
  readonly description?: string;
}

/** The position of schemas in an OpenRPC document. */
const COMPONENTS = '#/components/schemas/';

/** Describes as a named component. All descriptions with one name must be equal. */
export function asComponent(name: string, describe: Described['describe']): Described['describe'] {
  return (components) => {
    if (!components.has(name)) components.set(name, describe(components));
    return { $ref: `${COMPONENTS}${name}` };
  };
}

/** Adds annotations to a schema. A reference is wrapped in an `allOf`, since draft 7 ignores its siblings. */
export function annotated(schema: JsonSchema, annotation: Annotation): JsonSchema {
  return '$ref' in schema ? { ...annotation, allOf: [schema] } : { ...schema, ...annotation };
}

/** Returns the schema of a value, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

/** Returns the schema of an object with exactly these fields. */
export function objectSchema(
  fields: Readonly<Record<string, Described & { readonly isOptional?: boolean }>>,
  components: SchemaComponents,
): JsonSchema {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { isOptional }]) => isOptional !== true).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field.describe(components)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}
