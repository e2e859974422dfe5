import { expect, test } from 'vitest';
import { shape } from '../../formatters/index.ts';
import { type Dispatcher, describeInterface, METHODS, type OpenRpcDocument } from '../index.ts';
import { defineMethod } from '../method.ts';
import { numberSchema } from '../parameters/plain.ts';
import { named, optional } from '../parameters/schema.ts';
import { call, stubDispatcher } from '../rpc.testing.ts';

const twice = defineMethod({
  name: 'twice',
  summary: 'Doubles a number.',
  section: 'state',
  parameters: [
    { name: 'number', schema: named('Number', {}, numberSchema), summary: 'What to double.' },
    { name: 'times', schema: optional(numberSchema) },
  ],
  scheduling: 'turn',
  beforeFork: 'local',
  result: shape.integer,
  errors: [{ name: 'TooLarge', code: -32000, message: 'too large' }],
  differences: 'Ethereum does not count.',
  example: { parameters: [2], result: 4 },
  handler: (_context, [number]) => 2 * number,
});

test('default', () => {
  const description = call(stubDispatcher(), 'rpc_discover');
  expect(description).toMatchObject({ openrpc: '1.3.2', info: { title: 'ledgerd', version: '1.2.3' } });
  expect(call(stubDispatcher(), 'rpc.discover')).toEqual(description);
});

test('behavior: methods and errors of test chains are described only on a test chain', () => {
  const describedBy = (node: Dispatcher): OpenRpcDocument => call(node, 'rpc_discover') as OpenRpcDocument;
  const namesBy = (node: Dispatcher): string[] => describedBy(node).methods.map(({ name }) => name);
  const ofTestChain = [...METHODS].filter(([, { chains }]) => chains === 'test').map(([name]) => name);
  expect(namesBy(stubDispatcher())).toEqual(expect.arrayContaining(ofTestChain));
  const elsewhere = stubDispatcher({ wallet: undefined, control: undefined });
  expect(namesBy(elsewhere).filter((name) => ofTestChain.includes(name))).toEqual([]);
  expect(namesBy(elsewhere)).toContain('eth_blockNumber');
  expect(Object.keys(describedBy(elsewhere).components.errors)).not.toContain('TooManyImpersonated');
});

test('behavior: all that is known of a method', () => {
  const { methods, components } = describeInterface([twice], '');
  expect(methods).toEqual([
    {
      name: 'twice',
      summary: 'Doubles a number.',
      tags: [{ $ref: '#/components/tags/state' }],
      paramStructure: 'by-position',
      params: [
        {
          name: 'number',
          summary: 'What to double.',
          required: true,
          schema: { $ref: '#/components/schemas/Number' },
        },
        { name: 'times', required: false, schema: { anyOf: [expect.any(Object), { type: 'null' }] } },
      ],
      result: { name: 'result', schema: { type: 'integer' } },
      errors: [{ $ref: '#/components/errors/TooLarge' }],
      examples: [
        { name: 'twice', params: [{ name: 'number', value: 2 }], result: { name: 'result', value: 4 } },
      ],
      'x-differences': 'Ethereum does not count.',
    },
  ]);
  expect(components.schemas).toEqual({ Number: { type: 'number' } });
  expect(components.errors).toMatchObject({ TooLarge: { code: -32000, message: 'too large' } });
});

test('behavior: methods are ordered by their sections', () => {
  const first = { ...twice, name: 'first', section: 'client' } as const;
  const names = describeInterface([twice, first], '').methods.map(({ name }) => name);
  expect(names).toEqual(['first', 'twice']);
});
