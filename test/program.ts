import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from './chain-kind.ts';
import { startCheckingProxy } from './checking-proxy.ts';
import { post, type RpcResponse } from './json-rpc.ts';
import { resultOf } from './rpc-client.js';

/** The program's file. */
export const PROGRAM = fileURLToPath(new URL('../bin/ledgerd.js', import.meta.url));

/** The address of the program, in its banner or in its JSON log. */
const ADDRESS = /(?:^Endpoint +|"event":"started".*"url":")(http:[^\s"]+)/m;

/** Milliseconds between two requests to a quiet program until it is ready. */
const POLL_INTERVAL_MS = 20;

/** The program as a user meets it: a process with an address, an output and an end. */
export interface Program {
  /** The address of the program. */
  readonly url: string;
  /** Address for clients: it leads to the program too, and every response that passes is checked. */
  readonly clientUrl: string;
  readonly processId: number;
  /** Returns its standard output so far. */
  output(): string;
  /** Returns its standard error so far. */
  errors(): string;
  /** Waits until the standard output matches, and gives the match. Fails when the program ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Calls a method and gives the whole response, an error included. */
  response(method: string, ...parameters: readonly unknown[]): Promise<RpcResponse>;
  /** Calls a method and gives its result; an error fails the test. */
  call<T = unknown>(method: string, ...parameters: readonly unknown[]): Promise<T>;
  /** Stops the program and waits for its end; returns the exit status. Fails if a client got an invalid response. */
  stop(): Promise<number | null>;
}

/** The outcome of a finished run of the program. */
export interface Run {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Starts `ledgerd start --port 0` with further words, and waits until it prints its address. */
export async function startProgram(...words: readonly string[]): Promise<Program> {
  const watched = watch(spawnProgram(['start', '--port', '0', ...words]));
  const url = (await watched.printed(ADDRESS))[1] ?? '';
  return programOf(watched, url);
}

/** Starts the program with `--quiet` at a port of the caller. */
export async function startQuietProgram(port: number, ...words: readonly string[]): Promise<Program> {
  const watched = watch(spawnProgram(['start', '--quiet', '--port', String(port), ...words]));
  const url = `http://127.0.0.1:${port}`;
  await listening(url, watched);
  return programOf(watched, url);
}

/** Runs the program to its end. */
export async function runProgram(...words: readonly string[]): Promise<Run> {
  const watched = watch(spawnProgram(words));
  const status = await watched.ended;
  return { status, output: watched.output(), errors: watched.errors() };
}

interface Watched {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output(): string;
  errors(): string;
  printed(pattern: RegExp): Promise<RegExpExecArray>;
}

function spawnProgram(words: readonly string[]): ChildProcess {
  const env = programEnvironment(words);
  return spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'pipe', 'pipe'], env });
}

function watch(child: ChildProcess): Watched {
  let output = '';
  let errors = '';
  let hasEnded = false;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([status]) => {
    hasEnded = true;
    return typeof status === 'number' ? status : null;
  });
  const printed = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = pattern.exec(output);
      if (match !== null) return match;
      if (hasEnded) throw new Error(`the program ended without printing ${pattern}:\n${output}${errors}`);
      await Promise.race([ended, once(child.stdout ?? child, 'data')]);
    }
  };
  return { child, ended, output: () => output, errors: () => errors, printed };
}

async function programOf(watched: Watched, url: string): Promise<Program> {
  const proxy = await startCheckingProxy(url);
  const response = (method: string, ...parameters: readonly unknown[]): Promise<RpcResponse> =>
    post(url, { jsonrpc: '2.0', id: 1, method, params: parameters }).then((posted) => posted.response());
  return {
    url,
    clientUrl: proxy.url,
    processId: watched.child.pid ?? 0,
    output: watched.output,
    errors: watched.errors,
    printed: watched.printed,
    response,
    call: async <T>(method: string, ...parameters: readonly unknown[]) =>
      resultOf<T>(method, await response(method, ...parameters)),
    stop: async () => {
      watched.child.kill('SIGTERM');
      const status = await watched.ended;
      await proxy.close();
      const problems = proxy.problems();
      if (problems.length > 0) throw new Error(`responses that do not fit:\n${problems.join('\n')}`);
      return status;
    },
  };
}

/** Sends requests to a quiet program until it responds. */
async function listening(url: string, watched: Watched): Promise<void> {
  let status: number | null | undefined;
  void watched.ended.then((ending) => {
    status = ending;
  });
  for (;;) {
    if (status !== undefined)
      throw new Error(`the program ended with status ${status}:\n${watched.errors()}`);
    const isReady = await fetch(url, { method: 'POST', body: '[]' }).then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await delay(POLL_INTERVAL_MS);
  }
}
