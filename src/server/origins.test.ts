import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOriginPattern, originMatcher } from './access.ts';

describe('valid origin patterns', () => {
  test('default', () => {
    for (const pattern of [
      '*',
      'https://app.example',
      'http://localhost:3000',
      'http://[::1]:8080',
      'https://*.example.org',
      'https://*.example.org:8443',
      'http://localhost:*',
      'https://*',
      'http://*:3000',
      'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
      'chrome-extension://*',
      'tauri://localhost',
    ]) {
      expect([pattern, isOriginPattern(pattern)]).toEqual([pattern, true]);
    }
  });

  test('error: origins that no browser sends, and misplaced wildcards', () => {
    for (const pattern of [
      '',
      'null',
      'example.org',
      '*.example.org',
      '*://example.org',
      'https://',
      'https://app.example/',
      'https://app.example/path',
      'https://app.example:443',
      'https://app.example:99999',
      'https://user@app.example',
      'https://app-*.example.org',
      'https://*.*.example.org',
      'https://example.*',
      'https://*example.org',
      'http://*.0.0.1',
      'http://127.1',
      'http://localhost:3*',
      'http://localhost:3000,http://b',
      'file://*',
    ]) {
      expect([pattern, isOriginPattern(pattern)]).toEqual([pattern, false]);
    }
  });
});

describe('which origins a pattern matches', () => {
  test.each([
    [
      'https://*.example.org',
      ['https://a.example.org', 'https://a.b-c.example.org', 'https://A.EXAMPLE.org'],
    ],
    ['http://localhost:*', ['http://localhost', 'http://localhost:3000']],
    ['https://*', ['https://a.example', 'https://10.0.0.1', 'https://[::1]']],
    ['http://*.example.org:*', ['http://a.example.org', 'http://a.example.org:80']],
    ['chrome-extension://*', ['chrome-extension://abc']],
    ['*', ['null', 'https://a.example', 'file://']],
  ])('args: %s', (pattern, origins) => {
    for (const origin of origins) expect([origin, originMatcher([pattern])(origin)]).toEqual([origin, true]);
  });

  test.each([
    [
      'https://*.example.org',
      [
        'https://example.org',
        'https://evil-example.org',
        'https://.example.org',
        'https://aXexample.org',
        'https://a.example.org.evil.com',
        'https://evil.com/.example.org',
        'https://evil.com#.example.org',
        'https://evil.com:1.example.org',
        'https://evil.com@a.example.org',
        'https://a.example.org:444',
        'http://a.example.org',
        'null',
      ],
    ],
    [
      'http://localhost:*',
      ['https://localhost', 'http://localhost:', 'http://localhost:1.evil.com', 'http://localhost.evil.com'],
    ],
    ['https://*', ['http://a.example', 'https://a.example:444', 'https://']],
    ['https://a.example', ['https://aXexample', 'https://b.a.example', 'https://a.example:443', '']],
    ['chrome-extension://*', ['moz-extension://abc', 'https://chrome-extension']],
  ])('error: not by %s', (pattern, origins) => {
    for (const origin of origins) expect([origin, originMatcher([pattern])(origin)]).toEqual([origin, false]);
  });

  test('args: no pattern, and several', () => {
    expect(originMatcher([])('https://a.example')).toBe(false);
    const matches = originMatcher(['https://a.example', 'https://*.b.example']);
    expect(['https://a.example', 'https://x.b.example', 'https://b.example'].map(matches)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('behavior: an origin is its own pattern, and one below it matches only with *.', () => {
    fc.assert(
      fc.property(fc.domain(), fc.domain(), (domain, other) => {
        const origin = `https://${domain.toLowerCase()}`;
        fc.pre(isOriginPattern(origin));
        expect(originMatcher([origin])(origin)).toBe(true);
        expect(originMatcher([origin])(`https://x.${domain}`)).toBe(false);
        const below = originMatcher([`https://*.${domain.toLowerCase()}`]);
        expect([below(`https://x.${domain}`), below(origin)]).toEqual([true, false]);
        fc.pre(!other.endsWith(`.${domain}`));
        expect(below(`https://${other}`)).toBe(false);
      }),
    );
  });
});
