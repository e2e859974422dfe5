const { JsonRpcProvider, Wallet, parseEther } = require('ethers');

const RECIPIENT = '0x00000000000000000000000000000000000000ff';

let provider;
let wallet;
let snapshot;

beforeAll(async () => {
  // The cache does not know of reverts.
  provider = new JsonRpcProvider(process.env.TEST_NODE_ETHEREUM_URL, undefined, { cacheTimeout: -1 });
  wallet = Wallet.createRandom(provider);
});

afterAll(() => provider.destroy());

beforeEach(async () => {
  snapshot = await provider.send('evm_snapshot', []);
  await provider.send('anvil_setBalance', [wallet.address, '0x8ac7230489e80000']);
});

afterEach(() => provider.send('evm_revert', [snapshot]));

test('a transfer arrives', async () => {
  const { hash } = await wallet.sendTransaction({ to: RECIPIENT, value: parseEther('1') });
  expect(await provider.getTransactionReceipt(hash)).toMatchObject({ status: 1, to: expect.any(String) });
  expect(await provider.getBalance(RECIPIENT)).toBe(parseEther('1'));
});

test('a snapshot undoes the transfer', async () => {
  expect(await provider.getBalance(RECIPIENT)).toBe(0n);
});
