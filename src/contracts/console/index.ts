/** What contracts tell the console. */

export { consoleLine } from './format.ts';
