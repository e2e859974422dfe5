import { showName, showValue } from '../../abi/index.ts';
import type { Log, Receipt, Transaction } from '../../client/blocks.ts';
import { formatJson } from '../../client/json.ts';
import { type Operation as NativeOperation, operationOf } from '../../client/operations.ts';
import { useContracts } from '../../contracts/known-contracts.ts';
import { decodedDigits } from '../../contracts/words.ts';
import { shownProfile } from '../../live/chain-state.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { Scrolled } from '../../parts/scrolled.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { grouped } from '../../text/numbers.ts';
import { Authorizations } from './authorizations.tsx';
import { LogList } from './logs.tsx';

/** Logs that are shown before the tab of all. */
const SHOWN_LOGS = 5;

/** Shows the call and the native form of a transaction: the native form first, and open, on native chains alone. */
export function Operation({
  transaction,
  receipt,
}: {
  readonly transaction: Transaction;
  readonly receipt: Receipt | undefined;
}) {
  const { hash } = transaction;
  const loaded = useLoaded(hash, () => operationOf(hash));
  const native = (
    <Show loaded={loaded} what="the native operation">
      {(operation) => operation && <NativeForm operation={operation} />}
    </Show>
  );
  const isNative = shownProfile.value === 'ledger';
  return (
    <div class="stack">
      {isNative && native}
      {transaction.input !== '0x' && <Data transaction={transaction} />}
      {transaction.authorizations.length > 0 && <Authorizations transaction={transaction} />}
      {receipt !== undefined && receipt.logs.length > 0 && <FirstLogs logs={receipt.logs} />}
      {!isNative && (
        <details>
          <summary>Native form</summary>
          <div class="stack">{native}</div>
        </details>
      )}
    </div>
  );
}

function FirstLogs({ logs }: { readonly logs: readonly Log[] }) {
  return (
    <section class="stack" aria-label="Logs">
      <h3>
        Logs <span class="quiet">{grouped(logs.length)}</span>
      </h3>
      <LogList logs={logs.slice(0, SHOWN_LOGS)} />
      {logs.length > SHOWN_LOGS && <p class="quiet">All are in the tab Logs.</p>}
    </section>
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

function Data({ transaction: { to, input } }: { readonly transaction: Transaction }) {
  const contracts = useContracts(to === undefined ? [] : [to]);
  const called = to && contracts.get(to)?.abi.functions.find(({ selector }) => input.startsWith(selector));
  const decoded = called && decodedDigits(called.inputs, `0x${input.slice(called.selector.length)}`);
  const bytes = (input.length - 2) / 2;
  return (
    <section class="stack" aria-label="Input data">
      <h3>
        {to === undefined ? 'Creation code' : 'Input data'} <span class="quiet">{grouped(bytes)} bytes</span>
      </h3>
      {decoded !== undefined && called !== undefined && (
        <>
          <p class="mono wrapped">{showName(called.signature)}</p>
          <dl class="values">
            {called.inputs.map(({ name, type }, index) => (
              <div key={index}>
                <dt>{name === '' ? `#${index}` : showName(name)}</dt>
                <dd class="mono">{showValue(type, decoded[index] ?? '')}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <details open={decoded === undefined}>
        <summary>Raw</summary>
        <Scrolled text={input} />
      </details>
    </section>
  );
}
