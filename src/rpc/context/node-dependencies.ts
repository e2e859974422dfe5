import type { SharedBound } from '../../caching/bounded-map.ts';
import type { ArtifactRegistry } from '../../contracts/index.ts';
import type { InclusionWatch, Ledger, RegistrationService, TestChain } from '../../ledger/index.ts';
import { type Address, type BlobSidecar, LedgerdError } from '../../protocol/index.ts';
import type { CpuBackoff } from '../../scheduling/index.ts';
import type { Time } from '../../time/time.ts';
import type { EthereumWallet, Wallet } from '../../wallet/index.ts';
import type { Outcome } from '../messages/failure.ts';
import type { ChainControl } from './chain-control.ts';
import type { NodeStatus } from './node-status.ts';
import type { ProfileId } from './profile-id.ts';
import type { ForkedChain } from './remote-chain.ts';
import type { RpcLimits } from './rpc-limits.ts';

/** The error of bytes that are not a loadable dump. */
export class InvalidDumpError extends LedgerdError {
  override readonly code = 'UNFIT_DUMP';
}

/** Sets the number of bytes that a task holds in memory. @throws LimitError */
export type HoldBytes = (bytes: number) => void;

export interface ChainDumps {
  /** Returns the whole chain as a compressed archive. Rejects with an RpcError for too large a chain. */
  dump(): Promise<Uint8Array>;
  /**
   * Returns the state of a chain with Ethereum as JSON in anvil's format, with the archive inside. Rejects with an
   * RpcError for too large a chain, and for a fork.
   */
  dumpState(): Promise<string>;
  /**
   * Replaces the chain by that of a dump. Rejects with an InvalidDumpError, with a LimitError for a dump beyond the
   * bounds, and with the errors of `hold`.
   */
  load(bytes: Uint8Array, hold: HoldBytes): Promise<void>;
}

export interface ForwardedSend {
  readonly profile: ProfileId;
  readonly method: string;
  readonly parameters: readonly unknown[];
  /** Milliseconds for which the method waits for a block. */
  readonly waitMs: number;
}

/** The block of a remote chain that a chain is to be forked at. */
export interface ForkChoice {
  /** Undefined: the remote node of the present fork. */
  readonly url: string | undefined;
  /** Undefined: the newest block. */
  readonly block: number | undefined;
}

/** The fork of a node in test mode. */
export interface ForkControl {
  readonly chain: ForkedChain;
  /** URL of the remote node without credentials; undefined without one. */
  readonly source: string | undefined;
  /** Milliseconds of the first pause before a retry. */
  readonly backoffMs: number | undefined;
  /**
   * Replaces the chain by a fork. Rejects with an RpcError; nothing is changed then.
   * @param choice undefined: reverts the chain to its first block
   */
  reset(choice: ForkChoice | undefined): void | Promise<void>;
  /** Replaces the remote node, which must have the block of the fork. Rejects with an RpcError. */
  setRpcUrl(url: string): Promise<void>;
}

export interface SendForwarder {
  /**
   * Forwards a send, and returns the other node's result.
   *
   * @param hops number of followers that forwarded it before
   * @throws ForwardedError with the other node's error; LimitError, RequestFailedError for a failure to forward
   */
  forward(send: ForwardedSend, hops: number): Promise<unknown>;
}

/** Verifies blobs outside of the thread of the event loop. */
export interface BlobVerifier {
  /**
   * Resolves to true if the commitments of a sidecar are those of its blobs. Rejects with a LimitError at the bounds of
   * the queue.
   * @param client for which it is counted
   */
  verify(sidecar: BlobSidecar, client: string): Promise<boolean>;
}

/** The services and settings of a node that its methods use. */
export interface NodeDependencies {
  readonly ledger: Ledger;
  /** Undefined outside test mode, where the methods of test mode do not exist. */
  readonly wallet: Wallet | undefined;
  /** Ethereum accounts that the node signs for; absent: none. */
  readonly keys?: EthereumWallet | undefined;
  /** True if Ethereum transactions without replay protection (EIP-155) are accepted; absent: false. */
  readonly allowUnprotected?: boolean | undefined;
  /** Block production of a test chain; undefined outside test mode. */
  readonly control?: ChainControl | undefined;
  /** Patches and snapshots; only in test mode. */
  readonly testChain?: TestChain | undefined;
  /** Known contracts; only in test mode. */
  readonly artifacts?: ArtifactRegistry | undefined;
  /** Returns the name of the preinstalled contract that belongs at an address; absent: there are none. */
  preinstallName?(this: void, address: Address): string | undefined;
  /** Dumps of the chain; only in test mode. */
  readonly dumps?: ChainDumps | undefined;
  /** Absent: the node does not hold the key of the registrar. */
  readonly registration?: RegistrationService | undefined;
  /** Sends that wait for their blocks. Absent: the dispatcher creates one. */
  readonly inclusions?: InclusionWatch | undefined;
  /** Forwards transactions to a producing node. Absent: this node handles them. */
  readonly forwarder?: SendForwarder | undefined;
  /** Only in test mode. */
  readonly fork?: ForkControl | undefined;
  /** Absent: the node accepts no blob transactions. */
  readonly blobVerifier?: BlobVerifier | undefined;
  readonly version: string;
  /** Absent: a standalone node. */
  readonly nodeStatus?: NodeStatus | undefined;
  /** Number of the node in its cluster, a prefix of its filter ids. Absent: a standalone node. */
  readonly nodeNumber?: number | undefined;
  /** Bounds that override the defaults. */
  readonly limits?: Partial<RpcLimits> | undefined;
  /** Bound of the cached responses, shared with the other chains of the node. Absent: there are none. */
  readonly responseCharacters?: SharedBound | undefined;
  /** Clock of time slices and filter time-outs. Absent: the system's. */
  readonly time?: Time | undefined;
  /** Backoff shared with the other expensive tasks of this thread. Absent: there are none. */
  readonly backoff?: CpuBackoff | undefined;
  /** Called for each balance that was cut to the maximum. Amounts are in wei. */
  onBalanceCut?(address: Address, requested: bigint, max: bigint): void;
  /** Called for each failure of the node, which callers see as "internal error". */
  onFailure?(method: string, error: unknown): void;
  /** Called for each failed call with the message for its caller. The method of a malformed request is `request`. */
  onFailedCall?(method: string, message: string): void;
  /** Called once a minute for each client that names an address of Ethereum at the native interface beside it. */
  onEthereumClient?(client: string, method: string): void;
  /**
   * Called for each finished call. The method is one of the interface, or `OTHER_METHOD`. The time begins when the body
   * is parsed, or at the start of the call in a batch, and includes the time in the queue.
   */
  onCall?(method: string, outcome: Outcome, milliseconds: number): void;
}

/** Returns true if the node decodes errors by known contracts, which its workers do not have. */
export function decodesErrors({ artifacts }: Pick<NodeDependencies, 'artifacts'>): boolean {
  return artifacts !== undefined && artifacts.size > 0;
}
