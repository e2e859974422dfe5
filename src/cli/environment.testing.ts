import { Readable } from 'node:stream';
import type { Environment } from './environment.ts';
import { plain } from './text.ts';

/** An environment that records the output of a command. */
export interface TestEnvironment {
  readonly environment: Environment;
  /** Text on the standard output. */
  output(): string;
  /** The bytes that were written to the standard output. */
  bytes(): Uint8Array;
  /** Text on the standard error. */
  errors(): string;
  /** Waits until the standard output matches, and gives the match. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Stops the command like a signal. */
  stop(): void;
}

/**
 * Creates an environment without a terminal, in which only `stop` stops a command.
 * @param input text of the standard input
 */
export function testEnvironment(
  variables: Environment['variables'] = {},
  input = Readable.from([]),
): TestEnvironment {
  let output = '';
  let errors = '';
  const bytes: Uint8Array[] = [];
  const waiting = new Set<() => void>();
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  return {
    environment: {
      print: (text) => {
        output += text;
        for (const look of waiting) look();
      },
      printError: (text) => {
        errors += text;
      },
      printBytes: async (part) => void bytes.push(part),
      input: () => input,
      paint: plain,
      hasTerminal: false,
      variables,
      stopRequested: () => stopped,
      end: (status) => {
        throw new TypeError(`nothing here ends a process, with status ${status}`);
      },
    },
    output: () => output,
    bytes: () => Buffer.concat(bytes),
    errors: () => errors,
    printed: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          const match = pattern.exec(output);
          if (match === null) return;
          waiting.delete(look);
          resolve(match);
        };
        waiting.add(look);
        look();
      }),
    stop,
  };
}
