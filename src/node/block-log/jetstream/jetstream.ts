import type { BlockLogImplementation, BlockLogSource } from '../block-log-source.ts';
import { inspectBlockLog } from './inspection.ts';
import { LOG_ADDRESS_FORM, parseLogAddress, shownLogAddress } from './log-address.ts';
import type { JetStreamSettings } from './log-settings.ts';
import { openBlockLog, openJetStream } from './open-log.ts';

/** Block logs in streams of NATS JetStream. */
export const jetStream: BlockLogImplementation = {
  addressForm: LOG_ADDRESS_FORM,
  parseAddress: (text) => {
    const address = parseLogAddress(text);
    if (address === undefined) return undefined;
    return {
      url: shownLogAddress(address),
      source: (options) => jetStreamSource({ ...options, address }),
    };
  },
};

/** Names the block log of some servers. */
export function jetStreamSource(settings: JetStreamSettings): BlockLogSource {
  return {
    url: shownLogAddress(settings.address),
    open: (chain) => openBlockLog(settings, chain),
    openToSeed: async (chain, stop) => (await openJetStream(settings, chain, true, { stop })).log,
    inspect: (chain) => inspectBlockLog(settings, chain),
  };
}
