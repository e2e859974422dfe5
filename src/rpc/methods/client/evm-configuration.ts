import { crc32 } from 'node:zlib';
import { blockHashOf, invariant } from '../../../protocol/index.ts';
import {
  addressShape,
  data,
  dataShape,
  integerShape,
  nullShape,
  objectShape,
  quantity,
  quantityShape,
  recordShape,
} from '../../../view/index.ts';
import { defineClientMethod } from '../../method.ts';
import type { MethodContext } from '../../method-context.ts';

const configurationShape = objectShape({
  activationTime: integerShape,
  blobSchedule: objectShape({ baseFeeUpdateFraction: integerShape, max: integerShape, target: integerShape }),
  chainId: quantityShape,
  forkId: dataShape,
  precompiles: recordShape(addressShape),
  systemContracts: objectShape({}),
});

export const config = defineClientMethod({
  name: 'eth_config',
  summary: 'Returns the rules of the EVM that hold (EIP-7910).',
  result: objectShape({ current: configurationShape, next: nullShape, last: nullShape }),
  differences:
    'The fork of a chain holds from its genesis on, so that there is no next one and no last one; there are no ' +
    'blobs and no system contracts. The fork id is the CRC-32 of the hash of block 0.',
  handler: ({ ledger }) => {
    const current = {
      activationTime: 0,
      blobSchedule: { baseFeeUpdateFraction: 0, max: 0, target: 0 },
      chainId: quantity(ledger.network.chainId),
      forkId: forkIdOf(ledger),
      precompiles: Object.fromEntries(ledger.precompiles().map(({ name, address }) => [name, data(address)])),
      systemContracts: {},
    };
    return { current, next: null, last: null };
  },
});

/** EIP-6122, of a chain whose fork is that of its genesis. */
function forkIdOf(ledger: MethodContext['ledger']): ReturnType<typeof data> {
  const genesis = ledger.blockByNumber(0);
  invariant(genesis !== undefined, 'a chain has a block 0');
  const checksum = crc32(blockHashOf(genesis.id));
  return `0x${checksum.toString(16).padStart(8, '0')}`;
}
