import type { ValidateFunction } from 'ajv';
import {
  describeInterface,
  ETHEREUM_INTERFACE,
  ETHEREUM_METHODS,
  METHODS,
  type OpenRpcDocument,
  type ProfileId,
} from '../../src/rpc/index.ts';
import { problemsWithExecutionApis } from '../execution-apis/result-check.ts';
import { schemaChecker } from './meta-schema.ts';

const documents: Readonly<Record<ProfileId, OpenRpcDocument>> = {
  ledger: describeInterface(METHODS.values(), ''),
  ethereum: describeInterface(ETHEREUM_METHODS.values(), '', ETHEREUM_INTERFACE),
};
const checks = new Map<string, ValidateFunction>();

/**
 * Says what of a result does not fit what its method says of it, and for one of `/ethereum` what the Execution APIs do.
 *
 * @param result as JSON has it
 * @param profile whose method it is
 * @returns nothing where it fits, and for what is no method
 */
export function problemsOfResult(
  method: string,
  result: unknown,
  profile: ProfileId = 'ledger',
): readonly string[] {
  const { methods, components } = documents[profile];
  const key = `${profile} ${method}`;
  const schema = methods.find(({ name }) => name === method)?.result.schema;
  if (schema === undefined) return [];
  const check = checks.get(key) ?? schemaChecker().compile({ ...schema, components });
  checks.set(key, check);
  check(result);
  const own = (check.errors ?? []).map(({ instancePath, message }) => `result${instancePath}: ${message}`);
  return profile === 'ethereum' ? [...own, ...problemsWithExecutionApis(method, result)] : own;
}
