import type { Transaction } from '../../client/blocks.ts';
import { formatJson } from '../../client/json.ts';
import { type Operation as NativeOperation, operationOf } from '../../client/operations.ts';
import { useContracts } from '../../contracts/known-contracts.ts';
import { callInWords } from '../../contracts/words.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { Fact, Facts } from '../../parts/layout.tsx';
import { AddressLink, Digits } from '../../parts/links.tsx';
import { Scrolled } from '../../parts/scrolled.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { grouped } from '../../text/numbers.ts';

/** Shows the submitted operation or Ethereum transaction, and its data. */
export function Operation({ transaction }: { readonly transaction: Transaction }) {
  const { hash } = transaction;
  const loaded = useLoaded(hash, () => operationOf(hash));
  return (
    <div class="stack">
      {transaction.isSigned && <SignedFields transaction={transaction} />}
      {transaction.authorizations.length > 0 && <Authorizations transaction={transaction} />}
      {transaction.input !== '0x' && <Data transaction={transaction} />}
      <Show loaded={loaded} what="the native operation">
        {(operation) => operation && <NativeForm operation={operation} />}
      </Show>
    </div>
  );
}

/** Shows the native form of an operation. */
function NativeForm({ operation: { type, ethereumHash, native } }: { readonly operation: NativeOperation }) {
  return (
    <>
      <h3>
        Native operation <span class="quiet">{type}</span>
      </h3>
      {ethereumHash !== undefined && (
        <p class="quiet">It carries the Ethereum transaction {ethereumHash}, byte for byte.</p>
      )}
      <JsonTree value={fieldsOfOperation(native.operation)} />
      {native.result !== null && (
        <>
          <h3>Result</h3>
          <JsonTree value={native.result} />
        </>
      )}
      <details>
        <summary>Signed transaction around it</summary>
        <Scrolled text={formatJson(native.transaction)} />
      </details>
    </>
  );
}

/** Returns the fields of an operation, which follow its number. */
function fieldsOfOperation(operation: unknown): unknown {
  return Array.isArray(operation) && operation.length === 2 ? operation[1] : operation;
}

/** Shows the fields that only an Ethereum transaction has. */
function SignedFields({ transaction }: { readonly transaction: Transaction }) {
  const { type, nonce, gas, gasPrice, blobs } = transaction;
  return (
    <Facts>
      <Fact name="Type">{type}</Fact>
      <Fact name="Nonce">{grouped(nonce)}</Fact>
      <Fact name="Gas limit">{grouped(gas)}</Fact>
      <Fact name="Gas price">{grouped(gasPrice)} wei</Fact>
      {blobs.map((hash, index) => (
        <Fact key={hash} name={`Blob ${index + 1}`}>
          <Digits text={hash} what="the versioned hash" />
        </Fact>
      ))}
    </Facts>
  );
}

/** Shows the accounts whose code the signers of a transaction's authorizations want to run. */
function Authorizations({ transaction: { authorizations } }: { readonly transaction: Transaction }) {
  return (
    <section class="stack" aria-label="Authorizations">
      <h3>
        Authorizations <span class="quiet">{grouped(authorizations.length)}</span>
      </h3>
      <Facts>
        {authorizations.map(({ chainId, address, nonce }, index) => (
          <Fact key={`${index} ${address}`} name={`Delegation at nonce ${nonce}`}>
            <AddressLink address={address} />
            <span class="quiet">{chainId === 0n ? ' on every chain' : ` on chain ${chainId}`}</span>
          </Fact>
        ))}
      </Facts>
    </section>
  );
}

function Data({ transaction: { to, input } }: { readonly transaction: Transaction }) {
  const contracts = useContracts(to === undefined ? [] : [to]);
  const words = to && callInWords(contracts.get(to)?.abi, input, '0x');
  const bytes = (input.length - 2) / 2;
  return (
    <section class="stack" aria-label="Data">
      <h3>
        {to === undefined ? 'Creation code' : 'Call data'} <span class="quiet">{grouped(bytes)} bytes</span>
      </h3>
      {words?.inputs !== undefined && (
        <p class="mono">
          {words.name}({words.inputs})
        </p>
      )}
      <Scrolled text={input} />
    </section>
  );
}
