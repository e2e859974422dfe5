/** Shows proxies, beacons and their upgrades; a line for each thing that was shown. */

import assert from 'node:assert/strict';
import { upgrades as api } from '@openzeppelin/hardhat-upgrades';
import hre from 'hardhat';

const connection = await hre.network.connect();
const { ethers } = connection;
const upgrades = await api(hre, connection);
const shown = (what) => process.stdout.write(`shown: ${what}\n`);

const Box = await ethers.getContractFactory('Box');
const BoxNext = await ethers.getContractFactory('BoxNext');

const box = await upgrades.deployProxy(Box, [41n]);
await box.waitForDeployment();
assert.deepEqual([await box.value(), await box.version()], [41n, 1n]);
const proxy = await box.getAddress();
const first = await upgrades.erc1967.getImplementationAddress(proxy);
shown('deployProxy');

const next = await upgrades.upgradeProxy(proxy, BoxNext);
await (await next.raise()).wait();
assert.deepEqual([await next.value(), await next.version()], [42n, 2n]);
assert.equal(await next.getAddress(), proxy);
assert.notEqual(await upgrades.erc1967.getImplementationAddress(proxy), first);
shown('upgradeProxy');

const beacon = await upgrades.deployBeacon(Box);
await beacon.waitForDeployment();
const one = await upgrades.deployBeaconProxy(beacon, Box, [1n]);
const two = await upgrades.deployBeaconProxy(beacon, Box, [2n]);
await two.waitForDeployment();
assert.deepEqual([await one.value(), await two.value(), await two.version()], [1n, 2n, 1n]);
shown('deployBeacon and two proxies');

const upgraded = await upgrades.upgradeBeacon(beacon, BoxNext);
await upgraded.deployTransaction.wait();
const seen = BoxNext.attach(await two.getAddress());
assert.deepEqual([await seen.value(), await seen.version()], [2n, 2n]);
shown('upgradeBeacon');

await assert.rejects(upgrades.deployProxy(Box, [1n], { kind: 'uups' }), /not upgrade safe|upgradeTo/);
shown('UUPS is refused');
