/**
 * Base of every error that the program throws on purpose. `code` is stable and meant for programs, the message for
 * people.
 */
export abstract class LedgerdError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A rule that our own code promised to keep does not hold: always a defect of the program, never of its input. */
export class InvariantError extends LedgerdError {
  readonly code = 'INVARIANT';
}

/**
 * Asserts something that our own code guarantees.
 *
 * @throws {InvariantError} when it does not hold.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/**
 * An error about one field of a structure. Whoever finds it knows only the innermost field; each enclosing structure
 * adds its own part of the path while the error passes through (`locate`), so that a success pays nothing.
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

  /** Puts the name of the enclosing field (`amount`, `[0]`) in front of the path. */
  enclose(segment: string): void {
    const separator = this.#field === '' || this.#field.startsWith('[') ? '' : '.';
    this.#field = `${segment}${separator}${this.#field}`;
    this.message = this.describe();
  }

  protected abstract describe(): string;
}

/**
 * Bytes that are not the one encoding of a value. `offset` is where, in bytes from the start, 0 to the length of the
 * input.
 */
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

/** A text or JSON form that is not one of a value, or a value that the format can't hold. */
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

/** An Ethereum transaction in an envelope (EIP-2718) of a type that this program does not know. */
export class UnsupportedTransactionTypeError extends LedgerdError {
  readonly code = 'TRANSACTION_TYPE';
  readonly type: number;

  constructor(type: number) {
    super(`transaction type not supported: ${type}`);
    this.type = type;
  }
}

/** Returns the message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Adds an enclosing field to the path of an error on its way out, and gives the error back to be thrown again. */
export function locate(error: unknown, segment: string): unknown {
  if (error instanceof FieldError) error.enclose(segment);
  return error;
}
