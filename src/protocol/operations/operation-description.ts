import type { Address } from '../bytes/bytes.ts';
import type { Codec } from '../codec/codec.ts';
import type { AccountId, ContractId, ObjectId } from '../objects/identifiers.ts';
import type { AssetAmount } from '../objects/value-codecs.ts';

/** Results and look-ups that determine the receiver of an operation whose fields do not name it. */
export interface ReceiverLookup {
  /** The created object; undefined for none, or while the operation is pending. */
  readonly created: ObjectId | undefined;
  /** Returns the address of a contract; undefined if there is none. */
  addressOf(contract: ContractId): Address | undefined;
}

/** Names of the fields of a type that have a type of value. */
type FieldsOf<Body, Value> = { [Key in keyof Body]-?: Body[Key] extends Value ? Key : never }[keyof Body];

/** One row of the table of operations, for the native format, the checks of form and the interface. */
interface AnyOperationDescription<Body> {
  /** Its number in the native format. */
  readonly number: number;
  readonly codec: Codec<Body>;
  /** `to` in the interface; absent without a receiver. */
  receiver?(operation: Body, lookup: ReceiverLookup): Address | undefined;
  /** The field with the amount moved to the receiver; absent if nothing is moved. */
  readonly moves?: Exclude<FieldsOf<Body, AssetAmount | bigint>, 'fee' | 'gas'>;
  /** The field with code or call data, as bytes or hex digits; absent without any. */
  readonly code?: FieldsOf<Body, string | Uint8Array>;
  /** True if it has a gas limit, of which the used gas counts; else its cost is fixed. */
  readonly isMetered?: true;
}

/** The row of an operation that clients may submit. */
export interface OperationDescription<Body> extends AnyOperationDescription<Body> {
  /** Returns the account that pays its fee and must sign it. */
  payer(operation: Body): AccountId;
}

interface InnerMessage {
  readonly to: Address | undefined;
  /** Units of the core asset, without a fraction. */
  readonly value: bigint;
  readonly data: Uint8Array;
}

/** The row of an operation that contains a signed transaction of another format. */
export interface WrapperOperationDescription<Body>
  extends Omit<AnyOperationDescription<Body>, 'receiver' | 'moves' | 'code'> {
  /** Returns the signer of the inner transaction, which pays for it. */
  sender(operation: Body): Address;
  message(operation: Body): InnerMessage;
}

/** The row of an operation without signer and payer: on test chains only. */
export interface TestOperationDescription<Body> extends AnyOperationDescription<Body> {
  caller(operation: Body): Address;
}

export interface VirtualOperationDescription<Body> extends AnyOperationDescription<Body> {
  cause(operation: Body): ContractId;
}
