import { CLOCK_TIME_MAX } from '../../src/consensus.ts';
import type { RegistrationTask } from '../../src/ledger/index.ts';
import { formatPublicKey, solves, toPrefixedHex } from '../../src/protocol/index.ts';
import { ACCOUNT_PARAMETERS } from './account-parameters.ts';
import { callData } from './call-data.ts';
import { type JsonText, objectOf, raw } from './json-text.ts';
import type { Maker, Material } from './material.ts';
import { validTransaction } from './native-transactions.ts';
import { blockOverrides, stateOverrides } from './override-parameters.ts';
import { subscription } from './subscription-parameters.ts';
import { kinds, traceParameters } from './trace-parameters.ts';
import type { World } from './world.ts';

const NONE: Maker = () => [];
const ADDRESS_AND_BLOCK: Maker = ({ live }) => [live.address(), ...live.ignoredBlock()];
const FILTER_ID: Maker = ({ live }) => [live.filterId()];

/** Address of a contract that returns its slot 0 for any call, once it has code. */
const TOKEN = `0x${'77'.repeat(20)}`;
const TOKEN_CODE = '0x60005460005260206000f3';
const FORK = objectOf({ forking: objectOf({ jsonRpcUrl: 'http://127.0.0.1' }) });
const ABI = raw(
  '[{"type":"function","name":"f","inputs":[{"name":"a","type":"tuple[]","components":[{"type":"int8"}]}]}]',
);
const COMPILED = objectOf({
  A: objectOf({ abi: ABI, evm: objectOf({ deployedBytecode: objectOf({ object: '00' }) }) }),
});
const HASH: Maker = ({ live }) => [live.transactionHash()];
const ADDRESS: Maker = ({ live }) => [live.address()];
const FLAG: Maker = ({ random }) => [random.oneIn(3)];

/** For every method that controls a chain how to make parameters that it takes. */
const CONTROL_PARAMETERS: Readonly<Record<string, Maker>> = {
  evm_increaseTime: ({ live }) => [live.quantity(600)],
  anvil_mine: ({ live, random }) =>
    random.pick([[], [live.quantity(5)], [live.quantity(5), live.quantity(60)]]),
  hardhat_mine: ({ live, random }) =>
    random.pick([[], [live.quantity(5)], [live.quantity(5), live.quantity(60)]]),
  anvil_mine_detailed: mining,
  anvil_intervalMine: NONE,
  // Mostly on, so that transactions are included.
  anvil_setAutomine: ({ random }) => [!random.oneIn(4)],
  anvil_getAutomine: NONE,
  anvil_setIntervalMining: ({ random }) => [
    random.pick<JsonText>([0, 5, '0x3c', raw('[0,0]'), raw('[1000,9000]')]),
  ],
  anvil_getIntervalMining: NONE,
  anvil_setBlockGasLimit: ({ random }) => [
    random.pick(['0x7fffffffffffffff', '0x1c9c380', 30_000_000, 100_000, '0x1']),
  ],
  anvil_setMinGasPrice: ({ random }) => [random.below(2)],
  anvil_setNextBlockBaseFeePerGas: ({ random }) => [random.pick<JsonText>([0, '0x1'])],
  anvil_setNextBlockTimestamp: (material) => [blockTime(material)],
  anvil_setTime: (material) => [blockTime(material)],
  anvil_setBlockTimestampInterval: ({ live }) => [live.quantity(60)],
  anvil_removeBlockTimestampInterval: NONE,
  anvil_getGenesisTime: NONE,
  anvil_getLastBlockWallTime: NONE,
  anvil_dropTransaction: HASH,
  hardhat_dropTransaction: HASH,
  anvil_dropAllTransactions: NONE,
  anvil_removePoolTransactions: ADDRESS,
  txpool_status: NONE,
  txpool_content: NONE,
  txpool_contentFrom: ADDRESS,
  txpool_inspect: NONE,
  anvil_metadata: NONE,
  anvil_setLoggingEnabled: FLAG,
  anvil_addCompilationResult: ({ random }) => [
    '0.8.37',
    objectOf({ sources: objectOf({ a: objectOf({ content: 'contract A {}' }) }) }),
    random.pick([
      objectOf({}),
      objectOf({ sources: objectOf({ a: objectOf({ id: 0 }) }), contracts: objectOf({ a: COMPILED }) }),
    ]),
  ],
  ledger_addArtifact: ({ live, random }) => [
    random.pick([
      objectOf({ name: 'A', abi: ABI }),
      objectOf({ name: 'A', abi: ABI, deployedBytecode: TOKEN_CODE }),
      objectOf({ name: 'A', abi: ABI, bytecode: `__$${'0'.repeat(34)}$__`, address: live.address() }),
    ]),
  ],
  anvil_getBlobByHash: HASH,
  anvil_getBlobsByTransactionHash: HASH,
  anvil_setChainId: ({ live }) => [live.quantity(300)],
  anvil_setCoinbase: ({ random, live, world }) => [
    random.pick([toPrefixedHex(world.ledger.parameters.coinbase), live.address()]),
  ],
  anvil_impersonateSignature: ({ random, live }) => [random.hex(65), live.address()],
  anvil_snapshot: NONE,
  anvil_revert: reverting,
  anvil_rollback: ({ random, world }) => [random.below(1 + blocksToLose(world))],
  anvil_reorg: reorganizing,
  anvil_reset: ({ random }) => [random.pick([null, objectOf({}), FORK, FORK])],
  anvil_dumpState: ({ random }) => (random.oneIn(2) ? [] : [random.oneIn(2)]),
  anvil_loadState: ({ world }) => [world.dump],
  anvil_setRpcUrl: () => ['http://127.0.0.1:1'],
  anvil_setBalance: settingBalance,
  anvil_addBalance: settingBalance,
  anvil_setCode: ({ random, live }) => [
    random.oneIn(3) ? live.address() : TOKEN,
    random.oneIn(3) ? random.hex(random.below(200)) : TOKEN_CODE,
  ],
  anvil_setStorageAt: ({ random, live }) => [live.address(), live.quantity(20), random.hex(32)],
  anvil_setNonce: ({ live }) => [live.address(), live.quantity(1_000)],
  anvil_dealERC20: ({ random, live }) => {
    return [live.address(), random.oneIn(4) ? TOKEN : live.contract(), `0x1${random.below(1_000)}`];
  },
  anvil_setERC20Allowance: ({ random, live }) => {
    const addresses = [0, 1].map(() => (random.oneIn(4) ? live.address() : random.hex(20)));
    return [...addresses, random.oneIn(4) ? TOKEN : live.contract(), `0x1${random.below(1_000)}`];
  },
  anvil_setNextBlockPrevRandao: ({ random }) => [random.hex(32)],
};

/** For every method, by its first name, how to make parameters that it takes. */
export const VALID_PARAMETERS: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ['web3_clientVersion', NONE],
  ['web3_sha3', ({ random }) => [random.hex(random.below(300))]],
  ['net_version', NONE],
  ['net_listening', NONE],
  ['net_peerCount', NONE],
  ['eth_protocolVersion', NONE],
  ['eth_syncing', NONE],
  ['eth_coinbase', NONE],
  ['eth_gasPrice', NONE],
  ['eth_chainId', NONE],
  ['eth_blockNumber', NONE],
  ['eth_getBalance', ADDRESS_AND_BLOCK],
  ['eth_getStorageAt', ({ live }) => [live.address(), live.quantity(20), ...live.ignoredBlock()]],
  ['eth_getTransactionCount', ADDRESS_AND_BLOCK],
  ['eth_getCode', ADDRESS_AND_BLOCK],
  ['eth_getBlockTransactionCountByHash', ({ live }) => [live.blockHash()]],
  ['eth_getBlockTransactionCountByNumber', ({ live }) => [live.blockSelector()]],
  ['eth_call', overridableCall],
  ['eth_estimateGas', overridableCall],
  ['eth_createAccessList', (material) => overridableCall(material).slice(0, 3)],
  ['eth_getBlockByHash', ({ live, random }) => [live.blockHash(), random.oneIn(2)]],
  ['eth_getBlockByNumber', ({ live, random }) => [live.blockSelector(), random.oneIn(2)]],
  ['eth_getTransactionByHash', ({ live }) => [live.transactionHash()]],
  ['eth_getTransactionByBlockHashAndIndex', ({ live }) => [live.blockHash(), live.quantity(3)]],
  ['eth_getTransactionByBlockNumberAndIndex', ({ live }) => [live.blockSelector(), live.quantity(3)]],
  ['eth_getTransactionReceipt', ({ live }) => [live.transactionHash()]],
  ['eth_pendingTransactions', NONE],
  ['eth_sendRawTransaction', ({ random, world }) => [validTransaction(random, world)]],
  ['eth_newFilter', ({ live }) => [live.logOptions()]],
  ['eth_newBlockFilter', NONE],
  ['eth_newPendingTransactionFilter', NONE],
  ['eth_uninstallFilter', FILTER_ID],
  ['eth_getFilterChanges', FILTER_ID],
  ['eth_getFilterLogs', FILTER_ID],
  ['eth_getLogs', logRequest],
  ['eth_subscribe', ({ random, live }) => subscription(random, live)],
  ['eth_unsubscribe', ({ live }) => [live.subscriptionId()]],
  [
    'ledger_checkRegistration',
    ({ random }) => [`fuzzed-${random.next()}`, random.oneIn(2) ? null : random.hex(20)],
  ],
  ['ledger_requestRegistrationTask', NONE],
  ['ledger_submitRegistrationSolution', registration],
  ['ledger_getAddressReference', ({ live }) => [live.evmAddress()]],
  ...Object.entries(ACCOUNT_PARAMETERS),
  ['rpc_discover', NONE],
  ['eth_mining', NONE],
  ...[
    'eth_maxPriorityFeePerGas',
    'eth_baseFee',
    'eth_blobBaseFee',
    'eth_config',
    'eth_capabilities',
    'rpc_modules',
    'ledger_getChain',
  ].map((method): [string, Maker] => [method, NONE]),
  ['eth_feeHistory', feeHistoryRequest],
  ['eth_getAccount', ADDRESS_AND_BLOCK],
  ['eth_getAccountInfo', ADDRESS_AND_BLOCK],
  ['eth_getStorageValues', storageValuesRequest],
  ['eth_getBlockReceipts', ({ live }) => [live.blockReference()]],
  ['eth_getHeaderByNumber', ({ live }) => [live.blockSelector()]],
  ['eth_getHeaderByHash', ({ live }) => [live.blockHash()]],
  ['eth_getRawTransactionByHash', ({ live }) => [live.transactionHash()]],
  ['eth_getRawTransactionByBlockHashAndIndex', ({ live }) => [live.blockHash(), live.quantity(3)]],
  ['eth_getRawTransactionByBlockNumberAndIndex', ({ live }) => [live.blockSelector(), live.quantity(3)]],
  ['miner_start', NONE],
  ['miner_stop', NONE],
  ['personal_newAccount', ({ random }) => [random.pick(['', 'a passphrase', '💥'])]],
  ['personal_listAccounts', NONE],
  ['personal_listRawAccounts', NONE],
  ['personal_lockAccount', locking],
  ['personal_unlockAccount', unlocking],
  ['eth_sign', ({ random, live }) => [live.account(), random.hex(random.below(200))]],
  ['eth_sendRawTransactionSync', ({ random, world }) => [validTransaction(random, world), random.below(3)]],
  ['eth_sendTransactionSync', (material) => [transactionObject(material), material.random.below(3)]],
  ['personal_sign', personalSigning],
  ['personal_ecRecover', ({ random }) => [random.hex(9), `${random.hex(64)}1b`]],
  ['eth_signTypedData_v4', typedSigning],
  ['eth_signTransaction', (material) => [transactionObject(material)]],
  ['personal_signTransaction', (material) => [transactionObject(material), '']],
  ['eth_sendTransaction', (material) => [transactionObject(material)]],
  ['personal_sendTransaction', (material) => [transactionObject(material), '']],
  ['anvil_impersonateAccount', ({ live }) => [live.address()]],
  ['anvil_stopImpersonatingAccount', ({ live }) => [live.address()]],
  ['anvil_autoImpersonateAccount', ({ random }) => [random.oneIn(3)]],
  ['eth_sendUnsignedTransaction', (material) => [transactionObject(material)]],
  ['evm_addAccount', ({ live }) => [live.address(), '']],
  ['evm_removeAccount', ({ live }) => [live.address(), 'a passphrase']],
  ['personal_importRawKey', ({ random }) => [random.hex(32).slice(random.oneIn(2) ? 2 : 0), '']],
  ['evm_mine', mining],
  ...Object.entries(traceParameters(callObject)),
  [
    'trace_rawTransaction',
    (material) => [validTransaction(material.random, material.world), kinds(material)],
  ],
  ...Object.entries(CONTROL_PARAMETERS),
]);

/** Mostly so much that nobody lacks it, and so little that many can have it. */
function settingBalance({ random, live }: Material): readonly JsonText[] {
  const amount = random.oneIn(4) ? live.quantity(1_000) : '0x16345785d8a0000';
  return [random.oneIn(2) ? live.address() : [live.address(), live.address()], amount];
}

/** Chooses mostly one of the newest snapshots, which may not exist any more. */
function reverting({ random, live }: Material): readonly JsonText[] {
  const id = live.quantity(20);
  return random.oneIn(3) ? [id, objectOf({ keep: random.oneIn(2) })] : [id];
}

function reorganizing(material: Material): readonly JsonText[] {
  const { random, world } = material;
  const depth = random.below(1 + blocksToLose(world));
  const transaction = (): JsonText =>
    random.oneIn(2) ? validTransaction(random, world) : transactionObject(material);
  const count = depth === 0 ? 0 : random.below(3);
  const pairs = Array.from({ length: count }, () => [transaction(), random.below(depth)]);
  return random.oneIn(2) ? [depth, pairs] : [objectOf({ depth, tx_block_pairs: pairs })];
}

/** A few of the newest blocks, where there are so many. */
function blocksToLose({ ledger }: World): number {
  return Math.min(2, ledger.blocks.head().number);
}

/** A call object, mostly without overrides. */
function overridableCall(material: Material): readonly JsonText[] {
  const { live, random } = material;
  if (!random.oneIn(4)) return [callObject(material), ...live.ignoredBlock()];
  return [callObject(material), 'latest', stateOverrides(material), ...blockOverrides(material)];
}

/** Mostly the newest account, so that not all that have something to send are locked in the end. */
function locking({ random, world, live }: Material): readonly JsonText[] {
  const newest = world.wallet.list().at(-1);
  return [newest === undefined || random.oneIn(6) ? live.account() : toPrefixedHex(newest)];
}

function unlocking({ random, live }: Material): readonly JsonText[] {
  const duration = random.pick<JsonText[]>([[], [null], [0], ['0x12c'], [300]]);
  return [live.account(), random.oneIn(5) ? 'a passphrase' : '', ...duration];
}

function feeHistoryRequest({ random, live }: Material): readonly JsonText[] {
  const percentiles = random.pick<JsonText[]>([[], [null], [[]], [[0, 12.5, 100]]]);
  return [live.quantity(1_024), live.blockSelector(), ...percentiles];
}

function storageValuesRequest({ random, live }: Material): readonly JsonText[] {
  const slots = Array.from({ length: random.below(4) }, () => live.quantity(20));
  return [objectOf({ [live.contract()]: slots, [live.address()]: [random.hex(32)] }), ...live.ignoredBlock()];
}

function timeAfterHead({ random, world }: Material): number {
  const earliest = world.ledger.blocks.head().header.timestamp;
  return Math.max(earliest, Math.min(earliest + random.below(600), CLOCK_TIME_MAX));
}

/** A time that the next block can have. */
function blockTime(material: Material): JsonText {
  const { random } = material;
  const timestamp = timeAfterHead(material);
  return random.pick<JsonText>([timestamp, `0x${timestamp.toString(16)}`]);
}

/** Mostly without a time stamp: the clock cannot go back. */
function mining(material: Material): readonly JsonText[] {
  const { random } = material;
  const timestamp = timeAfterHead(material);
  if (!random.oneIn(4)) return random.pick<JsonText[]>([[], [null], [objectOf({ blocks: '0x2' })]]);
  return random.pick<JsonText[]>([
    [timestamp],
    [`0x${timestamp.toString(16)}`],
    [objectOf({ timestamp, blocks: 3 })],
  ]);
}

function personalSigning({ random, live }: Material): readonly JsonText[] {
  const message = random.pick([random.hex(random.below(80)), 'a text', '0xnothex', '💥']);
  return [message, live.account(), ...random.pick<JsonText[]>([[], [null], [''], ['a passphrase']])];
}

function typedSigning({ random, live }: Material): readonly JsonText[] {
  const data = {
    types: {
      Person: [
        { name: 'wallet', type: 'address' },
        { name: 'friends', type: 'Person[]' },
        { name: 'score', type: 'int16' },
      ],
    },
    primaryType: 'Person',
    domain: random.oneIn(2) ? {} : { name: 'fuzzed', chainId: 255 },
    message: {
      wallet: live.address(),
      score: -random.below(100),
      friends: [{ wallet: live.account(), score: '7', friends: [] }],
    },
  };
  const text = JSON.stringify(data);
  return [live.account(), random.oneIn(2) ? raw(text) : text];
}

function logRequest({ random, live }: Material): readonly JsonText[] {
  if (random.oneIn(4)) {
    return [
      objectOf({ [random.pick(['blockhash', 'blockHash'])]: live.blockHash(), address: live.contract() }),
    ];
  }
  return random.pick<JsonText[]>([[live.logOptions()], [live.logOptions()], [], [null]]);
}

/** A call object: of a contract's function, of other data, of a transfer, or with code to be run. */
function callObject(material: Material): JsonText {
  const { random, world, live } = material;
  const contract = random.pick(world.contracts);
  const data = callData(random, contract, world);
  const from = random.oneIn(3) ? live.account() : undefined;
  return objectOf({
    ...random.pick([
      { from, to: contract.address, data },
      { from, to: contract.address, input: data },
      { from, to: contract.address, data: random.hex(random.below(80)) },
      { from, data: random.hex(random.below(80)) },
      { from: live.account(), to: live.account(), value: live.quantity(100) },
    ]),
    ...clientFields(material),
  });
}

function transactionObject(material: Material): JsonText {
  const { random, world, live } = material;
  const from = random.oneIn(4) ? live.address() : live.account();
  const contract = random.pick(world.contracts);
  const gas = random.pick([undefined, '0x493e0', 300_000]);
  return objectOf({
    ...random.pick([
      { from, to: contract.address, gas, data: callData(random, contract, world) },
      { from, to: live.account(), value: live.quantity(100) },
      { from, gas, data: random.hex(random.below(80)) },
      { from, to: live.address(), value: live.quantity(100) },
    ]),
    ...clientFields(material),
  });
}

/** Fields that clients add and that have no effect. */
function clientFields({ random }: Material): Record<string, JsonText | undefined> {
  if (!random.oneIn(4)) return {};
  return { nonce: '0x0', gasPrice: '0x1', type: '0x2', accessList: [], chainId: random.pick(['0xff', 255]) };
}

/** A solved registration, where the node registers accounts. */
function registration({ random, world }: Material): readonly JsonText[] {
  const task = world.registration.requestTask();
  const key = formatPublicKey(random.pick(world.signers).keys.publicKey);
  const name = `fuzzed-${random.next()}-registered`;
  const evmAddress = random.oneIn(2) ? null : random.hex(20);
  return [name, key, key, evmAddress, Number(solutionOf(task)), `0x${task.randNum.toString(16)}`];
}

function solutionOf({ blockId, randNum, difficulty }: RegistrationTask): bigint {
  let nonce = 0n;
  while (!solves(blockId, randNum, nonce, difficulty)) nonce += 1n;
  return nonce;
}
