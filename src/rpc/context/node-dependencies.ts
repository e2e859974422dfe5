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

/** Bytes that are no dump that the node could load, with the reason. */
export class InvalidDumpError extends LedgerdError {
  override readonly code = 'UNFIT_DUMP';
}

/** Counts the bytes that work holds from now on, in place of those before; throws LimitError for too many. */
export type HoldBytes = (bytes: number) => void;

/** The chain of test mode as bytes. */
export interface ChainDumps {
  /** Returns the whole chain. Rejects with an RpcError for too large a chain. */
  dump(): Promise<Uint8Array>;
  /**
   * Puts the chain of a dump in the place of the present one. Rejects with an InvalidDumpError for anything else, with a
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

/** The parts of a node that its methods use. */
export interface NodeDependencies {
  readonly ledger: Ledger;
  /** Undefined outside test mode: the methods of test mode do not exist then. */
  readonly wallet: Wallet | undefined;
  /** Accounts of Ethereum's keys that the node signs for; absent: none. */
  readonly keys?: EthereumWallet | undefined;
  /** True if Ethereum transactions without replay protection (EIP-155) are accepted; absent: false. */
  readonly allowUnprotected?: boolean | undefined;
  /** Rules over the blocks of a test chain; undefined outside test mode. */
  readonly control?: ChainControl | undefined;
  /** Changes by tests; in test mode only. */
  readonly testChain?: TestChain | undefined;
  /** Known contracts; in test mode only. */
  readonly artifacts?: ArtifactRegistry | undefined;
  /** The chain as bytes; in test mode only. */
  readonly dumps?: ChainDumps | undefined;
  /** Absent: the node does not hold the key of the registrar. */
  readonly registration?: RegistrationDesk | undefined;
  /** Waits of sends for their blocks, which its owner ends. Absent: a separate one of the dispatcher. */
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
  /** Notified of each balance that was cut to the maximum; both in wei. */
  onBalanceCut?(address: Address, asked: bigint, most: bigint): void;
  /** Notified of each failure of the node itself, for callers "internal error". */
  onFailure?(method: string, error: unknown): void;
  /** Notified of each failed call, with the message for the caller; the method of a malformed one is `request`. */
  onFailedCall?(method: string, message: string): void;
  /**
   * Notified of each finished call. The method is one of the interface, or `OTHER_METHOD`. The time runs from the
   * reading of its body, or its start in a batch, and includes the wait for its turn.
   */
  onCall?(method: string, outcome: Outcome, milliseconds: number): void;
}

/** Returns true if the node decodes errors by known contracts; its workers know none. */
export function decodesErrors({ artifacts }: Pick<NodeDependencies, 'artifacts'>): boolean {
  return artifacts !== undefined && artifacts.size > 0;
}
