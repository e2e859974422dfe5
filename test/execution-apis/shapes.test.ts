import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../src/json/schema.ts';
import { describeInterface, METHODS } from '../../src/rpc/index.ts';
import { compileContract } from '../contracts/compile.ts';
import { startProgram } from '../program.ts';
import { PUBLIC_RESULTS, PUBLIC_SHAPES } from './public-shapes.ts';

const openrpc = describeInterface(METHODS.values(), '');
const listed = openrpc['x-shape-differences'];

/** Forms that are special cases of others. */
const SPECIAL: Readonly<Record<string, string>> = { Hash: 'Data', false: 'boolean', nothing: 'Hash' };

/** The alternatives that a schema allows, by the names of our schemas. */
function formsOf(schema: JsonSchema): string[] {
  const { $ref, anyOf, allOf, type, items, not } = schema;
  if (typeof $ref === 'string') return [$ref.slice($ref.lastIndexOf('/') + 1)];
  if (Array.isArray(anyOf)) return anyOf.flatMap(formsOf);
  if (Array.isArray(allOf)) return allOf.flatMap(formsOf);
  if (type === 'array') return formsOf(Object(items)).map((form) => `array of ${form}`);
  if (not !== undefined) return ['nothing'];
  return [String('const' in schema ? schema.const : type)];
}

/** Returns true if every alternative of ours is one of the public form, or a special case of one. */
function fits(schema: JsonSchema, form: string): boolean {
  const allowed = form.split(' or ');
  return formsOf(schema).every((ours) => {
    const list = ours.startsWith('array of ') ? 'array of ' : '';
    const general = SPECIAL[ours.slice(list.length)];
    return allowed.includes(ours) || (general !== undefined && allowed.includes(`${list}${general}`));
  });
}

function propertiesOf(object: string): Readonly<Record<string, JsonSchema>> {
  return Object(openrpc.components.schemas[object]?.properties);
}

/** Lists the differences of an object, as `kind field`. */
function differencesOf(object: string): string[] {
  const { required = {}, optional = {} } = PUBLIC_SHAPES[object] ?? {};
  const properties = propertiesOf(object);
  const known = { ...required, ...optional };
  const absent = Object.keys(required).filter((field) => properties[field] === undefined);
  const additional = Object.keys(properties).filter((field) => known[field] === undefined);
  const otherwise = Object.entries(properties).filter(
    ([field, schema]) => known[field] !== undefined && !fits(schema, known[field]),
  );
  return [
    ...absent.map((field) => `absent ${field}`),
    ...additional.map((field) => `additional ${field}`),
    ...otherwise.map(([field]) => `encoding ${field}`),
  ].sort();
}

function listedOf(object: string): string[] {
  return listed
    .filter((difference) => difference.object === object && difference.kind !== 'meaning')
    .map(({ kind, field }) => `${kind} ${field}`)
    .sort();
}

describe('objects', () => {
  test.each(Object.keys(PUBLIC_SHAPES))('default: %s differs only in the listed fields', (object) => {
    expect(Object.keys(propertiesOf(object)).length).toBeGreaterThan(2);
    expect(differencesOf(object)).toEqual(listedOf(object));
  });

  test('behavior: listed fields with another meaning are present', () => {
    for (const { object, field } of listed.filter(({ kind }) => kind === 'meaning')) {
      expect([object, Object.keys(propertiesOf(object))]).toEqual([object, expect.arrayContaining([field])]);
    }
  });

  test('behavior: every listed difference is of an object or a method that is compared', () => {
    for (const { object } of listed) {
      expect([object, object in PUBLIC_SHAPES || object in PUBLIC_RESULTS]).toEqual([object, true]);
    }
  });
});

describe('results', () => {
  test('default: results differ only where a difference is listed', () => {
    const differing = Object.entries(PUBLIC_RESULTS).filter(([name, form]) => {
      const schema = openrpc.methods.find((method) => method.name === name)?.result.schema;
      return schema === undefined || !fits(schema, form);
    });
    const methods = listed.filter(({ object }) => object in PUBLIC_RESULTS);
    expect(differing.map(([name]) => name).sort()).toEqual(methods.map(({ object }) => object).sort());
  });
});

test('behavior: actual responses have all required fields except the listed ones', async () => {
  const [program, token] = await Promise.all([startProgram(), compileContract('Token')]);
  const [from] = await program.call<string[]>('eth_accounts');
  // A name, a symbol and a supply, ABI-encoded: the constructor logs the transfer of the supply.
  const words = [96n, 160n, 5n, 1n, 0x41n << 248n, 1n, 0x41n << 248n];
  const data = `${token.bytecode}${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`;
  const hash = await program.call('eth_sendTransaction', { from, data });
  const receipt = await program.call<{ logs: object[]; blockHash: string }>(
    'eth_getTransactionReceipt',
    hash,
  );
  const answers = {
    Receipt: receipt,
    Log: receipt.logs[0],
    Transaction: await program.call<object>('eth_getTransactionByHash', hash),
    Block: await program.call<object>('eth_getBlockByHash', receipt.blockHash, true),
  };
  for (const [object, answer] of Object.entries(answers)) {
    const absent = listed.flatMap(({ object: of, kind, field }) =>
      of === object && kind === 'absent' ? [field] : [],
    );
    const required = Object.keys(PUBLIC_SHAPES[object]?.required ?? {});
    const missing = required.filter((field) => !Object.keys(answer ?? {}).includes(field));
    expect([object, missing.sort()]).toEqual([object, absent.sort()]);
  }
  expect(await program.stop()).toBe(0);
});
