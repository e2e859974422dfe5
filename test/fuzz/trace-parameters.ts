import { type JsonText, objectOf } from './json-text.ts';
import type { Maker, Material } from './material.ts';

/** For every method of traces how to make parameters that it takes; `call` makes the object of a call. */
export function traceParameters(call: (material: Material) => JsonText): Readonly<Record<string, Maker>> {
  const byHash: Maker = ({ live }) => [live.transactionHash()];
  const ofBlock: Maker = ({ live }) => [live.blockReference()];
  return {
    debug_traceTransaction: (material) => [material.live.transactionHash(), config(material)],
    debug_traceBlockByNumber: (material) => [material.live.blockSelector(), config(material)],
    debug_traceBlockByHash: (material) => [material.live.blockHash(), config(material)],
    debug_traceBlock: (material) => [material.random.hex(200), config(material)],
    debug_traceCall: (material) => [call(material), material.live.blockReference(), callConfig(material)],
    debug_getRawTransaction: byHash,
    debug_getRawBlock: ofBlock,
    debug_getRawHeader: ofBlock,
    debug_getRawReceipts: ofBlock,
    debug_storageRangeAt: ({ live, random }) => [
      ...[live.blockHash(), random.below(3), live.contract()],
      ...[random.pick(['0x0', random.hex(32)]), live.quantity(20)],
    ],
    debug_accountInfoAt: ({ live, random }) => [
      random.oneIn(2) ? 'latest' : live.blockReference(),
      random.oneIn(2) ? 0 : random.below(2),
      live.address(),
    ],
    debug_codeByHash: ({ live, random }) => [random.hex(32), live.blockReference()],
    debug_getModifiedAccountsByNumber: ({ live }) => [live.blockSelector(), live.blockSelector()],
    debug_getModifiedAccountsByHash: ({ live }) => [live.blockHash(), live.blockHash()],
    trace_transaction: byHash,
    trace_block: ofBlock,
    trace_filter: (material) => [filter(material)],
    trace_get: ({ live, random }) => [live.transactionHash(), random.pick<JsonText>([[], ['0x0'], [0, 1]])],
    trace_transactionOpcodeGas: byHash,
    trace_blockOpcodeGas: ofBlock,
    trace_call: (material) => [call(material), kinds(material), material.live.blockReference()],
    trace_callMany: (material) => [
      [
        [call(material), kinds(material)],
        [call(material), kinds(material)],
      ],
      material.live.blockReference(),
    ],
    trace_replayTransaction: (material) => [material.live.transactionHash(), kinds(material)],
    trace_replayBlockTransactions: (material) => [material.live.blockReference(), kinds(material)],
  };
}

/** Makes Parity's list of trace kinds. */
export function kinds({ random }: Material): JsonText {
  return random.pick<JsonText>([[], ['trace'], ['stateDiff', 'trace'], ['trace', 'vmTrace', 'stateDiff']]);
}

function config(material: Material): JsonText {
  const { random } = material;
  return random.pick<JsonText>([null, objectOf({}), objectOf(tracer(material)), objectOf(steps(material))]);
}

function steps({ random }: Material): Record<string, JsonText> {
  return {
    enableMemory: random.oneIn(2),
    disableStack: random.oneIn(2),
    enableReturnData: random.oneIn(2),
    limit: random.pick<JsonText>([0, 1_000, 0.5]),
    timeout: random.pick<JsonText>(['5s', '1m30s', '300ms', '.5s']),
    reexec: 128,
  };
}

function tracer({ random }: Material): Record<string, JsonText> {
  const flag = random.oneIn(2);
  return random.pick<Record<string, JsonText>>([
    { tracer: 'callTracer', tracerConfig: objectOf({ withLog: flag, onlyTopCall: random.oneIn(4) }) },
    {
      tracer: 'flatCallTracer',
      tracerConfig: objectOf({ convertParityErrors: flag, includePrecompiles: flag }),
    },
    { tracer: 'prestateTracer', tracerConfig: objectOf({ diffMode: flag, disableCode: random.oneIn(2) }) },
    {
      tracer: 'erc7562Tracer',
      tracerConfig: objectOf({
        withLog: flag,
        ignoredOpcodes: random.pick<JsonText>([null, [], ['0x54', 1]]),
      }),
    },
    { tracer: '4byteTracer' },
    { tracer: 'noopTracer', tracerConfig: null },
    { tracer: 'muxTracer', tracerConfig: objectOf({ callTracer: objectOf({}), prestateTracer: null }) },
  ]);
}

function callConfig(material: Material): JsonText {
  const { random, live } = material;
  const account = objectOf({ balance: '0xffffffffff', code: random.hex(random.below(40)) });
  return random.pick<JsonText>([
    config(material),
    objectOf({ ...tracer(material), stateOverrides: objectOf({ [live.contract()]: account }) }),
    objectOf({ ...tracer(material), txIndex: random.below(3) }),
    objectOf({ ...tracer(material), blockOverrides: objectOf({ number: live.quantity(9) }) }),
  ]);
}

function filter({ random, live }: Material): JsonText {
  return objectOf({
    fromBlock: random.pick([undefined, live.blockSelector()]),
    toBlock: random.pick([undefined, live.blockSelector()]),
    fromAddress: random.pick<JsonText | undefined>([undefined, [live.address()], live.account()]),
    toAddress: random.pick<JsonText | undefined>([undefined, [live.contract(), live.address()]]),
    mode: random.pick([undefined, 'union', 'intersection']),
    after: random.pick([undefined, 1]),
    count: random.pick([undefined, live.quantity(9)]),
  });
}
