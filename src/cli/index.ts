/** The command line, and the settings that it reads. */

export { main } from './main.ts';
export { programLog } from './node-log/text-log.ts';
export { testConfigurationOf } from './settings/configuration.ts';
