import type { Environment } from '../environment.ts';
import type { Settings } from '../settings/resolve.ts';
import { jsonLog } from './json-log.ts';
import type { NodeLog } from './node-log.ts';
import { textLog } from './text-log.ts';

/** The log of its own that the settings of a node ask for. */
export async function createNodeLog({ values, mode }: Settings, environment: Environment): Promise<NodeLog> {
  const level = values.quiet ? 'error' : values['log-level'];
  return values['log-format'] === 'json'
    ? await jsonLog(level, environment.print)
    : textLog(level, environment, mode === 'node', values['native-accounts']);
}
