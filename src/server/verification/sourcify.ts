import { randomUUID } from 'node:crypto';
import {
  ArtifactError,
  type ContractReader,
  type ContractVerification,
  findParts,
  JsonValue,
  plainVersion,
  readIdentifier,
  readStandardInput,
  STANDARD_INPUT,
  type VerificationJob,
  type VerificationRequest,
} from '../../contracts/index.ts';
import { recordOf } from '../../json/record.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import { LimitError, ownBody } from '../../rpc/index.ts';
import { type Handler, type HttpRequest, type HttpResponse, JSON_TYPE } from '../http-response.ts';
import { detailsOf, omitFields, selectFields, summaryOf } from './contract-fields.ts';
import type { VerificationBodies } from './request-body.ts';

/** Contracts in a list. */
const LISTED_CONTRACTS_MAX = 200;

/** The parts of the verification interfaces. */
export interface VerificationParts {
  readonly contracts: ContractVerification;
  readonly reader: ContractReader;
  readonly bodies: VerificationBodies;
  /** Returns the id of the chain, in decimal digits. */
  chainId(): string;
}

const VERIFY = /^\/v2\/verify\/(?:(metadata|similarity)\/)?(\d+)\/(0x[0-9a-fA-F]{40})$/;
const JOB = /^\/v2\/verify\/([0-9a-f-]{36})$/;
const CONTRACT = /^\/v2\/contract\/(\d+|all-chains)\/(0x[0-9a-fA-F]{40})$/;
const CONTRACTS = /^\/v2\/contracts\/(\d+)$/;

/** Returns the handlers of a path of Sourcify's interface, version 2, by method; undefined for another path. */
export function sourcifyHandlers(
  path: string,
  parts: VerificationParts,
): Record<string, Handler> | undefined {
  const [isVerify, kind, verifiedChain = '', contract = ''] = VERIFY.exec(path) ?? [];
  if (isVerify !== undefined) {
    return { POST: (request) => verify(request, kind, verifiedChain, contract.toLowerCase(), parts) };
  }
  const [isJob, id = ''] = JOB.exec(path) ?? [];
  if (isJob !== undefined) return { GET: (request) => jobResponse(request, id, parts) };
  const [isContract, chain = '', address = ''] = CONTRACT.exec(path) ?? [];
  if (isContract !== undefined) {
    return { GET: (request) => contractResponse(request, chain, address.toLowerCase(), parts) };
  }
  const [isList, listedChain = ''] = CONTRACTS.exec(path) ?? [];
  return isList === undefined ? undefined : { GET: (request) => listResponse(request, listedChain, parts) };
}

async function verify(
  request: HttpRequest,
  kind: string | undefined,
  chainId: string,
  address: string,
  parts: VerificationParts,
): Promise<HttpResponse> {
  if (chainId !== parts.chainId()) return unsupportedChain(chainId, parts);
  try {
    const read = await parts.bodies.read(request, (bytes) => readBody(bytes, kind, address));
    if (read === undefined) return { status: 204 };
    const known = await parts.contracts.contract(address);
    if (known?.runtime === 'exact_match' || known?.creation === 'exact_match') {
      return failure(409, 'already_verified', 'an exact match of the contract is stored');
    }
    const job = parts.contracts.submit(read);
    if (job === 'duplicate') {
      return failure(429, 'duplicate_verification_request', 'the contract is being verified');
    }
    if (job === 'full') return failure(429, 'too_many_requests', 'too many contracts wait to be verified');
    return json(202, { verificationId: job.id });
  } catch (error) {
    if (error instanceof LimitError) return failure(429, 'too_many_requests', error.message);
    if (!(error instanceof ArtifactError)) throw error;
    return failure(400, 'invalid_json', error.message);
  }
}

const BODY = {
  stdJsonInput: STANDARD_INPUT,
  compilerVersion: true,
  contractIdentifier: true,
  sources: { '*': true },
  metadata: true,
} as const;

/** Reads a request to verify. @throws ArtifactError */
function* readBody(
  bytes: Buffer,
  kind: string | undefined,
  address: string,
): Generator<void, VerificationRequest> {
  const part = yield* findParts(bytes, BODY);
  const body = new JsonValue(({ start, end }) => bytes.toString('utf8', start, end), part);
  const common = { address, constructorArguments: undefined, size: bytes.length };
  if (kind === 'similarity') {
    const input = { language: 'Solidity', sources: new Map<string, string>(), settings: {} };
    return { ...common, contract: undefined, input, compilerVersion: '' };
  }
  if (kind === 'metadata') return { ...common, ...(yield* readMetadataBody(body)) };
  const given = body.at('stdJsonInput');
  const identifier = body.at('contractIdentifier')?.text();
  const compilerVersion = body.at('compilerVersion')?.text();
  if (given === undefined || identifier === undefined || compilerVersion === undefined) {
    throw new ArtifactError('expected stdJsonInput, compilerVersion and contractIdentifier');
  }
  const input = yield* readStandardInput(given);
  return {
    ...common,
    input,
    contract: readIdentifier(identifier),
    compilerVersion: plainVersion(compilerVersion),
  };
}

/** Reads sources and metadata, which names the contract, the compiler and its settings. */
function* readMetadataBody(
  body: JsonValue,
): Generator<void, Pick<VerificationRequest, 'contract' | 'input' | 'compilerVersion'>> {
  const { language, compiler, settings } = recordOf(body.at('metadata')?.value());
  const { compilationTarget, ...compilerSettings } = recordOf(settings);
  const [target] = Object.entries(recordOf(compilationTarget));
  if (target === undefined) throw new ArtifactError('expected metadata with a compilation target');
  const sources = new Map<string, string>();
  for (const [path, source] of body.at('sources')?.members('sources') ?? []) {
    sources.set(path, source.text() ?? '');
    yield;
  }
  return {
    contract: { path: target[0], name: String(target[1]) },
    compilerVersion: plainVersion(String(recordOf(compiler).version)),
    input: { language: String(language), sources, settings: compilerSettings },
  };
}

async function jobResponse(
  { connection }: HttpRequest,
  id: string,
  parts: VerificationParts,
): Promise<HttpResponse> {
  connection.state = 'working';
  const job = await parts.contracts.job(id);
  if (job === undefined) return failure(404, 'job_not_found', 'there is no verification with this id');
  return json(200, jobFields(job, parts.chainId()));
}

function jobFields(job: VerificationJob, chainId: string): object {
  const { failure: failed } = job;
  return {
    isJobCompleted: job.finishedAt !== undefined,
    verificationId: job.id,
    jobStartTime: job.startedAt.toISOString(),
    ...(job.finishedAt && { jobFinishTime: job.finishedAt.toISOString() }),
    contract: summaryOf(job.address, chainId, job.verified),
    ...(failed && {
      error: {
        customCode: failed.code,
        message: failed.message,
        errorId: job.id,
        ...(failed.contract && {
          recompiledCreationCode: hexOf(failed.artifact?.creation?.bytes),
          recompiledRuntimeCode: hexOf(failed.artifact?.runtime?.bytes),
          onchainCreationCode: hexOf(failed.contract.creation?.input),
          onchainRuntimeCode: hexOf(failed.contract.code),
        }),
      },
    }),
  };
}

function hexOf(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : toPrefixedHex(bytes);
}

async function contractResponse(
  { connection, query }: HttpRequest,
  chain: string,
  address: string,
  parts: VerificationParts,
): Promise<HttpResponse> {
  const refusal = connection.admit?.();
  if (refusal !== undefined) return failure(429, 'too_many_requests', refusal.message);
  connection.state = 'working';
  const isAnyChain = chain === 'all-chains';
  if (!isAnyChain && chain !== parts.chainId()) return unsupportedChain(chain, parts);
  const verified = await parts.contracts.contract(address);
  const summary = summaryOf(address, parts.chainId(), verified);
  if (isAnyChain) return json(200, { results: verified === undefined ? [] : [summary] });
  if (verified === undefined) return json(404, summary);
  const parameters = new URLSearchParams(query);
  const [fields, omitted] = ['fields', 'omit'].map((name) => parameters.get(name)?.split(','));
  if (fields !== undefined && omitted !== undefined) {
    return failure(400, 'invalid_parameter', 'give fields or omit, not both');
  }
  if (omitted !== undefined)
    return json(200, { ...omitFields({ ...detailsOf(verified), ...summary }, omitted) });
  if (fields === undefined) return json(200, summary);
  return json(200, { ...selectFields(detailsOf(verified), fields), ...summary });
}

function listResponse(
  { connection, query }: HttpRequest,
  chain: string,
  parts: VerificationParts,
): HttpResponse {
  const refusal = connection.admit?.();
  if (refusal !== undefined) return failure(429, 'too_many_requests', refusal.message);
  if (chain !== parts.chainId()) return unsupportedChain(chain, parts);
  const parameters = new URLSearchParams(query);
  const isAscending = parameters.get('sort') === 'asc';
  const limit = Math.min(Number(parameters.get('limit') ?? LISTED_CONTRACTS_MAX), LISTED_CONTRACTS_MAX);
  const after = parameters.get('afterMatchId');
  const all = parts.contracts.list();
  const sorted = isAscending ? all : all.toReversed();
  const isBehind = (matchId: number): boolean =>
    after === null || (isAscending ? matchId > Number(after) : matchId < Number(after));
  const listed = sorted
    .filter(({ matchId }) => isBehind(matchId))
    .slice(0, Math.max(0, Math.trunc(limit) || 0));
  return json(200, { results: listed.map((one) => summaryOf(one.address, chain, one)) });
}

function unsupportedChain(chain: string, parts: VerificationParts): HttpResponse {
  return failure(404, 'unsupported_chain', `the chain of this node is ${parts.chainId()}, not ${chain}`);
}

function failure(status: number, customCode: string, message: string): HttpResponse {
  return json(status, { customCode, message, errorId: randomUUID() });
}

/** Responds with a value as JSON. */
export function json(status: number, value: object): HttpResponse {
  return {
    status,
    headers: { 'content-type': JSON_TYPE },
    body: ownBody(Buffer.from(JSON.stringify(value))),
  };
}
