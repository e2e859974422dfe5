import { describeNotice, type FailedExecution, type NodeEvents } from '../../node/index.ts';
import type { Environment } from '../environment.ts';
import { plain } from '../paint.ts';
import { LOG_LEVELS, type LogLevel } from '../settings/node-log-settings.ts';
import { banner } from './banner.ts';
import { blockLine, droppedLine, failureLine, internalFailureLines, noticeLine } from './lines.ts';
import type { NodeLog } from './node-log.ts';
import { consoleLine, failedLines } from './tree-lines.ts';

/**
 * A node's log for people: a banner, and one line for each thing that happens. Failures of the node itself go to the
 * standard error.
 *
 * @param withTime whether lines begin with the time
 * @param showsNative true if the banner lists native accounts on a chain with Ethereum, too
 */
export function textLog(
  level: LogLevel,
  environment: Pick<Environment, 'paint' | 'print' | 'printError'>,
  withTime: boolean,
  showsNative = false,
): NodeLog {
  const { paint, print, printError } = environment;
  const isEnabled = (of: LogLevel) => LOG_LEVELS.indexOf(of) <= LOG_LEVELS.indexOf(level);
  const now = () => new Date().toISOString();
  const line = (of: LogLevel, text: string) => {
    if (isEnabled(of)) print(withTime ? `${paint('dim', now())} ${text}` : text);
  };
  return {
    events: {
      onBlock: (block) => line('info', blockLine(block, paint)),
      onDropped: (dropped) => line('info', droppedLine(dropped, paint)),
      ...(isEnabled('debug')
        ? {
            onFailedCall: (method: string, message: string) =>
              line('debug', failureLine(method, message, paint)),
          }
        : {}),
      ...(isEnabled('info')
        ? {
            onConsole: (lines: readonly string[]) => {
              for (const text of lines) line('info', consoleLine(text, paint));
            },
            onFailedExecution: (failed: FailedExecution) => line('info', failedLines(failed, paint)),
          }
        : {}),
      onInternalFailure: (task, error) => {
        const lines = internalFailureLines(task, error);
        printError(withTime ? `${now()} ${lines}` : lines);
      },
      onNotice: (notice) => line(describeNotice(notice).level, noticeLine(notice, paint)),
    },
    started: (description) => {
      if (isEnabled('info')) print(banner(description, paint, showsNative));
    },
    stopping: () => line('info', 'stopping\n'),
    stopped: () => undefined,
  };
}

/**
 * Reports to a program what `ledgerd start` prints at the level `info`, but for blocks: console output, calls that
 * failed, and notices.
 *
 * @param onLog receives each entry without its last line feed; its exceptions reach the program, not the node
 */
export function programLog(onLog: (text: string) => void): NodeEvents {
  const print = (text: string): void => queueMicrotask(() => onLog(text.trimEnd()));
  return { ...textLog('info', { paint: plain, print, printError: print }, false).events, onBlock: undefined };
}
