import { oneOf } from '../values.ts';
import { type Setting, value } from './setting.ts';

/** How much a node's log tells, the least first. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
/** How much the node's log tells; each level tells what those before it do, and more. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What it is made of: JSON objects, or lines for people. */
const LOG_FORMATS = ['json', 'text'] as const;

/** What a node tells while it runs. */
export const NODE_LOG_SETTINGS = {
  'log-level': value<LogLevel>({
    argument: 'level',
    help: LOG_LEVELS.join(', '),
    type: oneOf(LOG_LEVELS),
    default: 'info',
    testDefault: 'debug',
  }),
  'log-format': value<(typeof LOG_FORMATS)[number]>({
    argument: 'format',
    help: 'json: an object on each line; text: lines for people',
    type: oneOf(LOG_FORMATS),
    default: 'json',
    testDefault: 'text',
  }),
} as const satisfies Record<string, Setting>;
