import { type AccountId, type Address, formatAccountId, toPrefixedHex } from '../protocol/index.ts';
import type { Migration } from '../store/index.ts';

/** How much a notice matters. */
export type NoticeLevel = 'info' | 'warn' | 'error';

/** A kind of notice: how much it matters, and its sentence, made of its facts. */
interface NoticeKind<Facts> {
  readonly level: NoticeLevel;
  text(facts: Facts): string;
}

const info = <Facts>(text: (facts: Facts) => string): NoticeKind<Facts> => ({ level: 'info', text });
const warn = <Facts>(text: (facts: Facts) => string): NoticeKind<Facts> => ({ level: 'warn', text });
const error = <Facts>(text: (facts: Facts) => string): NoticeKind<Facts> => ({ level: 'error', text });

/** Every kind of notice, with the facts that it carries. */
const NOTICES = {
  /** At the start: the producers whose keys are held, and whether accounts can be registered. */
  keysLoaded: info(({ producers, registrar }: { producers: readonly AccountId[]; registrar: boolean }) => {
    if (producers.length === 0) return 'no key of a producer is held: blocks come from elsewhere only';
    const held = producers.map(formatAccountId).join(', ');
    return `keys of ${held} loaded${registrar ? ', and of the registrar' : ''}`;
  }),
  /** A key file that this node has no use for, and that had better not lie here. */
  keyUnused: warn(
    ({ account, path }: { account: AccountId; path: string }) =>
      `${path} holds the key of ${formatAccountId(account)}, which this node has no use for: keep it elsewhere`,
  ),
  /** At the start: the store has an earlier format, and a copy of it is being made. */
  storeMigrating: info(
    ({ migration: { from, to, bytes, totalBytes, indexedBlock } }: { migration: Migration }) =>
      `the store is brought from format ${from} to ${to}: ${bytes} of ${totalBytes} bytes are copied` +
      (indexedBlock === undefined ? '' : `, the operations up to block ${indexedBlock} are indexed`),
  ),
  /** At the start: the store has the present format now. */
  storeMigrated: info(
    ({ migration: { from, to, keptIn } }: { migration: Migration }) =>
      `the store was brought from format ${from} to ${to}; the former one is kept in ${keptIn}`,
  ),
  /** At the start: there is no machine code for recovering signatures on this platform. */
  recoveryInWasm: info(
    () =>
      'contracts recover signatures in WebAssembly, which takes several times as long: the package secp256k1 has no ' +
      'machine code for this platform',
  ),
  /** No transactions and no blocks until further notice. */
  productionPaused: error(
    ({ reason }: { reason: string }) => `no transactions and no blocks for now: ${reason}`,
  ),
  productionResumed: info(() => 'transactions and blocks go on'),
  /** This node could make blocks, but for the reason. */
  productionWaits: warn(({ reason }: { reason: string }) => reason),
  /** The operator has given up blocks that were signed after a number, up to another one. */
  signingSetBack: warn(
    ({ after, last }: { after: number; last: number }) =>
      `blocks ${after + 1} to ${last} were signed before, and may be signed again`,
  ),
  /** A followed node answers for the first time, or again. */
  followedAnswers: info(
    ({ url, head }: { url: string; head: number }) => `following ${url}, whose head is block ${head}`,
  ),
  /** A followed node does not answer as it should; it is asked again and again. */
  followedSilent: warn(
    ({ url, reason }: { url: string; reason: string }) => `${url} does not answer as it should: ${reason}`,
  ),
  /** A followed node sent a block that is not of this chain or breaks its rules: it is not followed any more. */
  followedRejected: error(
    ({ url, reason }: { url: string; reason: string }) => `${url} is not followed any more: ${reason}`,
  ),
  /** A followed node of the same chain has fewer blocks than this one. */
  followedBehind: warn(
    ({ url, head, behind }: { url: string; head: number; behind: number }) =>
      `${url} is ${behind} blocks behind this node: its head is block ${head}`,
  ),
  /** The head is behind what followed nodes have. */
  catchingUp: info(
    ({ head, highest }: { head: number; highest: number }) => `catching up: block ${head} of ${highest}`,
  ),
  caughtUp: info(({ head }: { head: number }) => `caught up: the head is block ${head}`),
  /** The block log answers for the first time, or again. */
  logAnswers: info(
    ({ url, head }: { url: string; head: number }) => `the log ${url} answers: its head is block ${head}`,
  ),
  /** The block log cannot be asked; it is asked again and again. */
  logSilent: warn(
    ({ url, reason }: { url: string; reason: string }) => `the log ${url} cannot be asked: ${reason}`,
  ),
  /** Nothing is made or taken over any more until an operator has looked at the block log and started the node anew. */
  logHalted: error(
    ({ url, reason }: { url: string; reason: string }) =>
      `no block is made or taken over any more, because of the log ${url}: ${reason}`,
  ),
  /** A process that answers queries has ended; another one takes its place. */
  workerLost: warn(
    ({ processId, reason }: { processId: number | undefined; reason: string }) =>
      `a worker${processId === undefined ? '' : ` (process ${processId})`} has ended: ${reason}`,
  ),
  /** A request whose Host or Origin is not allowed, and how many others since the last one that was told of. */
  requestRefused: warn(({ message, others }: { message: string; others: number }) =>
    others === 0 ? message : `${message} (${others} more were refused before)`,
  ),
  /** A test asked for more than an account can hold; both in Wei. */
  balanceCut: warn(
    ({ address, asked, most }: { address: Address; asked: bigint; most: bigint }) =>
      `${toPrefixedHex(address)} gets ${most} wei, the most that an account can hold, and not ${asked}`,
  ),
  /** At the start of test mode: the newest block has a time to come. */
  clockBehind: warn(
    ({ seconds }: { seconds: number }) =>
      `the time of day is ${seconds} s before that of the newest block, which further blocks have until then`,
  ),
  /** A transaction waits because it offers more gas than a test lets any block have. */
  gasLimitMet: warn(
    ({ offered, most }: { offered: bigint; most: bigint }) =>
      `a transaction waits that offers ${offered} gas: evm_setBlockGasLimit lets a block have ${most}`,
  ),
  /** A file of a folder with artifacts that is passed over. */
  artifactPassedOver: warn(
    ({ path, reason }: { path: string; reason: string }) => `${path} is passed over: ${reason}`,
  ),
};

type FactsOf<Kind> = Kind extends NoticeKind<infer Facts> ? Facts : never;

/** Something that an operator wants to know of; each variant carries the facts. */
export type NodeNotice = {
  [K in keyof typeof NOTICES]: Readonly<{ kind: K } & FactsOf<(typeof NOTICES)[K]>>;
}[keyof typeof NOTICES];

/** Describes a notice as a sentence, and how much it matters. */
export function describeNotice(notice: NodeNotice): {
  readonly level: NoticeLevel;
  readonly message: string;
} {
  // A notice has the facts of its kind, which TypeScript can't see through a look-up.
  const { level, text } = NOTICES[notice.kind] as unknown as NoticeKind<NodeNotice>;
  return { level, message: text(notice) };
}
