import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Interface, TypedDataEncoder } from 'ethers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WEI_PER_UNIT } from '../consensus.ts';
import { networkOf } from '../ledger/index.ts';
import {
  type Address,
  accountAddress,
  bytesToHex,
  checksumAddress,
  hexToBytes,
  keccak256,
  toPrefixedHex,
} from '../protocol/index.ts';
import {
  DEFAULT_CONFIGURATION,
  DEFAULT_ETHEREUM,
  startTestNode,
  type TestNode,
  type TestNodeConfiguration,
} from './index.ts';
import { knownPreinstalls, preinstallsOf } from './preinstalls.ts';

let folder: string;
const running: TestNode[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-ethereum-'));
});

afterEach(async () => {
  for (const node of running.splice(0)) await node.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(changes: Partial<TestNodeConfiguration> = {}): Promise<TestNode> {
  const ethereum = { network: 'local', ethereum: DEFAULT_ETHEREUM } as const;
  const node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, ...ethereum, ...changes });
  running.push(node);
  return node;
}

function keyAddresses(node: TestNode): Address[] {
  return (node.description.ethereum?.accounts ?? []).map(({ address }) => address);
}

/** The contracts that tools know by these names. */
function preinstall(name: string): ReturnType<typeof knownPreinstalls>[number] {
  const found = knownPreinstalls().find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

describe('a node of a chain that knows Ethereum', () => {
  test('default: ten well-known keys with 10,000 ether each, in addition to the native accounts', async () => {
    const { description, ledger, url } = await start();
    expect(description.network).toEqual({ name: 'local', chainId: 31_337, networkId: 31_337 });
    expect(description.accounts.map(({ balance }) => balance)).toEqual(Array(10).fill(10n ** 17n));
    expect(description.ethereum).toMatchObject(DEFAULT_ETHEREUM);
    expect(description.ethereumUrl).toBe(`${url}/ethereum`);
    const { accounts = [] } = description.ethereum ?? {};
    expect(accounts).toHaveLength(10);
    expect(accounts.map(({ balance }) => balance)).toEqual(Array(10).fill(10_000n * 10n ** 18n));
    const [first, second] = accounts.map(({ address }) => checksumAddress(address));
    expect(first).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
    expect(second).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
    expect(bytesToHex(accounts[0]?.privateKey ?? new Uint8Array())).toBe(
      'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    );
    expect(DEFAULT_ETHEREUM.keyBalance * WEI_PER_UNIT).toBe(accounts[0]?.balance);
    expect(ledger.parameters.rules.blockGasLimit).toBe(45_000_000n);
  });

  test('default: a chain without Ethereum keeps its native chain id', async () => {
    const { description } = await start({ ethereum: undefined, network: 'default' });
    expect(bytesToHex(description.nativeChainId)).toBe(
      '5d622ab99f9f412ce84a77f34879e779d59e62d5d8b0d8df827fb44b3e0cdd17',
    );
    expect(description.ethereum).toBeUndefined();
  });

  test('args: the number of accounts, and other words and path', async () => {
    const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
    const ethereum = { ...DEFAULT_ETHEREUM, mnemonic, derivationPath: "m/44'/60'/1'/0" };
    const node = await start({ accounts: 3, ethereum });
    expect(keyAddresses(node)).toHaveLength(3);
    const common = await start({ accounts: 3 });
    expect(keyAddresses(node)[0]).not.toEqual(keyAddresses(common)[0]);
  });

  test('behavior: the chain is in test mode and allows test calls', async () => {
    const { wallet, ledger, description } = await start();
    const [account] = description.accounts;
    if (account === undefined) throw new Error('there are accounts');
    const from = preinstall('CreateX').address;
    wallet.sendUnsigned({ from, to: accountAddress(account.id), value: 0n, gas: 100_000n });
    expect(ledger.blocks.receiptOf(1, 0)).toMatchObject({ status: 'success' });
  });

  test('behavior: a data folder keeps the chain, and different settings are rejected with the difference', async () => {
    const first = await start({ dataDir: folder });
    const [from, to] = keyAddresses(first);
    if (from === undefined) throw new Error('there are keys');
    const send = { from: toPrefixedHex(from), to: toPrefixedHex(to ?? from), value: '0xde0b6b3a7640000' };
    await first.dispatcher.handle(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [send] }),
      undefined,
      'ethereum',
    );
    const id = first.description.nativeChainId;
    await first.close();
    const again = await start({ dataDir: folder });
    expect([again.description.nativeChainId, again.description.headNumber]).toEqual([id, 1]);
    expect(again.ledger.accounts.nonceOf(from)).toBe(1n);
    await again.close();
    const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
    await expect(start({ dataDir: folder, ethereum: { ...DEFAULT_ETHEREUM, mnemonic } })).rejects.toThrow(
      'another genesis, which differs in ethereum: ',
    );
    await expect(start({ dataDir: folder, ethereum: undefined, network: 'default' })).rejects.toThrow(
      'another genesis, which differs in network, ethereum: ',
    );
  });
});

describe('preinstalled contracts', () => {
  test('default: each has the code with the hash that is known on Ethereum', () => {
    const found = knownPreinstalls();
    expect(found.map(({ code }) => bytesToHex(keccak256(code)))).toEqual(
      found.map(({ codeHash }) => bytesToHex(codeHash)),
    );
    expect(
      Object.fromEntries(found.map(({ name, address }) => [name, checksumAddress(address)])),
    ).toMatchInlineSnapshot(`
      {
        "Create2Deployer": "0x13b0D85CcB8bf860b6b79AF3029fCA081AE9beF2",
        "CreateX": "0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed",
        "ERC1820Registry": "0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24",
        "EntryPoint-0.6": "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789",
        "EntryPoint-0.7": "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
        "EntryPoint-0.8": "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108",
        "MultiSend-1.3.0": "0x998739BFdAAdde7C933B942a68053933098f9EDa",
        "MultiSendCallOnly-1.3.0": "0xA1dabEF33b3B82c7814B6D82A79e50F4AC44102B",
        "Multicall3": "0xcA11bde05977b3631167028862bE2a173976CA11",
        "Permit2": "0x000000000022D473030F116dDEE9F6B43aC78BA3",
        "Safe-1.3.0": "0x69f4D1788e39c87893C980c06EdF4b7f686e2938",
        "SafeL2-1.3.0": "0xfb1bffC9d739B8D520DaF37dF666da4C687191EA",
        "SafeSingletonFactory": "0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7",
        "SenderCreator-0.6": "0x7fc98430eAEdbb6070B35B39D798725049088348",
        "SenderCreator-0.7": "0xEFC2c1444eBCC4Db75e7613d20C6a62fF67A167C",
        "SenderCreator-0.8": "0x449ED7C3e6Fee6a97311d4b55475DF59C44AdD33",
        "Simple7702Account-0.8": "0xe6Cae83BdE06E4c305530e199D7217f42808555B",
        "deterministic-deployment-proxy": "0x4e59b44847b379578588920cA78FbF26c0B4956C",
      }
    `);
    expect(found.map(({ codeHash }) => bytesToHex(codeHash).slice(0, 16))).toMatchInlineSnapshot(`
      [
        "2fa86add0aed31f3",
        "bd8a7ea8cfca7b4e",
        "d5c15df687b16f2f",
        "f0aa940bb32e37c5",
        "2fa86add0aed31f3",
        "c67d1657868aa514",
        "b0550b5b431e30d3",
        "c93c806e738300b5",
        "ae818091eaaf1b61",
        "8db5ff695839d655",
        "283c9d14378f5f4c",
        "bba688fbdb21ad2b",
        "21842597390c4c6e",
        "81db0e4afdf51785",
        "a9865ac2d9c7a159",
        "44e632a24c6f2600",
        "c69a1b3a000d570b",
        "cc7b633aef4b2543",
      ]
    `);
  });

  test('behavior: they are on the chain, with the nonce 1 and an instance', async () => {
    const { ledger } = await start();
    for (const [instance, { address, code }] of preinstallsOf(31_337).entries()) {
      expect(ledger.accounts.codeAt(address)).toEqual(code);
      expect([ledger.accounts.nonceOf(address), ledger.accounts.contractIdAt(address)]).toEqual([
        1n,
        instance,
      ]);
    }
  });

  test.each(['local', 'default'] as const)(
    'behavior: Permit2 has the domain of its chain: %s',
    async (network) => {
      const { ledger } = await start({ network });
      const { address } = preinstall('Permit2');
      const data = hexToBytes(
        new Interface(['function DOMAIN_SEPARATOR()']).encodeFunctionData('DOMAIN_SEPARATOR').slice(2),
      );
      const outcome = ledger.calls.call({ to: address, data });
      const domain = TypedDataEncoder.hashDomain({
        name: 'Permit2',
        chainId: networkOf(network).chainId,
        verifyingContract: checksumAddress(address),
      });
      expect(outcome.status === 'success' && `0x${bytesToHex(outcome.output)}`).toBe(domain);
      // Remembered in the code: it would be computed anew if the chain id there were another.
      expect(bytesToHex(ledger.accounts.codeAt(address))).toContain(domain.slice(2));
    },
  );
});
