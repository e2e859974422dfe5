import type { Transaction } from '../../client/blocks.ts';
import { operationOf } from '../../client/operations.ts';
import { useContracts } from '../../contracts/known-contracts.ts';
import { callInWords } from '../../contracts/words.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { Fact, Facts } from '../../parts/layout.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { grouped } from '../../text/numbers.ts';

/** What was asked for: the native operation or the Ethereum transaction, and its data. */
export function Operation({ transaction }: { readonly transaction: Transaction }) {
  const { hash } = transaction;
  const loaded = useLoaded(hash, () => operationOf(hash));
  return (
    <div class="stack">
      <Show loaded={loaded} what="the native operation">
        {(operation) =>
          operation === undefined ? (
            <SignedFields transaction={transaction} />
          ) : (
            <JsonTree value={operation} />
          )
        }
      </Show>
      {transaction.input !== '0x' && <Data transaction={transaction} />}
    </div>
  );
}

/** The fields of an Ethereum transaction, which has no native form. */
function SignedFields({ transaction }: { readonly transaction: Transaction }) {
  const { type, nonce, gas, gasPrice } = transaction;
  return (
    <Facts>
      <Fact name="Type">{type}</Fact>
      <Fact name="Nonce">{grouped(nonce)}</Fact>
      <Fact name="Gas limit">{grouped(gas)}</Fact>
      <Fact name="Gas price">{grouped(gasPrice)}</Fact>
    </Facts>
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
      <pre class="sunken">{input}</pre>
    </section>
  );
}
