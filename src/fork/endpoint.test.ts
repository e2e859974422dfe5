import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FormatError } from '../protocol/index.ts';
import { HttpUpstream, type UpstreamError } from './index.ts';
import { end, serve } from './remote.testing.ts';

const key = fc.stringMatching(/^[A-Za-z0-9_-]{8,40}[0-9]$/);

test('default: the name has scheme, host and port, and shows that there is a path', () => {
  const name = (url: string): string => new HttpUpstream({ url }).name;
  expect(name('https://rpc.example')).toBe('https://rpc.example');
  expect(name('http://[::1]:8545/#part')).toBe('http://[::1]:8545');
  expect(name('https://user:secret@rpc.example:8443/v1/KEY?key=1')).toBe('https://rpc.example:8443/…');
});

test('behavior: the name of any URL has none of its credentials', () => {
  fc.assert(
    fc.property(
      key,
      key,
      key,
      fc.webQueryParameters(),
      fc.webFragments(),
      (user, password, path, query, hash) => {
        const url = `https://${user}:${password}@rpc.example:8443/v1/${path}?${query}#${hash}`;
        expect(new HttpUpstream({ url }).name).toBe('https://rpc.example:8443/…');
      },
    ),
  );
});

test('behavior: errors of a remote node that repeats the request have none of its credentials', async () => {
  const remote = await serve((body, response) => {
    const text = JSON.stringify([response.req.url, response.req.headers]);
    const { id } = JSON.parse(body) as { id: number };
    const error = { code: -32_000, message: `refused ${decodeURIComponent(text)} ${text}`, data: text };
    end(
      response,
      body.includes('fails') ? 400 : 200,
      JSON.stringify({ id: body.includes('fails') ? null : id, error }),
    );
  });
  await fc.assert(
    fc.asyncProperty(key, key, key, key, key, async (user, password, path, query, header) => {
      const secrets = [user, password, path, query, header];
      const url = remote.url.replace('http://', `http://${user}:${password}@`);
      const upstream = new HttpUpstream({
        url: `${url}/v1/${path}?apikey=${query}`,
        headers: [`Authorization-Key: Bearer ${header}`],
        retries: 0,
      });
      const outcome = await upstream.calls([{ method: 'eth_chainId', params: [] }]);
      const failure: unknown = await upstream
        .calls([{ method: 'fails', params: [] }])
        .catch((error: UpstreamError) => error);
      expect(failure).toMatchObject({ code: 'UPSTREAM' });
      const shown = JSON.stringify([outcome, upstream.counts, upstream.name, upstream]) + String(failure);
      for (const secret of [...secrets, Buffer.from(`${user}:${password}`).toString('base64')]) {
        expect(shown).not.toContain(secret);
      }
      const sent = remote.headers.at(-1);
      expect(sent?.authorization).toBe(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
      expect(sent?.['authorization-key']).toBe(`Bearer ${header}`);
    }),
    { numRuns: 30 },
  );
});

test.each([
  ['no url', []],
  ['wss://rpc.example', []],
  ['https://rpc.example', ['secret']],
  ['https://rpc.example', ['X-Key: secret\r\nX-Other: 1']],
  ['https://rpc.example', ['Content-Length: secret']],
])('error: %s with the headers %j, without a repetition of either', (url, headers) => {
  let error: unknown;
  try {
    new HttpUpstream({ url, headers });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(FormatError);
  expect(String(error)).not.toMatch(/rpc\.example|secret|no url/);
});
