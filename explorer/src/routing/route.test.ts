import { expect, test } from 'vitest';
import { linkTo, parseRoute, type Route } from './route.ts';

const HASH = `0x${'ab'.repeat(32)}`;

test.each<[string, Route]>([
  ['', { view: 'overview' }],
  ['#', { view: 'overview' }],
  ['#/', { view: 'overview' }],
  ['#/block/7', { view: 'block', number: 7 }],
  [`#/tx/${HASH}`, { view: 'transaction', hash: HASH, part: '' }],
  [`#/tx/${HASH}/calls`, { view: 'transaction', hash: HASH, part: 'calls' }],
  ['#/address/1.2.5', { view: 'address', text: '1.2.5', part: '' }],
  ['#/address/1.11.5/code', { view: 'address', text: '1.11.5', part: 'code' }],
  ['#/blocks', { view: 'blocks' }],
  ['#/accounts', { view: 'accounts' }],
  ['#/contracts', { view: 'contracts' }],
  ['#/pool', { view: 'pool' }],
  ['#/tools', { view: 'tools' }],
  ['#/register', { view: 'register' }],
  ['#/search/%3Cb%3E%2F', { view: 'search', text: '<b>/' }],
  ['#/block', { view: 'nothing', path: 'block' }],
  ['#/block/-1', { view: 'nothing', path: 'block/-1' }],
  ['#/block/99999999999', { view: 'nothing', path: 'block/99999999999' }],
  ['#/block/7/8', { view: 'nothing', path: 'block/7/8' }],
  ['#/pool/7', { view: 'nothing', path: 'pool/7' }],
  ['#/address/', { view: 'nothing', path: 'address/' }],
  ['#/a/b/c/d', { view: 'nothing', path: 'a/b/c/d' }],
  ['#/search/%', { view: 'search', text: '%' }],
])('args: %s', (fragment, route) => {
  expect(parseRoute(fragment)).toEqual(route);
});

test.each<Exclude<Route, { view: 'nothing' }>>([
  { view: 'overview' },
  { view: 'block', number: 0 },
  { view: 'transaction', hash: HASH, part: 'steps' },
  { view: 'address', text: 'a name/with#signs?', part: '' },
  { view: 'search', text: '100%' },
  { view: 'pool' },
])('behavior: a link leads to its place: %j', (route) => {
  expect(parseRoute(linkTo(route))).toEqual(route);
});
