import type { Authorization, Transaction } from '../../client/blocks.ts';
import type { Hex } from '../../client/reading.ts';
import { stateChanges } from '../../client/traces.ts';
import { appliedOf, signerOf } from '../../contracts/authorizations.ts';
import { facts } from '../../live/chain-state.ts';
import { AddressLink } from '../../parts/links.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { grouped } from '../../text/numbers.ts';

/** An authorization with what is known of it; undefined until then. */
interface Checked {
  readonly authorization: Authorization;
  readonly signer: Hex | undefined;
  readonly isApplied: boolean | undefined;
}

const ZERO = `0x${'0'.repeat(40)}`;

const COLUMNS: readonly Column<Checked>[] = [
  {
    title: 'Signer',
    cell: ({ signer, isApplied }) => {
      if (signer !== undefined) return <AddressLink address={signer} />;
      return <span class="quiet">{isApplied === undefined ? '…' : 'invalid signature'}</span>;
    },
  },
  {
    title: 'Delegates to',
    cell: ({ authorization: { address } }) =>
      address === ZERO ? 'nobody: removes the code' : <AddressLink address={address} />,
  },
  { title: 'Nonce', cell: ({ authorization: { nonce } }) => grouped(nonce), isNumber: true },
  {
    title: 'Chain',
    cell: ({ authorization: { chainId } }) => (chainId === 0n ? 'every chain' : `chain ${chainId}`),
  },
  {
    title: 'Applied',
    cell: ({ isApplied }) => {
      if (isApplied === undefined) return '…';
      return (
        <span class={isApplied ? 'good-text' : 'bad-text'}>{isApplied ? '✓ Applied' : '✗ Not applied'}</span>
      );
    },
  },
];

/** Shows who signed which permission of a transaction (EIP-7702), and if it was applied. */
export function Authorizations({ transaction }: { readonly transaction: Transaction }) {
  const { hash, from, authorizations, blockNumber } = transaction;
  const chainId = facts.value?.chainId;
  const loaded = useLoaded(`authorizations ${hash} ${blockNumber} ${chainId}`, async () => {
    const [signers, changes] = await Promise.all([
      Promise.all(authorizations.map(signerOf)),
      blockNumber === undefined ? undefined : stateChanges(hash).catch(() => undefined),
    ]);
    const isKnown = changes !== undefined && chainId !== undefined;
    const applied = isKnown ? appliedOf(authorizations, signers, changes, { chainId, sender: from }) : [];
    return { signers, applied };
  });
  const found = loaded.state === 'ready' ? loaded.value : undefined;
  const rows = authorizations.map((authorization, index) => ({
    authorization,
    signer: found?.signers[index],
    isApplied: found?.applied[index],
    index,
  }));
  return (
    <section class="stack" aria-label="Authorizations">
      <h3>
        Authorizations <span class="quiet">{grouped(authorizations.length)}</span>
      </h3>
      <Table
        caption="Authorizations"
        columns={COLUMNS}
        rows={rows}
        keyOf={(row) => rows.indexOf(row as (typeof rows)[number])}
      />
    </section>
  );
}
