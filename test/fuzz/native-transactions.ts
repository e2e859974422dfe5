import { referencePrefix } from '../../src/ledger/index.ts';
import {
  type AccountId,
  type AccountOptions,
  accountId,
  assetId,
  bytesToHex,
  concatBytes,
  contractId,
  coreAmount,
  encode,
  type Operation,
  signedTransactionCodec,
  type Transaction,
  toAddress,
  toPrefixedHex,
  transactionDigest,
} from '../../src/protocol/index.ts';
import { callData } from './call-data.ts';
import type { Random } from './random.ts';
import type { Signer, World } from './world.ts';

/** The operations of a type. */
type Of<Type extends Operation['type']> = Extract<Operation, { type: Type }>;

/** A transaction that the ledger should accept, `0x` and the digits of its binary form. */
export function validTransaction(random: Random, world: World): string {
  const signer = random.pick(world.signers);
  const count = random.oneIn(5) ? 3 : 1;
  const operations = Array.from({ length: count }, () => validOperation(random, signer, world));
  return toPrefixedHex(signed(signer, frameOf(random, world, operations), world));
}

/** Makes a transaction with invalid bytes, an invalid signature or invalid content. */
export function brokenTransaction(random: Random, world: World): string {
  const signer = random.pick(world.signers);
  const sound = random.oneIn(4)
    ? unsigned(frameOf(random, world, [testCallOf(random, world)]))
    : signed(signer, frameOf(random, world, [validOperation(random, signer, world)]), world);
  const position = random.below(sound.length);
  return toPrefixedHex(
    random.pick<() => Uint8Array>([
      () => sound.map((byte, index) => (index === position ? byte ^ (1 << random.below(8)) : byte)),
      () => sound.map((byte, index) => (index === position ? random.below(256) : byte)),
      () => sound.subarray(0, position),
      () => concatBytes(sound, random.bytes(1 + random.below(64))),
      () => concatBytes(sound.subarray(0, position), random.bytes(4), sound.subarray(position)),
      () => concatBytes(sound.subarray(0, position), sound.subarray(position + 1)),
      () => concatBytes(sound, sound),
      () => random.bytes(random.below(300)),
      () => new Uint8Array(random.below(300)).fill(0xff),
      () => signed(signer, misguided(random, signer, world), world),
      () => unsigned(frameOf(random, world, [testCallOf(random, world)])),
    ])(),
  );
}

function validOperation(random: Random, signer: Signer, world: World): Operation {
  const payer = accountId(signer.instance);
  return random.pickWeighted<() => Operation>([
    [4, () => transferOf(random, payer, world)],
    [1, () => registrationOf(random, signer)],
    [
      1,
      () => ({
        type: 'accountUpdate',
        fee: coreAmount(20n),
        account: payer,
        newOptions: optionsOf(random, payer),
      }),
    ],
    [3, () => contractCallOf(random, payer, world)],
    [1, () => creationOf(random, payer)],
  ])();
}

function transferOf(random: Random, from: AccountId, world: World): Of<'transfer'> {
  const to = accountId(random.pick(world.signers).instance);
  const amount = coreAmount(BigInt(random.below(1_000)));
  return { type: 'transfer', fee: coreAmount(20n), from, to, amount };
}

function registrationOf(random: Random, { instance, keys }: Signer): Of<'accountCreate'> {
  const registrar = accountId(instance);
  return {
    type: 'accountCreate',
    fee: coreAmount(100n),
    registrar,
    name: `fuzzed-${random.next()}-account`,
    active: { weightThreshold: 1, accountAuths: [], keyAuths: [[keys.publicKey, 1]] },
    echorandKey: keys.publicKey,
    ...(random.oneIn(2) ? { evmAddress: toAddress(random.bytes(20)) } : {}),
    options: optionsOf(random, registrar),
  };
}

function optionsOf(random: Random, delegatingAccount: AccountId): AccountOptions {
  return { delegatingAccount, delegateShare: random.below(10_001) };
}

function contractCallOf(random: Random, registrar: AccountId, world: World): Operation {
  const contract = random.pick(world.contracts);
  const code = callData(random, contract, world).slice(2);
  const [fee, value] = [coreAmount(300_000n), coreAmount(0n)];
  return { type: 'contractCall', fee, registrar, value, code, callee: contract.id };
}

function creationOf(random: Random, registrar: AccountId): Of<'contractCreate'> {
  const code = bytesToHex(random.bytes(random.below(64)));
  const [fee, value] = [coreAmount(200_000n), coreAmount(0n)];
  return { type: 'contractCreate', fee, registrar, value, code, ethAccuracy: false };
}

/** Makes an operation that only the node itself may create. */
function testCallOf(random: Random, world: World): Operation {
  const contract = random.pick(world.contracts);
  const data = Buffer.from(callData(random, contract, world).slice(2), 'hex');
  const [caller, to] = [random.pick(world.wallet.list()), toAddress(random.bytes(20))];
  const call = { caller, to, value: BigInt(random.below(1_000)), data, gas: 300_000n };
  if (random.oneIn(2)) return { type: 'testCall', ...call };
  return { type: 'testWeiCall', ...call, dust: BigInt(random.next()), isCharged: random.oneIn(2) };
}

/** Something that is signed as it should be, and that the rules do not allow. */
function misguided(random: Random, signer: Signer, world: World): Transaction {
  const payer = accountId(signer.instance);
  const transfer = transferOf(random, payer, world);
  const frame = frameOf(random, world, [transfer]);
  const withOperation = (operation: Operation): Transaction => ({ ...frame, operations: [operation] });
  return random.pick<() => Transaction>([
    () => ({ ...frame, expiration: random.pick([0, 1, frame.expiration - 1_000, 2 ** 32 - 1]) }),
    () => ({ ...frame, refBlockPrefix: random.next() }),
    () => ({ ...frame, refBlockNum: random.below(2 ** 16) }),
    () => ({ ...frame, operations: [] }),
    () => ({ ...frame, operations: Array.from({ length: 1_001 }, () => transfer) }),
    () => withOperation({ ...transfer, fee: coreAmount(BigInt(random.below(20))) }),
    () => withOperation({ ...transfer, fee: coreAmount(2n ** 63n - 1n) }),
    () => withOperation({ ...transfer, fee: { amount: 20n, assetId: assetId(1) } }),
    () => withOperation({ ...transferOf(random, accountId(0), world) }),
    () => withOperation({ ...registrationOf(random, signer), fee: coreAmount(99n) }),
    () => withOperation({ ...creationOf(random, payer), fee: coreAmount(2n ** 40n) }),
    () => withOperation(nonsenseCode(random, payer, world)),
    () => withOperation(testCallOf(random, world)),
    () => ({ ...frame, operations: [transfer, testCallOf(random, world)] }),
    () =>
      withOperation({
        type: 'contractInternalCreate',
        fee: coreAmount(0n),
        caller: contractId(0),
        newContract: contractId(9),
        value: coreAmount(1n),
        ethAccuracy: false,
      }),
    () =>
      withOperation({
        ...transfer,
        type: 'evmAddressRegister',
        owner: payer,
        evmAddress: toAddress(random.bytes(20)),
      }),
  ])();
}

/** Contract code or data in a form that the format lets through as text. */
function nonsenseCode(random: Random, registrar: AccountId, world: World): Operation {
  const code = random.pick(['0', 'zz', '0x60', 'FF', '💥', '\u0000', 'f'.repeat(100_000)]);
  const call = contractCallOf(random, registrar, world);
  return call.type === 'contractCall' ? { ...call, code } : call;
}

function frameOf(random: Random, { ledger }: World, operations: readonly Operation[]): Transaction {
  const head = ledger.blocks.head();
  return {
    refBlockNum: head.number & 0xffff,
    refBlockPrefix: referencePrefix(head.id),
    expiration: Math.min(head.header.timestamp + 1 + random.below(3_600), 2 ** 32 - 1),
    operations,
  };
}

function signed({ keys }: Signer, transaction: Transaction, { ledger }: World): Uint8Array {
  const signature = keys.sign(transactionDigest(ledger.parameters.chainId, transaction));
  return encode(signedTransactionCodec, {
    ...transaction,
    signatures: [signature],
    signedWithEchorandKey: false,
  });
}

function unsigned(transaction: Transaction): Uint8Array {
  return encode(signedTransactionCodec, { ...transaction, signatures: [], signedWithEchorandKey: false });
}
