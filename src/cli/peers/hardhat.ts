import { blockGasLimit, ignored, only, type Peer, renamed, switched } from './peer.ts';

const COMPILES = 'ledgerd compiles nothing';
const NOT_READ = 'hardhat.config is not read: give its network as flags';

/** Flags of `hardhat node` of Hardhat 3. */
export const HARDHAT: Peer = {
  name: 'hardhat',
  title: 'hardhat node of Hardhat 3',
  defaults: [
    { flag: '--root', value: 'ethereum' },
    { flag: '--accounts', value: '20' },
    blockGasLimit('60000000'),
    { flag: '--mixed-mining' },
    { flag: '--time-step', value: '1' },
  ],
  flags: [
    renamed('--hostname', '--host'),
    switched('--verbose', '--log-level', 'debug'),
    renamed('-v', '--verbosity'),
    ignored('--network --config', NOT_READ, 'value'),
    ignored('--show-stack-traces --showStackTraces --emoji --typecheck --coverage --gas-stats', COMPILES),
    ignored('--build-profile --max-memory --tsconfig --gas-stats-json', COMPILES, 'value'),
    only('--chain-type', ['l1', 'generic'], 'ledgerd has one kind of chain with Ethereum'),
  ],
  notes: [
    {
      unless: '--accounts --mnemonic --chain-id --fork',
      text: `${NOT_READ} (--accounts, --mnemonic, --chain-id, --fork)`,
    },
  ],
};
