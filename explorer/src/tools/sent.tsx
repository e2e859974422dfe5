import { type ContractInterface, describeLog, showName } from '../abi/index.ts';
import type { Log, Receipt } from '../client/blocks.ts';
import type { Hex } from '../client/reading.ts';
import { Badge } from '../parts/layout.tsx';
import { AddressLink, BlockLink, HashLink } from '../parts/links.tsx';
import { Paged } from '../parts/pager.tsx';
import { grouped } from '../text/numbers.ts';
import { receiptAfter, type Sending, send } from './senders.ts';

/** Sends, waits for the block, and shows what came of it. @throws as `send` and `call` */
export async function sendAndShow(sender: string, sending: Sending, known?: ContractInterface) {
  const hash = await send(sender, sending);
  const receipt = await receiptAfter(hash);
  return <Sent hash={hash} receipt={receipt} known={known} />;
}

function Sent({
  hash,
  receipt,
  known,
}: {
  readonly hash: Hex;
  readonly receipt: Receipt | undefined;
  readonly known: ContractInterface | undefined;
}) {
  if (receipt === undefined) {
    return (
      <p>
        <Badge tone="waiting">waits</Badge> <HashLink hash={hash} /> has no block yet.
      </p>
    );
  }
  return (
    <>
      <p>
        <Badge tone={receipt.isSuccess ? 'good' : 'bad'}>{receipt.isSuccess ? 'success' : 'failed'}</Badge>{' '}
        <HashLink hash={receipt.hash} />, gas {grouped(receipt.gasUsed)}
        {receipt.contract !== undefined && (
          <>
            , contract <AddressLink address={receipt.contract} />
          </>
        )}
        {receipt.logs[0] !== undefined && (
          <>
            , in block <BlockLink number={receipt.logs[0].blockNumber} />
          </>
        )}
      </p>
      <Paged items={receipt.logs}>
        {(shown) => shown.map((log) => <LoggedLine key={log.index} log={log} known={known} />)}
      </Paged>
    </>
  );
}

/** Shows a log, decoded by the interface of its contract if possible. */
function LoggedLine({ log, known }: { readonly log: Log; readonly known: ContractInterface | undefined }) {
  const described = known && describeLog(known, log.topics, log.data);
  if (described === undefined) return <p class="mono wrapped">log {log.topics[0] ?? log.data}</p>;
  const values = described.values.map(({ name, text }) => `${showName(name)}: ${text}`).join(', ');
  return (
    <p class="mono wrapped">
      {showName(described.name)}({values})
    </p>
  );
}
