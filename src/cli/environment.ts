import type { Readable } from 'node:stream';
import { type Paint, paintFor } from './text.ts';

/** The process, as an interface for commands. */
export interface Environment {
  print(text: string): void;
  printError(text: string): void;
  /** Writes bytes to the standard output; resolves when they are written. */
  printBytes(bytes: Uint8Array): Promise<void>;
  /** Returns the standard input, which is not read before. */
  input(): Readable;
  readonly paint: Paint;
  /** True if the standard error is a terminal, where a line can be replaced. */
  readonly hasTerminal: boolean;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Waits for the first SIGINT or SIGTERM. A second one ends the process at once. */
  stopRequested(): Promise<void>;
  end(status: number): void;
}

/** Signals that stop the program, and the exit status of a process that one has ended. */
const STOP_SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

export function processEnvironment(): Environment {
  ignoreClosedPipe(process.stdout);
  ignoreClosedPipe(process.stderr);
  return {
    print: (text) => process.stdout.write(text),
    printError: (text) => process.stderr.write(text),
    printBytes: (bytes) =>
      new Promise((resolve, reject) => {
        process.stdout.write(bytes, (error) => (error == null ? resolve() : reject(error)));
      }),
    input: () => process.stdin,
    paint: paintFor(process.stdout.isTTY === true, process.env.NO_COLOR),
    hasTerminal: process.stderr.isTTY === true,
    variables: process.env,
    stopRequested: () =>
      new Promise((resolve) => {
        let stopping = false;
        for (const [signal, status] of STOP_SIGNALS) {
          process.on(signal, () => {
            if (stopping) process.exit(status);
            stopping = true;
            resolve();
          });
        }
      }),
    end: (status) => process.exit(status),
  };
}

/** Ignores EPIPE: the end of a reader (`ledgerd | head`) must not end the node. */
function ignoreClosedPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
