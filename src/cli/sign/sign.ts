import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { SIGNED_JSON_BYTES_MAX } from '../../limits.ts';
import { type Operation, PrivateKey, Transaction } from '../../native/index.ts';
import { readPrivateKey } from '../../node/index.ts';
import type { Environment } from '../environment.ts';
import { UsageError } from '../errors.ts';
import { SignError } from './errors.ts';
import { SigningNode } from './signing-node.ts';

/** What `ledgerd sign` signs, with which keys; what is not given is asked of a node. */
export interface SignRequest {
  /** The transaction's JSON; undefined for the standard input. */
  readonly file: string | undefined;
  /** Paths of the files of the keys that sign, in this order. */
  readonly keyFiles: readonly string[];
  /** Where a node listens that says what is not given here. */
  readonly url: URL | undefined;
  readonly chainId: string | undefined;
  readonly referenceBlock: string | undefined;
  readonly expiration: string | undefined;
  /** Whether the node gets the transaction. */
  readonly send: boolean;
}

/**
 * Signs a transaction, and prints it as `eth_sendRawTransaction` takes it, or sends it and prints its hash.
 *
 * @throws SignError, and the errors of keys and formats
 */
export async function runSign(request: SignRequest, environment: Environment): Promise<void> {
  const stop = new AbortController();
  void environment.stopRequested().then(() => stop.abort());
  const node = request.url === undefined ? undefined : new SigningNode(request.url, stop.signal);
  const keys = request.keyFiles.map((file) => PrivateKey.fromBytes(readPrivateKey(file)));
  const { file } = request;
  const json = await readJson(file === undefined ? environment.input() : createReadStream(file));
  const transaction = 'ref_block_num' in json ? whole(json, request) : await complete(json, request, node);
  const chainId = request.chainId ?? (await node?.chainId());
  if (chainId === undefined) throw new UsageError('--chain-id: give it, or name a node by --url');
  const signed = keys.reduce((unsigned, key) => unsigned.sign(key, chainId), transaction).toHex();
  const printed = request.send && node !== undefined ? await node.send(signed) : signed;
  environment.print(`${printed}\n`);
}

/** A transaction in the JSON form of the format, perhaps with signatures of others. */
function whole(json: object, { referenceBlock, expiration }: SignRequest): Transaction {
  if (referenceBlock === undefined && expiration === undefined) return Transaction.fromJSON(json);
  throw new UsageError('--reference-block and --expiration: the transaction has its own');
}

/** A transaction of which the operations are given, and perhaps the expiration. */
async function complete(
  json: object,
  { referenceBlock, expiration }: SignRequest,
  node: SigningNode | undefined,
): Promise<Transaction> {
  const { operations, expiration: written, ...others }: Record<string, unknown> = { ...json };
  const [surplus] = Object.keys(others);
  if (surplus !== undefined) throw new SignError('INPUT', `transaction.${surplus}: unknown key`);
  if (!Array.isArray(operations)) throw new SignError('INPUT', 'transaction.operations: must be an array');
  if (written !== undefined && typeof written !== 'string') {
    throw new SignError('INPUT', 'transaction.expiration: must be a time YYYY-MM-DDTHH:MM:SS');
  }
  const reference = referenceBlock ?? (await node?.latestBlock());
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
      throw new SignError('INPUT', `the transaction has more than ${SIGNED_JSON_BYTES_MAX} bytes of JSON`);
    }
    parts.push(part);
  }
  const json = parsed(Buffer.concat(parts).toString('utf8'));
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  throw new SignError('INPUT', 'the transaction must be a JSON object');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
