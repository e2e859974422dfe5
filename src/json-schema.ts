/** A JSON Schema of draft 7, or a reference to one of the components of its document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schemas of a document that have names. */
export type SchemaComponents = Map<string, JsonSchema>;

/** What can be described as a JSON Schema: a parameter, or a result. */
export interface Described {
  /** Describes it. What has a name of its own goes to the components, and a reference stands for it. */
  describe(components: SchemaComponents): JsonSchema;
}

/** What a schema says beside the values that it takes. */
export interface Annotation {
  readonly title?: string;
  readonly description?: string;
}

/** Where an OpenRPC document keeps its schemas. */
const COMPONENTS = '#/components/schemas/';

/** Describes as a component. Whoever describes under a name already taken means the same. */
export function asComponent(name: string, describe: Described['describe']): Described['describe'] {
  return (components) => {
    if (!components.has(name)) components.set(name, describe(components));
    return { $ref: `${COMPONENTS}${name}` };
  };
}

/** Adds to a schema; beside a reference draft 7 ignores everything, so that it goes into an `allOf`. */
export function annotated(schema: JsonSchema, annotation: Annotation): JsonSchema {
  return '$ref' in schema ? { ...annotation, allOf: [schema] } : { ...schema, ...annotation };
}

/** The schema of a value, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

/** The schema of an object that has these fields and no others. */
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
