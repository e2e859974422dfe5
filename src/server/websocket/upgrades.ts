import { InvalidRequestError, type ProfileId } from '../../rpc/index.ts';
import { ETHEREUM_PATH } from '../access.ts';
import type { Connections } from '../connections.ts';
import type { Upgrades } from '../http/http-connection.ts';
import type { RequestHead } from '../http-answer.ts';
import type { RefusalReason } from '../metrics/metrics.ts';
import { refuseAndClose } from '../refusals.ts';
import { targetOf } from '../routes.ts';
import type { WebSockets } from './web-sockets.ts';

/** Paths of WebSockets, and the profile of each. */
const PROFILES: ReadonlyMap<string, ProfileId> = new Map([
  ['/', 'ledger'],
  ['/ws', 'ledger'],
  [ETHEREUM_PATH, 'ethereum'],
  [`${ETHEREUM_PATH}/ws`, 'ethereum'],
]);

function profileOf({ target }: RequestHead): ProfileId | undefined {
  return PROFILES.get(targetOf(target)?.path ?? '');
}

/**
 * Prepares the upgrades of connections to WebSockets (RFC 6455, 4.2). Host and Origin were judged before, as those of
 * every request: a page may open a WebSocket to anywhere without asking first.
 */
export function webSocketUpgrades(
  webSockets: WebSockets,
  connections: Connections,
  onRefused: (reason: RefusalReason) => void,
): Upgrades {
  return {
    refusalOf: (head, { client }) => {
      if (profileOf(head) === undefined) {
        const places = [...PROFILES.keys()].join(', ');
        return refuseAndClose(404, new InvalidRequestError(`not found: WebSockets are at ${places}`));
      }
      const full = webSockets.refusalOf(client);
      if (full === undefined) return undefined;
      onRefused('connections');
      return refuseAndClose(503, full);
    },
    open: (head, socket, rest, connection) => {
      connections.lift(connection);
      webSockets.open({ head, socket, rest }, connection, profileOf(head) ?? 'ledger');
    },
  };
}
