import { expect, test } from 'vitest';
import { ethereumAddress, ethereumKey, sendBy } from '../../src/ledger/ethereum.testing.ts';
import { type Ledger, submitEthereum } from '../../src/ledger/index.ts';
import {
  blockHashOf,
  createAddress,
  type EthereumTransactionFields,
  signEthereumTransaction,
  toPrefixedHex,
} from '../../src/protocol/index.ts';
import { LOGGING_CODE, openEthereumChain, word } from '../../src/rpc/ethereum/chain.testing.ts';
import { type Dispatcher, ETHEREUM_METHODS } from '../../src/rpc/index.ts';
import { ethereumCall } from '../../src/rpc/rpc.testing.ts';
import { DEBUG_CASES, EXECUTION_CASES } from './published/execution-cases.ts';
import {
  type CaseChain,
  type PublishedCase,
  type ResponseKind,
  withExceptions,
} from './published/published-case.ts';
import { READING_CASES } from './published/reading-cases.ts';
import { SIMULATION_CASES } from './published/simulation-cases.ts';

/**
 * The published cases of Ethereum's Execution APIs (`tests/` of ethereum/execution-apis, November 2026), of every
 * method that `/ethereum` serves. Their requests name addresses, hashes and contracts of another chain: each case here
 * is a request to the same effect on the chain of this test. Its response must be of the published kind: a result that
 * fits the method's schema, or an error with the same code. Cases of hard forks after Osaka are left out.
 */

/** The exceptions: a reason, and the kind of the response here by the names of cases. */
const EXCEPTIONS: readonly (readonly [reason: string, kinds: Readonly<Record<string, ResponseKind>>])[] = [
  [
    "the codes are drafts of error groups; clients match the texts, which are geth's, and its code",
    kindsOf(-32000, 'eth_sendRawTransaction/send-', [
      ...['already-known', 'insufficient-funds', 'intrinsic-gas-too-low', 'nonce-too-low'],
      ...['replacement-underpriced', 'tip-above-fee-cap', 'tx-gas-exceeds-block-limit'],
    ]),
  ],
  [
    'the hard fork of a chain is fixed: no past block lacks access lists, fees or blobs',
    {
      ...kindsOf('result', 'eth_call/call-fork-inactive-', [
        ...[
          'access-list',
          'authorization-list',
          'blob-fee',
          'blob-hashes',
          'fee-fields-zero',
          'priority-fee',
        ],
      ]),
      ...kindsOf('result', 'eth_estimateGas/estimate-fork-inactive-', [
        'access-list',
        'blob-fee',
        'fee-fields',
      ]),
      ...kindsOf('result', 'eth_createAccessList/create-al-fork-inactive', ['', '-blob-fee', '-fee-fields']),
    },
  ],
  [
    'the chain of the test accepts no transactions of type 3',
    { 'eth_sendRawTransaction/send-blob-tx': -32000 },
  ],
  [
    'the price of gas on the chain of the test is higher than the call offers',
    { 'eth_simulateV1/ethSimulate-blobs': -38012 },
  ],
  [
    'the signed bytes of the request are not those of a transaction of this chain',
    kindsOf(-32000, 'eth_sendRawTransaction/send-', ['authorization-list-tx', 'setcode-tx']),
  ],
  [
    'the chain of the test has no state trie: a slot has no proof',
    { 'eth_getProof/get-account-proof-with-storage': -32000 },
  ],
  [
    'indexers trace every block from 0: the genesis has no transactions and no traces, as in anvil',
    {
      'debug_traceBlockByHash/trace-genesis': 'result',
      'debug_traceBlockByNumber/trace-genesis': 'result',
    },
  ],
];

function kindsOf(
  kind: ResponseKind,
  prefix: string,
  names: readonly string[],
): Readonly<Record<string, ResponseKind>> {
  return Object.fromEntries(names.map((name) => [prefix + name, kind]));
}

const CASES = EXCEPTIONS.reduce<readonly PublishedCase[]>(
  (cases, [reason, kinds]) => withExceptions(cases, reason, kinds),
  [...READING_CASES, ...EXECUTION_CASES, ...DEBUG_CASES, ...SIMULATION_CASES],
);

/** Makes a block with transactions of several types, and an empty one. */
function chainOf(ledger: Ledger): CaseChain {
  const [sender, other] = [ethereumAddress(0), ethereumAddress(1)];
  const contract = createAddress(sender, 0n);
  const creation = sendBy(0, ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n });
  const logging = sendBy(0, ledger, { to: contract, data: word(7), gas: 100_000n });
  const reverted = sendBy(1, ledger, { to: contract, gas: 100_000n });
  const dynamicFee = sendBy(1, ledger);
  const submit = (fields: Readonly<Record<string, unknown>>) =>
    submitEthereum(ledger, signedBy(ledger, fields), { allowUnprotected: false });
  const [legacy, accessList] = [submit({ type: 'legacy' }), submit({ type: 'accessList' })];
  ledger.miner.mine();
  const { id, number } = ledger.blocks.head();
  ledger.miner.mine();
  const head = ledger.blocks.head();
  const genesis = ledger.blocks.blockByNumber(0);
  return {
    ...{ sender: toPrefixedHex(sender), other: toPrefixedHex(other), contract: toPrefixedHex(contract) },
    ...{ blockHash: toPrefixedHex(blockHashOf(id)), blockNumber: `0x${number.toString(16)}` },
    genesisHash: toPrefixedHex(blockHashOf(genesis?.id ?? id)),
    ...{ headNumber: head.number, headTime: head.header.timestamp },
    ...{ legacy: toPrefixedHex(legacy), accessList: toPrefixedHex(accessList) },
    ...{ dynamicFee: toPrefixedHex(dynamicFee), creation: toPrefixedHex(creation) },
    ...{ logging: toPrefixedHex(logging), reverted: toPrefixedHex(reverted) },
    signed: ({ precedes, ...fields }) => {
      const signed = signedBy(ledger, fields);
      if (precedes === undefined) return toPrefixedHex(signed);
      submit(fields);
      return toPrefixedHex(signedBy(ledger, { nonce: nonceOf(ledger) - 1n, ...Object(precedes) }));
    },
  };
}

const KEY = 2;
const nonceOf = (ledger: Ledger): bigint => ledger.pool.pending.nonceOf(ethereumAddress(KEY));

/** Signs a transaction with the fields of its type, by default of type 2. */
function signedBy(ledger: Ledger, fields: Readonly<Record<string, unknown>>): Uint8Array {
  const price = 20_000_000_000n;
  const all = {
    type: 'dynamicFee',
    chainId: BigInt(ledger.parameters.network.chainId),
    ...{ nonce: nonceOf(ledger), gas: 21_000n, to: ethereumAddress(0), value: 1n, data: new Uint8Array() },
    ...{ gasPrice: price, maxFeePerGas: price, maxPriorityFeePerGas: price, accessList: [] },
    ...fields,
  };
  // Each type takes its fields out of all.
  return signEthereumTransaction(all as unknown as EthereumTransactionFields, ethereumKey(KEY));
}

/** Returns the kind of a response; of a failure of the node its message, which no case expects. */
function kindOf(answer: unknown): ResponseKind | string {
  const { code, message } = Object(answer);
  if (message === 'internal error') return message;
  return typeof code === 'number' ? code : 'result';
}

function answerOf(dispatcher: Dispatcher, chain: CaseChain, { name, params }: PublishedCase): unknown {
  const method = name.slice(0, name.indexOf('/'));
  return ethereumCall(dispatcher, method, ...(typeof params === 'function' ? params(chain) : params));
}

test('default: every response is of the published kind, except where a reason is listed', async () => {
  const { ledger, dispatcher } = await openEthereumChain({ mining: 'manual' });
  const chain = chainOf(ledger);
  const problems = CASES.flatMap((published) => {
    const answer = answerOf(dispatcher, chain, published);
    const [kind, expected] = [kindOf(answer), published.here?.kind ?? published.published];
    return kind === expected ? [] : [{ name: published.name, expected, answer }];
  });
  expect(problems).toEqual([]);
});

test('behavior: each case is of a served method, each once, and exceptions differ from what is published', () => {
  const methods = new Set(CASES.map(({ name }) => name.slice(0, name.indexOf('/'))));
  expect([...methods].filter((method) => !ETHEREUM_METHODS.has(method))).toEqual([]);
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  expect(SIMULATION_CASES).toHaveLength(100);
  expect(CASES.filter(({ here, published }) => here?.kind === published)).toEqual([]);
});
