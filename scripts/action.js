/**
 * Starts and stops the node of a GitHub Actions job: the script of `action.yml`, which states its inputs and outputs.
 * Imports no package, since the runner has only Node.js and npm.
 */

import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LIMIT_MS = 60_000;
const INTERVAL_MS = 50;
/** Arguments with which the node prints no URL. */
const HIDES_URL = / (--quiet|-q|--silent|--log-level[ =](?:warn|error)) /;

const folder = join(variable('RUNNER_TEMP'), 'ledgerd');
const log = join(folder, 'ledgerd.log');
const pidFile = join(folder, 'ledgerd.pid');

const COMMANDS = { start, stop };

try {
  const command = COMMANDS[variable('INPUT_COMMAND')];
  if (command === undefined) {
    throw new Error(`command: expected start or stop, not ${process.env.INPUT_COMMAND}`);
  }
  await command();
} catch (error) {
  console.log(`::error title=ledgerd::${error.message.replaceAll('%', '%25').replaceAll('\n', '%0A')}`);
  process.exitCode = 1;
}

async function start() {
  if (existsSync(pidFile) && signal(Number(readFileSync(pidFile, 'utf8')), 0)) {
    throw new Error('a node of an earlier step runs: stop it first, by a step with the command stop');
  }
  mkdirSync(folder, { recursive: true });
  install(variable('INPUT_PACKAGE'));
  const words = (process.env.INPUT_ARGUMENTS ?? '').split(/\s+/).filter((word) => word !== '');
  const [, hidden] = HIDES_URL.exec(` ${words.join(' ')} `) ?? [];
  if (hidden !== undefined) throw new Error(`arguments: omit ${hidden}, since the URL is in the node's log`);
  const program = join(folder, 'node_modules/ledgerd/bin/ledgerd.js');
  const output = openSync(log, 'w');
  const node = spawn(process.execPath, [program, 'start', ...words], {
    detached: true,
    stdio: ['ignore', output, output],
  });
  const isReady = await within(
    async () => node.exitCode !== null || (await urls().catch(() => [])).length > 0,
  );
  if (!isReady) node.kill('SIGKILL');
  if (!isReady || node.exitCode !== null) {
    const reason = isReady ? `ended with ${node.exitCode}` : `served no request in ${LIMIT_MS} ms`;
    throw new Error(`the node ${reason}:\n${readFileSync(log, 'utf8')}`);
  }
  node.unref();
  writeFileSync(pidFile, String(node.pid));
  const [url, ethereumUrl = ''] = await urls();
  appendFileSync(variable('GITHUB_OUTPUT'), `url=${url}\nethereum-url=${ethereumUrl}\nlog=${log}\n`);
  console.log(`the node serves ${ethereumUrl === '' ? url : `${url} and ${ethereumUrl}`}`);
}

async function stop() {
  if (!existsSync(pidFile)) throw new Error('no node runs: a step with the command start precedes this one');
  const pid = Number(readFileSync(pidFile, 'utf8'));
  if (!signal(pid, 'SIGTERM')) {
    rmSync(pidFile);
    throw new Error(`the node had ended before this step:\n${readFileSync(log, 'utf8')}`);
  }
  if (!(await within(async () => !signal(pid, 0)))) {
    signal(pid, 'SIGKILL');
    throw new Error(`the node did not stop in ${LIMIT_MS} ms`);
  }
  rmSync(pidFile);
  console.log(readFileSync(log, 'utf8'));
}

/** Installs the package in the folder of the action. */
function install(name) {
  const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', name];
  // npm is a script on Windows, which only a shell can start.
  const { status, error } = spawnSync('npm', words, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm could not install ${name}: ${error?.message ?? `status ${status}`}`);
}

/** Returns the URLs that the node has printed, as text or JSON, once it responds to requests. */
async function urls() {
  const text = readFileSync(log, 'utf8');
  const [url, ethereumUrl] = [
    /^Endpoint +(http:\S+)|"url":"(http:[^"]+)"/m,
    /^Ethereum +(http:\S+)|"ethereumUrl":"(http:[^"]+)"/m,
  ].map((pattern) => (pattern.exec(text) ?? []).slice(1).find((found) => found !== undefined));
  if (url === undefined || !(await isServed(url))) return [];
  return ethereumUrl === undefined ? [url] : [url, ethereumUrl];
}

async function isServed(url) {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
  const response = await fetch(url, { method: 'POST', body });
  return Object(await response.json()).result !== undefined;
}

/** Waits until a condition is true; returns false if that takes too long. */
async function within(condition) {
  for (const end = Date.now() + LIMIT_MS; Date.now() < end; await sleep(INTERVAL_MS)) {
    if (await condition()) return true;
  }
  return false;
}

/** Sends a signal to a process; returns false if it has ended. */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}

function variable(name) {
  const value = process.env[name] ?? '';
  if (value === '') throw new Error(`${name} is empty: action.yml sets it`);
  return value;
}
