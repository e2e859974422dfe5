import { UsageError } from '../command-errors.ts';
import {
  blockGas,
  blockGasLimit,
  derivationPath,
  hardforkName,
  ignored,
  only,
  type Peer,
  renamed,
  switched,
} from './peer.ts';

const STATES = 'ledgerd stores every state in test mode; node mode has --undo-blocks <number>';
const LOG = 'ledgerd prints text, or JSON with --json';
/** The path of `anvil --ipc` without one. */
const IPC_PATH = '/tmp/anvil.ipc';
const TRACES = 'ledgerd traces every transaction on request: debug_traceTransaction';

function blockNumber(text: string): string {
  if (!text.startsWith('-')) return text;
  throw new UsageError(
    `--fork-block-number ${text}: ledgerd does not count from the newest block: give its number`,
  );
}

/** Flags of anvil 1.7.1. Those of the same name and meaning are not listed, nor are those that ledgerd refuses. */
export const ANVIL: Peer = {
  name: 'anvil',
  title: 'anvil 1.7.1',
  defaults: [{ flag: '--root', value: 'ethereum' }, blockGasLimit('30000000')],
  flags: [
    renamed('-a', '--accounts'),
    renamed('-b --blockTime', '--block-time'),
    renamed('--balance', '--ethereum-balance'),
    renamed('--derivation-path', '--derivation-path', derivationPath),
    renamed('--hardfork', '--hardfork', hardforkName),
    renamed('-m', '--mnemonic'),
    renamed('-p', '--port'),
    renamed('-s', '--state-interval'),
    renamed('--allow-origin', '--cors'),
    renamed('--block-base-fee-per-gas', '--base-fee'),
    renamed('--gas-limit', '--block-gas-limit', blockGas),
    renamed('--fork-block-number', '--fork-block-number', blockNumber),
    {
      names: ['--ipc', '--ipcpath'],
      takes: 'maybe',
      meaning: (path) => ({ words: ['--ipc', path || IPC_PATH] }),
      remedy: 'use --ipc',
    },
    switched('--no-mine', '--no-mining'),
    switched('--auto-unlock', '--auto-impersonate'),
    switched('--no-gas-limit', '--disable-block-gas-limit'),
    switched('--no-code-size-limit', '--disable-code-size-limit'),
    switched('-q --silent', '--quiet'),
    switched('--json', '--log-format', 'json'),
    {
      names: ['-v', '--verbosity'],
      takes: 'maybe',
      meaning: (level) => ({ words: ['--verbosity', level || '3'] }),
      remedy: 'use --verbosity 3',
    },
    switched('--disable-console-log --no-console-log', '--log-level', 'warn'),
    switched('--no-request-size-limit', '--max-body', '64MiB'),
    only('-n --network', ['ethereum'], 'ledgerd has one kind of chain with Ethereum'),
    ignored('-j --threads --jobs', '--workers adds processes for queries', 'value'),
    ignored('--max-persisted-states --transaction-block-keeper', STATES, 'value'),
    ignored('--prune-history', STATES, 'maybe'),
    ignored('--preserve-historical-states', STATES),
    ignored('--slots-in-an-epoch', 'safe and finalized are the newest block', 'value'),
    ignored('--color', LOG, 'value'),
    ignored('--md', LOG),
    ignored('--cache-path', 'states are in the data folder, and entries of a fork in its cache', 'value'),
    ignored('--no-cors', 'ledgerd serves no foreign origin that --cors does not name'),
    ignored(
      '--enable-tx-gas-limit --tx-gas-limit',
      'ledgerd has this limit from Osaka on: use --hardfork <name>',
    ),
    ignored('--memory-limit', "ledgerd bounds the EVM's memory by gas: use --call-gas <gas>", 'value'),
    ignored(
      '--print-traces --enable-trace-printing',
      'use ledgerd trace; the log has the calls of what failed',
    ),
    ignored('--steps-tracing --tracing', TRACES),
    ignored('--disable-default-create2-deployer --no-create2', 'the deployer is there, at its usual address'),
  ],
  notes: [
    {
      unless: '--allow-origin --no-cors',
      text: "--allow-origin: anvil serves every web page, ledgerd those of this machine; --allow-origin '*' allows all",
    },
  ],
};
