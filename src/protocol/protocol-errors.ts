/** Base of every deliberate error. `code` is stable and for programs, the message for people. */
export abstract class LedgerdError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A violated invariant: always a defect of the program, never of its input. */
export class InvariantError extends LedgerdError {
  readonly code = 'INVARIANT';
}

/** Asserts an invariant of the program. @throws {InvariantError} if it does not hold */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/**
 * An error about one field of a structure. Each enclosing structure prepends its part of the path when it rethrows the
 * error (`locate`), so that a success has no cost.
 */
abstract class FieldError extends LedgerdError {
  readonly reason: string;
  #field: string;

  constructor(field: string, reason: string, options?: ErrorOptions) {
    super('', options);
    this.#field = field;
    this.reason = reason;
  }

  /** Path of the field, such as `transaction.operations[0].amount.asset_id`. */
  get field(): string {
    return this.#field;
  }

  /** Prepends the name of the enclosing field (`amount`, `[0]`) to the path. */
  enclose(segment: string): void {
    const separator = this.#field === '' || this.#field.startsWith('[') ? '' : '.';
    this.#field = `${segment}${separator}${this.#field}`;
    this.message = this.describe();
  }

  protected abstract describe(): string;
}

/** Bytes that are not the canonical encoding of a value. `offset` counts bytes from the start of the input. */
export class DecodeError extends FieldError {
  readonly code = 'DECODE';
  readonly offset: number;

  constructor(field: string, offset: number, reason: string, options?: ErrorOptions) {
    super(field, reason, options);
    this.offset = offset;
    this.message = this.describe();
  }

  protected override describe(): string {
    return `${this.field} at byte ${this.offset}: ${this.reason}`;
  }
}

/** A text or JSON form that is invalid, or a value that the format cannot represent. */
export class FormatError extends FieldError {
  readonly code = 'FORMAT';

  constructor(field: string, reason: string, options?: ErrorOptions) {
    super(field, reason, options);
    this.message = this.describe();
  }

  protected override describe(): string {
    return `${this.field}: ${this.reason}`;
  }
}

/** A Merkle proof that does not prove what it should. */
export class ProofError extends LedgerdError {
  readonly code = 'PROOF';

  constructor(problem: string, options?: ErrorOptions) {
    super(`the Merkle proof is not valid: ${problem}`, options);
  }
}

/** A typed transaction (EIP-2718) of an unsupported type. */
export class UnsupportedTransactionTypeError extends LedgerdError {
  readonly code = 'TRANSACTION_TYPE';
  readonly type: number;

  constructor(type: number) {
    super(`transaction type not supported: ${type}`);
    this.type = type;
  }
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns the message of the innermost cause of an error: that of fetch itself is only "fetch failed". The error of
 * several addresses has only a code.
 */
export function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return innermostMessage(error.cause);
  return error.message !== '' ? error.message : 'code' in error ? String(error.code) : error.name;
}

/** Prepends an enclosing field to the path of an error, and returns the error to be thrown again. */
export function locate(error: unknown, segment: string): unknown {
  if (error instanceof FieldError) error.enclose(segment);
  return error;
}
