import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';

/** The package's declarations leave out what it exports. */
const { openrpcDocument }: { openrpcDocument: object } = createRequire(import.meta.url)(
  '@open-rpc/meta-schema',
);

/** A schema checker that looks at shapes alone: the formats of URLs and the like are not checked. */
export function schemaChecker(): Ajv {
  return new Ajv({ allErrors: true, strict: false, validateFormats: false });
}

const JSON_SCHEMA = 'http://json-schema.org/draft-07/schema#';

/** The meta-schema of JSON Schema that OpenRPC refers to is not in its package: draft 7 stands in for it. */
const STAND_INS: ReadonlyMap<unknown, string> = new Map([
  ['https://meta.json-schema.tools', JSON_SCHEMA],
  [
    'https://meta.json-schema.tools/#/definitions/JSONSchemaObject/properties/$ref',
    `${JSON_SCHEMA}/properties/$ref`,
  ],
]);

/** Checks documents against the public OpenRPC meta-schema. */
export function openRpcCheck(): ValidateFunction {
  const text = JSON.stringify(openrpcDocument);
  const {
    $schema: _schema,
    $id: _id,
    ...metaSchema
  } = JSON.parse(text, (key, value) => (key === '$ref' ? (STAND_INS.get(value) ?? value) : value));
  return schemaChecker().compile(metaSchema);
}
