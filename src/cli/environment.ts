import { type Paint, paintFor } from './paint.ts';

/** What a command sees of the process around it. */
export interface Environment {
  /** Writes to the standard output. */
  print(text: string): void;
  /** Writes to the standard error. */
  printError(text: string): void;
  readonly paint: Paint;
  /** Whether the standard error is a terminal, where a line can be drawn over. */
  readonly hasTerminal: boolean;
  /** Waits for the first request to stop: SIGINT or SIGTERM. A second one ends the process at once. */
  stopRequested(): Promise<void>;
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
    paint: paintFor(process.stdout.isTTY === true, process.env.NO_COLOR),
    hasTerminal: process.stderr.isTTY === true,
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
  };
}

/** A reader of the log that goes away (`ledgerd | head`) must not take the node with it. */
function ignoreClosedPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
