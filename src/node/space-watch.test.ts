import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemTime } from '../time/time.ts';
import { freeBytesAt, SpaceWatch } from './space-watch.ts';

const told: string[] = [];
let free: number;
let watch: SpaceWatch;

beforeEach(() => {
  vi.useFakeTimers();
  told.length = 0;
});

afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

function start(options: { freeBytes?: () => number; minFreeBytes?: number } = {}): void {
  watch = new SpaceWatch({
    time: systemTime,
    freeBytes: () => free,
    minFreeBytes: 1_000,
    onLow: (bytes) => told.push(`low ${bytes}`),
    onEnough: () => told.push('enough'),
    onFailure: (error) => told.push(String(error)),
    ...options,
  });
  watch.start();
}

function pass(): void {
  vi.advanceTimersByTime(5_000);
}

test('default: reports when disk space is low, and when it is sufficient again', () => {
  free = 1_000;
  start();
  pass();
  expect([watch.isHalting, told]).toEqual([false, []]);
  free = 999;
  pass();
  pass();
  expect([watch.isHalting, told]).toEqual([true, ['low 999']]);
  free = 2_000;
  pass();
  expect([watch.isHalting, told]).toEqual([false, ['low 999', 'enough']]);
});

test('behavior: the first check is immediate', () => {
  free = 1;
  start();
  expect(watch.isHalting).toBe(true);
});

test('behavior: a little more than too little is not enough', () => {
  free = 999;
  start();
  free = 1_001;
  pass();
  expect(watch.isHalting).toBe(true);
  free = 1_050;
  pass();
  expect(watch.isHalting).toBe(false);
});

test('args: no least free space', () => {
  free = 0;
  start({ minFreeBytes: 0 });
  expect(watch.isHalting).toBe(false);
});

test('error: a failed check leaves the state unchanged', () => {
  free = 1;
  start({
    freeBytes: () => {
      if (free === 0) throw new RangeError('no such folder');
      return free;
    },
  });
  free = 0;
  pass();
  expect([watch.isHalting, told]).toEqual([true, ['low 1', 'RangeError: no such folder']]);
});

test('default: the free bytes of a real folder', () => {
  start({ minFreeBytes: 0 });
  expect(freeBytesAt(tmpdir())).toBeGreaterThan(0);
});
