/** The rules of each operation and what it costs. */

export { isAccountName } from './account-create.ts';
export { checkAffordable, requireHigherFees } from './ethereum-transaction.ts';
export { ACCOUNT_CREATE_FEE, BASIC_FEE, operationGasMax } from './fees.ts';
export { accountCreateOf, type NewAccount } from './new-account.ts';
export type { Outcome } from './outcome.ts';
export { type Receiver, receiverAt, refuseReference, requireNoReference } from './receiver.ts';
export { applyOperation, checkOperationRules } from './rules.ts';
