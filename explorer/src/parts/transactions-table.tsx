import type { Transaction } from '../client/blocks.ts';
import { Amount } from './amount.tsx';
import { AddressLink, BlockLink, HashLink } from './links.tsx';
import { type Column, Table } from './table.tsx';

const HASH: Column<Transaction> = {
  title: 'Operation',
  cell: ({ hash }) => <HashLink hash={hash} />,
  share: 3,
};
const BLOCK: Column<Transaction> = {
  title: 'Block',
  cell: ({ blockNumber }) => (blockNumber === undefined ? 'pending' : <BlockLink number={blockNumber} />),
  isNumber: true,
};
const KIND: Column<Transaction> = {
  title: 'What',
  cell: (transaction) => <span class="quiet word">{actionOf(transaction)}</span>,
  hidden: 'narrow',
};
const FROM: Column<Transaction> = {
  title: 'From',
  cell: ({ from }) => <AddressLink address={from} />,
  hidden: 'phone',
  share: 2,
};
const TO: Column<Transaction> = {
  title: 'To',
  cell: ({ to }) => (to === undefined ? <span class="quiet">–</span> : <AddressLink address={to} />),
  share: 2,
};
const AMOUNT: Column<Transaction> = {
  title: 'Amount',
  cell: ({ value }) => <Amount amount={value} isShort />,
  isNumber: true,
  hidden: 'phone',
  share: 2,
};

/** Operations, one a row. */
export function TransactionsTable({
  caption,
  transactions,
  hasBlock = true,
}: {
  readonly caption: string;
  readonly transactions: readonly Transaction[];
  /** True to show the block of each. */
  readonly hasBlock?: boolean;
}) {
  const columns = [HASH, ...(hasBlock ? [BLOCK] : []), KIND, FROM, TO, AMOUNT];
  return <Table caption={caption} columns={columns} rows={transactions} keyOf={({ hash }) => hash} />;
}

/** Names the action of an operation from its Ethereum form. */
export function actionOf({ to, input }: Pick<Transaction, 'to' | 'input'>): Action {
  if (to === undefined) return input === '0x' ? 'native' : 'creation';
  return input === '0x' ? 'transfer' : 'call';
}

/** Actions of operations: `native` has no form among Ethereum's transactions. */
type Action = 'native' | 'creation' | 'transfer' | 'call';
