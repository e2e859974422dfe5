import { describeLog, type LoggedValue, showName } from '../../abi/index.ts';
import type { Log } from '../../client/blocks.ts';
import { type KnownContract, useContracts } from '../../contracts/known-contracts.ts';
import { AddressLink, BlockLink, HashLink } from '../../parts/links.tsx';
import { Paged } from '../../parts/pager.tsx';
import { Empty } from '../../parts/states.tsx';

/** Lists event logs, decoded by known interfaces. */
export function Logs({ logs }: { readonly logs: readonly Log[] }) {
  if (logs.length === 0) return <Empty>No contract has logged anything.</Empty>;
  return <Paged items={logs}>{(shown) => <LogList logs={shown} />}</Paged>;
}

/** Some logs. */
export function LogList({
  logs,
  isPlaced = false,
}: {
  readonly logs: readonly Log[];
  /** True to show the position of each log on the chain instead of its contract. */
  readonly isPlaced?: boolean;
}) {
  const contracts = useContracts(logs.map(({ address }) => address));
  return (
    <ol class="logs">
      {logs.map((log) => (
        <LogItem
          key={`${log.transactionHash} ${log.index}`}
          log={log}
          contract={contracts.get(log.address)}
          isPlaced={isPlaced}
        />
      ))}
    </ol>
  );
}

/** One log: as an event, or as the topics and bytes that it is. */
function LogItem({
  log,
  contract,
  isPlaced,
}: {
  readonly log: Log;
  readonly contract: KnownContract | undefined;
  readonly isPlaced: boolean;
}) {
  const event = contract && describeLog(contract.abi, log.topics, log.data);
  return (
    <li class="log">
      <p class="log-head">
        <span class="quiet">{log.index}</span>
        <strong class="mono">{event === undefined ? 'unknown event' : showName(event.name)}</strong>
        <span class="quiet">
          {isPlaced ? (
            <>
              block <BlockLink number={log.blockNumber} /> <HashLink hash={log.transactionHash} />
            </>
          ) : (
            <AddressLink address={log.address} isWhole={contract?.name !== undefined} />
          )}
        </span>
      </p>
      {event === undefined ? <RawLog log={log} /> : <Values values={event.values} />}
    </li>
  );
}

function Values({ values }: { readonly values: readonly LoggedValue[] }) {
  return (
    <dl class="values">
      {values.map(({ name, text, isHashed }, index) => (
        <div key={index}>
          <dt>{name === '' ? `#${index}` : showName(name)}</dt>
          <dd class="mono">
            {text}
            {isHashed && <span class="quiet"> (hash)</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function RawLog({ log }: { readonly log: Log }) {
  return (
    <dl class="values">
      {log.topics.map((topic, index) => (
        <div key={index}>
          <dt>topic {index}</dt>
          <dd class="mono">{topic}</dd>
        </div>
      ))}
      <div>
        <dt>data</dt>
        <dd class="mono long">{log.data}</dd>
      </div>
    </dl>
  );
}
