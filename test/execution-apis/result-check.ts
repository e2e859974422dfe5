import type { ValidateFunction } from 'ajv';
import { schemaChecker } from '../openrpc/meta-schema.ts';
import { components, results } from './document.js';

/** The document wants a list of hashes or one of logs and not both, as which an empty list counts. */
const NOTHING = { type: 'array', maxItems: 0 };
/**
 * Additional forms. The document defines a form for a pending transaction, and uses it only for methods of
 * the pool: here a look-up by hash returns the same form, with null positions. For 0 blocks geth has no lists.
 */
const ALSO: Readonly<Record<string, object>> = {
  eth_getTransactionByHash: { $ref: '#/components/schemas/PendingTransactionInfo' },
  eth_feeHistory: {
    ...{ type: 'object', required: ['oldestBlock', 'gasUsedRatio'], additionalProperties: false },
    properties: { oldestBlock: { const: '0x0' }, gasUsedRatio: { type: 'null' } },
  },
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
  check(filled(result));
  return (check.errors ?? []).map(
    ({ instancePath, message }) => `result${instancePath}: ${message}, say the Execution APIs`,
  );
}

/** Fills the fields that geth leaves out of the pending block, for which the document has no form. */
function filled(result: unknown): unknown {
  const isPending = typeof result === 'object' && result !== null && Reflect.get(result, 'hash') === null;
  return isPending ? { ...result, ...PENDING_FIELDS } : result;
}

const PENDING_FIELDS = {
  ...{ hash: `0x${'00'.repeat(32)}`, nonce: `0x${'00'.repeat(8)}`, miner: `0x${'00'.repeat(20)}` },
};

function schemaOf(method: string): object | undefined {
  const also = ALSO[method];
  return also === undefined ? results[method] : { anyOf: [results[method], also] };
}
