/** A JSON Schema of draft 7, or a reference to one of the components of its document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schemas of a document that have names. */
export type SchemaComponents = Map<string, JsonSchema>;

/** A parameter or a result with a JSON Schema. */
export interface Described {
  /** Returns the schema. A named one is added to the components, and a reference stands for it. */
  describe(components: SchemaComponents): JsonSchema;
}

/** The texts of a schema beside its values. */
export interface Annotation {
  readonly title?: string;
  readonly description?: string;
}

/** The position of schemas in an OpenRPC document. */
const COMPONENTS = '#/components/schemas/';

/** Describes as a component. All descriptions of one name mean the same. */
export function asComponent(name: string, describe: Described['describe']): Described['describe'] {
  return (components) => {
    if (!components.has(name)) components.set(name, describe(components));
    return { $ref: `${COMPONENTS}${name}` };
  };
}

/** Adds texts to a schema; beside a reference draft 7 ignores everything, so that it goes into an `allOf`. */
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
