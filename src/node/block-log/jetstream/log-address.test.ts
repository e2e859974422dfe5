import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLogAddress, shownLogAddress } from './log-address.ts';

test.each([
  ['nats://a', { servers: ['a:4222'], login: undefined, tls: false }],
  [
    'nats://a:1,nats://b:2, nats://[::1]:3',
    { servers: ['a:1', 'b:2', '[::1]:3'], login: undefined, tls: false },
  ],
  [
    'tls://me:p%40ss@a,tls://b',
    { servers: ['a:4222', 'b:4222'], login: { user: 'me', password: 'p@ss' }, tls: true },
  ],
  ['nats://token@a/', { servers: ['a:4222'], login: { token: 'token' }, tls: false }],
])('default: %s', (text, address) => {
  expect(parseLogAddress(text)).toEqual(address);
});

test.each([
  '',
  'a:4222',
  'http://a',
  'nats://',
  'nats://a,tls://b',
  'nats://a,nats://me:secret@b',
  'nats://:secret@a',
  'nats://a/path',
  'nats://a?x=1',
  'nats://%zz@a',
  'nats://a,',
  Array(17).fill('nats://a').join(','),
])('error: %j', (text) => {
  expect(parseLogAddress(text)).toBeUndefined();
});

test('behavior: the displayed address has no credentials and parses to the same servers', () => {
  expect(shownLogAddress({ servers: ['a:1', 'b:2'], login: { token: 'x' }, tls: true })).toBe(
    'tls://a:1,tls://b:2',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `nats://${text}`),
      ),
      (text) => {
        const address = parseLogAddress(text);
        if (address === undefined) return;
        expect(parseLogAddress(shownLogAddress(address))).toEqual({ ...address, login: undefined });
      },
    ),
  );
});
