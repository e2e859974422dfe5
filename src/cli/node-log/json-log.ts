import type { BlockSummary } from '../../ledger/index.ts';
import {
  describeNotice,
  type EthereumBlock,
  type FailedExecution,
  type NodeDescription,
  type NodeNotice,
  type TestNodeDescription,
} from '../../node/index.ts';
import {
  blockHashOf,
  bytesToHex,
  formatAccountId,
  formatPublicKey,
  hexIdOf,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { type LogLevel, VERBOSITY } from '../settings/service-settings.ts';
import { plain } from '../text.ts';
import { errorFacts, printable, treeText } from './printable.ts';
import type { NodeLog } from './text-log.ts';

/** Names of secrets, whose values are redacted. No record should contain them. */
const SECRET_NAMES = ['seed', 'secret', 'privateKey', 'privkey', 'passphrase', 'password'];

/**
 * Creates a node's log for programs: a JSON object on each line, with `level`, `time` (ISO 8601, UTC), `event`,
 * `message` (a text for people) and the facts of the event.
 */
export async function jsonLog(
  level: LogLevel,
  write: (line: string) => void,
  verbosity: number = VERBOSITY.origin,
): Promise<NodeLog> {
  const { pino } = await import('pino');
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
      serializers: { error: errorFacts },
    },
    { write },
  );
  return {
    events: {
      onDropped: ({ transaction, error }) => {
        const id = hexIdOf(transaction);
        const reason = printable(error.message);
        logger.info({ event: 'dropped', transaction: id, reason }, `dropped transaction ${id}: ${reason}`);
      },
      // A node skips the work for an absent listener.
      ...(logger.isLevelEnabled('debug') && {
        onFailedCall: (method: string, message: string) => {
          const facts = { method: printable(method), reason: printable(message) };
          logger.debug({ event: 'failedCall', ...facts }, `failed ${facts.method}: ${facts.reason}`);
        },
      }),
      ...(logger.isLevelEnabled('info') && {
        onBlock: (block: BlockSummary, ethereum: EthereumBlock | undefined) =>
          logger.info({ event: 'block', ...blockFacts(block, ethereum) }, `block ${block.number}`),
        onConsole: (lines: readonly string[]) => {
          for (const line of lines) logger.info({ event: 'console' }, printable(line));
        },
      }),
      ...(logger.isLevelEnabled('info') &&
        verbosity >= VERBOSITY.reason && {
          onFailedExecution: (failed: FailedExecution) => {
            const facts = failureFacts(failed);
            const { transaction } = facts;
            const message = transaction === null ? 'a call failed' : `transaction ${transaction} failed`;
            logger.info({ event: 'failedExecution', ...facts }, message);
          },
        }),
      onInternalFailure: (task, error) => {
        logger.error(
          { event: 'internalFailure', task: printable(task), error },
          `internal failure in ${printable(task)}`,
        );
      },
      onNotice: (notice) => {
        const { level: severity, message } = describeNotice(notice);
        logger[severity]({ event: notice.kind, ...noticeFacts(notice) }, printable(message));
      },
    },
    started: (description) => {
      logger.info({ event: 'started', ...nodeFacts(description) }, `listening at ${description.url}`);
    },
    stopping: () => logger.info({ event: 'stopping' }, 'stopping'),
    stopped: () => logger.info({ event: 'stopped' }, 'stopped'),
  };
}

function blockFacts({ number, id, operationCount, feesCollected }: BlockSummary, ethereum?: EthereumBlock) {
  const facts = { number, hash: toPrefixedHex(blockHashOf(id)), operations: operationCount };
  if (ethereum === undefined) return { ...facts, gas: String(feesCollected) };
  const transactions = ethereum.transactions().map(({ hash, from, to, created, gas, isFailure }) => ({
    hash: toPrefixedHex(hash),
    from: toPrefixedHex(from),
    to: to === undefined ? null : toPrefixedHex(to),
    created: created === undefined ? null : toPrefixedHex(created),
    gas: String(gas),
    status: isFailure ? 'failure' : 'success',
  }));
  return { ...facts, gas: String(ethereum.gas), transactions };
}

function failureFacts({ transaction, failure, from, gasUsed, gasLimit, isAgain, calls }: FailedExecution) {
  const { kind, subject, reason, origin } = failure;
  const textsOf = (lines: typeof origin) => lines.map((line) => treeText(line, plain));
  return {
    transaction: transaction === undefined ? null : toPrefixedHex(transaction.hash),
    block: transaction?.block ?? null,
    kind,
    subject,
    reason: reason ?? null,
    origin: textsOf(origin),
    from: toPrefixedHex(from),
    gas: String(gasUsed),
    gasLimit: String(gasLimit),
    calls: isAgain ? [] : textsOf(calls()),
  };
}

/** Returns the facts of a notice, listed one by one, so that a record contains no other property by accident. */
function noticeFacts(notice: NodeNotice): Readonly<Record<string, unknown>> {
  switch (notice.kind) {
    case 'keysLoaded':
      return { producers: notice.producers.map(formatAccountId), registrar: notice.registrar };
    case 'keyUnused':
      return { account: formatAccountId(notice.account), path: printable(notice.path) };
    case 'productionPaused':
    case 'productionWaits':
    case 'recoveryInWasm':
      return { reason: printable(notice.reason) };
    case 'producerKeyChanged':
      return { producer: formatAccountId(notice.producer), publicKey: formatPublicKey(notice.key) };
    case 'producerKeyMissing':
      return { producer: formatAccountId(notice.producer), reason: printable(notice.reason) };
    case 'producerMissing':
    case 'producerReturned':
      return { producer: formatAccountId(notice.producer), number: notice.number };
    case 'productionResumed':
    case 'flagMeaning':
      return {};
    case 'signingSetBack':
      return { after: notice.after, last: notice.last };
    case 'followedAnswers':
    case 'logAnswers':
      return { url: notice.url, head: notice.head };
    case 'followedSilent':
    case 'followedRejected':
    case 'logSilent':
    case 'logHalted':
      return { url: notice.url, reason: printable(notice.reason) };
    case 'followedBehind':
      return { url: notice.url, head: notice.head, behind: notice.behind };
    case 'catchingUp':
      return { head: notice.head, highest: notice.highest };
    case 'caughtUp':
      return { head: notice.head };
    case 'workerLost':
      return { process: notice.processId, reason: printable(notice.reason) };
    case 'requestRefused':
      return { reason: printable(notice.message), others: notice.others };
    case 'ethereumClient':
      return { client: notice.client, method: printable(notice.method) };
    case 'balanceCut': {
      const { address, asked, most } = notice;
      return { address: toPrefixedHex(address), asked: String(asked), most: String(most) };
    }
    case 'stateLoaded':
    case 'stateDumped':
      return { path: printable(notice.path), number: notice.number };
    case 'stateNotLoaded':
      return { path: printable(notice.path) };
    case 'clockBehind':
      return { seconds: notice.seconds };
    case 'gasLimitMet':
      return { offered: String(notice.offered), most: String(notice.most) };
    case 'forkFetched': {
      const { entries, requests, milliseconds } = notice;
      return { entries, requests, milliseconds };
    }
    case 'forkCacheDamaged':
      return { path: printable(notice.path) };
    case 'forkRulesNewer':
      return { number: notice.number };
    case 'artifactPassedOver':
      return { path: printable(notice.path), reason: printable(notice.reason) };
  }
}

function nodeFacts(description: NodeDescription | TestNodeDescription) {
  const { mode, version, url, network, nativeChainId, hardfork, headNumber, dataDir, exposed } = description;
  return {
    mode,
    version,
    url,
    network: network.name,
    chainId: network.chainId,
    networkId: network.networkId,
    nativeChainId: bytesToHex(nativeChainId),
    hardfork,
    head: headNumber,
    dataDir: dataDir ?? null,
    root: description.root,
    ledgerUrl: description.ledgerUrl,
    ethereumUrl: description.ethereumUrl ?? null,
    exposed,
    ...(description.mode === 'node'
      ? {
          blockInterval: description.blockInterval,
          producers: description.producers.map(formatAccountId),
          keys: description.keys.map(({ account, publicKey }) => ({
            account: formatAccountId(account),
            publicKey: formatPublicKey(publicKey),
          })),
          registers: description.registers,
          follow: description.follow,
          log: description.log ?? null,
        }
      : { accounts: description.accounts.length, fork: forkFacts(description) }),
  };
}

function forkFacts({ fork }: TestNodeDescription) {
  if (fork === undefined) return null;
  const { source, number, hash, withCode } = fork;
  return { source: source ?? null, number, hash: toPrefixedHex(hash), accountsWithCode: withCode };
}
