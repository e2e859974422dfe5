import { describe, expect, test } from 'vitest';
import { CODE_SIZE_LIMIT_MAX } from '../../consensus.ts';
import { decode, encode, formatPublicKey, toPrefixedHex } from '../../protocol/index.ts';
import { ethereumGenesis, MOVING_FEES } from '../ethereum.testing.ts';
import { type Genesis, genesisCodec, InvalidGenesisError, parseGenesis } from '../index.ts';
import { accountAt, KEYS, keyAt, PRODUCER_KEY, testGenesis } from '../ledger.testing.ts';
import { formatGenesis } from './genesis-json.ts';

/** A genesis with every field. */
function richGenesis(): Genesis {
  const genesis = testGenesis({ hardfork: 'cancun' });
  const [producer, first, second, ...others] = genesis.accounts;
  if (producer === undefined || first === undefined || second === undefined) throw new RangeError('it has');
  return {
    ...genesis,
    network: { name: 'Our_net-1.0', chainId: Number.MAX_SAFE_INTEGER, networkId: 7 },
    accounts: [
      producer,
      { ...first, evmAddress: undefined, options: { delegatingAccount: second.id, delegateShare: 10_000 } },
      {
        ...second,
        active: {
          weightThreshold: 3,
          accountAuths: [[first.id, 2]],
          keyAuths: [[keyAt(0).publicKey, 1]],
        },
      },
      ...others,
    ],
    producers: [producer.id, first.id],
    registrar: second.id,
    reserved: { accounts: 5_000, contracts: 12 },
    blockInterval: 0.25,
  };
}

/** Returns the JSON form with the value at `path` changed. */
function changed(path: readonly (string | number)[], value: unknown): unknown {
  const json: unknown = JSON.parse(formatGenesis(testGenesis()));
  let place = json as Record<string | number, unknown>;
  for (const part of path.slice(0, -1)) place = place[part] as typeof place;
  const [last = ''] = path.slice(-1);
  if (value === undefined) delete place[last];
  else place[last] = value;
  return json;
}

function problemOf(json: unknown): InvalidGenesisError {
  try {
    parseGenesis(json);
  } catch (error) {
    if (error instanceof InvalidGenesisError) return error;
    throw error;
  }
  throw new RangeError('it was accepted');
}

test('default: the text of a genesis is parsed to an equal genesis', () => {
  for (const genesis of [testGenesis(), richGenesis()]) {
    expect(parseGenesis(formatGenesis(genesis))).toEqual(genesis);
    expect(parseGenesis(JSON.parse(formatGenesis(genesis)))).toEqual(genesis);
  }
});

test('default: its bytes are decoded to an equal genesis', () => {
  for (const genesis of [testGenesis(), richGenesis()]) {
    const bytes = encode(genesisCodec, genesis);
    expect(encode(genesisCodec, decode(genesisCodec, bytes))).toEqual(bytes);
    expect(formatGenesis(decode(genesisCodec, bytes))).toBe(formatGenesis(genesis));
  }
});

test.each([undefined, 1, CODE_SIZE_LIMIT_MAX])('args: a limit of code sizes: %s', (codeSizeLimit) => {
  const genesis = ethereumGenesis({ features: { ...MOVING_FEES, hasStateTrie: true, codeSizeLimit } });
  const read = parseGenesis(formatGenesis(genesis));
  expect(read.ethereum?.features).toEqual(genesis.ethereum?.features);
  expect(decode(genesisCodec, encode(genesisCodec, read)).ethereum?.features).toEqual(
    read.ethereum?.features,
  );
});

test.each([
  [0, 'ethereum.codeSizeLimit: must be an integer of 1 to 2147483647, not 0'],
  [2 ** 31, 'ethereum.codeSizeLimit: must be an integer of 1 to 2147483647, not 2147483648'],
  [1.5, 'ethereum.codeSizeLimit: must be an integer of 1 to 2147483647, not 1.5'],
  ['1', 'ethereum.codeSizeLimit'],
])('error: a limit of code sizes: %j', (codeSizeLimit, message) => {
  const json = JSON.parse(formatGenesis(ethereumGenesis({ features: MOVING_FEES })));
  expect(problemOf({ ...json, ethereum: { ...json.ethereum, codeSizeLimit } }).message).toContain(message);
});

test('error: a chain with Ethereum without fees', () => {
  const { ethereum, ...json } = JSON.parse(formatGenesis(ethereumGenesis()));
  const { fees: _, ...rest } = ethereum;
  expect(problemOf({ ...json, ethereum: rest }).message).toContain('ethereum.fees');
});

test('behavior: the form of the file', () => {
  const [producer] = testGenesis().accounts;
  const [, funded] = testGenesis().accounts;
  if (producer === undefined || funded?.evmAddress === undefined) throw new RangeError('it has both');
  const json = JSON.parse(formatGenesis({ ...testGenesis(), accounts: [producer, funded] }));
  const key = formatPublicKey(PRODUCER_KEY.publicKey);
  expect(json).toEqual({
    format: 1,
    network: { name: 'default', chainId: 255, networkId: 255 },
    timestamp: '2026-09-21T14:13:20Z',
    parameters: { hardfork: 'osaka', blockInterval: 3 },
    reservedInstances: { accounts: 1024, contracts: 0 },
    accounts: [
      {
        id: '1.2.1023',
        name: 'test-producer',
        balance: '1000000000',
        active: { weight_threshold: 1, account_auths: [], key_auths: [[key, 1]] },
        echorandKey: key,
        evmAddress: null,
        options: { delegating_account: '1.2.1023', delegate_share: 0, extensions: [] },
      },
      expect.objectContaining({ id: '1.2.1024', evmAddress: toPrefixedHex(funded.evmAddress) }),
    ],
    registrar: '1.2.1023',
    consensus: { producers: ['1.2.1023'] },
  });
});

describe('error: the path of the invalid value', () => {
  const key = formatPublicKey(keyAt(0).publicKey);
  const unsatisfiable = { weight_threshold: 2, account_auths: [], key_auths: [[key, 1]] };
  const unsorted = {
    weight_threshold: 1,
    account_auths: [
      ['1.2.1025', 1],
      ['1.2.1024', 1],
    ],
    key_auths: [],
  };
  const stranger = { weight_threshold: 1, account_auths: [['1.2.7', 1]], key_auths: [] };
  const sameAddress = toPrefixedHex(testGenesis().accounts[1]?.evmAddress ?? new Uint8Array());

  test.each<[string, readonly (string | number)[], unknown]>([
    ['format', ['format'], 2],
    ['format', ['format'], undefined],
    ['note', ['note'], 'hello'],
    ['network', ['network'], 'main'],
    ['network.name', ['network', 'name'], ''],
    ['network.name', ['network', 'name'], ' x'],
    ['network.name', ['network', 'name'], 'x'.repeat(65)],
    ['network.chainId', ['network', 'chainId'], 0],
    ['network.chainId', ['network', 'chainId'], 1.5],
    ['network.chainId', ['network', 'chainId'], 2 ** 53],
    ['network.chainId', ['network', 'chainId'], '255'],
    ['network.networkId', ['network', 'networkId'], -1],
    ['network.port', ['network', 'port'], 1],
    ['timestamp', ['timestamp'], '2026-11-21T00:00:00'],
    ['timestamp', ['timestamp'], '2026-02-30T00:00:00Z'],
    ['timestamp', ['timestamp'], '2106-02-07T06:28:15Z'],
    ['timestamp', ['timestamp'], 1_790_000_000],
    ['parameters.hardfork', ['parameters', 'hardfork'], 'berlin'],
    ['parameters.blockInterval', ['parameters', 'blockInterval'], 0.09],
    ['parameters.blockInterval', ['parameters', 'blockInterval'], 86_401],
    ['parameters.blockInterval', ['parameters', 'blockInterval'], 1.0005],
    ['parameters.gasLimit', ['parameters', 'gasLimit'], 1],
    ['reservedInstances.accounts', ['reservedInstances', 'accounts'], 1_023],
    ['reservedInstances.accounts', ['reservedInstances', 'accounts'], 2 ** 40 + 1],
    ['reservedInstances.contracts', ['reservedInstances', 'contracts'], -1],
    ['reservedInstances.assets', ['reservedInstances', 'assets'], 0],
    ['accounts', ['accounts'], {}],
    ['accounts[1].id', ['accounts', 1, 'id'], '1.3.5'],
    ['accounts[1].id', ['accounts', 1, 'id'], undefined],
    ['accounts[1].id', ['accounts', 1, 'id'], '1.2.1023'],
    ['accounts[1].id', ['accounts', 1, 'id'], `1.2.${2 ** 40 + 1}`],
    ['accounts[1].name', ['accounts', 1, 'name'], 'No'],
    ['accounts[2].name', ['accounts', 2, 'name'], 'test-account-0'],
    ['accounts[1].balance', ['accounts', 1, 'balance'], '-1'],
    ['accounts[1].balance', ['accounts', 1, 'balance'], '0x1'],
    ['accounts[4].balance', ['accounts', 4, 'balance'], String(2n ** 63n - 1n)],
    ['accounts[1].active', ['accounts', 1, 'active'], undefined],
    ['accounts[1].active', ['accounts', 1, 'active'], unsatisfiable],
    ['accounts[1].active', ['accounts', 1, 'active'], stranger],
    ['accounts[1].active.account_auths[1]', ['accounts', 1, 'active'], unsorted],
    ['accounts[1].active.owner', ['accounts', 1, 'active', 'owner'], 1],
    ['accounts[1].active.key_auths[0]', ['accounts', 1, 'active', 'key_auths', 0, 0], 'ECHO1'],
    ['accounts[1].echorandKey', ['accounts', 1, 'echorandKey'], 'key'],
    ['accounts[1].evmAddress', ['accounts', 1, 'evmAddress'], 'ab'],
    ['accounts[1].evmAddress', ['accounts', 1, 'evmAddress'], undefined],
    ['accounts[2].evmAddress', ['accounts', 2, 'evmAddress'], sameAddress],
    ['accounts[1].options.delegate_share', ['accounts', 1, 'options', 'delegate_share'], 10_001],
    ['accounts[1].options.delegating_account', ['accounts', 1, 'options', 'delegating_account'], '1.2.5'],
    ['accounts[1].key', ['accounts', 1, 'key'], key],
    ['registrar', ['registrar'], '1.2.5'],
    ['registrar', ['registrar'], 5],
    ['consensus.producers', ['consensus', 'producers'], []],
    ['consensus.producers[0]', ['consensus', 'producers'], ['1.2.5']],
    ['consensus.producers[1]', ['consensus', 'producers'], ['1.2.1023', '1.2.1023']],
    ['consensus.quorum', ['consensus', 'quorum'], 1],
  ])('%s', (path, place, value) => {
    const problem = problemOf(changed(place, value));
    expect(problem.path).toBe(path);
    expect(problem.message).toContain(`the genesis is invalid: ${path}: `);
  });

  test.each([
    ['a text that is not JSON', '{'],
    ['an array', []],
    ['nothing', undefined],
  ])('%s', (_title, json) => {
    expect(problemOf(json).path).toBe('');
  });
});

test('behavior: an account may refer to one that follows it', () => {
  const genesis = testGenesis();
  const accounts = genesis.accounts.map((account, index) =>
    index === 1
      ? {
          ...account,
          active: { ...account.active, accountAuths: [[accountAt(KEYS.length - 1), 1] as const] },
        }
      : account,
  );
  expect(parseGenesis(formatGenesis({ ...genesis, accounts }))).toEqual({ ...genesis, accounts });
});
