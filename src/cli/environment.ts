import type { Readable } from 'node:stream';
import { type Paint, paintFor } from './text.ts';

/** What a command sees of the process around it. */
export interface Environment {
  /** Writes to the standard output. */
  print(text: string): void;
  /** Writes to the standard error. */
  printError(text: string): void;
  /** Writes bytes to the standard output, and waits until there is room for more. */
  printBytes(bytes: Uint8Array): Promise<void>;
  /** Gives the bytes of the standard input; nothing is read of it before. */
  input(): Readable;
  readonly paint: Paint;
  /** Whether the standard error is a terminal, where a line can be drawn over. */
  readonly hasTerminal: boolean;
  /** The variables of the process's environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Waits for the first request to stop: SIGINT or SIGTERM. A second one ends the process at once. */
  stopRequested(): Promise<void>;
  /** Ends the process at once, whatever it is at. */
  end(status: number): void;
}

/** Signals that stop the program, with the exit status of a process that one of them ended. */
const STOP_SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** The process that runs the program. */
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

/** A reader of the node's log that goes away (`ledgerd | head`) must not take the node with it. */
function ignoreClosedPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
