import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { z } from 'zod';
import { lazily } from '../../caching/lazily.ts';
import { type Operation, PrivateKey, Transaction } from '../../native/index.ts';
import { readPrivateKey } from '../../node/index.ts';
import { type Choose, listOption, STANDARD_STREAM, valueOption } from '../command.ts';
import { CommandError, UsageError } from '../command-errors.ts';
import type { Environment } from '../environment.ts';
import { NodeCaller, parseJson } from '../node-caller.ts';
import { flagParser, nodeUrl, path, type ValueType } from '../values.ts';

/** Bytes of a transaction's JSON that `ledgerd sign` reads (4 MiB): a byte may take two digits. */
const SIGNED_JSON_BYTES_MAX = 4 * 1024 * 1024;
/** Milliseconds that `ledgerd sign` waits for a response, also to a sent transaction. */
const SIGN_RESPONSE_TIMEOUT_MS = 30_000;

const hash = lazily(() => z.string().regex(/^0x[0-9a-f]{64}$/));
const chainShape = lazily(() => z.object({ chainId: hash() }));
const blockShape = lazily(() =>
  z.object({ hash: hash(), timestamp: z.string().regex(/^0x[0-9a-f]{1,13}$/) }),
);

interface SignFlags {
  /** Paths of the files of the keys that sign, in this order. */
  readonly keyFile: readonly string[];
  readonly url?: URL;
  readonly chainId?: string;
  readonly referenceBlock?: string;
  readonly expiration?: string;
  readonly send?: true;
}

function hexText(expected: string, form: RegExp): ValueType<string> {
  return { expected, read: (text) => (form.test(text) ? text : undefined) };
}

const chainId = hexText('64 hexadecimal digits, with or without 0x', /^(0x)?[0-9a-f]{64}$/i);
const block = hexText('the hash of a block or its id of 20 bytes', /^(0x)?([0-9a-f]{64}|[0-9a-f]{40})$/i);
const time = hexText('a time such as 2030-01-31T12:00:00, in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);

export function addSignCommand(program: Command, choose: Choose): void {
  program
    .command('sign')
    .description('Sign a native transaction, and print it for eth_sendRawTransaction.')
    .argument('<file>', 'JSON of the transaction; - for the standard input', flagParser('<file>', path))
    .addOption(listOption('--key-file <file>', 'file of a private key, repeatable', path))
    .addOption(valueOption('--url <url>', 'node that returns the missing parts', nodeUrl))
    .addOption(valueOption('--chain-id <id>', "native chain id (default: the node's)", chainId))
    .addOption(valueOption('--reference-block <hash>', "recent block (default: the node's newest)", block))
    .addOption(valueOption('--expiration <time>', 'expiration (default: 10 minutes after the block)', time))
    .option('--send', 'send it to the node, and print its hash instead')
    .action((file: string, flags: SignFlags) => {
      checkFlags(flags);
      choose('cannot sign', (environment) => runSign(file, flags, environment));
    });
}

/** @throws UsageError for flags that are missing or contradict each other */
function checkFlags({ keyFile, url, send }: SignFlags): void {
  if (keyFile.length === 0) throw new UsageError('--key-file: name the file of a key');
  if (send === true && url === undefined) throw new UsageError('--send: name the node by --url');
}

/** Signs a transaction, and prints it, or sends it and prints its hash. */
async function runSign(file: string, flags: SignFlags, environment: Environment): Promise<void> {
  const stop = new AbortController();
  void environment.stopRequested().then(() => stop.abort());
  const options = { expected: 'ledgerd', timeout: SIGN_RESPONSE_TIMEOUT_MS, stop: stop.signal };
  const node = flags.url && new NodeCaller(flags.url, options);
  const keys = flags.keyFile.map((keyFile) => PrivateKey.fromBytes(readPrivateKey(keyFile)));
  const json = await readJson(file === STANDARD_STREAM ? environment.input() : createReadStream(file));
  const transaction = 'ref_block_num' in json ? whole(json, flags) : await complete(json, flags, node);
  const chainId = flags.chainId ?? (await node?.call('ledger_getChain', [], chainShape()))?.chainId;
  if (chainId === undefined) throw new UsageError('--chain-id: give it, or name a node by --url');
  const signed = keys.reduce((unsigned, key) => unsigned.sign(key, chainId), transaction).toHex();
  const isSent = flags.send === true && node !== undefined;
  const printed = isSent ? await node.call('eth_sendRawTransaction', [signed], hash()) : signed;
  environment.print(`${printed}\n`);
}

/** Parses a whole transaction, which may have signatures. */
function whole(json: object, { referenceBlock, expiration }: SignFlags): Transaction {
  if (referenceBlock === undefined && expiration === undefined) return Transaction.fromJSON(json);
  throw new UsageError('--reference-block and --expiration: the transaction contains them');
}

/** Completes a transaction that has only operations and, optionally, an expiration. */
async function complete(
  json: object,
  { referenceBlock, expiration }: SignFlags,
  node: NodeCaller | undefined,
): Promise<Transaction> {
  const { operations, expiration: written, ...others }: Record<string, unknown> = { ...json };
  const [surplus] = Object.keys(others);
  if (surplus !== undefined) throw new CommandError('INPUT', `transaction.${surplus}: unknown key`);
  if (!Array.isArray(operations)) throw new CommandError('INPUT', 'transaction.operations: must be an array');
  if (written !== undefined && typeof written !== 'string') {
    throw new CommandError('INPUT', 'transaction.expiration: must be a time YYYY-MM-DDTHH:MM:SS');
  }
  const reference =
    referenceBlock ?? (await node?.call('eth_getBlockByNumber', ['latest', false], blockShape()));
  if (reference === undefined) throw new UsageError('--reference-block: give it, or name a node by --url');
  return Transaction.create({
    operations: operations as Operation[], // `create` checks each
    referenceBlock: reference,
    expiration: expiration ?? written,
  });
}

async function readJson(source: Readable): Promise<object> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > SIGNED_JSON_BYTES_MAX) {
      throw new CommandError('INPUT', `the transaction has more than ${SIGNED_JSON_BYTES_MAX} bytes of JSON`);
    }
    parts.push(part);
  }
  const json = parseJson(Buffer.concat(parts).toString('utf8'));
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  throw new CommandError('INPUT', 'the transaction must be a JSON object');
}
