import type { IncludedBlobs, Ledger } from '../ledger/index.ts';
import { isSince } from '../ledger/index.ts';
import {
  blockIdOfHash,
  bytesToHex,
  concatBytes,
  hexToBytes,
  toHash,
  toPrefixedHex,
  zeroData,
} from '../protocol/index.ts';
import { type Dispatcher, ownBody } from '../rpc/index.ts';
import { type Handler, type HttpRequest, type HttpResponse, JSON_TYPE, weightsOf } from './http-response.ts';
import { readBlockNumber } from './min-block-waiters.ts';
import { scheduledResponse } from './scheduled-response.ts';

/** Versioned hashes, or indices, of one request for blobs. */
const BEACON_HASHES_MAX = 128;

/** The chain whose blobs are served. */
export type BeaconChain = Pick<Ledger, 'blocks' | 'blobs' | 'parameters'>;

/** Beginning of the paths of the beacon API. */
export const BEACON_PATH = '/eth/v1/beacon/';

const BYTES_TYPE = 'application/octet-stream';

/** Errors of the beacon API, with anvil's messages. */
const NOT_FOUND = failure(404, 'Block not found');
const GONE = failure(410, 'This endpoint is deprecated. Use `GET /eth/v1/beacon/blobs/{block_id}` instead.');

/**
 * Returns the handler of a path of the beacon API, as anvil serves it: `genesis`, `blobs/{block}`, and
 * `blob_sidecars/{block}` on chains whose blobs have a proof each.
 *
 * @param path behind `BEACON_PATH`
 * @returns undefined for another path, and on a chain without blobs
 */
export function beaconHandler(path: string, chain: BeaconChain, dispatcher: Dispatcher): Handler | undefined {
  const { rules } = chain.parameters;
  if (rules.blobs === undefined) return undefined;
  if (path === 'genesis') return () => genesisResponse(chain);
  const [name, id, ...rest] = path.split('/');
  if (id === undefined || rest.length > 0) return undefined;
  const serve =
    (make: (blobs: readonly IncludedBlobs[], request: HttpRequest) => HttpResponse): Handler =>
    (request) =>
      scheduledResponse(request, dispatcher, () => {
        const number = blockNumberOf(id, chain);
        if (number === 'invalid') return failure(400, `Invalid block ID: ${id}`);
        return number === undefined ? NOT_FOUND : make(chain.blobs.ofBlock(number), request);
      });
  if (name === 'blobs') return serve(blobsResponse);
  if (name !== 'blob_sidecars') return undefined;
  return isSince(rules.hardfork, 'osaka') ? () => GONE : serve(sidecarsResponse);
}

function genesisResponse({ parameters }: BeaconChain): HttpResponse {
  return json({
    data: {
      genesis_time: String(parameters.genesis.timestamp),
      genesis_validators_root: zeroData(32),
      genesis_fork_version: zeroData(4),
    },
  });
}

const HEAD_IDS: ReadonlySet<string> = new Set(['head', 'finalized', 'justified']);
const HASH = /^0x[0-9a-fA-F]{64}$/;

/** Returns the number of a block that exists; undefined for one that does not. */
function blockNumberOf(id: string, { blocks }: BeaconChain): number | undefined | 'invalid' {
  if (HEAD_IDS.has(id)) return blocks.head().number;
  if (id === 'genesis') return 0;
  if (HASH.test(id)) {
    const blockId = blockIdOfHash(toHash(hexToBytes(id.slice(2))));
    return blockId && blocks.blockById(blockId)?.number;
  }
  const number = readBlockNumber(id);
  return number === undefined ? 'invalid' : blocks.blockByNumber(number)?.number;
}

function blobsResponse(included: readonly IncludedBlobs[], { query, headers }: HttpRequest): HttpResponse {
  const wanted = listed(query, 'versioned_hashes');
  if (wanted.length > BEACON_HASHES_MAX || !wanted.every((hash) => HASH.test(hash))) {
    return failure(400, `Invalid versioned hashes: give at most ${BEACON_HASHES_MAX} of 32 bytes`);
  }
  const hashes = new Set(wanted.map((hash) => hash.toLowerCase()));
  const blobs = included.flatMap(({ versionedHashes, sidecar }) =>
    (sidecar?.blobs ?? []).filter((_, index) => {
      const hash = versionedHashes[index];
      return hashes.size === 0 || (hash !== undefined && hashes.has(toPrefixedHex(hash)));
    }),
  );
  if (prefersBytes(headers.accept)) {
    // SSZ: a list of items of equal length.
    return { status: 200, headers: { 'content-type': BYTES_TYPE }, body: ownBody(concatBytes(...blobs)) };
  }
  const data = blobs.map((blob) => `"0x${bytesToHex(blob)}"`).join();
  return jsonText(`{"execution_optimistic":false,"finalized":false,"data":[${data}]}`);
}

/** The header of a beacon block, which this chain has not. */
const NO_HEADER = {
  message: {
    slot: '0',
    proposer_index: '0',
    parent_root: zeroData(32),
    state_root: zeroData(32),
    body_root: zeroData(32),
  },
  signature: zeroData(96),
};

function sidecarsResponse(included: readonly IncludedBlobs[], { query }: HttpRequest): HttpResponse {
  const wanted = listed(query, 'indices');
  if (wanted.length > BEACON_HASHES_MAX || !wanted.every((index) => /^\d{1,3}$/.test(index))) {
    return failure(400, `Invalid indices: give at most ${BEACON_HASHES_MAX} numbers`);
  }
  const indices = new Set(wanted.map(Number));
  let next = 0;
  const data = included.flatMap(({ versionedHashes, sidecar }) => {
    const first = next;
    next += versionedHashes.length;
    return (sidecar?.blobs ?? []).map((blob, offset) => ({
      index: String(first + offset),
      blob: toPrefixedHex(blob),
      kzg_commitment: toPrefixedHex(sidecar?.commitments[offset] ?? blob),
      kzg_proof: toPrefixedHex(sidecar?.proofs[offset] ?? blob),
      signed_block_header: NO_HEADER,
      kzg_commitment_inclusion_proof: [],
    }));
  });
  const chosen = indices.size === 0 ? data : data.filter(({ index }) => indices.has(Number(index)));
  return json({ execution_optimistic: false, finalized: false, data: chosen });
}

/** Returns the values of a parameter, repeated or separated by commas. */
function listed(query: string, name: string): string[] {
  return new URLSearchParams(query)
    .getAll(name)
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** Returns true if a client prefers bytes to JSON (RFC 9110, 12.5.1). */
function prefersBytes(accept = ''): boolean {
  const weights = weightsOf(accept);
  return (weights.get(BYTES_TYPE) ?? 0) > (weights.get('application/json') ?? 0);
}

function json(value: object): HttpResponse {
  return jsonText(JSON.stringify(value));
}

function jsonText(text: string): HttpResponse {
  return { status: 200, headers: { 'content-type': JSON_TYPE }, body: ownBody(Buffer.from(text, 'latin1')) };
}

function failure(code: number, message: string): HttpResponse {
  return { ...json({ code, message }), status: code };
}
