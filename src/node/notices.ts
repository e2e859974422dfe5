import {
  type AccountId,
  type Address,
  formatAccountId,
  formatPublicKey,
  type PublicKey,
  toPrefixedHex,
} from '../protocol/index.ts';
import { ETHEREUM_HINT } from '../rpc/index.ts';

export type NoticeLevel = 'info' | 'warn' | 'error';

/** The level of a kind of notice, and its text. */
type StateFile = { path: string; number: number };

interface NoticeKind<Facts> {
  readonly level: NoticeLevel;
  text(facts: Facts): string;
}

const info = <Facts>(text: (facts: Facts) => string): NoticeKind<Facts> => ({ level: 'info', text });
const warn = <Facts>(text: (facts: Facts) => string): NoticeKind<Facts> => ({ level: 'warn', text });
const error = <Facts>(text: (facts: Facts) => string): NoticeKind<Facts> => ({ level: 'error', text });

/** A failure of another node or of a block log. */
type Failure = { url: string; reason: string };

/** The head of another node or of a block log. */
type RemoteHead = { url: string; head: number };

/** All kinds of notices, with their facts. */
const NOTICES = {
  keysLoaded: info(({ producers, registrar }: { producers: readonly AccountId[]; registrar: boolean }) => {
    if (producers.length === 0) return 'no producer key loaded: this node only imports blocks';
    const accounts = producers.map(formatAccountId).join(', ');
    return `loaded the keys of ${accounts}${registrar ? ' and of the registrar' : ''}`;
  }),
  keyUnused: warn(
    ({ account, path }: { account: AccountId; path: string }) =>
      `this node does not use the key of ${formatAccountId(account)} in ${path}: store it elsewhere`,
  ),
  producerKeyChanged: info(
    ({ producer, key }: { producer: AccountId; key: PublicKey }) =>
      `the chain has the consensus key ${formatPublicKey(key)} for ${formatAccountId(producer)}: this node makes ` +
      'its blocks with it',
  ),
  producerKeyMissing: error(({ reason }: { producer: AccountId; reason: string }) => reason),
  producerMissing: warn(
    ({ producer, number }: { producer: AccountId; number: number }) =>
      `${formatAccountId(producer)} made no block in its turn: block ${number}`,
  ),
  producerReturned: info(
    ({ producer, number }: { producer: AccountId; number: number }) =>
      `${formatAccountId(producer)} makes its blocks again: block ${number}`,
  ),
  /** At the start: a native add-on is missing, does not load, or is turned off. */
  recoveryInWasm: info(
    ({ reason }: { reason: string }) =>
      'signatures are recovered in WebAssembly (about 4 times slower) and made in JavaScript (about 15 times): ' +
      `the native add-on secp256k1 is not used: ${reason}`,
  ),
  productionPaused: error(
    ({ reason }: { reason: string }) => `transactions and blocks are paused: ${reason}`,
  ),
  productionResumed: info(() => 'transactions and blocks are resumed'),
  productionWaits: warn(({ reason }: { reason: string }) => reason),
  signingSetBack: warn(
    ({ after, last }: { after: number; last: number }) =>
      `blocks ${after + 1} to ${last} were signed before, and may be signed again`,
  ),
  followedAnswers: info(({ url, head }: RemoteHead) => `following ${url}: its head is block ${head}`),
  followedSilent: warn(({ url, reason }: Failure) => `cannot fetch blocks from ${url}: ${reason}`),
  /** A followed node sent a block of another chain or an invalid one. */
  followedRejected: error(({ url, reason }: Failure) => `no longer following ${url}: ${reason}`),
  followedBehind: warn(
    ({ url, head, behind }: RemoteHead & { behind: number }) =>
      `${url} is ${behind} blocks behind this node: its head is block ${head}`,
  ),
  catchingUp: info(
    ({ head, highest }: { head: number; highest: number }) => `catching up: block ${head} of ${highest}`,
  ),
  caughtUp: info(({ head }: { head: number }) => `caught up: the head is block ${head}`),
  logAnswers: info(({ url, head }: RemoteHead) => `the block log ${url} responds: its head is block ${head}`),
  logSilent: warn(({ url, reason }: Failure) => `cannot query the block log ${url}: ${reason}`),
  /** The node has halted until an operator has fixed the block log and restarted it. */
  logHalted: error(
    ({ url, reason }: Failure) => `no block is made or imported, because of the block log ${url}: ${reason}`,
  ),
  workerLost: warn(
    ({ processId, reason }: { processId: number | undefined; reason: string }) =>
      `a worker${processId === undefined ? '' : ` (process ${processId})`} ended: ${reason}`,
  ),
  /** A request with a Host or Origin that is not allowed, and the number of others since the last notice. */
  requestRefused: warn(({ message, others }: { message: string; others: number }) =>
    others === 0 ? message : `${message} (${others} more were refused before)`,
  ),
  /** A client named the address of an Ethereum account at the native interface, where it exists too. */
  ethereumClient: warn(
    ({ client, method }: { client: string; method: string }) =>
      `${client} called ${method} of the native interface with an address of Ethereum: ${ETHEREUM_HINT}`,
  ),
  /** A test requested a larger balance than an account can have; both in wei. */
  balanceCut: warn(
    ({ address, asked, most }: { address: Address; asked: bigint; most: bigint }) =>
      `${toPrefixedHex(address)} gets ${most} wei, the most that an account can have, instead of ${asked}`,
  ),
  stateLoaded: info(
    ({ path, number }: StateFile) => `loaded the state of ${path}: the newest block is block ${number}`,
  ),
  /** At the start with a state file: a stored chain with blocks continues. */
  stateNotLoaded: warn(
    ({ path }: Pick<StateFile, 'path'>) =>
      `${path} is not loaded: the data folder has a chain with blocks, which continues`,
  ),
  stateDumped: info(({ path, number }: StateFile) => `dumped the state of block ${number} to ${path}`),
  /** At the start with the flags of another test node. */
  flagMeaning: info(({ text }: { text: string }) => text),
  /** At the start of test mode: the head is in the future. */
  clockBehind: warn(
    ({ seconds }: { seconds: number }) =>
      `this machine's clock is ${seconds} s behind the newest block, whose time further blocks get until then`,
  ),
  /** A pending transaction offers more gas than a test allows in a block. */
  gasLimitMet: warn(
    ({ offered, most }: { offered: bigint; most: bigint }) =>
      `a pending transaction offers ${offered} gas, more than the limit of ${most} that evm_setBlockGasLimit set`,
  ),
  /** A call needed entries of the remote chain of a fork. */
  forkFetched: info(
    ({ entries, requests, milliseconds }: { entries: number; requests: number; milliseconds: number }) =>
      `fetched ${entries} entries of the remote chain in ${requests} requests and ${milliseconds} ms`,
  ),
  forkCacheDamaged: warn(
    ({ path }: { path: string }) =>
      `the cached entries in ${path} were damaged: they are removed, and fetched again`,
  ),
  /** The block of a fork has fields of rules that the engine does not have. */
  forkRulesNewer: warn(
    ({ number }: { number: number }) =>
      `the remote block ${number} has newer rules than this program: contracts may behave differently here`,
  ),
  artifactPassedOver: warn(
    ({ path, reason }: { path: string; reason: string }) => `${path} is skipped: ${reason}`,
  ),
};

type FactsOf<Kind> = Kind extends NoticeKind<infer Facts> ? Facts : never;

/** A notice for the operator; each variant carries its facts. */
export type NodeNotice = {
  [K in keyof typeof NOTICES]: Readonly<{ kind: K } & FactsOf<(typeof NOTICES)[K]>>;
}[keyof typeof NOTICES];

/** Returns the level and the text of a notice. */
export function describeNotice(notice: NodeNotice): {
  readonly level: NoticeLevel;
  readonly message: string;
} {
  // A notice has the facts of its kind, which TypeScript cannot infer here.
  const { level, text } = NOTICES[notice.kind] as unknown as NoticeKind<NodeNotice>;
  return { level, message: text(notice) };
}
