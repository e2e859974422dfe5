import { isTestChain, type MethodContext } from '../method-context.ts';

/** The anvil whose methods a test chain has, by which tools know what to expect. */
const ANVIL = 'anvil/v1.7.1';

/** Platforms whose names are written in another way than `process.platform` does. */
const PLATFORM_NAMES: ReadonlyMap<string, string> = new Map([
  ['linux', 'Linux'],
  ['darwin', 'Darwin'],
  ['win32', 'Windows'],
]);

/** Architectures with 32-bit addresses; all others that the runtime supports have 64. */
const ARCHITECTURES_32_BIT: ReadonlySet<string> = new Set(['arm', 'ia32', 'mips', 'mipsel']);

/** Names the blockchain, the version of the program, and the operating system with its bitness. */
export function ledgerClientVersion({ version }: MethodContext): string {
  const bits = ARCHITECTURES_32_BIT.has(process.arch) ? 32 : 64;
  return `LEDGER/${version}/${PLATFORM_NAMES.get(process.platform) ?? process.platform}.${bits}-bit`;
}

/** Names the client as Ethereum's do, on a test chain as an anvil. */
export function ethereumClientVersion(context: MethodContext): string {
  const { version } = context;
  return isTestChain(context) ? `${ANVIL}-ledgerd-${version}` : `ledgerd/v${version}`;
}
