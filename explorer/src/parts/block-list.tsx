import { shownProfile, words } from '../live/chain-state.ts';
import type { LiveBlock } from '../live/feed.ts';
import { gweiText } from '../text/numbers.ts';
import { capitalized } from '../text/vocabulary.ts';
import { Age } from './age.tsx';
import { Amount } from './amount.tsx';
import { GasBar } from './gas-bar.tsx';
import { AddressLink, BlockLink } from './links.tsx';
import { type Column, Table } from './table.tsx';

const NUMBER: Column<LiveBlock> = {
  title: 'Block',
  cell: ({ header }) => <BlockLink number={header.number} />,
};

const AGE: Column<LiveBlock> = {
  title: 'Age',
  cell: ({ header }) => <Age timestamp={header.timestamp} />,
};

const GAS: Column<LiveBlock> = {
  title: 'Gas used',
  cell: ({ header }) => <GasBar used={header.gasUsed} limit={header.gasLimit} isShort />,
};

const BASE_FEE: Column<LiveBlock> = {
  title: 'Base fee',
  cell: ({ header }) => <span class="amount">{gweiText(header.baseFee)}</span>,
  isNumber: true,
};

const FEES: Column<LiveBlock> = {
  title: 'Fees',
  cell: ({ header }) => <Amount amount={header.gasUsed} />,
  isNumber: true,
};

const PRODUCER: Column<LiveBlock> = {
  title: 'Producer',
  cell: ({ header }) => <AddressLink address={header.producer} />,
  isExtra: true,
};

/** Lists blocks, one a row. */
export function BlockList({
  caption,
  blocks,
  isShort = false,
}: {
  readonly caption: string;
  readonly blocks: readonly LiveBlock[];
  /** True to leave out the base fee. */
  readonly isShort?: boolean;
}) {
  const count: Column<LiveBlock> = {
    title: capitalized(words.value.transactions),
    cell: ({ operations }) => operations ?? '…',
    isNumber: true,
  };
  // The gas of a native block is its fees, without a limit.
  const gas = shownProfile.value === 'ethereum' ? [GAS, ...(isShort ? [] : [BASE_FEE])] : [FEES];
  return (
    <Table
      caption={caption}
      columns={[NUMBER, AGE, count, ...gas, PRODUCER]}
      rows={blocks}
      keyOf={({ header }) => header.hash}
    />
  );
}
