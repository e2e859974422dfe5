import { expect, test } from 'vitest';
import { Followers } from './serve-blocks.ts';

const [ONE, OTHER] = ['0123456789abcdef', 'fedcba9876543210'];

function openFollowers() {
  let now = 0;
  const followers = new Followers({ now: () => now });
  const wait = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { followers, wait };
}

test('default: followers count by address and id, until they have been silent for ten seconds', () => {
  const { followers, wait } = openFollowers();
  expect(followers.count).toBe(0);
  for (const id of [ONE, OTHER, ONE]) followers.note('127.0.0.1', id);
  followers.note('::1', ONE);
  expect(followers.count).toBe(3);
  wait(6_000);
  followers.note('127.0.0.1', OTHER);
  wait(6_000);
  expect(followers.count).toBe(1);
  wait(6_000);
  expect(followers.count).toBe(0);
});

test('behavior: followers of an address without an id, or with one that is none, are one', () => {
  const { followers } = openFollowers();
  for (const id of [undefined, '', 'x', ONE.toUpperCase(), `${ONE}0`]) followers.note('127.0.0.1', id);
  expect(followers.count).toBe(1);
});

test('behavior: at most 256 are counted, and those that are counted stay', () => {
  const { followers, wait } = openFollowers();
  for (let index = 0; index < 1_000; index += 1) followers.note(`10.0.0.${index}`);
  expect(followers.count).toBe(256);
  wait(9_000);
  followers.note('10.0.0.0');
  wait(9_000);
  expect(followers.count).toBe(1);
});
