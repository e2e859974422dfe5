import { type AccountId, type Address, formatAccountId, toPrefixedHex } from '../protocol/index.ts';
import type { Migration } from '../store/index.ts';

export type NoticeLevel = 'info' | 'warn' | 'error';

/** The level of a kind of notice, and its sentence, made of its facts. */
interface NoticeKind<Facts> {
  readonly level: NoticeLevel;
  text(facts: Facts): string;
}

const info = <Facts>(text: (facts: Facts) => string): NoticeKind<Facts> => ({ level: 'info', text });
const warn = <Facts>(text: (facts: Facts) => string): NoticeKind<Facts> => ({ level: 'warn', text });
const error = <Facts>(text: (facts: Facts) => string): NoticeKind<Facts> => ({ level: 'error', text });

/** A failure of another node, or of a log. */
type Failure = { url: string; reason: string };

/** The head of another node, or of a log. */
type Answer = { url: string; head: number };

/** Every kind of notice, with the facts that it carries. */
const NOTICES = {
  keysLoaded: info(({ producers, registrar }: { producers: readonly AccountId[]; registrar: boolean }) => {
    if (producers.length === 0) return 'no key of a producer is held: blocks come from elsewhere only';
    const held = producers.map(formatAccountId).join(', ');
    return `keys of ${held} loaded${registrar ? ', and of the registrar' : ''}`;
  }),
  keyUnused: warn(
    ({ account, path }: { account: AccountId; path: string }) =>
      `${path} holds the key of ${formatAccountId(account)}, which this node has no use for: keep it elsewhere`,
  ),
  storeMigrating: info(
    ({ migration: { from, to, bytes, totalBytes, indexedBlock } }: { migration: Migration }) =>
      `the store is brought from format ${from} to ${to}: ${bytes} of ${totalBytes} bytes are copied` +
      (indexedBlock === undefined ? '' : `, the operations up to block ${indexedBlock} are indexed`),
  ),
  storeMigrated: info(
    ({ migration: { from, to, keptIn } }: { migration: Migration }) =>
      `the store was brought from format ${from} to ${to}; the former one is kept in ${keptIn}`,
  ),
  /** At the start: secp256k1 has no machine code for this platform. */
  recoveryInWasm: info(
    () =>
      'contracts recover signatures in WebAssembly, which takes several times as long: the package secp256k1 has no ' +
      'machine code for this platform',
  ),
  productionPaused: error(
    ({ reason }: { reason: string }) => `no transactions and no blocks for now: ${reason}`,
  ),
  productionResumed: info(() => 'transactions and blocks go on'),
  productionWaits: warn(({ reason }: { reason: string }) => reason),
  signingSetBack: warn(
    ({ after, last }: { after: number; last: number }) =>
      `blocks ${after + 1} to ${last} were signed before, and may be signed again`,
  ),
  followedAnswers: info(({ url, head }: Answer) => `following ${url}, whose head is block ${head}`),
  followedSilent: warn(({ url, reason }: Failure) => `${url} does not answer as it should: ${reason}`),
  /** A followed node sent a block of another chain or an invalid one. */
  followedRejected: error(({ url, reason }: Failure) => `${url} is not followed any more: ${reason}`),
  followedBehind: warn(
    ({ url, head, behind }: Answer & { behind: number }) =>
      `${url} is ${behind} blocks behind this node: its head is block ${head}`,
  ),
  catchingUp: info(
    ({ head, highest }: { head: number; highest: number }) => `catching up: block ${head} of ${highest}`,
  ),
  caughtUp: info(({ head }: { head: number }) => `caught up: the head is block ${head}`),
  logAnswers: info(({ url, head }: Answer) => `the log ${url} answers: its head is block ${head}`),
  logSilent: warn(({ url, reason }: Failure) => `the log ${url} cannot be asked: ${reason}`),
  /** The node has halted until an operator has fixed the block log and restarted it. */
  logHalted: error(
    ({ url, reason }: Failure) =>
      `no block is made or taken over any more, because of the log ${url}: ${reason}`,
  ),
  workerLost: warn(
    ({ processId, reason }: { processId: number | undefined; reason: string }) =>
      `a worker${processId === undefined ? '' : ` (process ${processId})`} has ended: ${reason}`,
  ),
  /** A request with a Host or Origin that is not allowed, and the number of others since the last notice. */
  requestRefused: warn(({ message, others }: { message: string; others: number }) =>
    others === 0 ? message : `${message} (${others} more were refused before)`,
  ),
  /** A test requested more than an account can hold; both in wei. */
  balanceCut: warn(
    ({ address, asked, most }: { address: Address; asked: bigint; most: bigint }) =>
      `${toPrefixedHex(address)} gets ${most} wei, the most that an account can hold, and not ${asked}`,
  ),
  /** At the start of test mode: the head is in the future. */
  clockBehind: warn(
    ({ seconds }: { seconds: number }) =>
      `the time of day is ${seconds} s before that of the newest block, which further blocks have until then`,
  ),
  /** A pending transaction offers more gas than a test allows in a block. */
  gasLimitMet: warn(
    ({ offered, most }: { offered: bigint; most: bigint }) =>
      `a transaction waits that offers ${offered} gas: evm_setBlockGasLimit lets a block have ${most}`,
  ),
  artifactPassedOver: warn(
    ({ path, reason }: { path: string; reason: string }) => `${path} is passed over: ${reason}`,
  ),
};

type FactsOf<Kind> = Kind extends NoticeKind<infer Facts> ? Facts : never;

/** A notice for the operator; each variant carries its facts. */
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
