import type { Codec } from '../codec/codec.ts';
import type { AssetAmount } from '../objects/assets.ts';
import type { AccountId, ContractId, ObjectId } from '../objects/identifiers.ts';
import type { Address } from '../values.ts';

/** Results and look-ups that tell an operation's receiver where its fields do not. */
export interface OperationPlaces {
  /** The object that it created; undefined where it created none, or waits for its block. */
  readonly created: ObjectId | undefined;
  /** The address of a contract; undefined where there is none. */
  addressOf(contract: ContractId): Address | undefined;
}

/** The names of the fields of a kind. */
type FieldsOf<Body, Value> = { [Key in keyof Body]-?: Body[Key] extends Value ? Key : never }[keyof Body];

/** One row of the table of operations: the native format, the checks of form and the interface read it. */
interface AnyOperationDescription<Body> {
  /** Its number in the native format. */
  readonly number: number;
  readonly codec: Codec<Body>;
  /** `to` in the interface; absent where nobody receives anything. */
  receiver?(operation: Body, places: OperationPlaces): Address | undefined;
  /** The field with what it moves to its receiver; absent where it moves nothing. */
  readonly moves?: Exclude<FieldsOf<Body, AssetAmount | bigint>, 'fee' | 'gas'>;
  /** The field with code or call data, as bytes or as their hexadecimal digits; absent where there is none. */
  readonly code?: FieldsOf<Body, string | Uint8Array>;
  /** Whether it has a limit of gas, of which the gas used counts; otherwise what it takes is fixed. */
  readonly isMetered?: true;
}

/** The row of an operation that clients may submit. */
export interface OperationDescription<Body> extends AnyOperationDescription<Body> {
  /** Who pays its fee, and has to sign for it. */
  payer(operation: Body): AccountId;
}

/** What an operation does whose fields do not say so themselves. */
export interface CarriedMessage {
  readonly to: Address | undefined;
  /** Units of the core asset, of a fraction the whole part. */
  readonly value: bigint;
  readonly data: Uint8Array;
}

/** What has to be known of an operation that carries a transaction of another format, signed within itself. */
export interface CarrierOperationDescription<Body>
  extends Omit<AnyOperationDescription<Body>, 'receiver' | 'moves' | 'code'> {
  /** Who signed what it carries, and pays for it. */
  sender(operation: Body): Address;
  message(operation: Body): CarriedMessage;
}

/** What has to be known of an operation that nobody signs and nobody pays for: on test chains only. */
export interface TestOperationDescription<Body> extends AnyOperationDescription<Body> {
  /** In whose name it acts. */
  caller(operation: Body): Address;
}

/** The row of a virtual operation. */
export interface VirtualOperationDescription<Body> extends AnyOperationDescription<Body> {
  /** The contract that caused it. */
  cause(operation: Body): ContractId;
}
