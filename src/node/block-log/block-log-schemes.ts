import type { BlockLogAddress, BlockLogImplementation } from './block-log-source.ts';
import { jetStream } from './jetstream/jetstream.ts';

/** The implementation of block logs that each scheme of a URL selects. */
const IMPLEMENTATIONS: ReadonlyMap<string, BlockLogImplementation> = new Map([
  ['nats:', jetStream],
  ['tls:', jetStream],
]);

/** The form that `parseBlockLogAddress` accepts, in words. */
export const BLOCK_LOG_ADDRESS_FORM = [...new Set(IMPLEMENTATIONS.values())]
  .map(({ addressForm }) => addressForm)
  .join('; or ');

/** Parses the address of a block log: one URL or several with commas. Returns undefined for anything else. */
export function parseBlockLogAddress(text: string): BlockLogAddress | undefined {
  const [first = ''] = text.split(',', 1);
  if (!URL.canParse(first)) return undefined;
  return IMPLEMENTATIONS.get(new URL(first).protocol)?.parseAddress(text);
}
