import type { ValidateFunction } from 'ajv';
import { describeInterface, METHODS } from '../../src/rpc/index.ts';
import { schemaChecker } from './meta-schema.ts';

const { methods, components } = describeInterface(METHODS.values(), '');
const schemas = new Map(methods.map(({ name, result }) => [name, result.schema]));
const checks = new Map<string, ValidateFunction>();

/**
 * Says what of a result does not fit what its method says of it.
 *
 * @param result as JSON has it
 * @returns nothing where it fits, and for what is no method
 */
export function problemsOfResult(method: string, result: unknown): readonly string[] {
  const schema = schemas.get(method);
  if (schema === undefined) return [];
  const check = checks.get(method) ?? schemaChecker().compile({ ...schema, components });
  checks.set(method, check);
  check(result);
  return (check.errors ?? []).map(({ instancePath, message }) => `result${instancePath}: ${message}`);
}
