/** The local wallet of web3 4. */

import { Web3 } from 'web3';
import { accountOf } from '../harness/accounts.js';
import { refused, same } from '../harness/checks.js';
import { contracts } from '../harness/contracts.js';
import { newKey } from '../harness/raw-transaction.js';

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'web3', packages: ['web3'], run };

/** @type {import('../harness/row.js').Run} */
async function run(checks, target) {
  const web3 = new Web3(target.url);
  web3.eth.transactionPollingInterval = 100;
  const [account] = web3.eth.accounts.wallet.add(accountOf('web3').privateKey);
  const from = account.address;
  const { abi, bytecode } = contracts().Counter;
  const deployed = await checks.check('deploys with its wallet', async () => {
    const contract = /** @type {any} */ (new web3.eth.Contract(abi));
    return contract.deploy({ data: bytecode, arguments: [40] }).send({ from });
  });
  if (deployed === undefined) return;
  await checks.check('estimates, writes and reads', async () => {
    const gas = await deployed.methods.add(2).estimateGas({ from });
    const receipt = await deployed.methods.add(2).send({ from, gas: String(gas) });
    same(receipt.status, 1n, 'status');
    same(receipt.from, from, 'from');
    same(await deployed.methods.count().call(), 42n, 'count');
  });
  await checks.check('getPastEvents', async () => {
    const events = await deployed.getPastEvents('Changed', { fromBlock: 0, toBlock: 'latest' });
    same(
      events.map((/** @type {any} */ event) => event.returnValues.count),
      [40n, 42n],
      'counts of the events',
    );
  });
  await checks.check('sends ether', async () => {
    const { address } = newKey();
    const value = web3.utils.toWei('0.25', 'ether');
    const receipt = await web3.eth.sendTransaction({ from, to: address, value });
    same(receipt.status, 1n, 'status');
    same(await web3.eth.getBalance(address), value, 'balance of the receiver');
  });
  await checks.check('sends ether at a gas price', async () => {
    const gasPrice = await web3.eth.getGasPrice();
    const receipt = await web3.eth.sendTransaction({ from, to: from, value: '1', gasPrice: gasPrice * 2n });
    same(receipt.status, 1n, 'status');
  });
  await checks.check('error of a contract', () =>
    refused(() => deployed.methods.refuse().call({ from }), /revert|Refused|execution/i),
  );
  await checks.check('net_version is the chain id', async () => {
    same(await web3.eth.net.getId(), target.chainId, 'net_version');
  });
}
