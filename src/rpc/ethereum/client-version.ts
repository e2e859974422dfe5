import { isTestChain, type MethodContext } from '../method-context.ts';

/** The anvil whose methods a test chain has, by which tools know what to expect. */
const ANVIL = 'anvil/v1.7.1';

/** What the node calls itself on `/ethereum`. */
export function ethereumClientVersion(context: MethodContext): string {
  const { version } = context;
  return isTestChain(context) ? `${ANVIL}-ledgerd-${version}` : `ledgerd/v${version}`;
}
