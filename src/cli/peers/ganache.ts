import {
  blockGas,
  blockGasLimit,
  decimal,
  derivationPath,
  hardforkName,
  ignored,
  only,
  type Peer,
  type PeerFlag,
  type PeerMeaning,
  renamed,
  switched,
} from './peer.ts';

/** The words of `ganache --wallet.deterministic`. */
const DETERMINISTIC = 'myth like bonus scare over problem client lizard pioneer submit female collect';

const interval = (seconds: string): PeerMeaning => ({
  words: Number(seconds) === 0 ? [] : ['--block-time', seconds],
});

/** Declares a flag with a value, one of which is what the flag of this program means when it is absent. */
const renamedUnless = (absent: string, name: string, flag: string): PeerFlag => ({
  ...renamed(name, flag),
  meaning: (value) => ({ words: value === absent ? [] : [flag, value] }),
});

const fork = (source: string): PeerMeaning => ({ words: source === '' ? ['--fork'] : ['--fork', source] });

/** Flags of Ganache 7.9.2. */
export const GANACHE: Peer = {
  name: 'ganache',
  title: 'Ganache 7.9.2',
  defaults: [
    { flag: '--root', value: 'ethereum' },
    { flag: '--chain-id', value: '1337', isOfFork: true },
    { flag: '--ethereum-balance', value: '1000' },
    { flag: '--mnemonic', value: DETERMINISTIC },
    { flag: '--hardfork', value: 'shanghai', isOfFork: true },
    blockGasLimit('30000000'),
  ],
  flags: [
    renamed('-a --wallet.totalAccounts', '--accounts'),
    renamed('-e --wallet.defaultBalance --defaultBalanceEther', '--ethereum-balance'),
    renamed('-m --wallet.mnemonic', '--mnemonic'),
    renamed('--wallet.hdPath', '--derivation-path', derivationPath),
    renamed('-p --server.port', '--port'),
    renamed('-h --server.host --hostname', '--host'),
    renamed('--chain.chainId --chainId', '--chain-id', decimal),
    renamed('-k --chain.hardfork --hardfork', '--hardfork', hardforkName),
    renamed('-l --miner.blockGasLimit --gasLimit', '--block-gas-limit', blockGas),
    renamed('-g --miner.defaultGasPrice --gasPrice', '--gas-price', decimal),
    renamed('--miner.callGasLimit', '--call-gas', decimal),
    renamedUnless('latest', '--fork.blockNumber', '--fork-block-number'),
    renamedUnless('0', '--fork.requestsPerSecond', '--fork-rate'),
    renamed('--fork.headers', '--fork-header'),
    {
      names: ['-b', '--miner.blockTime', '--blockTime'],
      takes: 'value',
      meaning: interval,
      remedy: 'use --block-time',
    },
    { names: ['-f', '--fork', '--fork.url'], takes: 'maybe', meaning: fork, remedy: 'use --fork <url>' },
    {
      names: ['--database.dbPath', '--db', '--db_path'],
      takes: 'value',
      meaning: (folder) => ({
        words: ['--test', '--data-dir', folder],
        note: 'the chain of ledgerd, not of Ganache',
      }),
      remedy: 'use --test --data-dir <folder>, which stores the chain',
    },
    switched('-d --wallet.deterministic --deterministic', '--mnemonic', DETERMINISTIC),
    switched('-q --logging.quiet --quiet', '--quiet'),
    switched('-v --logging.verbose --logging.debug --verbose', '--log-level', 'debug'),
    switched('--fork.disableCache', '--no-fork-cache'),
    switched(
      '--chain.allowUnlimitedContractSize --chain.allowUnlimitedInitCodeSize',
      '--disable-code-size-limit',
    ),
    // Refused with a remedy, unless they are off: then they are Ganache's defaults.
    ...['--wallet.lock -n --lock --secure', '--fork.deleteCache', '--detach -D'].map((names) =>
      switched(names, names.replace(/ .*/, '')),
    ),
    only('--miner.timestampIncrement', ['clock'], 'call anvil_setBlockTimestampInterval on the running node'),
    ignored(
      '-i --chain.networkId --networkId',
      'the network id is the chain id: use --chain-id <number>',
      'value',
    ),
    ignored(
      '--miner.instamine --instamine',
      'the hash of a transaction comes with its block (eager)',
      'value',
    ),
    ignored('--miner.defaultTransactionGasLimit', 'ledgerd estimates the gas', 'value'),
    ignored('--miner.priceBump', 'a replacement pays 10 % more of both fees', 'value'),
    ignored('--server.ws', 'ledgerd always serves WebSockets', 'maybe'),
    ignored('--server.wsBinary --server.chunkSize', 'WebSockets carry text', 'maybe'),
    ignored('--chain.asyncRequestProcessing', 'ledgerd works on requests concurrently', 'maybe'),
    ignored('--chain.vmErrorsOnRPCResponse', 'a failed transaction is reported in its receipt', 'maybe'),
  ],
  notes: [
    {
      unless: '-m --wallet.mnemonic --mnemonic -d --wallet.deterministic --deterministic',
      text: '--wallet.mnemonic: Ganache draws other words at each start, ledgerd has those of --wallet.deterministic',
    },
    {
      unless: '-g --miner.defaultGasPrice --gasPrice',
      text: '--miner.defaultGasPrice: Ganache suggests 2 gwei, ledgerd the base fee and 1 gwei',
    },
  ],
};
