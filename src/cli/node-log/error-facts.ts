/** What a log record says of an error, as its JSON has it. */
export interface ErrorFacts {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorFacts;
}

/** Causes of causes that are told of. */
const CAUSE_DEPTH = 4;

/**
 * What a node's log may say of an error: its kind, its message, where it came from, and the same of its causes. Its
 * other properties stay out, since nobody knows what they hold.
 */
export function errorFacts(error: unknown, depth = CAUSE_DEPTH): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined || depth === 0 ? {} : { cause: errorFacts(cause, depth - 1) }),
  };
}
