'use strict';
/** A test as people write it, the second of which fails: the node has to tell them why. */

const { ethers } = require('hardhat');

describe('Shopper', () => {
  let shopper;

  before(async () => {
    shopper = await ethers.deployContract('Shopper');
  });

  it('buys bread', async () => {
    await (await shopper.buy.send(3, 'bread')).wait();
  });

  it('buys wine', async () => {
    await (await shopper.buy.send(9, 'wine')).wait();
  });
});
