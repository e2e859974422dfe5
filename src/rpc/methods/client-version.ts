/** Platforms whose names are written in another way than `process.platform` does. */
const PLATFORM_NAMES: ReadonlyMap<string, string> = new Map([
  ['linux', 'Linux'],
  ['darwin', 'Darwin'],
  ['win32', 'Windows'],
]);

/** Architectures with 32-bit addresses; all others that the runtime supports have 64. */
const ARCHITECTURES_32_BIT: ReadonlySet<string> = new Set(['arm', 'ia32', 'mips', 'mipsel']);

/** Names the blockchain, the version of the program, and the operating system with its bitness. */
export function clientVersionOf(version: string): string {
  return `LEDGER/${version}/${platformName()}`;
}

function platformName(): string {
  const bits = ARCHITECTURES_32_BIT.has(process.arch) ? 32 : 64;
  return `${PLATFORM_NAMES.get(process.platform) ?? process.platform}.${bits}-bit`;
}
