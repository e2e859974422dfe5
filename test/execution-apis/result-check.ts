import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { schemaChecker } from '../openrpc/meta-schema.ts';

/** The results that Ethereum's Execution APIs give to methods, out of their OpenRPC document of 2026. */
const { results, components }: { results: Readonly<Record<string, object>>; components: object } = JSON.parse(
  readFileSync(new URL('openrpc.json', import.meta.url), 'utf8'),
);
/** The document wants a list of hashes or one of logs and not both, as which an empty list counts. */
const NOTHING = { type: 'array', maxItems: 0 };
/**
 * Additional forms. The document defines a form for a pending transaction, and uses it only for methods of
 * the pool: here a look-up by hash returns the same form, with null positions.
 */
const ALSO: Readonly<Record<string, object>> = {
  eth_getTransactionByHash: { $ref: '#/components/schemas/PendingTransactionInfo' },
  eth_getFilterChanges: NOTHING,
  eth_getFilterLogs: NOTHING,
  eth_getLogs: NOTHING,
};
const checks = new Map<string, ValidateFunction>();

/** The methods of the Execution APIs, except those of consensus clients and of debugging. */
export const EXECUTION_METHODS: readonly string[] = Object.keys(results);

/**
 * Says what of a result does not fit what the Execution APIs say of it.
 *
 * @returns nothing where it fits, and for a method that is none of theirs
 */
export function problemsWithExecutionApis(method: string, result: unknown): readonly string[] {
  const schema = schemaOf(method);
  if (schema === undefined) return [];
  const check = checks.get(method) ?? schemaChecker().compile({ ...schema, components });
  checks.set(method, check);
  check(result);
  return (check.errors ?? []).map(
    ({ instancePath, message }) => `result${instancePath}: ${message}, say the Execution APIs`,
  );
}

function schemaOf(method: string): object | undefined {
  const also = ALSO[method];
  return also === undefined ? results[method] : { anyOf: [results[method], also] };
}
