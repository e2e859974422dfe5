import type { BlockSummary } from '../../ledger/index.ts';
import {
  describeNotice,
  type EthereumBlock,
  type FailedExecution,
  type LoggedTransaction,
  type NodeDescription,
  type NodeEvents,
  type NodeNotice,
  type TestNodeDescription,
} from '../../node/index.ts';
import { blockHashOf, checksumAddress, hexIdOf, toPrefixedHex } from '../../protocol/index.ts';
import type { Environment } from '../environment.ts';
import { grouped } from '../progress.ts';
import { LOG_LEVELS, type LogLevel, VERBOSITY } from '../settings/service-settings.ts';
import { linesOf, type Paint, plain } from '../text.ts';
import { banner } from './banner.ts';
import { type ErrorFacts, errorFacts, INDENTATION, printable, treeText } from './printable.ts';

/** Space between the parts of a line about a failure. */
const GAP = '   ';

/** The log of a node for its operator. It contains no secrets, except for the keys of test mode. */
export interface NodeLog {
  /** Listeners of the node while it runs. */
  readonly events: NodeEvents;
  started(description: NodeDescription | TestNodeDescription): void;
  /** Logs the signal to stop. */
  stopping(): void;
  stopped(): void;
}

/**
 * Creates a node's log for people: a banner, and a line for each event. Failures of the node are written to the
 * standard error.
 *
 * @param withTime true if lines begin with the time
 * @param verbosity of failures of contracts
 * @param showsNative true if the banner lists native accounts on a chain with Ethereum, too
 */
export function textLog(
  level: LogLevel,
  environment: Pick<Environment, 'paint' | 'print' | 'printError'>,
  withTime: boolean,
  verbosity: number = VERBOSITY.origin,
  showsNative = false,
): NodeLog {
  const { paint, print, printError } = environment;
  const isEnabled = (of: LogLevel) => LOG_LEVELS.indexOf(of) <= LOG_LEVELS.indexOf(level);
  const now = () => new Date().toISOString();
  const line = (of: LogLevel, text: string) => {
    if (isEnabled(of)) print(withTime ? `${paint('dim', now())} ${text}` : text);
  };
  let page: string | undefined;
  return {
    events: {
      ...(isEnabled('info') && {
        onBlock: (block: BlockSummary, ethereum: EthereumBlock | undefined) =>
          line('info', blockLines(block, ethereum, paint)),
      }),
      onDropped: ({ transaction, error }) => {
        const id = paint('dim', hexIdOf(transaction));
        line('info', `${paint('yellow', 'dropped')} transaction ${id}: ${printable(error.message)}\n`);
      },
      // A node skips the work for an absent listener.
      ...(isEnabled('debug') && {
        onFailedCall: (method: string, message: string) => line('debug', failureLine(method, message, paint)),
      }),
      ...(isEnabled('info') &&
        verbosity >= VERBOSITY.origin && {
          onConsole: (lines: readonly string[]) => {
            for (const text of lines) line('info', `${paint('dim', 'console.log')} ${printable(text)}\n`);
          },
        }),
      ...(isEnabled('info') &&
        verbosity >= VERBOSITY.reason && {
          onFailedExecution: (failed: FailedExecution) =>
            line('info', failedLines(failed, verbosity, page, paint)),
        }),
      onInternalFailure: (task, error) => {
        const lines = internalFailureLines(task, error);
        printError(withTime ? `${now()} ${lines}` : lines);
      },
      onNotice: (notice) => line(describeNotice(notice).level, noticeLine(notice, paint)),
    },
    started: (description) => {
      page = description.explorerUrl;
      if (isEnabled('info')) print(banner(description, paint, showsNative));
    },
    stopping: () => line('info', 'stopping\n'),
    stopped: () => undefined,
  };
}

/**
 * Creates the log of the library: that of `ledgerd start` at the level `info` without blocks, that is console output,
 * failed calls, and notices.
 *
 * @param onLog receives each entry without its last line feed; its exceptions are thrown outside the node
 */
export function programLog(onLog: (text: string) => void): NodeEvents {
  const print = (text: string): void => queueMicrotask(() => onLog(text.trimEnd()));
  return { ...textLog('info', { paint: plain, print, printError: print }, false).events, onBlock: undefined };
}

/**
 * Writes the line of a new block: number, hash, operations and gas. On a chain with Ethereum the gas is Ethereum's, and
 * lines of the first transactions follow.
 */
export function blockLines(block: BlockSummary, ethereum: EthereumBlock | undefined, paint: Paint): string {
  const operations = block.operationCount === 1 ? '1 operation' : `${block.operationCount} operations`;
  const hash = paint('dim', toPrefixedHex(blockHashOf(block.id)));
  const gas = ethereum?.gas ?? block.feesCollected;
  const line = `${paint('green', 'block')} ${block.number}  ${hash}  ${operations}  gas ${gas}`;
  const transactions = ethereum?.transactions() ?? [];
  const others = ethereum === undefined ? 0 : block.operationCount - transactions.length;
  return linesOf([
    line,
    ...transactions.map((transaction) => `${INDENTATION}${transactionText(transaction, paint)}`),
    ...(others === 0 ? [] : [`${INDENTATION}and ${others} more`]),
  ]);
}

function transactionText(
  { hash, from, to, created, gas, isFailure }: LoggedTransaction,
  paint: Paint,
): string {
  const parts = [paint('dim', toPrefixedHex(hash)), `from ${checksumAddress(from)}`];
  if (to !== undefined) parts.push(`to ${checksumAddress(to)}`);
  if (created !== undefined) parts.push(`created ${checksumAddress(created)}`);
  parts.push(`gas ${gas}`);
  if (isFailure) parts.push(paint('red', 'failed'));
  return parts.join('  ');
}

/** Writes the line of a failed call. Both texts may come from the caller. */
export function failureLine(method: string, message: string, paint: Paint): string {
  return `${paint('red', 'failed')} ${printable(method)}: ${printable(message)}\n`;
}

/** Writes a failed execution: what failed and why, and with more verbosity where it began, its gas and its calls. */
function failedLines(
  failed: FailedExecution,
  verbosity: number,
  page: string | undefined,
  paint: Paint,
): string {
  const { transaction, failure, from, gasUsed, gasLimit, isAgain } = failed;
  const { kind, subject, reason, origin } = failure;
  const hash = transaction && toPrefixedHex(transaction.hash);
  const title = [
    paint('red', `✗ ${printable(kind)}`),
    paint('bold', printable(subject)),
    ...(hash === undefined
      ? [isAgain ? 'call again' : 'call']
      : [`block ${transaction?.block}`, paint('dim', hash)]),
  ];
  const lines = reason === undefined ? [] : [printable(reason)];
  if (verbosity >= VERBOSITY.origin && !isAgain) {
    const gas = `gas ${grouped(gasUsed)} of ${grouped(gasLimit)}`;
    const link = page === undefined || hash === undefined ? [] : [`${page}#/tx/${hash}`];
    lines.push(...origin.map((line) => treeText(line, paint)));
    lines.push([gas, `from ${checksumAddress(from)}`, ...link].join(GAP));
    if (verbosity >= VERBOSITY.calls) lines.push(...failed.calls().map((line) => treeText(line, paint)));
  }
  return linesOf([title.join(GAP), ...lines.map((line) => `${INDENTATION}${line}`)]);
}

export function noticeLine(notice: NodeNotice, paint: Paint): string {
  const { level, message } = describeNotice(notice);
  const style = level === 'info' ? 'green' : level === 'warn' ? 'yellow' : 'red';
  return `${paint(style, level)} ${printable(message)}\n`;
}

/** Writes the lines of an internal failure: its task, and its stack, with the causes. */
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
