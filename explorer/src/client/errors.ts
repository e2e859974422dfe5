/** The node cannot be reached, or what answers is no node. */
export class NodeUnreachableError extends Error {
  override readonly name = 'NodeUnreachableError';
}

/** The node has refused a call. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** The code of JSON-RPC. */
  readonly code: number;
  /** What comes with it, such as the bytes of a revert. */
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** Whether the node has no such method. */
  get isUnknownMethod(): boolean {
    return this.code === UNKNOWN_METHOD;
  }
}

/** An answer that has another form than the method's. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

const UNKNOWN_METHOD = -32601;

/** What a person is told of something that failed. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
