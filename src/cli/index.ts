/** The command line and its settings. */

export { main } from './main.ts';
export { programLog } from './node-log/text-log.ts';
export { testConfigurationOf } from './settings/configuration.ts';
