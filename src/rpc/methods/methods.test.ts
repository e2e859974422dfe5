import { describe, expect, test } from 'vitest';
import { hexToBytes, toAddress, toHash, toSeed } from '../../protocol/index.ts';
import { STANDALONE_STATUS } from '../context/node-status.ts';
import { METHODS } from '../index.ts';
import { ADDRESS, call, stubControl, stubDispatcher, stubLedger, stubWallet } from '../rpc.testing.ts';

/** The methods that the ledger's interface begins with. */
const ALWAYS = [
  ...[
    'web3_clientVersion',
    'web3_sha3',
    'net_version',
    'net_listening',
    'net_peerCount',
    'eth_protocolVersion',
  ],
  ...[
    'eth_syncing',
    'eth_coinbase',
    'eth_mining',
    'eth_gasPrice',
    'eth_chainId',
    'eth_blockNumber',
    'eth_getBalance',
  ],
  ...['eth_getStorageAt', 'eth_getTransactionCount', 'eth_getCode', 'eth_getBlockTransactionCountByHash'],
  ...['eth_getBlockTransactionCountByNumber', 'eth_call', 'eth_estimateGas', 'eth_getBlockByHash'],
  ...['eth_getBlockByNumber', 'eth_getTransactionByHash', 'eth_getTransactionByBlockHashAndIndex'],
  ...['eth_getTransactionByBlockNumberAndIndex', 'eth_getTransactionReceipt', 'eth_pendingTransactions'],
  ...['eth_sendRawTransaction', 'eth_newFilter', 'eth_newBlockFilter', 'eth_newPendingTransactionFilter'],
  ...['eth_uninstallFilter', 'eth_getFilterChanges', 'eth_getFilterLogs', 'eth_getLogs'],
  ...[
    'ledger_checkRegistration',
    'ledger_requestRegistrationTask',
    'ledger_submitRegistrationSolution',
    'ledger_getAddressReference',
  ],
];
/** Section 4.6. */
const TEST_MODE = [
  ...['miner_start', 'miner_stop', 'personal_newAccount', 'personal_listAccounts', 'eth_accounts'],
  ...['personal_listRawAccounts', 'personal_lockAccount', 'personal_unlockAccount', 'eth_sign'],
  ...['eth_sendTransaction', 'personal_sendTransaction', 'evm_mine', 'evm_increaseTime'],
];
/** Section 4.7, without the three that test mode has. */
const UNIMPLEMENTED = [
  ...['eth_getUncleByBlockHashAndIndex', 'eth_getUncleByBlockNumberAndIndex', 'eth_getUncleCountByBlockHash'],
  ...[
    'eth_getUncleCountByBlockNumber',
    'eth_hashrate',
    'eth_getWork',
    'eth_submitWork',
    'eth_submitHashrate',
  ],
  ...['eth_getProof', 'eth_getCompilers', 'eth_compileSolidity', 'eth_compileLLL', 'eth_compileSerpent'],
  ...['db_putString', 'db_getString', 'db_putHex', 'db_getHex', 'shh_post', 'shh_version', 'shh_newIdentity'],
  ...['shh_hasIdentity', 'shh_newGroup', 'shh_addToGroup', 'shh_newFilter', 'shh_uninstallFilter'],
  ...['shh_getFilterChanges', 'shh_getMessages'],
];
/** Methods that clients call and this ledger does not implement. */
const REFUSED = [
  ...[
    'wallet_addEthereumChain',
    'wallet_switchEthereumChain',
    'wallet_watchAsset',
    'wallet_getPermissions',
    'wallet_requestPermissions',
  ],
  ...['wallet_getCapabilities', 'wallet_sendCalls', 'miner_setExtra', 'eth_resend'],
  ...['anvil_classifyTransaction', 'anvil_dealTIP20', 'anvil_setFeeToken'],
  ...['anvil_setValidatorFeeToken', 'anvil_setFeeAmmLiquidity'],
];

const dispatcher = stubDispatcher();

describe('the registry', () => {
  test('default', () => {
    for (const name of ALWAYS) expect([name, METHODS.get(name)?.chains]).toEqual([name, 'all']);
    for (const name of TEST_MODE) expect([name, METHODS.get(name)?.chains]).toEqual([name, 'test']);
  });

  test('behavior: a method is found by each of its names, and no name means two', () => {
    expect(METHODS.get('eth_accounts')).toBe(METHODS.get('personal_listAccounts'));
    const names = [...new Set(METHODS.values())].flatMap(({ name, aliases }) => [name, ...aliases]);
    expect([...METHODS.keys()].sort()).toEqual(names.sort());
  });

  test('behavior: every method has a one-sentence summary', () => {
    for (const { summary } of METHODS.values()) expect(summary).toMatch(/^[A-Z][^\n]*\.$/);
  });

  test('error: methods that are not implemented report the reason', () => {
    for (const method of [...UNIMPLEMENTED, ...REFUSED]) {
      expect(call(dispatcher, method)).toMatchObject({
        code: -32601,
        message: expect.stringMatching(`^the method ${method} is not implemented: `),
      });
    }
    expect(call(dispatcher, 'eth_getUncleCountByBlockHash')).toMatchObject({
      message: 'the method eth_getUncleCountByBlockHash is not implemented: this ledger has no uncle blocks',
    });
  });

  test('error: test mode methods outside test mode', () => {
    const node = stubDispatcher({ wallet: undefined });
    const ofTestChains = [...METHODS].filter(([, { chains }]) => chains === 'test');
    for (const [method] of ofTestChains) {
      expect(call(node, method)).toEqual({
        code: -32601,
        message: `the method ${method} exists in test mode only: start it with \`ledgerd start --test\``,
      });
    }
  });
});

describe('client and network', () => {
  test('behavior: web3_clientVersion', () => {
    expect(call(dispatcher, 'web3_clientVersion')).toMatch(/^LEDGER\/1\.2\.3\/[A-Za-z]+\.(32|64)-bit$/);
  });

  test('behavior: web3_sha3', () => {
    expect(call(dispatcher, 'web3_sha3', '0x68656c6c6f20776f726c64')).toBe(
      '0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad',
    );
  });

  test('behavior: constants', () => {
    expect(call(dispatcher, 'net_version')).toBe('255');
    expect(call(dispatcher, 'eth_chainId')).toBe(255);
    expect(call(dispatcher, 'eth_gasPrice')).toBe('0x1');
    expect(call(dispatcher, 'eth_protocolVersion')).toBe('0x3f');
    expect(call(dispatcher, 'eth_coinbase')).toBe('0x00000000000000000000000000000000000003ff');
  });

  test('behavior: the status of a node that knows no others', () => {
    expect(call(dispatcher, 'net_listening')).toBe(true);
    expect(call(dispatcher, 'net_peerCount')).toBe('0x0');
    expect(call(dispatcher, 'eth_syncing')).toBe(false);
  });

  test('behavior: the status of a node that catches up', () => {
    const syncing = () => ({ startingBlock: 1, currentBlock: 20, highestBlock: 300 });
    const nodeStatus = { ...STANDALONE_STATUS, peerCount: () => 2, syncing };
    const node = stubDispatcher({ nodeStatus });
    expect(call(node, 'net_peerCount')).toBe('0x2');
    expect(call(node, 'eth_syncing')).toEqual({
      startingBlock: '0x1',
      currentBlock: '0x14',
      highestBlock: '0x12c',
    });
  });
});

describe('state', () => {
  test('behavior: eth_getCode', () => {
    const codeAt = () => Uint8Array.of(0x60, 0x00);
    expect(
      call(stubDispatcher({ ledger: stubLedger({ accounts: { codeAt } }) }), 'eth_getCode', ADDRESS),
    ).toBe('0x6000');
    const none = stubDispatcher({ ledger: stubLedger({ accounts: { codeAt: () => new Uint8Array() } }) });
    expect(call(none, 'eth_getCode', ADDRESS)).toBe('');
  });

  test('behavior: eth_sendRawTransaction: bytes that are no transaction', () => {
    expect(call(dispatcher, 'eth_sendRawTransaction', '0x0102')).toEqual({
      code: -32602,
      message: expect.stringMatching(/^invalid parameter 1 \(transaction\): .*ref_block_prefix at byte 2: /),
    });
    expect(call(dispatcher, 'eth_sendRawTransaction', '0x')).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/ref_block_num at byte 0: /),
    });
  });

  test.each([
    ['05', 'no list'],
    ['02c601020304050', 'an odd number of digits'],
    ['02c60102030405', 'a list that is cut off'],
    ['02c5010203040506', 'more bytes than the list'],
    ['02c50102030405', 'too few items'],
    ['05c6010203040506', 'an unknown type'],
    ['c7b80a0102030405', 'an item that is cut off'],
    ['02cf0102030405060708090a0b0c0d0e0f', 'too many items'],
  ])('error: eth_sendRawTransaction: nearly an Ethereum transaction: %s', (digits) => {
    const { message } = Object(call(dispatcher, 'eth_sendRawTransaction', `0x${digits}`));
    expect(message).toMatch(/^invalid parameter 1 \(transaction\): (?!this is an Ethereum)/);
  });

  test.each([
    ['02c6010203040506', 'type 2'],
    ['04c6010203040506', 'type 4'],
    ['c6010203040506', 'legacy'],
    ['cd8201020203c104040506b80101', 'legacy'],
    [`01f83a${'80'.repeat(5)}b834${'07'.repeat(52)}`, undefined],
    [`01f83b${'80'.repeat(5)}b834${'07'.repeat(52)}`, 'type 1'],
  ])('error: eth_sendRawTransaction: an Ethereum transaction: %s', (digits, kind) => {
    const { message } = Object(call(dispatcher, 'eth_sendRawTransaction', `0x${digits}`));
    if (kind === undefined) expect(message).not.toContain('Ethereum');
    else expect(message).toContain(`this is an Ethereum transaction (${kind})`);
  });

  test('behavior: eth_sendRawTransaction: too many bytes', () => {
    expect(call(dispatcher, 'eth_sendRawTransaction', `0x${'00'.repeat(1024 * 1024 + 1)}`)).toEqual({
      code: -32005,
      message: 'the transaction has 1048577 bytes, more than the limit of 1048576',
    });
  });
});

describe('test mode', () => {
  const address = toAddress(hexToBytes(ADDRESS.slice(2)));
  const privateKey = toSeed(hexToBytes('07'.repeat(32)));

  test('behavior: accounts', () => {
    const records = () => [{ address, privateKey, passphrase: 'p', locked: true }];
    const wallet = stubWallet({ list: () => [address], records, create: () => address });
    const node = stubDispatcher({ wallet });
    expect(call(node, 'personal_listAccounts')).toEqual([ADDRESS]);
    expect(call(node, 'eth_accounts', 'ignored')).toEqual([ADDRESS]);
    expect(call(node, 'personal_newAccount', 'secret')).toBe(ADDRESS);
    expect(call(node, 'personal_listRawAccounts')).toEqual([
      { address: ADDRESS, privkey: `0x${'07'.repeat(32)}`, passphrase: 'p', passprase: 'p', locked: true },
    ]);
  });

  test('behavior: locks', () => {
    const durations: unknown[] = [];
    const wallet = stubWallet({
      lock: () => undefined,
      unlock: (_address, passphrase, seconds) => {
        durations.push(seconds);
        return passphrase === 'p';
      },
    });
    const node = stubDispatcher({ wallet });
    expect(call(node, 'personal_lockAccount', ADDRESS)).toBe(true);
    expect(call(node, 'personal_unlockAccount', ADDRESS, 'p')).toBe(true);
    expect(call(node, 'personal_unlockAccount', ADDRESS, 'p', null)).toBe(true);
    expect(call(node, 'personal_unlockAccount', ADDRESS, 'p', '0x1e')).toBe(true);
    expect(call(node, 'personal_unlockAccount', ADDRESS, 'q', 0)).toBe(false);
    expect(durations).toEqual([undefined, undefined, 30, 0]);
    expect(call(node, 'personal_unlockAccount', ADDRESS, 'p', '0x100000000')).toEqual({
      code: -32602,
      message: 'invalid parameter 3 (duration): expected at most 4294967295 seconds, got 4294967296',
    });
    expect(call(node, 'personal_unlockAccount', ADDRESS, 5)).toEqual({
      code: -32602,
      message: 'invalid parameter 2 (passphrase): expected a string, got a number',
    });
  });

  test('behavior: sending', () => {
    const hash = toHash(hexToBytes('09'.repeat(32)));
    const sent: unknown[] = [];
    const wallet = stubWallet({
      send: (request, passphrase) => {
        sent.push(request, passphrase);
        return hash;
      },
    });
    const node = stubDispatcher({ wallet });
    const transaction = { from: ADDRESS, to: ADDRESS, gas: 5, value: '0x6', input: '0x07', chainId: 255 };
    const request = {
      from: address,
      to: address,
      gas: 5n,
      value: 6n,
      data: Uint8Array.of(7),
      timeLimit: 1_000,
    };
    expect(call(node, 'eth_sendTransaction', transaction)).toBe(`0x${'09'.repeat(32)}`);
    expect(call(node, 'personal_sendTransaction', transaction, 'p')).toBe(`0x${'09'.repeat(32)}`);
    expect(sent).toEqual([request, undefined, request, 'p']);
    expect(call(node, 'eth_sendTransaction', { to: ADDRESS })).toEqual({
      code: -32602,
      message: 'invalid parameter 1 (transaction): from: expected 20 bytes of 0x-prefixed hex, got nothing',
    });
    expect(call(node, 'eth_sendTransaction', { ...transaction, chainId: '0x1' })).toEqual({
      code: -32602,
      message: 'invalid parameter 1 (transaction): chainId: expected 255, the id of this chain, got 1',
    });
  });

  test('behavior: signing', () => {
    const wallet = stubWallet({ signMessage: (_address, message) => Uint8Array.of(1, ...message) });
    expect(call(stubDispatcher({ wallet }), 'eth_sign', ADDRESS, '0xabcd')).toBe('0x01abcd');
  });

  test('behavior: mining and time', () => {
    let mining = true;
    const ledger = stubLedger({ miner: { isMining: () => mining } });
    const control = stubControl({
      startMining: () => {
        mining = true;
      },
      stopMining: () => {
        mining = false;
      },
      increaseTime: (seconds) => seconds + 1000,
    });
    const node = stubDispatcher({ ledger, control });
    expect(call(node, 'miner_stop', 'ignored')).toBeNull();
    expect(call(node, 'eth_mining')).toBe(false);
    expect(call(node, 'miner_start', 4)).toBeNull();
    expect(call(node, 'eth_mining')).toBe(true);
    expect(call(node, 'evm_increaseTime', 24)).toBe('0x400');
    expect(call(node, 'evm_increaseTime', '0x18')).toBe('0x400');
    for (const seconds of [-1, 1.5, '0x100000000']) {
      expect(call(node, 'evm_increaseTime', seconds)).toMatchObject({ code: -32602 });
    }
  });
});
