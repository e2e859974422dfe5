import { textShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

/** Platforms whose names are written in another way than `process.platform` does. */
const PLATFORM_NAMES: ReadonlyMap<string, string> = new Map([
  ['linux', 'Linux'],
  ['darwin', 'Darwin'],
  ['win32', 'Windows'],
]);

/** Architectures with 32-bit addresses; all others that the runtime supports have 64. */
const ARCHITECTURES_32_BIT: ReadonlySet<string> = new Set(['arm', 'ia32', 'mips', 'mipsel']);

export const clientVersion = defineMethod({
  name: 'web3_clientVersion',
  summary: 'Names the blockchain, the version of the client and the operating system with its bitness.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: textShape,
  example: { parameters: [], result: 'LEDGER/0.1.0/Linux.64-bit' },
  handler: ({ version }) => `LEDGER/${version}/${platformName()}`,
});

function platformName(): string {
  const bits = ARCHITECTURES_32_BIT.has(process.arch) ? 32 : 64;
  return `${PLATFORM_NAMES.get(process.platform) ?? process.platform}.${bits}-bit`;
}
