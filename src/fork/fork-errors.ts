import { LedgerdError } from '../protocol/index.ts';

/** The kind of a failure of a remote node. */
export type UpstreamFailure =
  | 'closed'
  | 'malformed'
  | 'rate limit'
  | 'refused'
  | 'server error'
  | 'timeout'
  | 'too long'
  | 'unreachable';

/** A remote node without a valid response, within the bounds of retries and time. */
export class UpstreamError extends LedgerdError {
  readonly code = 'UPSTREAM';
  readonly failure: UpstreamFailure;
  /** HTTP requests that were tried. */
  readonly attempts: number;

  constructor(message: string, failure: UpstreamFailure, attempts: number) {
    super(message);
    this.failure = failure;
    this.attempts = attempts;
  }
}

/** A response of a remote node with a wrong form, or that contradicts a hash. */
export class RemoteDataError extends LedgerdError {
  readonly code = 'REMOTE_DATA';
}

/** Data that a remote node should have and lacks, such as the state of an old block. */
export class RemoteMissingError extends LedgerdError {
  readonly code = 'REMOTE_MISSING';
}

/** A remote chain that has another block at the number of the pinned one. */
export class RemoteReorgError extends LedgerdError {
  readonly code = 'REMOTE_REORG';
}

/** A block that a chain cannot be forked at. */
export class ForkPointError extends LedgerdError {
  readonly code = 'FORK_POINT';
}

/** A pack of a fork that cannot be read or written: it is damaged, has another format, or is none. */
export class ForkPackError extends LedgerdError {
  readonly code = 'FORK_PACK';
}

/** An error that a remote node reported for a call, such as a revert. */
export class RemoteCallError extends LedgerdError {
  readonly code = 'REMOTE_CALL';
  /** The code of the JSON-RPC error. */
  readonly rpcCode: number;
  /** The message of the JSON-RPC error. */
  readonly reported: string;
  /** The data of the JSON-RPC error, unchecked; undefined for none. */
  readonly data: unknown;

  constructor(message: string, rpcCode: number, reported: string, data: unknown) {
    super(message);
    this.rpcCode = rpcCode;
    this.reported = reported;
    this.data = data;
  }
}
