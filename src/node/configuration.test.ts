import { describe, expect, test } from 'vitest';
import { isLoopbackHost, requireSafeHost } from './configuration.ts';

describe('isLoopbackHost', () => {
  test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'])(
    'default: %s',
    (host) => {
      expect(isLoopbackHost(host)).toBe(true);
    },
  );

  test.each([
    '0.0.0.0',
    '::',
    '128.0.0.1',
    '192.168.1.1',
    'fe80::1',
    'example.com',
    'localhost.example.com',
    '',
  ])('behavior: %s is none', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});

describe('requireSafeHost', () => {
  test('default: a loopback host', () => {
    expect(() => requireSafeHost({ host: '127.0.0.1', unsafeExpose: false })).not.toThrow();
  });

  test('args: unsafeExpose', () => {
    expect(() => requireSafeHost({ host: '0.0.0.0', unsafeExpose: true })).not.toThrow();
  });

  test('error: a host that other machines reach', () => {
    expect(() => requireSafeHost({ host: '0.0.0.0', unsafeExpose: false })).toThrow(
      'refusing to listen at 0.0.0.0: test mode has keys, and anyone who reaches this host could use them; ' +
        'listen at 127.0.0.1, or give --unsafe-expose-test-mode to allow it',
    );
  });
});
