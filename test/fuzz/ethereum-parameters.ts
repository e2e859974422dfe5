import { ethereumAddress, signedBy } from '../../src/ledger/ethereum.testing.ts';
import { toPrefixedHex } from '../../src/protocol/index.ts';
import { ETHEREUM_METHODS } from '../../src/rpc/index.ts';
import { type JsonText, objectOf } from './json-text.ts';
import type { Maker, Material } from './material.ts';
import { blockOverrides, stateOverrides } from './override-parameters.ts';
import { VALID_PARAMETERS } from './parameters.ts';
import { kinds, traceParameters } from './trace-parameters.ts';
import { ETHEREUM_KEYS } from './world.ts';

const NONE: Maker = () => [];
/** That of the keys the chain begins with, and another one. */
const PASSPHRASES = ['', '', '', 'a passphrase'];

/** Methods with other parameters than on `/`, or without a counterpart there, by name. */
const OWN: Readonly<Record<string, Maker>> = {
  eth_accounts: NONE,
  eth_hashrate: NONE,
  eth_simulateV1: (material) => [
    objectOf({
      blockStateCalls: [
        objectOf({
          stateOverrides: stateOverrides(material),
          blockOverrides: blockOverrides(material)[0],
          calls: [request(material), request(material)],
        }),
        objectOf({}),
      ],
      traceTransfers: material.random.oneIn(2),
      validation: material.random.oneIn(4),
      returnFullTransactions: material.random.oneIn(2),
    }),
    stateBlock(material),
  ],
  eth_callMany: (material) => [
    [
      objectOf({
        transactions: [request(material), request(material)],
        blockOverride: blockOverrides(material)[0],
      }),
      objectOf({
        transactions: [request(material)],
        blockOverride: objectOf({ blockHash: objectOf({ 1: material.random.hex(32) }) }),
      }),
    ],
    material.random.pick<JsonText>([
      objectOf({
        blockNumber: stateBlock(material),
        transactionIndex: material.random.pick([-1, 0, 1, '0x2']),
      }),
      stateBlock(material),
      null,
    ]),
    stateOverrides(material),
    material.random.below(3) * 1_000,
  ],
  eth_callBundle: (material) => [
    objectOf({
      txs: [signed(material), material.random.pick([signed(material), material.live.transactionHash()])],
      blockNumber: material.live.quantity(9),
      stateBlockNumber: stateBlock(material),
      timestamp: material.random.pick([undefined, material.live.quantity(2_000_000_000)]),
      coinbase: material.random.pick([undefined, address(material)]),
      baseFee: material.random.pick([undefined, '0x0']),
    }),
  ],
  anvil_nodeInfo: NONE,
  eth_getBalance: (material) => [address(material), stateBlock(material)],
  eth_getCode: (material) => [address(material), stateBlock(material)],
  eth_getTransactionCount: (material) => [address(material), stateBlock(material)],
  eth_getAccount: (material) => [address(material), stateBlock(material)],
  eth_getProof: (material) => [address(material), [], stateBlock(material)],
  eth_getAccountInfo: (material) => [address(material), stateBlock(material)],
  eth_getStorageAt: (material) => [address(material), material.live.quantity(20), stateBlock(material)],
  ...atBlock('eth_call', 'eth_createAccessList', 'eth_getStorageValues'),
  wallet_getCapabilities: (material) => [keyAddress(material)],
  wallet_sendCalls: (material) => [
    objectOf({
      version: '2.0.0',
      from: keyAddress(material),
      chainId: '0xff',
      atomicRequired: true,
      calls: [
        objectOf({ to: keyAddress(material), value: '0x1' }),
        ...(material.random.oneIn(3) ? [objectOf({ to: address(material) })] : []),
      ],
    }),
  ],
  wallet_getCallsStatus: ({ live }) => [live.transactionHash()],
  eth_fillTransaction: (material) => [request(material)],
  eth_getTransactionBySenderAndNonce: (material) => [keyAddress(material), material.live.quantity(9)],
  eth_getUncleCountByBlockHash: ({ live }) => [live.blockHash()],
  eth_getUncleCountByBlockNumber: ({ live }) => [live.blockSelector()],
  eth_getUncleByBlockHashAndIndex: ({ live }) => [live.blockHash(), live.quantity(3)],
  eth_getUncleByBlockNumberAndIndex: ({ live }) => [live.blockSelector(), live.quantity(3)],
  eth_estimateGas: (material) => [request(material)],
  eth_sendRawTransaction: (material) => [signed(material)],
  eth_sendRawTransactionSync: (material) => [signed(material), material.random.below(3)],
  eth_sign: (material) => [keyAddress(material), material.random.hex(9)],
  eth_signTypedData_v4: (material) => [
    keyAddress(material),
    VALID_PARAMETERS.get('eth_signTypedData_v4')?.(material)[1] ?? null,
  ],
  personal_sign: (material) => [material.random.hex(9), keyAddress(material), ''],
  personal_lockAccount: (material) => [keyAddress(material)],
  personal_unlockAccount: (material) => [keyAddress(material), material.random.pick(PASSPHRASES)],
  ...Object.fromEntries(
    ['eth_sendTransaction', 'eth_signTransaction', 'eth_sendUnsignedTransaction'].map((name) => [
      name,
      (material: Material) => [request(material)],
    ]),
  ),
  eth_sendTransactionSync: (material) => [request(material), material.random.below(3)],
  personal_sendTransaction: (material) => [request(material), material.random.pick(PASSPHRASES)],
  personal_signTransaction: (material) => [request(material), material.random.pick(PASSPHRASES)],
  ...traceParameters(request),
  trace_rawTransaction: (material) => [signed(material), kinds(material)],
  eth_feeHistory: ({ live }) => [live.quantity(2_000), live.blockSelector(), [0, 50]],
};

/** For every method of `/ethereum`, by its first name, how to make parameters that it takes. */
export const ETHEREUM_PARAMETERS: ReadonlyMap<string, Maker> = new Map(
  [...new Set(ETHEREUM_METHODS.values())].flatMap(({ name }): [string, Maker][] => {
    const make = OWN[name] ?? VALID_PARAMETERS.get(name);
    return make === undefined ? [] : [[name, make]];
  }),
);

/** Makes parameters as on `/`, where the block parameter has no effect. */
function atBlock(...names: readonly string[]): Record<string, Maker> {
  const makers = names.map((name): [string, Maker] => [
    name,
    (material) => {
      const [first = null, , ...others] = VALID_PARAMETERS.get(name)?.(material) ?? [];
      return [first, stateBlock(material), ...others];
    },
  ]);
  return Object.fromEntries(makers);
}

function keyAddress({ random }: Material): JsonText {
  return toPrefixedHex(ethereumAddress(random.below(ETHEREUM_KEYS)));
}

function address(material: Material): JsonText {
  return material.random.oneIn(2) ? keyAddress(material) : material.live.address();
}

/** Chooses a block, mostly an existing one. */
function stateBlock({ random, live }: Material): JsonText {
  return random.pick<() => JsonText>([
    () => live.blockSelector(),
    () => live.blockReference(),
    () => 'pending',
    () => objectOf({ blockHash: live.blockHash() }),
  ])();
}

function request(material: Material): JsonText {
  const { random, live } = material;
  return objectOf({
    from: keyAddress(material),
    to: random.pick([undefined, live.contract(), live.address()]),
    value: random.pick([undefined, live.quantity(100)]),
    data: random.hex(1 + random.below(80)),
    unknown: random.pick([undefined, 'ignored']),
    ...random.pick([{}, { gasPrice: '0x2540be400' }, { maxFeePerGas: '0x2540be400' }]),
  });
}

/** Makes a transaction signed by a key, mostly with its next nonce. */
function signed({ random, world }: Material): JsonText {
  const nonce = random.oneIn(6) ? { nonce: BigInt(random.below(20)) } : {};
  const creation = random.oneIn(6) ? { to: undefined, data: Buffer.from('5f5ff3', 'hex'), gas: 90_000n } : {};
  const fields = { value: BigInt(random.below(1_000)), ...creation, ...nonce };
  return toPrefixedHex(signedBy(random.below(ETHEREUM_KEYS), world.ledger, fields));
}
