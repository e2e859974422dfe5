import type { TreeLine } from '../contracts/index.ts';
import type { BlockSummary, DroppedTransaction } from '../ledger/index.ts';
import {
  type AccountId,
  type Address,
  formatAccountId,
  type Hash,
  toPrefixedHex,
} from '../protocol/index.ts';
import type { Migration } from '../store/index.ts';
import type { Stopwatch } from '../time.ts';

/** Milliseconds between two progress notices of a migration. */
const MIGRATION_NOTICE_MS = 5_000;

/** Something that an operator wants to know of; each variant carries the facts. */
export type NodeNotice =
  /** At the start: the producers whose keys are held, and whether accounts can be registered. */
  | { readonly kind: 'keysLoaded'; readonly producers: readonly AccountId[]; readonly registrar: boolean }
  /** A key file that this node has no use for, and that had better not lie here. */
  | { readonly kind: 'keyUnused'; readonly account: AccountId; readonly path: string }
  /** At the start: the store has an earlier format, and a copy of it is being made. */
  | { readonly kind: 'storeMigrating'; readonly migration: Migration }
  /** At the start: the store has the present format now. */
  | { readonly kind: 'storeMigrated'; readonly migration: Migration }
  /** At the start: there is no machine code for recovering signatures on this platform. */
  | { readonly kind: 'recoveryInWasm' }
  /** No transactions and no blocks until further notice. */
  | { readonly kind: 'productionPaused'; readonly reason: string }
  | { readonly kind: 'productionResumed' }
  /** This node could make blocks, but for the reason. */
  | { readonly kind: 'productionWaits'; readonly reason: string }
  /** The operator has given up blocks that were signed after a number, up to another one. */
  | { readonly kind: 'signingSetBack'; readonly after: number; readonly last: number }
  /** A followed node answers for the first time, or again. */
  | { readonly kind: 'followedAnswers'; readonly url: string; readonly head: number }
  /** A followed node does not answer as it should; it is asked again and again. */
  | { readonly kind: 'followedSilent'; readonly url: string; readonly reason: string }
  /** A followed node sent a block that is not of this chain or breaks its rules: it is not followed any more. */
  | { readonly kind: 'followedRejected'; readonly url: string; readonly reason: string }
  /** A followed node of the same chain has fewer blocks than this one. */
  | {
      readonly kind: 'followedBehind';
      readonly url: string;
      readonly head: number;
      readonly behind: number;
    }
  /** The head is behind what followed nodes have. */
  | { readonly kind: 'catchingUp'; readonly head: number; readonly highest: number }
  | { readonly kind: 'caughtUp'; readonly head: number }
  /** The block log answers for the first time, or again. */
  | { readonly kind: 'logAnswers'; readonly url: string; readonly head: number }
  /** The block log cannot be asked; it is asked again and again. */
  | { readonly kind: 'logSilent'; readonly url: string; readonly reason: string }
  /** Nothing is made or taken over any more until an operator has looked at the block log and started the node anew. */
  | { readonly kind: 'logHalted'; readonly url: string; readonly reason: string }
  /** A process that answers queries has ended; another one takes its place. */
  | { readonly kind: 'workerLost'; readonly processId: number | undefined; readonly reason: string }
  /** A request whose Host or Origin is not allowed, and how many others since the last one that was told of. */
  | { readonly kind: 'requestRefused'; readonly message: string; readonly others: number }
  /** A test asked for more than an account can hold; both in Wei. */
  | {
      readonly kind: 'balanceCut';
      readonly address: Address;
      readonly asked: bigint;
      readonly most: bigint;
    }
  /** At the start of test mode: the newest block has a time to come. */
  | { readonly kind: 'clockBehind'; readonly seconds: number }
  /** A transaction waits because it offers more gas than a test lets any block have. */
  | { readonly kind: 'gasLimitMet'; readonly offered: bigint; readonly most: bigint }
  /** A file of a folder with artifacts that is passed over. */
  | { readonly kind: 'artifactPassedOver'; readonly path: string; readonly reason: string };

/** Makes notices of a store's migration: one every few seconds while it goes on, and one when it is done. */
export function migrationNotices(events: NodeEvents, time: Stopwatch): (migration: Migration) => void {
  let told = time.now();
  return (migration) => {
    if (migration.isDone) events.onNotice?.({ kind: 'storeMigrated', migration });
    else if (time.now() - told >= MIGRATION_NOTICE_MS) {
      told = time.now();
      events.onNotice?.({ kind: 'storeMigrating', migration });
    }
  };
}

/** How much a notice matters. */
export type NoticeLevel = 'info' | 'warn' | 'error';

/** Code that failed, with its calls. */
export interface FailedExecution {
  /** Where it is included; undefined of a call or an estimate. */
  readonly transaction: { readonly hash: Hash; readonly block: number } | undefined;
  readonly lines: readonly TreeLine[];
}

/** What a node tells of while it runs. No listener may throw. */
export interface NodeEvents {
  /** A block was stored. */
  onBlock?(block: BlockSummary): void;
  /** A pending transaction is no longer valid. */
  onDropped?(dropped: DroppedTransaction): void;
  /** A call failed; the message is the caller's. */
  onFailedCall?(method: string, message: string): void;
  /** Code of an operation, a call or an estimate told the console; a text for each line. Test mode only. */
  onConsole?(lines: readonly string[]): void;
  /** A transaction, a call or an estimate failed in its code: its calls. Test mode only. */
  onFailedExecution?(failed: FailedExecution): void;
  /** The node itself failed, in the named method or task; the error is for the operator alone. */
  onInternalFailure?(task: string, error: unknown): void;
  onNotice?(notice: NodeNotice): void;
  /** The disk failed in the middle of a commit: the process has to end, and nothing is written until it does. */
  onDiskFailure?(error: Error): void;
}

type Describers = {
  readonly [K in NodeNotice['kind']]: {
    readonly level: NoticeLevel;
    text(notice: Extract<NodeNotice, { kind: K }>): string;
  };
};

const DESCRIBERS: Describers = {
  keysLoaded: {
    level: 'info',
    text: ({ producers, registrar }) => {
      if (producers.length === 0) return 'no key of a producer is held: blocks come from elsewhere only';
      const held = producers.map(formatAccountId).join(', ');
      return `keys of ${held} loaded${registrar ? ', and of the registrar' : ''}`;
    },
  },
  keyUnused: {
    level: 'warn',
    text: ({ account, path }) =>
      `${path} holds the key of ${formatAccountId(account)}, which this node has no use for: keep it elsewhere`,
  },
  storeMigrating: {
    level: 'info',
    text: ({ migration: { from, to, bytes, totalBytes, indexedBlock } }) =>
      `the store is brought from format ${from} to ${to}: ${bytes} of ${totalBytes} bytes are copied` +
      (indexedBlock === undefined ? '' : `, the operations up to block ${indexedBlock} are indexed`),
  },
  storeMigrated: {
    level: 'info',
    text: ({ migration: { from, to, keptIn } }) =>
      `the store was brought from format ${from} to ${to}; the former one is kept in ${keptIn}`,
  },
  recoveryInWasm: {
    level: 'info',
    text: () =>
      'contracts recover signatures in WebAssembly, which takes several times as long: the package secp256k1 has no ' +
      'machine code for this platform',
  },
  productionPaused: {
    level: 'error',
    text: ({ reason }) => `no transactions and no blocks for now: ${reason}`,
  },
  productionResumed: { level: 'info', text: () => 'transactions and blocks go on' },
  productionWaits: { level: 'warn', text: ({ reason }) => reason },
  signingSetBack: {
    level: 'warn',
    text: ({ after, last }) => `blocks ${after + 1} to ${last} were signed before, and may be signed again`,
  },
  followedAnswers: {
    level: 'info',
    text: ({ url, head }) => `following ${url}, whose head is block ${head}`,
  },
  followedSilent: {
    level: 'warn',
    text: ({ url, reason }) => `${url} does not answer as it should: ${reason}`,
  },
  followedRejected: {
    level: 'error',
    text: ({ url, reason }) => `${url} is not followed any more: ${reason}`,
  },
  followedBehind: {
    level: 'warn',
    text: ({ url, head, behind }) => `${url} is ${behind} blocks behind this node: its head is block ${head}`,
  },
  catchingUp: {
    level: 'info',
    text: ({ head, highest }) => `catching up: block ${head} of ${highest}`,
  },
  caughtUp: { level: 'info', text: ({ head }) => `caught up: the head is block ${head}` },
  logAnswers: { level: 'info', text: ({ url, head }) => `the log ${url} answers: its head is block ${head}` },
  logSilent: { level: 'warn', text: ({ url, reason }) => `the log ${url} cannot be asked: ${reason}` },
  logHalted: {
    level: 'error',
    text: ({ url, reason }) =>
      `no block is made or taken over any more, because of the log ${url}: ${reason}`,
  },
  workerLost: {
    level: 'warn',
    text: ({ processId, reason }) =>
      `a worker${processId === undefined ? '' : ` (process ${processId})`} has ended: ${reason}`,
  },
  requestRefused: {
    level: 'warn',
    text: ({ message, others }) =>
      others === 0 ? message : `${message} (${others} more were refused before)`,
  },
  balanceCut: {
    level: 'warn',
    text: ({ address, asked, most }) =>
      `${toPrefixedHex(address)} gets ${most} wei, the most that an account can hold, and not ${asked}`,
  },
  clockBehind: {
    level: 'warn',
    text: ({ seconds }) =>
      `the time of day is ${seconds} s before that of the newest block, which further blocks have until then`,
  },
  gasLimitMet: {
    level: 'warn',
    text: ({ offered, most }) =>
      `a transaction waits that offers ${offered} gas: evm_setBlockGasLimit lets a block have ${most}`,
  },
  artifactPassedOver: {
    level: 'warn',
    text: ({ path, reason }) => `${path} is passed over: ${reason}`,
  },
};

/** A notice as a sentence, and how much it matters. */
export function describeNotice<K extends NodeNotice['kind']>(
  notice: Extract<NodeNotice, { kind: K }>,
): { readonly level: NoticeLevel; readonly message: string } {
  const { level, text }: Describers[K] = DESCRIBERS[notice.kind as K];
  return { level, message: text(notice) };
}

/** Events of which those that tell the node's log of each block and call can be switched off. */
export function switchableLog(events: NodeEvents): {
  readonly events: NodeEvents;
  readonly setLogging: (isOn: boolean) => void;
  readonly isLogging: () => boolean;
} {
  let isOn = true;
  return {
    events: {
      ...events,
      onBlock: (block) => isOn && events.onBlock?.(block),
      onDropped: (dropped) => isOn && events.onDropped?.(dropped),
      onFailedCall: (method, message) => isOn && events.onFailedCall?.(method, message),
    },
    isLogging: () => isOn,
    setLogging: (next) => {
      isOn = next;
    },
  };
}
