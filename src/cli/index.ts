/** The command line, and the settings that it reads. */

export { main } from './main.ts';
export { testConfigurationOf } from './settings/options.ts';
