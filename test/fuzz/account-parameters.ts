import { type JsonText, objectOf } from './json-text.ts';
import type { Maker, Material } from './material.ts';

/** For every method that shows accounts and their operations how to make parameters that it takes. */
export const ACCOUNT_PARAMETERS: Readonly<Record<string, Maker>> = {
  ledger_getAccount: ({ live, random }) => [random.pick([live.address(), `1.2.${random.below(1_100)}`])],
  ledger_getOperations: operationsRequest,
  ledger_getOperation: ({ live }) => [live.transactionHash()],
  ledger_getArtifact: ({ live }) => [live.address()],
  ledger_getOrigins: ({ live }) => [
    [objectOf({ address: live.address(), storageKeys: [`0x${'00'.repeat(32)}`] })],
  ],
  ledger_getToken: ({ live }) => [live.contract()],
  ledger_getTokenTransfers: transfersRequest,
  ledger_getTokenBalances: ({ live }) => [live.address()],
  ledger_getTokenHolders: ({ live }) => [live.contract()],
  ledger_getProxy: ({ live }) => [live.contract()],
  ledger_describe: ({ live }) => [live.address()],
  ledger_findContracts: ({ random }) => [random.pick(['Contract', 'Shop', ''])],
  eth_getTransactionBySenderAndNonce: ({ live }) => [live.address(), live.quantity(10)],
  ots_getApiLevel: () => [],
  ots_hasCode: ({ live, random }) => [live.address(), ...(random.oneIn(2) ? [] : [live.blockReference()])],
  ots_getTransactionError: ({ live }) => [live.transactionHash()],
  ots_traceTransaction: ({ live }) => [live.transactionHash()],
  ots_getInternalOperations: ({ live }) => [live.transactionHash()],
  ots_getBlockDetails: ({ live }) => [live.blockSelector()],
  ots_getBlockDetailsByHash: ({ live }) => [live.blockHash()],
  ots_getBlockTransactions: ({ live }) => [live.blockSelector(), live.quantity(2), live.quantity(100)],
  ots_searchTransactionsBefore: ({ live }) => [live.address(), live.quantity(20), live.quantity(100)],
  ots_searchTransactionsAfter: ({ live }) => [live.address(), live.quantity(20), live.quantity(100)],
  ots_getTransactionBySenderAndNonce: ({ live }) => [live.account(), live.quantity(10)],
  ots_getContractCreator: ({ live }) => [live.contract()],
};

/** Makes a request for the operations of any address, or of an existing account. */
function operationsRequest({ random, live }: Material): readonly JsonText[] {
  const place = objectOf({ blockNumber: live.quantity(50), transactionIndex: live.quantity(3) });
  const rest = random.pick<JsonText[]>([[], [null], [place], [place, 100], [null, live.quantity(100)]]);
  return [random.oneIn(2) ? live.address() : live.account(), ...rest];
}

/** Makes a request for transfers of a token, of an address, or of all. */
function transfersRequest({ random, live }: Material): readonly JsonText[] {
  const place = objectOf({ blockNumber: live.quantity(50), logIndex: live.quantity(3) });
  const search = random.pick([{}, { token: live.contract() }, { address: live.address() }]);
  const rest = random.pick<JsonText[]>([[], [null], [place], [place, 100], [null, live.quantity(100)]]);
  return [objectOf(search), ...rest];
}
