/** What `hardhat node` is started with; the rest of the network is as hardhat has it by default. */
module.exports = {
  solidity: '0.8.24',
  networks: { hardhat: { accounts: { count: Number(process.env.BENCH_ACCOUNTS) } } },
};
