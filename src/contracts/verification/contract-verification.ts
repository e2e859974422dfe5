import { randomUUID } from 'node:crypto';
import { recordOf } from '../../json/record.ts';
import { bytesToHex, equalBytes, keccak256, messageOf, utf8ToBytes } from '../../protocol/index.ts';
import type { Artifact, OutputName } from '../artifacts/artifact.ts';
import type { CodeMatch } from '../artifacts/code-pattern.ts';
import { sourcePath } from '../artifacts/compilation.ts';
import type { ArtifactRegistry } from '../artifacts/registry.ts';
import { betterMatch, type ContractMatch, type DeployedContract, matchContract } from './match-contract.ts';
import type { ContractIdentifier, StandardInput } from './standard-input.ts';

/** Verifications that run or wait. */
const VERIFICATIONS_WAITING_MAX = 64;
/** Bytes of the inputs of verifications that run or wait (128 MiB). */
const VERIFICATION_BYTES_MAX = 128 * 1024 * 1024;
/** Verifications whose results are kept; the oldest ones are removed beyond it. */
const VERIFICATION_RESULTS_MAX = 1_000;
/** Bytes of the verified contracts (256 MiB); the oldest ones are removed beyond it. */
const VERIFIED_BYTES_MAX = 256 * 1024 * 1024;
/** Milliseconds that a request for the result of a verification waits for it. */
const VERIFICATION_HOLD_MS_MAX = 10_000;

/** Parts of the compiler's output that are kept, since its file may change. */
const KEPT_OUTPUTS = ['metadata', 'storageLayout', 'transientStorageLayout', 'userdoc', 'devdoc'] as const;

/** A request to verify the contract at an address. */
export interface VerificationRequest {
  /** In hexadecimal with its prefix, in lower case. */
  readonly address: string;
  /** Undefined: any known artifact with the code. */
  readonly contract: ContractIdentifier | undefined;
  readonly input: StandardInput;
  /** Without the leading `v`. */
  readonly compilerVersion: string;
  /** In hexadecimal without a prefix; undefined: not stated. */
  readonly constructorArguments: string | undefined;
  /** Bytes of the request. */
  readonly size: number;
}

/** A contract that was compared with its sources. */
export interface VerifiedContract extends ContractMatch {
  readonly address: string;
  readonly identifier: ContractIdentifier;
  readonly artifact: Artifact;
  readonly input: StandardInput;
  readonly compilerVersion: string;
  /** Parts of the compiler's output that a tool wrote. */
  readonly outputs: Readonly<Partial<Record<OutputName, unknown>>>;
  readonly contract: DeployedContract;
  /** Number in the order of verifications. */
  readonly matchId: number;
  readonly verifiedAt: Date;
  /** The newest block at the verification. */
  readonly block: number;
  readonly size: number;
}

/** Reasons for which a contract is not verified, as Sourcify names them. */
export type VerificationFailureCode =
  | 'no_match'
  | 'no_similar_match_found'
  | 'contract_not_deployed'
  | 'unsupported_language'
  | 'compiler_not_installed'
  | 'internal_error';

export interface VerificationFailure {
  readonly code: VerificationFailureCode;
  readonly message: string;
  /** The code of the contract; absent before it was read. */
  readonly contract?: DeployedContract | undefined;
  /** The artifact that does not match. */
  readonly artifact?: Artifact | undefined;
}

export interface VerificationJob {
  readonly id: string;
  readonly address: string;
  readonly startedAt: Date;
  finishedAt: Date | undefined;
  /** Undefined while it waits, and after a failure. */
  verified: VerifiedContract | undefined;
  failure: VerificationFailure | undefined;
}

/** Reads contracts of a chain; the code is empty where there is none. */
export interface ContractReader {
  codeAt(address: string): Promise<Uint8Array>;
  contractAt(address: string): Promise<DeployedContract>;
}

export interface VerificationOptions {
  readonly artifacts: ArtifactRegistry;
  readonly reader: ContractReader;
  headNumber(): number;
  /** Receives the failures of verifications. */
  onFailed(address: string, failure: VerificationFailure): void;
}

/** The reason for which a request is not queued. */
export type QueueRefusal = 'duplicate' | 'full';

/** Compares contracts with known artifacts, one after another, and keeps those that match. */
export class ContractVerification {
  readonly #options: VerificationOptions;
  readonly #jobs = new Map<string, VerificationJob>();
  /** Promises of the verifications that run or wait, by their addresses. */
  readonly #running = new Map<string, Promise<void>>();
  /** By address, the oldest verification first. */
  readonly #verified = new Map<string, VerifiedContract>();
  /** Ends of the requests that wait for a result. */
  readonly #holds = new Set<() => void>();
  #verifiedBytes = 0;
  #last: Promise<void> = Promise.resolve();
  #bytes = 0;
  #matches = 0;

  constructor(options: VerificationOptions) {
    this.#options = options;
  }

  /** Queues a verification. */
  submit(request: VerificationRequest): VerificationJob | QueueRefusal {
    const { address, size } = request;
    if (this.#running.has(address)) return 'duplicate';
    if (this.#running.size >= VERIFICATIONS_WAITING_MAX || this.#bytes + size > VERIFICATION_BYTES_MAX) {
      return 'full';
    }
    const job: VerificationJob = {
      id: randomUUID(),
      address,
      startedAt: new Date(),
      finishedAt: undefined,
      verified: undefined,
      failure: undefined,
    };
    this.#jobs.set(job.id, job);
    const [oldest] = this.#jobs.keys();
    if (this.#jobs.size > VERIFICATION_RESULTS_MAX && oldest !== undefined) this.#jobs.delete(oldest);
    this.#bytes += size;
    this.#last = this.#last.then(async () => {
      await this.#run(job, request);
      this.#bytes -= size;
      this.#running.delete(address);
    });
    this.#running.set(address, this.#last);
    return job;
  }

  /** Returns a verification when it has ended, or after some time; undefined for an unknown one. */
  async job(id: string): Promise<VerificationJob | undefined> {
    const job = this.#jobs.get(id);
    const running = job?.finishedAt === undefined ? this.#running.get(job?.address ?? '') : undefined;
    if (running !== undefined) await this.#hold(running);
    return job;
  }

  /** Returns the verified contract at an address; undefined if the code there is another one now. */
  async contract(address: string): Promise<VerifiedContract | undefined> {
    const verified = this.#verified.get(address);
    if (verified === undefined) return undefined;
    const code = await this.#options.reader.codeAt(address);
    if (equalBytes(code, verified.contract.code)) return verified;
    this.#remove(address);
    return undefined;
  }

  /** Lists the verified contracts, the oldest first. */
  list(): VerifiedContract[] {
    return [...this.#verified.values()];
  }

  /** Removes the contracts of reverted blocks. */
  noteReorg(): void {
    const head = this.#options.headNumber();
    for (const { address, block, contract } of this.list()) {
      if ((contract.creation?.blockNumber ?? block) > head) this.#remove(address);
    }
  }

  /** Ends the requests that wait for results. */
  close(): void {
    for (const end of this.#holds) end();
  }

  #hold(running: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#holds.delete(end);
        resolve();
      };
      const timer = setTimeout(end, VERIFICATION_HOLD_MS_MAX);
      this.#holds.add(end);
      void running.then(end);
    });
  }

  #add(verified: VerifiedContract): void {
    this.#remove(verified.address);
    this.#verified.set(verified.address, verified);
    this.#verifiedBytes += verified.size;
    for (const address of this.#verified.keys()) {
      if (this.#verifiedBytes <= VERIFIED_BYTES_MAX) break;
      this.#remove(address);
    }
  }

  #remove(address: string): void {
    this.#verifiedBytes -= this.#verified.get(address)?.size ?? 0;
    this.#verified.delete(address);
  }

  async #run(job: VerificationJob, request: VerificationRequest): Promise<void> {
    try {
      const outcome = await this.#verify(request);
      if ('code' in outcome) job.failure = outcome;
      else {
        job.verified = outcome;
        this.#add(outcome);
      }
    } catch (error) {
      job.failure = { code: 'internal_error', message: messageOf(error) };
    }
    job.finishedAt = new Date();
    if (job.failure !== undefined) this.#options.onFailed(job.address, job.failure);
  }

  async #verify(request: VerificationRequest): Promise<VerifiedContract | VerificationFailure> {
    const { artifacts, reader, headNumber } = this.#options;
    const { address, input, size } = request;
    if (input.language !== 'Solidity') {
      return { code: 'unsupported_language', message: 'only contracts in Solidity are verified' };
    }
    const contract = await reader.contractAt(address);
    if (contract.code.length === 0) {
      return { code: 'contract_not_deployed', message: `there is no contract at ${address}` };
    }
    const candidates = candidatesOf(request, contract, artifacts);
    let differing: VerificationFailure | undefined;
    let best:
      | { readonly artifact: Artifact; readonly match: ContractMatch; readonly kind: CodeMatch }
      | undefined;
    for (const artifact of candidates) {
      const match = matchContract(artifact, contract, request.constructorArguments);
      const kind = betterMatch(match.runtime, match.creation);
      if (kind !== undefined && best?.kind !== 'exact_match') best = { artifact, match, kind };
      const message = `the code differs from that of ${artifact.name} at offset ${match.differsAt}`;
      differing = { code: 'no_match', message, contract, artifact };
    }
    if (best === undefined) return differing ?? unknownContract(request, contract);
    const { artifact, match } = best;
    const outputs = Object.fromEntries(KEPT_OUTPUTS.map((name) => [name, artifact.output(name) ?? null]));
    this.#matches += 1;
    return {
      ...match,
      address,
      artifact,
      contract,
      input,
      identifier: request.contract ?? { path: artifact.path ?? '', name: artifact.name },
      compilerVersion: artifact.compilation?.compiler() ?? request.compilerVersion,
      outputs,
      matchId: this.#matches,
      verifiedAt: new Date(),
      block: headNumber(),
      size: size + artifact.size + contract.code.length + JSON.stringify(outputs).length,
    };
  }
}

/** Returns the artifacts that have the name and the sources of a request; without a name, the one with the code. */
function candidatesOf(
  { contract: wanted, input }: VerificationRequest,
  { code }: DeployedContract,
  artifacts: ArtifactRegistry,
): Artifact[] {
  if (wanted === undefined) return [artifacts.ofCode(code) ?? []].flat();
  const path = sourcePath(wanted.path);
  return artifacts
    .named(wanted.name)
    .filter((artifact) => sourcePath(artifact.path ?? '') === path && hasSources(artifact, input));
}

/** Returns true if all given sources are those of an artifact's compilation, and that of the contract is given. */
function hasSources(artifact: Artifact, { sources }: StandardInput): boolean {
  const texts = new Map<string, () => string | undefined>();
  for (const { path, text } of artifact.compilation?.sources().values() ?? []) texts.set(path, text);
  const hashes = new Map(
    Object.entries(recordOf(metadataOf(artifact).sources)).map(([name, source]) => [
      sourcePath(name),
      recordOf(source).keccak256,
    ]),
  );
  const given = [...sources].map(([name, text]) => [sourcePath(name), text] as const);
  return (
    given.some(([path]) => path === sourcePath(artifact.path ?? '')) &&
    given.every(
      ([path, text]) =>
        texts.get(path)?.() === text || hashes.get(path) === `0x${bytesToHex(keccak256(utf8ToBytes(text)))}`,
    )
  );
}

function unknownContract(
  { contract: wanted, compilerVersion }: VerificationRequest,
  contract: DeployedContract,
): VerificationFailure {
  if (wanted === undefined) {
    return { code: 'no_similar_match_found', message: 'no known artifact has this code', contract };
  }
  const name = wanted.path === '' ? wanted.name : `${wanted.path}:${wanted.name}`;
  return {
    code: 'compiler_not_installed',
    message:
      `the node knows no artifact of ${name} with these sources, and has no compiler ${compilerVersion}: ` +
      'start it with --artifacts and the folder into which the project is compiled',
    contract,
  };
}

/** Returns the metadata of an artifact, which tools write as text or as an object; empty for none. */
function metadataOf(artifact: Artifact): Readonly<Record<string, unknown>> {
  const metadata = artifact.output('metadata');
  try {
    return recordOf(typeof metadata === 'string' ? JSON.parse(metadata) : metadata);
  } catch {
    return {};
  }
}
