import type { BlockLogAddress, BlockLogImplementation } from './block-log.ts';
import { jetStream } from './jetstream/jetstream.ts';

/** Implementations of block logs by the scheme of the URL. */
const IMPLEMENTATIONS: ReadonlyMap<string, BlockLogImplementation> = new Map([
  ['nats:', jetStream],
  ['tls:', jetStream],
]);

/** The form that `parseBlockLogAddress` accepts, in words. */
export const BLOCK_LOG_ADDRESS_FORM = [...new Set(IMPLEMENTATIONS.values())]
  .map(({ addressForm }) => addressForm)
  .join('; or ');

/** Parses the address of a block log: URLs with commas between them. Returns undefined for any other text. */
export function parseBlockLogAddress(text: string): BlockLogAddress | undefined {
  const [first = ''] = text.split(',', 1);
  if (!URL.canParse(first)) return undefined;
  return IMPLEMENTATIONS.get(new URL(first).protocol)?.parseAddress(text);
}
