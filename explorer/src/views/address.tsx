import { checksumAddress, readAddress, showName } from '../abi/index.ts';
import { type Account, type AddressKind, accountOf } from '../client/accounts.ts';
import { codeOf } from '../client/contracts.ts';
import { type Standards, standardsOf } from '../client/descriptions.ts';
import type { Hex } from '../client/reading.ts';
import { useContracts } from '../contracts/known-contracts.ts';
import { POLL_MS } from '../limits.ts';
import { shownProfile, words } from '../live/chain-state.ts';
import { PageTitle } from '../parts/layout.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { type Tab, Tabs } from '../parts/tabs.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { goTo } from '../routing/location.ts';
import { isAddress, shortened, withChecksum } from '../text/identifiers.ts';
import { capitalized } from '../text/vocabulary.ts';
import { AccountFacts } from './address/account-facts.tsx';
import { Code } from './address/code.tsx';
import { ContractCalls } from './address/contract-calls.tsx';
import { Events } from './address/events.tsx';
import { Operations } from './address/operations.tsx';
import { Storage } from './address/storage.tsx';
import { Balances, Holders, TransferHistory } from './address/tokens.tsx';

/** An account, a contract, or any other address. */
export function AddressView({ text, part }: { readonly text: string; readonly part: string }) {
  const loaded = useLoaded(text, () => accountOf(isAddress(text) ? text.toLowerCase() : text), POLL_MS);
  const found = loaded.state === 'ready' ? loaded.value : undefined;
  const delegate = useDelegate(found);
  const standards = useStandards(found);
  return (
    <>
      <Title text={text} account={found} delegate={delegate} standards={standards} />
      {isMistyped(text) && (
        <p class="notice" role="status">
          The checksum of this address is wrong: is there a typing mistake? The page shows the address with
          these digits.
        </p>
      )}
      <Show loaded={loaded} what={text}>
        {(account) =>
          account === undefined ? (
            <Empty>Nobody has the identifier or the name {text}.</Empty>
          ) : (
            <Known text={text} part={part} account={account} delegate={delegate} standards={standards} />
          )
        }
      </Show>
    </>
  );
}

/** Returns true if the case of an address does not match its checksum (EIP-55). */
function isMistyped(text: string): boolean {
  return isAddress(text) && 'problem' in readAddress(text);
}

const KINDS: Readonly<Record<AddressKind, string>> = {
  account: 'Account',
  contract: 'Contract',
  key: 'Address of a key',
  reference: 'EVM address of an account',
  unused: 'Unused address',
};

function kindOf(
  account: Account | undefined,
  delegate: Hex | undefined,
  { description, token }: Standards,
): string {
  if (account === undefined) return 'Address';
  if (delegate !== undefined) return 'Delegated account';
  if (description?.kind === 'preinstalled') return 'Preinstalled contract';
  if (token !== undefined) return ['ERC721', 'ERC1155'].includes(token.standard) ? 'NFT' : 'Token';
  if (description?.kind === 'proxy') return 'Proxy';
  return account.kind === 'key' && shownProfile.value === 'ethereum' ? 'Account' : KINDS[account.kind];
}

/** Bytes of `ef0100` and an address, the code of an account that delegates (EIP-7702). */
const DELEGATION_BYTES = 23;
const DELEGATION = '0xef0100';

/** Returns the account whose code another one runs; undefined for all others. */
function useDelegate(account: Account | undefined): Hex | undefined {
  const address = account?.codeSize === DELEGATION_BYTES ? account.address : undefined;
  const loaded = useLoaded(`delegate ${address} ${account?.nonce}`, async () => address && codeOf(address));
  const code = loaded.state === 'ready' ? loaded.value : undefined;
  return code?.startsWith(DELEGATION) === true ? `0x${code.slice(DELEGATION.length)}` : undefined;
}

/** Returns what a contract is, once the node has told it. */
function useStandards(account: Account | undefined): Standards {
  const address = account !== undefined && account.codeSize > 0 ? account.address : undefined;
  const loaded = useLoaded(
    `standards ${address}`,
    async () => (address === undefined ? NONE : standardsOf(address)),
    address === undefined ? undefined : POLL_MS,
  );
  return loaded.state === 'ready' ? loaded.value : NONE;
}

const NONE: Standards = { description: undefined, token: undefined, implementations: [] };

function Title({
  text,
  account,
  delegate,
  standards,
}: {
  readonly text: string;
  readonly account: Account | undefined;
  readonly delegate: Hex | undefined;
  readonly standards: Standards;
}) {
  const { description } = standards;
  const contracts = useContracts(account?.kind === 'contract' ? [account.address] : []);
  const contract = account && contracts.get(account.address);
  const known = contract?.name ?? (description?.nameSource === 'preinstalled' ? description.name : undefined);
  const name = account?.native?.name ?? (known === undefined ? undefined : showName(known));
  // Neither a stranger's text nor the name of other code stands in place of the address.
  const tag = name === undefined && description?.name !== undefined ? showName(description.name) : undefined;
  const id = account?.id ?? (account === undefined ? withChecksum(text) : checksumAddress(account.address));
  return (
    <PageTitle title={name ?? shortened(id)} kind={kindOf(account, delegate, standards)}>
      {name === undefined ? (
        <>
          {shortened(id, 20, 12)} {tag !== undefined && <span class="quiet">{tag}</span>}
        </>
      ) : (
        <>
          {name} <span class="quiet">{shortened(id)}</span>
        </>
      )}
    </PageTitle>
  );
}

function Known({
  text,
  part,
  account,
  delegate,
  standards,
}: {
  readonly text: string;
  readonly part: string;
  readonly standards: Standards;
  readonly account: Account;
  /** The account whose code it runs (EIP-7702). */
  readonly delegate: Hex | undefined;
}) {
  const { address, kind } = account;
  const { token, implementations } = standards;
  const [implementation] = delegate === undefined && implementations.length === 1 ? implementations : [];
  const operations: Tab = {
    id: 'operations',
    title: capitalized(words.value.transactions),
    show: () => <Operations address={address} />,
  };
  const ofTokens: readonly Tab[] = [
    {
      id: 'transfers',
      title: 'Token transfers',
      show: () => <TransferHistory search={token === undefined ? { address } : { token: address }} />,
    },
    { id: 'tokens', title: 'Tokens', show: () => <Balances address={address} /> },
    ...(token === undefined
      ? []
      : [{ id: 'holders', title: 'Holders', show: () => <Holders token={address} /> }]),
  ];
  const ofContract: readonly Tab[] = [
    {
      id: 'contract',
      title: 'Read and write',
      show: () => <ContractCalls address={address} code={delegate ?? address} />,
    },
    ...(implementation === undefined
      ? []
      : [
          {
            id: 'proxy',
            title: 'Read and write as proxy',
            show: () => <ContractCalls address={address} code={implementation} />,
          },
        ]),
    { id: 'events', title: 'Events', show: () => <Events address={address} /> },
    { id: 'storage', title: 'Storage', show: () => <Storage address={address} /> },
    { id: 'code', title: 'Code', show: () => <Code address={address} /> },
  ];
  return (
    <>
      <AccountFacts account={account} delegate={delegate} standards={standards} />
      <Tabs
        label="Parts of the address"
        tabs={kind === 'contract' ? [operations, ...ofTokens, ...ofContract] : [operations, ...ofTokens]}
        chosen={part}
        onChoose={(id) => goTo({ view: 'address', text, part: id })}
      />
    </>
  );
}
