import type { BlockLogOptions } from '../block-log-source.ts';
import type { LogAddress } from './log-address.ts';

/** How a log on JetStream is reached, and what is asked of it. */
export interface JetStreamSettings extends BlockLogOptions {
  readonly address: LogAddress;
}
