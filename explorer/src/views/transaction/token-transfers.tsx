import type { TokenTransfer } from '../../client/tokens.ts';
import { AddressLink } from '../../parts/links.tsx';
import { Paged } from '../../parts/pager.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { TokenAmount } from '../../parts/token-amount.tsx';

/** Columns of what moved, and from whom to whom. */
export const TRANSFER_COLUMNS: readonly Column<TokenTransfer>[] = [
  { title: 'From', cell: ({ from }) => <AddressLink address={from} /> },
  { title: 'To', cell: ({ to }) => <AddressLink address={to} /> },
  {
    title: 'Token',
    cell: ({ token, amount, item }) => <TokenAmount token={token} amount={amount} item={item} />,
  },
  { title: 'Contract', cell: ({ token }) => <AddressLink address={token} /> },
];

/** Lists the movements of tokens that a transaction logged. */
export function TokenTransfers({ transfers }: { readonly transfers: readonly TokenTransfer[] }) {
  return (
    <Paged items={transfers}>
      {(shown) => (
        <Table
          caption="Tokens transferred"
          columns={TRANSFER_COLUMNS}
          rows={shown}
          keyOf={({ key }) => key}
        />
      )}
    </Paged>
  );
}
