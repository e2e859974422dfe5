import {
  blockShape,
  detailedBlockShape,
  feeHistoryShape,
  headerShape,
  receiptShape,
  type Shape,
  shape,
  transactionShape,
} from '../../formatters/index.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import {
  COMPOSITION_ERRORS,
  type DescribedError,
  ERRORS,
  REPLAY_ERRORS,
  SUBMISSION_ERRORS,
} from '../description/described-errors.ts';
import type { NativeDifference } from '../method.ts';
import { DUMP_DIFFERENCES } from '../methods/control/chain.ts';
import { RAW_ERRORS } from '../methods/eth/sending.ts';
import { ACCOUNT_STATE_DIFFERENCES } from '../profiles/ethereum-profile.ts';
import { RAW_DIFFERENCES } from '../transactions/raw-transactions.ts';

/** Errors of the wallet while it makes an operation of a transaction object. */
const OPERATION_ERRORS: readonly DescribedError[] = [
  ...COMPOSITION_ERRORS,
  ERRORS.unknownReceiver,
  ERRORS.transferWithData,
];
const SENDING_ERRORS = [...OPERATION_ERRORS, ...SUBMISSION_ERRORS];
const LOCKED = [ERRORS.unknownAccount, ERRORS.accountLocked];
const WITH_PASSPHRASE = [ERRORS.unknownAccount, ERRORS.wrongPassphrase];
const WAIT_ERRORS = [ERRORS.stillPending, ERRORS.transactionDropped];

const NULLABLE_TRANSACTION = shape.nullable(transactionShape);

const poolShape = (content: Shape<unknown>) => shape.object({ pending: content, queued: content });

const EVM_ADDRESS = "The signature recovers the account's EVM address, not the address of `1.2.N`.";

const fixedPrice = (price: '0x0' | '0x1') => ({
  example: { parameters: [], result: price },
  handler: () => price,
});

/** The parts of the methods of both profiles that the native interface replaces, by the name of the method. */
export const DIFFERENCES: Readonly<Record<string, NativeDifference>> = {
  net_version: {
    summary: 'Returns the network id: 1 main, 2 test, 3 dev, 255 default.',
    differences: 'The id of the network is not its chain id, except for the default chain.',
    example: { parameters: [], result: '255' },
    handler: ({ ledger }) => String(ledger.parameters.network.networkId),
  },
  eth_coinbase: {
    differences:
      'The first account of the consensus configuration, even if another one produces the next block.',
    example: { parameters: [], result: '0x00000000000000000000000000000000000003ff' },
    handler: ({ ledger }) => toPrefixedHex(ledger.parameters.coinbase),
  },
  eth_chainId: {
    summary: 'Returns the chain id as a JSON integer.',
    result: shape.integer,
    differences: 'A JSON integer, not a QUANTITY.',
    example: { parameters: [], result: 255 },
    handler: ({ ledger }) => ledger.parameters.network.chainId,
  },
  eth_gasPrice: {
    summary: 'Returns the price of a unit of gas in native units.',
    differences: 'Always 1: fees are offered as an amount, and there is no market for gas.',
    ...fixedPrice('0x1'),
  },
  eth_maxPriorityFeePerGas: {
    summary: 'Returns what a unit of gas costs beyond the base fee, in native units.',
    differences: 'Always 1, the price of gas: there is no base fee and no market.',
    ...fixedPrice('0x1'),
  },
  eth_baseFee: {
    summary: 'Returns the base fee of the next block in native units.',
    differences: 'Always 0: the price of gas is 1, and the producer gets all of it.',
    ...fixedPrice('0x0'),
  },
  eth_feeHistory: {
    result: feeHistoryShape,
    differences:
      'The base fee is always 0 and the reward 1, the price of gas. A block has no gas limit: its ratio is 1 if it has ' +
      'collected any fees, and otherwise 0.',
    example: {
      parameters: ['0x1', 'latest', [50]],
      result: {
        oldestBlock: '0x14',
        baseFeePerGas: ['0x0', '0x0'],
        gasUsedRatio: [1],
        baseFeePerBlobGas: ['0x0', '0x0'],
        blobGasUsedRatio: [0],
        reward: [['0x1']],
      },
    },
  },
  web3_clientVersion: {
    summary: 'Returns the blockchain, the version of the client and the operating system with its bitness.',
    example: { parameters: [], result: 'LEDGER/0.1.0/Linux.64-bit' },
  },
  eth_capabilities: {
    differences: 'The node serves the state of the head only and all blocks, but no proofs.',
  },
  eth_getBalance: {
    summary: 'Returns the balance of an address in native units, which are Wei here.',
    errors: [],
    differences: 'One Wei is one native unit.',
  },
  eth_getTransactionCount: {
    summary: 'Counts the included transactions whose fees an address paid; needs the history plugin.',
    errors: [ERRORS.historyDisabled],
    differences:
      'The number of included operations that the address paid for, without pending ones; operations have no nonce.',
  },
  eth_getCode: {
    result: shape.either(shape.data, shape.constant('')),
    errors: [],
    differences: 'The empty string, not `0x`, for an address without code.',
  },
  eth_getAccount: {
    errors: [ERRORS.historyDisabled],
    differences: `\`nonce\` is the result of \`eth_getTransactionCount\`. ${ACCOUNT_STATE_DIFFERENCES}`,
  },
  eth_getAccountInfo: {
    errors: [ERRORS.historyDisabled],
    differences: '`nonce` is the result of `eth_getTransactionCount`; it needs the history plugin.',
  },
  eth_getStorageAt: { errors: [], differences: undefined },
  eth_getStorageValues: { errors: [], differences: undefined },
  ots_hasCode: { errors: [] },
  eth_call: {
    errors: [ERRORS.executionReverted, ERRORS.executionHalted, ERRORS.callTimedOut, ERRORS.insufficientFunds],
    differences: 'A call to an account returns `0x`, even with data.',
  },
  eth_getBlockByHash: { result: shape.nullable(blockShape) },
  eth_getBlockByNumber: { result: shape.nullable(blockShape) },
  eth_getHeaderByHash: { result: shape.nullable(headerShape) },
  eth_getHeaderByNumber: { result: shape.nullable(headerShape) },
  eth_getTransactionByBlockHashAndIndex: { result: NULLABLE_TRANSACTION },
  eth_getTransactionByBlockNumberAndIndex: { result: NULLABLE_TRANSACTION },
  eth_getTransactionReceipt: { result: shape.nullable(receiptShape) },
  txpool_content: { result: poolShape(shape.record(shape.record(transactionShape), shape.address)) },
  eth_pendingTransactions: { result: shape.array(transactionShape) },
  eth_getBlockReceipts: {
    result: shape.nullable(shape.array(receiptShape)),
    differences: '`pending` is the latest block.',
  },
  eth_getTransactionByHash: {
    result: NULLABLE_TRANSACTION,
    differences:
      'A transaction has one hash while it is pending and another once it is in a block; both are found.',
  },
  eth_getTransactionBySenderAndNonce: {
    result: NULLABLE_TRANSACTION,
    summary:
      'Returns the included transaction before which an address had paid for this number of them; null if ' +
      'there is none; needs the history plugin.',
    errors: [ERRORS.historyDisabled],
    differences:
      'Operations have no nonces: the nonce counts the operations that an address paid for, from 0.',
  },
  ots_getTransactionBySenderAndNonce: { errors: [ERRORS.historyDisabled] },
  eth_getRawTransactionByBlockHashAndIndex: { differences: RAW_DIFFERENCES },
  eth_getRawTransactionByBlockNumberAndIndex: { differences: RAW_DIFFERENCES },
  eth_getRawTransactionByHash: { differences: RAW_DIFFERENCES },
  txpool_contentFrom: {
    result: poolShape(shape.record(transactionShape)),
    errors: [ERRORS.senderNotAccount],
  },
  eth_getLogs: {
    errors: [ERRORS.unknownBlock, ERRORS.tooManyLogs],
    differences: 'A range that reaches past the head ends at the head; one that begins past it has no logs.',
  },
  eth_getFilterLogs: {
    summary: 'Returns all logs that match a log filter; for another filter the items of its next poll.',
    differences:
      'Accepts filters of blocks and of pending transactions, too; the call does not count as a poll.',
  },
  trace_filter: { errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS] },
  eth_sendRawTransaction: {
    errors: RAW_ERRORS,
    differences:
      "Takes a signed native transaction in its binary form; Ethereum's transactions are not accepted. " +
      'Returns the hash of the first operation, in its included form if the transaction is in a block ' +
      'already.',
  },
  eth_sendRawTransactionSync: { result: receiptShape, errors: [...RAW_ERRORS, ...WAIT_ERRORS] },
  eth_sendTransaction: {
    errors: [...LOCKED, ...SENDING_ERRORS],
    differences:
      '`gas` is the maximum charge. A transaction to an account is a transfer and must not carry data; ' +
      'an unknown receiver is refused. Fields for prices and nonces have no effect. An impersonated address ' +
      'signs nothing and pays no fee.',
  },
  eth_sendTransactionSync: { result: receiptShape, errors: [...LOCKED, ...SENDING_ERRORS, ...WAIT_ERRORS] },
  personal_sendTransaction: { errors: [...WITH_PASSPHRASE, ...SENDING_ERRORS] },
  eth_sendUnsignedTransaction: { errors: [ERRORS.evmAddressGiven, ...SENDING_ERRORS] },
  eth_sign: { errors: LOCKED },
  personal_sign: { errors: [...LOCKED, ERRORS.wrongPassphrase], differences: EVM_ADDRESS },
  eth_signTypedData_v4: { errors: LOCKED, differences: `${EVM_ADDRESS} All versions are version 4.` },
  eth_signTransaction: {
    result: shape.data,
    errors: [...LOCKED, ...OPERATION_ERRORS],
    differences:
      'A signed native transaction, as `eth_sendRawTransaction` takes it for 60 s after the latest block.',
  },
  personal_signTransaction: { result: shape.data, errors: [...WITH_PASSPHRASE, ...OPERATION_ERRORS] },
  personal_ecRecover: { differences: "It is the account's EVM address, not the address of `1.2.N`." },
  personal_newAccount: {
    errors: [ERRORS.walletFull, ERRORS.insufficientFunds],
    differences: 'Registers an account on the ledger, in a separate block.',
    example: { parameters: ['secret'], result: '0x000000000000000000000000000000000000040a' },
  },
  personal_importRawKey: {
    errors: [ERRORS.walletFull, ERRORS.insufficientFunds, ERRORS.nameTaken, ERRORS.evmAddressTaken],
    differences:
      'Registers an account on the ledger, in a separate block. Returns the native address; the address that ' +
      'Ethereum derives from the key is the EVM address of the account.',
  },
  personal_unlockAccount: {
    result: shape.flag,
    errors: [ERRORS.unknownAccount],
    differences: 'Returns false for a wrong passphrase, without an error.',
  },
  anvil_removePoolTransactions: { errors: [ERRORS.writesPaused, ERRORS.senderNotAccount] },
  anvil_snapshot: {
    differences:
      'Ids are never reused, not even after a reset or a restart. A stored chain includes its snapshots.',
    example: { parameters: [], result: '0x1' },
  },
  anvil_revert: { example: { parameters: ['0x1'], result: true } },
  anvil_dumpState: {
    summary: 'Returns the whole chain as a compressed archive for `anvil_loadState`.',
    errors: [ERRORS.dumpTooLarge, ERRORS.dumping],
    differences: DUMP_DIFFERENCES,
  },
  anvil_mine_detailed: { result: shape.array(detailedBlockShape) },
  anvil_setNonce: {
    differences:
      'Has no effect on sent operations, which have no nonces. Accepts a lower value; Hardhat refuses it.',
  },
  anvil_setBalance: {
    summary: 'Sets the balance of an address, or of each of several, in native units, without a block.',
    differences:
      'In native units, whose maximum is lower than that of wei. Returns null under each name; produces no block.',
  },
  anvil_addBalance: {
    summary: 'Adds native units to the balance of an address, or of each of several, without a block.',
    differences: 'Adds the amount again for a repeated address. Produces no block.',
  },
};
