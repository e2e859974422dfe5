/** The node cannot be reached, or the responding server is not a node. */
export class NodeUnreachableError extends Error {
  override readonly name = 'NodeUnreachableError';
}

/** The node has refused a call. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** The code of JSON-RPC. */
  readonly code: number;
  /** Data of the error, such as the bytes of a revert. */
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** True if the node does not have the method. */
  get isUnknownMethod(): boolean {
    return this.code === UNKNOWN_METHOD;
  }
}

/** A response without the form of the method's result. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
}

const UNKNOWN_METHOD = -32601;

/** Returns the message to show for a failure. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
