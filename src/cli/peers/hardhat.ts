import { ignored, only, type Peer, renamed, switched } from './peer.ts';

const COMPILES = 'ledgerd compiles nothing';

/** Flags of `hardhat node` of Hardhat 3. */
export const HARDHAT: Peer = {
  name: 'hardhat',
  title: 'hardhat node of Hardhat 3',
  defaults: [
    { flag: '--ethereum' },
    { flag: '--accounts', value: '20' },
    { flag: '--block-gas-limit', value: '60000000', isOfFork: true },
  ],
  flags: [
    renamed('--hostname', '--host'),
    switched('--verbose --verbosity', '--log-level', 'debug'),
    ignored('--show-stack-traces --showStackTraces --emoji --typecheck', COMPILES),
    ignored('--build-profile --max-memory --tsconfig', COMPILES, 'value'),
    only('--chain-type', ['l1', 'generic'], 'ledgerd has one kind of chain with Ethereum'),
  ],
  notes: [
    {
      unless: '--accounts --mnemonic --chain-id --fork',
      text: 'hardhat.config is not read: give its network as flags (--accounts, --mnemonic, --chain-id, --fork)',
    },
  ],
};
