import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LongBody } from '../index.ts';
import { stubDispatcher } from '../rpc.testing.ts';

const dispatcher = stubDispatcher();
const impatient = stubDispatcher({ limits: { timeSliceMsMax: 0 } });

/** JSON texts that parsing and writing would change, and others. */
const IDS = [
  ...['0', '7', '-1', '1.0', '1e3', '1E+2', '-0', '-0.50', '12345678901234567890', '1e400', '9'.repeat(400)],
  ...[
    '"a"',
    '""',
    '"\\u0061\\/\\n\\"id\\":3,"',
    '"\\\\"',
    '"é😀\\ud800"',
    `"${'x\\t'.repeat(10_000)}"`,
    '"{[,:"',
    'null',
  ],
];

/** Requests in which a text stands at the place of the id, and a similar member elsewhere. */
const requestsWith = (id: string): readonly string[] => [
  `{"jsonrpc":"2.0","id":${id},"method":"net_version","params":[]}`,
  `{"method":"net_version","params":[{"id":2.50}],"jsonrpc":"2.0" , "id" :\n ${id} }`,
  `{"id":8.0,"params":[{"id":"\\u0041"}],"text":"\\"id\\":4.0,","id":${id},"jsonrpc":"2.0","method":"net_version"}`,
];

const responseWith = (id: string): string => `{"jsonrpc":"2.0","id":${id},"result":"255"}`;

/** A body in pieces of a hundred bytes. */
function longBody(text: string): LongBody {
  const bytes = Buffer.from(text);
  const pieces = [];
  for (let start = 0; start < bytes.length; start += 100) pieces.push(bytes.subarray(start, start + 100));
  return new LongBody(pieces);
}

describe('ids are echoed as they were written', () => {
  test.each(IDS)('behavior: %.40s', async (id) => {
    for (const request of requestsWith(id)) {
      expect(String(await dispatcher.handle(request))).toBe(responseWith(id));
      expect(String(await dispatcher.handle(Buffer.from(request)))).toBe(responseWith(id));
      expect(String(await dispatcher.handle(longBody(request)))).toBe(responseWith(id));
    }
  });

  test('behavior: in batches of any length, read at once or in pieces', async () => {
    const batch = [
      ...IDS.flatMap(requestsWith),
      '{"jsonrpc":"2.0","method":"net_version"}',
      '[{"id":1.0}]',
      '5',
    ];
    const text = ` [ ${batch.join(' ,\n')} ]`;
    const malformed = (kind: string) => {
      const message = `invalid request: expected an object, got ${kind}`;
      return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } });
    };
    const responses = IDS.flatMap((id) => Array(3).fill(responseWith(id)));
    const expected = `[${[...responses, malformed('an array'), malformed('a number')].join(',')}]`;
    expect(String(await dispatcher.handle(text))).toBe(expected);
    for (const node of [dispatcher, impatient])
      expect(String(await node.handle(longBody(text)))).toBe(expected);
  });

  test('behavior: in errors, too', async () => {
    for (const id of IDS) {
      const call = `{"jsonrpc":"2.0","id":${id},"method":"nothing"}`;
      expect(String(await dispatcher.handle(call))).toContain(
        `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,`,
      );
      const old = `{"jsonrpc":"1.0","id":${id},"method":"net_version"}`;
      expect(String(await dispatcher.handle(old))).toContain(
        `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,`,
      );
    }
  });

  test('behavior: any JSON beside the id', async () => {
    const params = fc.json({ maxDepth: 5 });
    const text = fc.stringMatching(/^(-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?)$/);
    const property = fc.asyncProperty(
      params,
      params,
      fc.oneof(text, fc.json({ maxDepth: 0 })),
      async (one, other, id) => {
        fc.pre(id !== 'true' && id !== 'false');
        const request = `{"a":${one},"jsonrpc":"2.0","id": ${id},"method":"net_version","b":[${other}]}`;
        expect(String(await dispatcher.handle(request))).toBe(responseWith(id));
        expect(String(await dispatcher.handle(`[${request},${request}]`))).toBe(
          `[${responseWith(id)},${responseWith(id)}]`,
        );
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });
});
