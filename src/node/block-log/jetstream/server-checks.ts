import type { StreamInfo } from '@nats-io/jetstream';
import {
  STREAM_MONITOR_BYTES_MAX,
  STREAM_MONITOR_TIMEOUT_MS,
  STREAM_PAYLOAD_BYTES_MIN,
} from '../../../limits.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import type { JetStreamSettings } from './log-address.ts';
import { fieldOf, type LogConnection, reasonOf } from './log-connection.ts';

/** The first version with atomic batches. */
const OLDEST_VERSION = [2, 12] as const;

/** The API level of JetStream with atomic batches. */
const API_LEVEL = 2;

/** Instructions to show that a server syncs writes before it confirms them. */
const HOW_TO_SHOW =
  "give --log-monitor with the URL of each server's monitoring port (http_port in its configuration), such as " +
  'http://10.0.0.1:8222, or --log-assume-synced if you vouch for it that all of them have sync_interval: always';

/** The report of a server's monitoring port. */
interface MonitoredServer {
  readonly name: string;
  readonly version: string;
  readonly isSynced: boolean;
}

/** Rejects a server without the required features. @throws BlockLogUnsoundError, BlockLogUnavailableError */
export async function checkServer(connection: LogConnection): Promise<void> {
  const { info } = connection.nats;
  if (info === undefined) return;
  checkVersion(info.server_name, info.version);
  if (info.headers !== true) throw unsafe(info.server_name, 'it takes no headers');
  if (info.jetstream !== true) throw unsafe(info.server_name, 'JetStream is off there');
  if (info.max_payload < STREAM_PAYLOAD_BYTES_MIN) {
    throw unsafe(
      info.server_name,
      `it takes ${info.max_payload} bytes in one message, and ${STREAM_PAYLOAD_BYTES_MIN} are needed ` +
        '(max_payload: 1MB)',
    );
  }
  const { api } = await connection.asking(() => connection.manager.getAccountInfo());
  const level = Number(fieldOf(api, 'level') ?? 0);
  if (!(level >= API_LEVEL)) {
    throw unsafe(info.server_name, `its JetStream has level ${level}, and ${API_LEVEL} is needed`);
  }
}

/**
 * Rejects a stream unless every server that keeps it syncs writes to disk before it confirms them: otherwise a power
 * failure loses the last two minutes. Only a server's monitoring port shows it.
 * @throws BlockLogUnsoundError, BlockLogUnavailableError
 */
export async function checkSync(
  info: StreamInfo,
  connection: LogConnection,
  { monitors, assumeSynced }: JetStreamSettings,
): Promise<void> {
  if (assumeSynced) return;
  if (monitors.length === 0) {
    throw new BlockLogUnsoundError(
      `nothing shows that the log's servers write to their disks before they confirm: ${HOW_TO_SHOW}`,
    );
  }
  const answers = await Promise.all(monitors.map(queryMonitor));
  const servers = answers.flatMap((answer) => ('silence' in answer ? [] : [answer]));
  for (const { name, version, isSynced } of servers) {
    checkVersion(name, version);
    if (!isSynced) {
      throw unsafe(
        name,
        'it confirms what is not on its disk yet; set sync_interval: always in the block jetstream of its ' +
          'configuration',
      );
    }
  }
  const names = new Set(servers.map(({ name }) => name));
  const unseen = replicasOf(info, connection).filter((name) => !names.has(name));
  if (unseen.length === 0) return;
  const silent = answers.flatMap((answer) => ('silence' in answer ? [`${answer.silence}; `] : []));
  const message =
    `the log is kept by ${unseen.join(', ')}, too, of which --log-monitor shows nothing: ${silent.join('')}` +
    HOW_TO_SHOW;
  // One that went down a moment ago is not known to be down yet.
  throw silent.length > 0 ? new BlockLogUnavailableError(message) : new BlockLogUnsoundError(message);
}

/** Returns the names of the up-to-date servers of a stream: one that is down delays no start. */
function replicasOf({ cluster }: StreamInfo, { nats }: LogConnection): string[] {
  const leader = cluster?.leader ?? nats.info?.server_name;
  const running = (cluster?.replicas ?? []).filter(({ current, offline }) => current && offline !== true);
  const keepers = [leader, ...running.map(({ name }) => name)];
  return [...new Set(keepers.filter((name) => name !== undefined && name !== ''))].map(String);
}

/** @throws BlockLogUnsoundError for an answer of something else */
async function queryMonitor(url: string): Promise<MonitoredServer | { readonly silence: string }> {
  const varz = `${url.replace(/\/+$/, '')}/varz`;
  const answer = await readJson(varz);
  if (answer instanceof Error) return { silence: `${varz} does not answer: ${reasonOf(answer)}` };
  const [name, version] = [fieldOf(answer, 'server_name'), fieldOf(answer, 'version')];
  if (typeof name !== 'string' || typeof version !== 'string') {
    throw new BlockLogUnsoundError(`--log-monitor: ${varz} is not the monitoring port of a NATS server`);
  }
  const config = fieldOf(fieldOf(answer, 'jetstream'), 'config');
  return { name, version, isSynced: fieldOf(config, 'sync_always') === true };
}

/** Fetches JSON; returns the error without a response. */
async function readJson(url: string): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(STREAM_MONITOR_TIMEOUT_MS);
    const response = await fetch(url, { redirect: 'error', signal });
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of response.body ?? []) {
      length += part.length;
      if (length > STREAM_MONITOR_BYTES_MAX) return undefined;
      parts.push(part);
    }
    return response.ok ? JSON.parse(Buffer.concat(parts).toString()) : undefined;
  } catch (error) {
    // An answer that is no JSON is not that of a server.
    return error instanceof SyntaxError ? undefined : error;
  }
}

function checkVersion(name: string, version: string): void {
  const [, major = 0, minor = 0] = (/^v?(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  const isRecent = major > OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor >= OLDEST_VERSION[1]);
  if (!isRecent)
    throw unsafe(name, `it is nats-server ${version}, and ${OLDEST_VERSION.join('.')} is needed`);
}

function unsafe(server: string, reason: string): BlockLogUnsoundError {
  return new BlockLogUnsoundError(`the server ${server} is not safe for a log: ${reason}`);
}
