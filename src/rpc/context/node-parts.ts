import type { ArtifactRegistry } from '../../contracts/index.ts';
import type { InclusionWatch, Ledger, RegistrationDesk, TestChain } from '../../ledger/index.ts';
import { type Address, LedgerdError } from '../../protocol/index.ts';
import type { CpuBackoff } from '../../scheduling/index.ts';
import type { Time } from '../../time.ts';
import type { EthereumWallet, Wallet } from '../../wallet/index.ts';
import type { Outcome } from '../envelope/envelope.ts';
import type { ChainControl } from './chain-control.ts';

import type { NodeStatus } from './node-status.ts';
import type { ProfileId } from './profile-id.ts';
import type { RpcLimits } from './rpc-limits.ts';

/** Bytes that are no dump which the node could take up; the message says why. */
export class UnfitDumpError extends LedgerdError {
  override readonly code = 'UNFIT_DUMP';
}

/** Counts the bytes that work holds from now on, in place of those before; throws LimitError for too many. */
export type HoldBytes = (bytes: number) => void;

/** The chain of test mode as bytes. */
export interface ChainDumps {
  /** The whole chain. Rejects with an RpcError where that is too much. */
  dump(): Promise<Uint8Array>;
  /**
   * Puts the chain of a dump in the place of the present one. Rejects with an UnfitDumpError for anything else, with a
   * LimitError for a dump beyond the bounds, and with what `hold` throws.
   */
  load(bytes: Uint8Array, hold: HoldBytes): Promise<void>;
}

/** A call that sends a transaction, as another node takes it. */
export interface ForwardedSend {
  readonly profile: ProfileId;
  readonly method: string;
  readonly parameters: readonly unknown[];
  /** Milliseconds for which the method itself waits for a block. */
  readonly waitMs: number;
}

/** Forwards sends to another node. */
export interface SendForwarder {
  /**
   * Forwards a send, and returns the other node's result.
   *
   * @param hops followers that have forwarded it so far
   * @throws ForwardedError with the other node's error; LimitError, RequestFailedError where it could not be forwarded
   */
  forward(send: ForwardedSend, hops: number): Promise<unknown>;
}

/** What a node gives to its methods. */
export interface NodeParts {
  readonly ledger: Ledger;
  /** Undefined outside test mode: the methods of test mode do not exist then. */
  readonly wallet: Wallet | undefined;
  /** Accounts of Ethereum's keys that the node signs for; absent: none. */
  readonly keys?: EthereumWallet | undefined;
  /** Whether Ethereum transactions are taken that are signed for every chain (from before EIP-155); absent: no. */
  readonly allowUnprotected?: boolean | undefined;
  /** Rules over the blocks of a test chain; undefined outside test mode. */
  readonly control?: ChainControl | undefined;
  /** What a test can do to the chain; in test mode only. */
  readonly testChain?: TestChain | undefined;
  /** What is known of contracts; in test mode only. */
  readonly artifacts?: ArtifactRegistry | undefined;
  /** The chain as bytes; in test mode only. */
  readonly dumps?: ChainDumps | undefined;
  /** Absent: the node does not hold the registrar's key and registers nobody. */
  readonly registration?: RegistrationDesk | undefined;
  /** Where sends wait for their blocks; who gives it ends the waits. Absent: the dispatcher's own. */
  readonly inclusions?: InclusionWatch | undefined;
  /** Sends transactions to a node that takes them; absent: this one takes them, or there is none. */
  readonly forwarder?: SendForwarder | undefined;
  /** The version of the program. */
  readonly version: string;
  /** Absent: a node that knows no others. */
  readonly nodeStatus?: NodeStatus | undefined;
  /** Number of the node in its cluster, with which its filters' ids begin; absent: a node that is alone. */
  readonly nodeNumber?: number | undefined;
  /** Bounds other than the default ones. */
  readonly limits?: Partial<RpcLimits> | undefined;
  /** Turns and the time-outs of filters go by it. Absent: the system's. */
  readonly time?: Time | undefined;
  /** Shared with whatever else may take long on this thread. Absent: there is nothing else. */
  readonly backoff?: CpuBackoff | undefined;
  /** Told of each balance that a test has set to less than it asked for, the most there is; both in Wei. */
  onBalanceCut?(address: Address, asked: bigint, most: bigint): void;
  /** Told of each failure of the node itself, which callers only see as "internal error". */
  onFailure?(method: string, error: unknown): void;
  /**
   * Told of each call that fails, notifications included, with the message that the caller gets; what is no call
   * of a method goes by the name `request`.
   */
  onFailedCall?(method: string, message: string): void;
  /**
   * Told of each call when it is answered, notifications included. The method is one of the interface, or
   * `OTHER_METHOD`. The time runs from when its body is read, or its batch has come to it, and includes the wait for
   * its turn.
   */
  onCall?(method: string, outcome: Outcome, milliseconds: number): void;
}

/** True if the node knows contracts, by which it decodes errors; its workers know none. */
export function knowsErrors({ artifacts }: Pick<NodeParts, 'artifacts'>): boolean {
  return artifacts !== undefined && artifacts.size > 0;
}
