/** The errors of the ledger, and the refusals of what is submitted to it. */

export {
  BlockRejectedError,
  ChainDamagedError,
  ExecutionRevertedError,
  GenesisMismatchError,
  HistoryDisabledError,
  InvalidGenesisError,
  NoGenesisError,
  NoProducerKeyError,
  RegistrationError,
  SignedBeforeError,
} from './errors.ts';
export { type Refusal, RefusedError, refuse, throwRefusal } from './refusal.ts';
