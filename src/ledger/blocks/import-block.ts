import type { Block, SignedBlockHeader, SignedTransaction } from '../../protocol/index.ts';
import {
  bytesToHex,
  encode,
  equalBytes,
  headerDigest,
  processedTransactionCodec,
} from '../../protocol/index.ts';
import type { BlockInputs } from '../chain/block-inputs.ts';
import { nextSettings } from '../chain/block-settings.ts';
import type { LedgerCore } from '../core.ts';
import { BlockRejectedError } from '../errors/chain-errors.ts';
import { producerOf } from '../genesis/chain-parameters.ts';
import type { WorkingState } from '../state/working-state.ts';
import { expectingSignatures } from '../transactions/expected-signatures.ts';
import { applyBlock } from './apply-block.ts';
import { checkAttempt, encodeHeader, nextPrices } from './block-assembly.ts';
import { gasOfBlock } from './conclude-block.ts';
import type { MadeBlock } from './new-block.ts';

/**
 * Applies a block that was made elsewhere to the state in memory, in the steps of `applyBlock`, and checks every field
 * against the rules of the chain. Throws `BlockRejectedError`; the caller then discards the state.
 * @param following returns the next block, once it is known: its signatures are checked early
 */
export function* importBlock(
  core: LedgerCore,
  block: Block,
  following: () => Block | undefined = () => undefined,
): Generator<void, MadeBlock> {
  const inputs = checkHeader(core, core.origin.state.applying, block);
  const { transactionRules, state } = core.origin;
  const later = (): readonly SignedTransaction[] => following()?.transactions ?? [];
  const expecting = expectingSignatures(block.transactions, later, transactionRules, state.applying.native);
  const applied = yield* applyBlock(core, inputs, expecting, {
    refused: (_transaction, error) => {
      throw new BlockRejectedError(block.round, 'transactions', error.message, error);
    },
  });
  if (applied.transactions.length !== block.transactions.length) {
    throw new BlockRejectedError(block.round, 'transactions', `${block.transactions.length} are too many`);
  }
  const { gasLimit: most = core.origin.rules.blockGasLimit } = inputs.settings ?? {};
  const gas = gasOfBlock(applied);
  if (gas > most) {
    throw new BlockRejectedError(
      block.round,
      'transactions',
      `they use ${gas} gas, and ${most} is the limit`,
    );
  }
  block.transactions.forEach((transaction, index) => {
    const bytes = applied.transactions[index]?.bytes;
    if (bytes === undefined || !equalBytes(bytes, encode(processedTransactionCodec, transaction))) {
      throw new BlockRejectedError(
        block.round,
        `transactions[${index}]`,
        'its results or fees differ from those of this node',
      );
    }
  });
  expectSame(
    block,
    'transaction_merkle_root',
    bytesToHex(block.transactionMerkleRoot),
    bytesToHex(applied.transactionMerkleRoot),
  );
  expectSame(block, 'vm_root', block.vmRoot.join(' '), applied.vmRoot.join(' '));
  const { transactions: _transactions, ...header } = block;
  return { applied, refused: [], isExecutedByPool: false, header: encodeHeader(header) };
}

/**
 * Checks the fields of the next header that do not depend on the transactions: number, order, producer, time,
 * signature. Throws `BlockRejectedError`.
 */
export function checkHeader(
  { chain, origin }: LedgerCore,
  state: WorkingState,
  block: SignedBlockHeader,
): BlockInputs {
  const { genesis, chainId, transactionRules } = origin;
  const { signatures } = transactionRules;
  const head = chain.head();
  const number = head.number + 1;
  const producer = producerOf(genesis, number, block.attempt);
  const account = state.native.account(producer);
  expectSame(block, 'round', String(block.round), String(number));
  expectSame(block, 'previous', bytesToHex(block.previous), bytesToHex(head.id));
  expectSame(block, 'account', `1.2.${block.account}`, `1.2.${producer}`);
  expectSame(block, 'delegate', `1.2.${block.delegate}`, `1.2.${account?.options.delegatingAccount}`);
  const { rand } = chain.nextPatched();
  expectSame(block, 'rand', bytesToHex(block.rand), bytesToHex(rand));
  expectSame(block, 'prev_signatures', String(block.prevSignatures.length), '0');
  expectSame(block, 'cert', String(block.cert.length), '0');
  if (block.timestamp < head.header.timestamp) {
    throw new BlockRejectedError(
      block.round,
      'timestamp',
      `${block.timestamp} is before the previous block's`,
    );
  }
  checkAttempt(genesis, head.header, block);
  const digest = headerDigest(chainId, block);
  if (account === undefined || !signatures.isSignedBy(account.echorandKey, digest, block.edSignature)) {
    throw new BlockRejectedError(
      block.round,
      'ed_signature',
      `it is not by the consensus key of 1.2.${producer}`,
    );
  }
  const { attempt, timestamp } = block;
  const prices = nextPrices(chain, origin);
  const settings = nextSettings(head, chain.nextPatched(), origin.rules);
  return { number, attempt, timestamp, account: producer, rand: block.rand, prices, settings };
}

function expectSame(block: SignedBlockHeader, field: string, given: string, expected: string): void {
  if (given !== expected) {
    throw new BlockRejectedError(block.round, field, `it is ${given}, and has to be ${expected}`);
  }
}
