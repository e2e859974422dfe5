import { shape } from '../../formatters/index.ts';
import type { RegistrationService } from '../../ledger/index.ts';
import { accountAddress, blockHashOf, quantity, toPrefixedHex } from '../../protocol/index.ts';
import type { NodeDependencies } from '../context/node-dependencies.ts';
import { ERRORS } from '../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../method.ts';
import { textOrNullSchema, textSchema, uint64Schema } from '../parameters/plain.ts';
import { addressSchema } from '../parameters/schema.ts';
import { RequestFailedError } from '../rpc-errors.ts';

/** Returns the registration service. @throws RequestFailedError on a node without the registrar's key */
function requireRegistration({ registration }: NodeDependencies): RegistrationService {
  if (registration !== undefined) return registration;
  throw new RequestFailedError('this node does not hold the key of the registrar: it registers no accounts');
}

const checkRegistration = defineMethod({
  name: 'ledger_checkRegistration',
  summary:
    'Checks that the name and the EVM address of an account are free, before the client solves a task.',
  section: 'registration',
  parameters: [
    { name: 'name', schema: textSchema, summary: 'Name of the account.' },
    { name: 'evm_address', schema: textOrNullSchema, summary: 'EVM address of the account, or null.' },
  ],
  beforeFork: 'local',
  result: shape.constant(true),
  errors: [
    ERRORS.noRegistrarKey,
    ERRORS.invalidName,
    ERRORS.nameTaken,
    ERRORS.invalidEvmAddress,
    ERRORS.evmAddressTaken,
  ],
  differences:
    'Ethereum has no accounts to register. Nothing is reserved: a name may be taken before the solution arrives.',
  example: { parameters: ['alice', null], result: true },
  handler: (context, [name, evmAddress]): true => {
    requireRegistration(context).check(name, evmAddress);
    return true;
  },
});

/** Registration task: docs/interface.md#registration. */
const registrationTaskShape = shape.named(
  'RegistrationTask',
  { title: 'Registration task' },
  shape.object({
    blockId: shape.hash,
    randNum: shape.quantity,
    difficulty: shape.quantity,
  }),
);

const requestRegistrationTask = defineMethod({
  name: 'ledger_requestRegistrationTask',
  summary: 'Returns a proof-of-work task, whose solution registers one account within 120 s.',
  section: 'registration',
  beforeFork: 'local',
  result: registrationTaskShape,
  errors: [ERRORS.noRegistrarKey],
  differences:
    'Ethereum has no accounts to register. A solution is a nonce for which SHA-256 of the rightmost 20 bytes of ' +
    'blockId, randNum and nonce (each 8 bytes, little endian) begins with `difficulty` zero bits.',
  example: {
    parameters: [],
    result: {
      blockId: '0x000000000000000000000000000000003ba4d0c0f2d5d4e2b2f0ec1ad4ac4d2b',
      randNum: '0x7f3a9c5e1b2d4f60',
      difficulty: '0x8',
    },
  },
  handler: (context) => {
    const { blockId, randNum, difficulty } = requireRegistration(context).requestTask();
    return {
      blockId: toPrefixedHex(blockHashOf(blockId)),
      randNum: quantity(randNum),
      difficulty: quantity(difficulty),
    };
  },
});

const submitRegistrationSolution = defineMethod({
  name: 'ledger_submitRegistrationSolution',
  summary:
    'Registers an account for the solution of a task and returns its address once a block includes it.',
  section: 'registration',
  scheduling: 'send',
  parameters: [
    { name: 'name', schema: textSchema, summary: 'Name of the account.' },
    {
      name: 'activeKey',
      schema: textSchema,
      summary: 'Public key of the active authority, ECHO and base58.',
    },
    { name: 'echorandKey', schema: textSchema, summary: 'Consensus key, ECHO and base58.' },
    { name: 'evm_address', schema: textOrNullSchema, summary: 'EVM address of the account, or null.' },
    { name: 'nonce', schema: uint64Schema, summary: 'The solution of the task.' },
    { name: 'randNum', schema: uint64Schema, summary: 'The randNum of the task.' },
  ],
  beforeFork: 'local',
  result: shape.address,
  errors: [
    ERRORS.noRegistrarKey,
    ERRORS.unknownTask,
    ERRORS.tooManyRegistrations,
    ERRORS.wrongNonce,
    ERRORS.invalidName,
    ERRORS.nameTaken,
    ERRORS.invalidKey,
    ERRORS.invalidEvmAddress,
    ERRORS.evmAddressTaken,
    ERRORS.takesNoTransactions,
    ERRORS.writesPaused,
    ERRORS.registrationDropped,
    ERRORS.noBlock,
  ],
  differences:
    'Ethereum has no accounts to register. The registrar of the chain pays; a refused solution does not use up the ' +
    'task. If no block includes it within 30 s, the call fails and the registration stays pending.',
  handler: async (context, [name, activeKey, echorandKey, evmAddress, nonce, randNum]) => {
    const solution = { name, activeKey, echorandKey, evmAddress, nonce, randNum };
    return toPrefixedHex(await requireRegistration(context).submit(solution));
  },
});

const getAddressReference = defineMethod({
  name: 'ledger_getAddressReference',
  summary: 'Returns the native address of the account that an EVM address is registered for; null for none.',
  section: 'registration',
  parameters: [{ name: 'evm_address', schema: addressSchema }],
  beforeFork: 'local',
  result: shape.nullable(shape.address),
  differences: 'An Ethereum address refers to an account, which has a different native address.',
  handler: ({ ledger }, [evmAddress]) => {
    const account = ledger.accounts.accountByEvmAddress(evmAddress);
    return account === undefined ? null : toPrefixedHex(accountAddress(account));
  },
});

/** The methods by which clients register accounts. */
export const REGISTRATION_METHODS: readonly MethodDefinition[] = [
  checkRegistration,
  requestRegistrationTask,
  submitRegistrationSolution,
  getAddressReference,
];
