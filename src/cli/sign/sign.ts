import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { SIGN_RESPONSE_TIMEOUT_MS, SIGNED_JSON_BYTES_MAX } from '../../limits.ts';
import { type Operation, PrivateKey, Transaction } from '../../native/index.ts';
import { readPrivateKey } from '../../node/index.ts';
import type { Environment } from '../environment.ts';
import { CommandError, UsageError } from '../errors.ts';
import { NodeCaller, parseJson } from '../node-caller.ts';

const hash = z.string().regex(/^0x[0-9a-f]{64}$/);
const chainAnswer = z.object({ chainId: hash });
const blockAnswer = z.object({ hash, timestamp: z.string().regex(/^0x[0-9a-f]{1,13}$/) });

/** Transaction and keys of `ledgerd sign`; absent parts are requested of a node. */
export interface SignRequest {
  /** The transaction's JSON; undefined for the standard input. */
  readonly file: string | undefined;
  /** Paths of the files of the keys that sign, in this order. */
  readonly keyFiles: readonly string[];
  /** Address of the node with the absent parts. */
  readonly url: URL | undefined;
  readonly chainId: string | undefined;
  readonly referenceBlock: string | undefined;
  readonly expiration: string | undefined;
  /** True to send the transaction to the node. */
  readonly send: boolean;
}

/**
 * Signs a transaction, and prints it as `eth_sendRawTransaction` takes it, or sends it and prints its hash.
 *
 * @throws CommandError, and the errors of keys and formats
 */
export async function runSign(request: SignRequest, environment: Environment): Promise<void> {
  const stop = new AbortController();
  void environment.stopRequested().then(() => stop.abort());
  const options = { expected: 'ledgerd', timeout: SIGN_RESPONSE_TIMEOUT_MS, stop: stop.signal };
  const node = request.url === undefined ? undefined : new NodeCaller(request.url, options);
  const keys = request.keyFiles.map((file) => PrivateKey.fromBytes(readPrivateKey(file)));
  const { file } = request;
  const json = await readJson(file === undefined ? environment.input() : createReadStream(file));
  const transaction = 'ref_block_num' in json ? whole(json, request) : await complete(json, request, node);
  const chainId = request.chainId ?? (await node?.call('ledger_getChain', [], chainAnswer))?.chainId;
  if (chainId === undefined) throw new UsageError('--chain-id: give it, or name a node by --url');
  const signed = keys.reduce((unsigned, key) => unsigned.sign(key, chainId), transaction).toHex();
  const isSent = request.send && node !== undefined;
  const printed = isSent ? await node.call('eth_sendRawTransaction', [signed], hash) : signed;
  environment.print(`${printed}\n`);
}

/** Parses a whole transaction, perhaps with signatures of others. */
function whole(json: object, { referenceBlock, expiration }: SignRequest): Transaction {
  if (referenceBlock === undefined && expiration === undefined) return Transaction.fromJSON(json);
  throw new UsageError('--reference-block and --expiration: the transaction has its own');
}

/** Completes a transaction of operations and perhaps an expiration. */
async function complete(
  json: object,
  { referenceBlock, expiration }: SignRequest,
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
    referenceBlock ?? (await node?.call('eth_getBlockByNumber', ['latest', false], blockAnswer));
  if (reference === undefined) throw new UsageError('--reference-block: give it, or name a node by --url');
  return Transaction.create({
    operations: operations as Operation[], // each is checked
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
