/** Accounts for `hardhat node`; the rest of the network is as Hardhat has it by default. */
const simulated = {
  type: 'edr-simulated',
  chainType: 'l1',
  accounts: {
    mnemonic: 'test test test test test test test test test test test junk',
    count: Number(process.env.BENCH_ACCOUNTS),
  },
};

export default { networks: { default: simulated, node: simulated } };
