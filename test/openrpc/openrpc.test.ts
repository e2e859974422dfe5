import type { ValidateFunction } from 'ajv';
import { expect, test } from 'vitest';
import { describeInterface, METHODS } from '../../src/rpc/index.ts';
import { openRpcCheck, schemaChecker } from './meta-schema.ts';

const written = describeInterface(METHODS.values(), '1.2.3');
/** As it goes over the wire. */
const document: typeof written = JSON.parse(JSON.stringify(written));

/** Lists violations of the meta-schema in a document. */
function problemsOf(value: unknown): string[] {
  const check = openRpcCheck();
  check(value);
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** A check of values against a schema of the document. */
function schemaCheck(schema: object): ValidateFunction {
  return schemaChecker().compile({ ...schema, components: document.components });
}

/** Every reference in a value. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : referencesIn(member),
  );
}

test('default', () => {
  expect(problemsOf(document)).toEqual([]);
  expect(document.openrpc).toBe('1.3.2');
  expect(document.info.version).toBe('1.2.3');
});

test('behavior: the meta-schema detects invalid documents', () => {
  const [first] = document.methods;
  const broken = { ...document, extra: 1, methods: [{ ...first, params: undefined, result: { name: 'x' } }] };
  expect(problemsOf(JSON.parse(JSON.stringify(broken)))).toEqual(
    expect.arrayContaining([
      ' must NOT have additional properties',
      "/methods/0 must have required property 'params'",
      "/methods/0/result must have required property 'schema'",
    ]),
  );
});

test('behavior: the same methods give the same document', () => {
  expect(JSON.stringify(describeInterface(METHODS.values(), '1.2.3'))).toBe(JSON.stringify(written));
});

test('behavior: every method is described once', () => {
  expect(document.methods.map(({ name }) => name).sort()).toEqual([...METHODS.keys()].sort());
});

test('behavior: every reference leads somewhere', () => {
  const references = referencesIn(document);
  expect(references).toContain('#/components/schemas/Block');
  for (const reference of references) {
    const [, ...path] = reference.split('/');
    const target = path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), document);
    expect([reference, target]).toEqual([reference, expect.any(Object)]);
  }
});

test('behavior: optional parameters come last, and match those that may be omitted', () => {
  const optional = document.methods.flatMap(({ name, params }) =>
    params.flatMap((parameter) => (parameter.required === true ? [] : [`${name} ${parameter.name}`])),
  );
  expect(optional).toEqual(
    expect.arrayContaining(['eth_getBalance block', 'eth_call block', 'personal_unlockAccount duration']),
  );
  for (const { params } of document.methods) {
    const required = params.map((parameter) => parameter.required === true);
    expect(required).toEqual([...required].sort((one, other) => Number(other) - Number(one)));
  }
});

test('behavior: the examples fit the schemas', () => {
  const examples = document.methods.flatMap((method) =>
    (method.examples ?? []).map((example) => ({ method, example })),
  );
  expect(examples.length).toBeGreaterThan(20);
  for (const { method, example } of examples) {
    example.params.forEach(({ value }, index) => {
      const check = schemaCheck(method.params[index]?.schema ?? { not: {} });
      expect([method.name, index, check(value), check.errors]).toEqual([method.name, index, true, null]);
    });
    const check = schemaCheck(method.result.schema);
    expect([method.name, check(example.result.value), check.errors]).toEqual([method.name, true, null]);
  }
});

test('behavior: the value schemas accept and reject the same values as the methods', () => {
  const accepts = (name: string, value: unknown) =>
    schemaCheck({ $ref: `#/components/schemas/${name}` })(value);
  for (const value of ['0x0', '0x00ff', 7]) expect(accepts('QuantityParameter', value)).toBe(true);
  for (const value of ['0x', '7', -1, 1.5, null]) expect(accepts('QuantityParameter', value)).toBe(false);
  for (const value of ['latest', '0x1', 3]) expect(accepts('BlockParameter', value)).toBe(true);
  for (const value of ['newest', {}, null]) expect(accepts('BlockParameter', value)).toBe(false);
  expect(accepts('AddressParameter', `0x${'aB'.repeat(20)}`)).toBe(true);
  expect(accepts('AddressParameter', `0x${'ab'.repeat(21)}`)).toBe(false);
  expect(accepts('CallObject', { to: null, gas: 5, nonce: 'any' })).toBe(true);
  expect(accepts('CallObject', { other: 1 })).toBe(false);
  expect(accepts('TransactionObject', { to: null })).toBe(false);
  expect(accepts('Quantity', '0x00')).toBe(false);
  expect(accepts('Hash', `0x${'AB'.repeat(32)}`)).toBe(false);
});
