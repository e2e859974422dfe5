import { afterEach, expect, test, vi } from 'vitest';
import { processEnvironment } from './environment.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const before = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);

afterEach(() => {
  for (const [signal, listeners] of before) {
    for (const listener of process.listeners(signal)) {
      if (!listeners.includes(listener)) process.off(signal, listener);
    }
  }
  vi.restoreAllMocks();
});

test.each([
  ['SIGINT', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
  ['SIGINT', 'SIGTERM', 143],
] as const)(
  'default: %s requests a graceful stop, and a subsequent %s exits immediately with %d',
  async (first, second, status) => {
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    const stopRequested = processEnvironment().stopRequested();
    process.emit(first);
    await stopRequested;
    expect(exit).not.toHaveBeenCalled();
    process.emit(second);
    expect(exit).toHaveBeenCalledWith(status);
  },
);
