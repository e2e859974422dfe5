/**
 * With TESTS_ETHEREUM=true (`npm run test:both`) the chains of the tests are ones that know Ethereum, wherever a test
 * does not say itself what its chain is: what it asks of `/` has to be answered as on any other chain. Left out are
 * tests for which the kind of chain is nothing, `verification` among them, which is the slowest of the ledger's; and
 * those that it decides about: where contracts of `/` are numbered from 0 and have addresses of their numbers
 * (`contract-creation`, `contract-addresses`), blocks of more gas than such a chain allows (`ledger-work`), the bytes
 * and the file of a chain without Ethereum (`unchanged-chain`, `genesis-json`), and both kinds compared (`test-call`).
 */

/** True if the tests run on chains with Ethereum. */
export const KNOWS_ETHEREUM: boolean = process.env.TESTS_ETHEREUM === 'true';

/** Wei of a unit of `/`, as contracts see it. */
export const WEI_OF_UNIT: bigint = KNOWS_ETHEREUM ? 10n ** 10n : 1n;

/**
 * The environment in which a test starts the program: in test mode its chain is of the kind that is tested, with the
 * network that it has by default.
 *
 * @param words what follows the program's name on its command line
 */
export function programEnvironment(words: readonly string[]): NodeJS.ProcessEnv {
  const isNode = words.some((word) => word.startsWith('--data-dir')) && !words.includes('--test');
  if (!KNOWS_ETHEREUM || words[0] !== 'start' || isNode) return process.env;
  return {
    LEDGERD_ETHEREUM: 'true',
    LEDGERD_NATIVE_ACCOUNTS: 'true',
    LEDGERD_NETWORK: 'default',
    ...process.env,
  };
}
