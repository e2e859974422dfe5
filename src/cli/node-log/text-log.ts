import type { BlockSummary } from '../../ledger/index.ts';
import {
  describeNotice,
  type FailedExecution,
  type NodeDescription,
  type NodeEvents,
  type NodeNotice,
  type TestNodeDescription,
} from '../../node/index.ts';
import { blockHashOf, bytesToHex, toPrefixedHex, transactionId } from '../../protocol/index.ts';
import type { Environment } from '../environment.ts';
import { LOG_LEVELS, type LogLevel } from '../settings/service-settings.ts';
import { linesOf, type Paint, plain } from '../text.ts';
import { banner } from './banner.ts';
import { type ErrorFacts, errorFacts, INDENTATION, printable, treeText } from './printable.ts';

/** Reports the work of a node to its operator. It contains no secrets, except for the keys of test mode. */
export interface NodeLog {
  /** Listeners of the node while it runs. */
  readonly events: NodeEvents;
  started(description: NodeDescription | TestNodeDescription): void;
  /** Notes that the node was told to stop. */
  stopping(): void;
  stopped(): void;
}

/**
 * Makes a node's log for people: a banner, and one line for each event. Failures of the node itself go to the standard
 * error.
 *
 * @param withTime true if lines begin with the time
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
      onDropped: ({ transaction, error }) => {
        const id = paint('dim', bytesToHex(transactionId(transaction)));
        line('info', `${paint('yellow', 'dropped')} transaction ${id}: ${printable(error.message)}\n`);
      },
      ...(isEnabled('debug')
        ? {
            onFailedCall: (method: string, message: string) =>
              line('debug', failureLine(method, message, paint)),
          }
        : {}),
      ...(isEnabled('info')
        ? {
            onConsole: (lines: readonly string[]) => {
              for (const text of lines) line('info', `${paint('dim', 'console.log')} ${printable(text)}\n`);
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
 * Reports to a program the output of `ledgerd start` at the level `info`, except for blocks: console output, calls that
 * failed, and notices.
 *
 * @param onLog receives each entry without its last line feed; its exceptions reach the program, not the node
 */
export function programLog(onLog: (text: string) => void): NodeEvents {
  const print = (text: string): void => queueMicrotask(() => onLog(text.trimEnd()));
  return { ...textLog('info', { paint: plain, print, printError: print }, false).events, onBlock: undefined };
}

/** Writes the line of a new block: number, hash, operations and the gas that was charged. */
export function blockLine(block: BlockSummary, paint: Paint): string {
  const operations = block.operationCount === 1 ? '1 operation' : `${block.operationCount} operations`;
  const hash = paint('dim', toPrefixedHex(blockHashOf(block.id)));
  return `${paint('green', 'block')} ${block.number}  ${hash}  ${operations}  gas ${block.feesCollected}\n`;
}

/** Writes the line of a call whose response is an error. Both texts may be the caller's. */
export function failureLine(method: string, message: string, paint: Paint): string {
  return `${paint('red', 'failed')} ${printable(method)}: ${printable(message)}\n`;
}

/** Writes the lines of code that failed: its transaction, then its calls. */
function failedLines({ transaction, lines }: FailedExecution, paint: Paint): string {
  const what =
    transaction === undefined
      ? 'call'
      : `transaction ${paint('dim', toPrefixedHex(transaction.hash))} in block ${transaction.block}`;
  const calls = linesOf(lines.map((line) => `${INDENTATION}${treeText(line, paint)}`));
  return `${paint('red', 'failed')} ${what}\n${calls}`;
}

/** Writes the line of a notice to the operator. */
export function noticeLine(notice: NodeNotice, paint: Paint): string {
  const { level, message } = describeNotice(notice);
  const style = level === 'info' ? 'green' : level === 'warn' ? 'yellow' : 'red';
  return `${paint(style, level)} ${printable(message)}\n`;
}

/** Writes the lines of a failure of the node itself: its task, and its place in the program, with the causes. */
export function internalFailureLines(task: string, error: unknown): string {
  const facts = errorFacts(error);
  return `ledgerd: internal failure in ${printable(task)}: ${titleOf(facts)}\n${originOf(facts)}`;
}

function titleOf({ type, message }: ErrorFacts): string {
  return printable(`${type}: ${message}`);
}

/** Writes the frames of the stack, then those of the cause. */
function originOf({ stack = '', cause }: ErrorFacts): string {
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  const own = linesOf(frames.map((frame) => `    ${printable(frame.trim())}`));
  return cause === undefined ? own : `${own}  caused by ${titleOf(cause)}\n${originOf(cause)}`;
}
