import type { StreamInfo } from '@nats-io/jetstream';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import { STREAM_PART_BYTES_MAX } from './entry.ts';
import type { JetStreamSettings } from './log-address.ts';
import { fieldOf, type LogConnection, reasonOf } from './log-connection.ts';

/** Bytes that a server of the block log must accept in one message: a part of a block with its headers. */
const STREAM_PAYLOAD_BYTES_MIN = STREAM_PART_BYTES_MAX + 16 * 1024;
/** Bytes of a monitoring response (1 MiB), and the milliseconds to wait for it. */
const STREAM_MONITOR_BYTES_MAX = 1024 * 1024;
const STREAM_MONITOR_TIMEOUT_MS = 5_000;

/** The first version with atomic batches. */
const OLDEST_VERSION = [2, 12] as const;

/** The API level of JetStream with atomic batches. */
const API_LEVEL = 2;

/** Instructions to show that a server syncs writes before it confirms them. */
const HOW_TO_SHOW =
  "give --block-log-monitor with the URL of each server's monitoring port (http_port in its configuration), such as " +
  'http://10.0.0.1:8222, or --block-log-assume-synced if you are sure that all of them have sync_interval: always';

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
  if (info.headers !== true) throw unsafe(info.server_name, 'it does not support headers');
  if (info.jetstream !== true) throw unsafe(info.server_name, 'its JetStream is off');
  if (info.max_payload < STREAM_PAYLOAD_BYTES_MIN) {
    throw unsafe(
      info.server_name,
      `it accepts messages of ${info.max_payload} bytes, and ${STREAM_PAYLOAD_BYTES_MIN} are needed (max_payload: 1MB)`,
    );
  }
  const { api } = await connection.query(() => connection.manager.getAccountInfo());
  const level = Number(fieldOf(api, 'level') ?? 0);
  if (!(level >= API_LEVEL)) {
    throw unsafe(info.server_name, `its JetStream has level ${level}, and ${API_LEVEL} is needed`);
  }
}

/**
 * Rejects a stream unless every server with a replica syncs writes to disk before it confirms them: otherwise a power
 * failure loses the last two minutes. Only a server's monitoring port shows the setting.
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
      `nothing shows that the log's servers sync writes to disk before they confirm them: ${HOW_TO_SHOW}`,
    );
  }
  const responses = await Promise.all(monitors.map(queryMonitor));
  const servers = responses.flatMap((response) => ('silence' in response ? [] : [response]));
  for (const { name, version, isSynced } of servers) {
    checkVersion(name, version);
    if (!isSynced) {
      throw unsafe(
        name,
        'it confirms writes before they are on disk; set sync_interval: always in the block jetstream of its ' +
          'configuration',
      );
    }
  }
  const names = new Set(servers.map(({ name }) => name));
  const unseen = replicasOf(info, connection).filter((name) => !names.has(name));
  if (unseen.length === 0) return;
  const silent = responses.flatMap((response) => ('silence' in response ? [`${response.silence}; `] : []));
  const message =
    `${unseen.join(', ')} also stores the log, and --block-log-monitor shows nothing of it: ${silent.join('')}` +
    HOW_TO_SHOW;
  // A server that has just gone down is not known to be down yet.
  throw silent.length > 0 ? new BlockLogUnavailableError(message) : new BlockLogUnsoundError(message);
}

/** Returns the names of a stream's up-to-date servers. A server that is down delays no start. */
function replicasOf({ cluster }: StreamInfo, { nats }: LogConnection): string[] {
  const leader = cluster?.leader ?? nats.info?.server_name;
  const running = (cluster?.replicas ?? []).filter(({ current, offline }) => current && offline !== true);
  const names = [leader, ...running.map(({ name }) => name)];
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))].map(String);
}

/** @throws BlockLogUnsoundError for the response of another program */
async function queryMonitor(url: string): Promise<MonitoredServer | { readonly silence: string }> {
  const varz = `${url.replace(/\/+$/, '')}/varz`;
  const report = await readJson(varz);
  if (report instanceof Error) return { silence: `${varz} does not respond: ${reasonOf(report)}` };
  const name = fieldOf(report, 'server_name');
  const version = fieldOf(report, 'version');
  if (typeof name !== 'string' || typeof version !== 'string') {
    throw new BlockLogUnsoundError(
      `--block-log-monitor: ${varz} is not the monitoring port of a NATS server`,
    );
  }
  const config = fieldOf(fieldOf(report, 'jetstream'), 'config');
  return { name, version, isSynced: fieldOf(config, 'sync_always') === true };
}

/** Fetches JSON. Returns the error if there is no response, and undefined for a response that is not JSON. */
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
