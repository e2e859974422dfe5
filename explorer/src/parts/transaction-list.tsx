import { showName } from '../abi/index.ts';
import type { ListedOperation } from '../client/operations.ts';
import type { Hex } from '../client/reading.ts';
import { type KnownContract, useContracts } from '../contracts/known-contracts.ts';
import { shownProfile, words } from '../live/chain-state.ts';
import { capitalized } from '../text/vocabulary.ts';
import { Age } from './age.tsx';
import { Amount } from './amount.tsx';
import { Badge } from './layout.tsx';
import { AddressLink, BlockLink, HashLink } from './links.tsx';
import { type Column, Table } from './table.tsx';

/** Columns, and the mark of failures, that some lists leave out or have elsewhere. */
type LeftOut = 'block' | 'age' | 'fee' | 'mark';

/** Lists transactions, one a row. */
export function TransactionList({
  caption,
  transactions,
  without = [],
  of,
  extra = [],
}: {
  readonly caption: string;
  readonly transactions: readonly ListedOperation[];
  readonly without?: readonly LeftOut[];
  /** The address whose transactions they are: each row gets its direction. */
  readonly of?: Hex;
  /** Further columns at the end. */
  readonly extra?: readonly Column<ListedOperation>[];
}) {
  const contracts = useContracts(
    transactions.flatMap(({ to, selector }) => (to === undefined || selector === undefined ? [] : [to])),
  );
  const isShown = (column: LeftOut): boolean => !without.includes(column);
  const { transaction, method, value, feeInList } = words.value;
  const columns: readonly Column<ListedOperation>[] = [
    {
      title: capitalized(transaction),
      cell: (listed) => <HashCell listed={listed} isMarked={isShown('mark')} />,
    },
    { title: method, cell: (listed) => <Method listed={listed} contracts={contracts} /> },
    ...(isShown('block') ? [BLOCK] : []),
    ...(isShown('age') ? [AGE] : []),
    { title: 'From', cell: ({ from }) => <AddressLink address={from} /> },
    ...(of === undefined ? [] : [directionOf(of)]),
    { title: 'To', cell: ToCell },
    { title: value, cell: (listed) => <Amount amount={listed.value} isShort />, isNumber: true },
    ...(isShown('fee') ? [{ title: feeInList, ...FEE }] : []),
    ...extra,
  ];
  return <Table caption={caption} columns={columns} rows={transactions} keyOf={({ hash }) => hash} />;
}

const BLOCK: Column<ListedOperation> = {
  title: 'Block',
  cell: ({ blockNumber }) => (blockNumber === undefined ? 'pending' : <BlockLink number={blockNumber} />),
  isNumber: true,
};

const AGE: Column<ListedOperation> = {
  title: 'Age',
  cell: ({ timestamp }) => timestamp !== undefined && <Age timestamp={timestamp} />,
  isExtra: true,
};

const FEE: Omit<Column<ListedOperation>, 'title'> = {
  cell: ({ fee }) => fee !== undefined && <Amount amount={fee} isShort />,
  isNumber: true,
  isExtra: true,
};

/** The hash, and a mark of a failure. */
function HashCell({
  listed: { hash, isSuccess },
  isMarked,
}: {
  readonly listed: ListedOperation;
  readonly isMarked: boolean;
}) {
  return (
    <>
      <HashLink hash={hash} />
      {isMarked && isSuccess === false && (
        <>
          {' '}
          <Badge tone="bad">✗ Failed</Badge>
        </>
      )}
    </>
  );
}

function ToCell({ to, contract }: ListedOperation) {
  const receiver = to ?? contract;
  if (receiver === undefined) return <span class="quiet">–</span>;
  return <AddressLink address={receiver} />;
}

function directionOf(of: Hex): Column<ListedOperation> {
  return {
    title: 'Direction',
    cell: ({ from, to, contract }) => {
      if (from !== of) return <Badge tone="good">IN</Badge>;
      return (to ?? contract) === of ? <Badge>SELF</Badge> : <Badge tone="waiting">OUT</Badge>;
    },
  };
}

type Contracts = ReadonlyMap<Hex, KnownContract | undefined>;

/** The function that a transaction calls, or what it does otherwise. */
function Method({ listed, contracts }: { readonly listed: ListedOperation; readonly contracts: Contracts }) {
  const { to, selector, type } = listed;
  const called = to && contracts.get(to)?.abi.functions.find((known) => known.selector === selector);
  if (called !== undefined) return <MethodBadge name={showName(called.name)} />;
  const isNative = shownProfile.value === 'ledger' || type === 'native_operation';
  if (isNative && type !== undefined) return <span class="word">{type.replaceAll('_', ' ')}</span>;
  return <MethodBadge name={methodName(listed)} />;
}

function MethodBadge({ name }: { readonly name: string }) {
  return (
    <span class="badge method" title={name}>
      {name}
    </span>
  );
}

/** Names the action of a transaction whose function is unknown. */
function methodName({ to, selector }: Pick<ListedOperation, 'to' | 'selector'>): string {
  if (to === undefined) return 'Contract creation';
  return selector ?? 'Transfer';
}
