import { type AbiValue, readParameters } from '../abi/index.ts';
import type { Log } from '../client/blocks.ts';
import type { Hex } from '../client/reading.ts';
import type { TokenTransfer } from '../client/tokens.ts';
import { decodedDigits } from './words.ts';

/** Topics of `Transfer(address,address,uint256)`, and of `TransferSingle` and `TransferBatch` (ERC-1155). */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';

const NUMBER = readParameters([{ type: 'uint256' }]);
const PAIR = readParameters([{ type: 'uint256' }, { type: 'uint256' }]);
const PAIRS = readParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }]);

/** Returns the movements of tokens that some logs state. */
export function tokenTransfers(logs: readonly Log[]): readonly TokenTransfer[] {
  return logs.flatMap((log) =>
    movedBy(log).map(({ item, amount, topic }, index) => ({
      key: `${log.index} ${index}`,
      token: log.address,
      from: addressIn(log.topics[topic]),
      to: addressIn(log.topics[topic + 1]),
      item,
      amount,
    })),
  );
}

interface Moved {
  readonly item: bigint | undefined;
  readonly amount: bigint | undefined;
  /** Position of the sender among the topics. */
  readonly topic: number;
}

function movedBy({ topics, data }: Log): readonly Moved[] {
  const [first, , , third] = topics;
  if (first === TRANSFER && topics.length === 4 && third !== undefined) {
    return [{ item: BigInt(third), amount: undefined, topic: 1 }];
  }
  if (first === TRANSFER && topics.length === 3) {
    const [amount] = decodedDigits(NUMBER, data) ?? [];
    return typeof amount === 'bigint' ? [{ item: undefined, amount, topic: 1 }] : [];
  }
  if (topics.length !== 4) return [];
  if (first === TRANSFER_SINGLE) {
    const [item, amount] = decodedDigits(PAIR, data) ?? [];
    return typeof item === 'bigint' && typeof amount === 'bigint' ? [{ item, amount, topic: 2 }] : [];
  }
  if (first !== TRANSFER_BATCH) return [];
  const [items, amounts] = decodedDigits(PAIRS, data) ?? [];
  return isList(items) && isList(amounts)
    ? items.flatMap((item, index) => {
        const amount = amounts[index];
        return typeof item === 'bigint' && typeof amount === 'bigint' ? [{ item, amount, topic: 2 }] : [];
      })
    : [];
}

function isList(value: AbiValue | undefined): value is readonly AbiValue[] {
  return Array.isArray(value);
}

/** The address in a topic, which is its last 20 bytes. */
function addressIn(topic: Hex | undefined): Hex {
  return `0x${(topic ?? '').slice(-40)}`;
}
