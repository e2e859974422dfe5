import {
  ArtifactError,
  findParts,
  JsonValue,
  plainVersion,
  readIdentifier,
  readStandardInput,
  STANDARD_INPUT,
  type StandardInput,
  type VerificationRequest,
  type VerifiedContract,
} from '../../contracts/index.ts';
import { recordOf } from '../../json/record.ts';
import { LimitError } from '../../rpc/index.ts';
import type { Handler, HttpRequest, HttpResponse } from '../http-response.ts';
import { checksummed, standardJsonOf } from './contract-fields.ts';
import { type FormFields, isForm, MULTIPART_TYPE, readForm, readMultipart } from './request-body.ts';
import { json, type VerificationParts } from './sourcify.ts';

/** Addresses of a request for the creators of contracts. */
const CREATIONS_MAX = 5;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const SINGLE_FILE = 'solidity-single-file';
/** Texts that tools compare. */
const NOT_VERIFIED = 'Contract source code not verified';
const ALREADY_VERIFIED = 'Contract source code already verified';

type Action = (
  fields: FormFields,
  request: HttpRequest,
  parts: VerificationParts,
) => Promise<HttpResponse> | HttpResponse;

const ACTIONS: Readonly<Record<string, Action>> = {
  verifysourcecode: verifySourceCode,
  checkverifystatus: checkStatus,
  getabi: async (fields, _request, { contracts }) => {
    const verified = await contracts.contract(addressIn(fields, 'address') ?? '');
    return verified === undefined ? refused(NOT_VERIFIED) : accepted(verified.artifact.abiText);
  },
  getsourcecode: async (fields, _request, { contracts }) => {
    return accepted([sourceCodeOf(await contracts.contract(addressIn(fields, 'address') ?? ''))]);
  },
  getcontractcreation: contractCreations,
};

/** Returns the handler of Etherscan's interface, for the actions of its module `contract`. */
export function etherscanHandler(parts: VerificationParts): Handler {
  return async (request) => {
    const { connection } = request;
    connection.state = 'working';
    try {
      const fields = await fieldsOf(request, parts);
      if (fields === undefined) return { status: 204 };
      const chainId = textIn(fields, 'chainid');
      if (chainId !== undefined && chainId !== parts.chainId()) {
        return refused(
          `Missing or unsupported chainid parameter: the chain of this node is ${parts.chainId()}`,
        );
      }
      const name = textIn(fields, 'action') ?? '';
      const action =
        textIn(fields, 'module') === 'contract' && Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
      if (action === undefined) return refused('Error! Missing Or invalid Action name');
      return await action(fields, request, parts);
    } catch (error) {
      if (error instanceof LimitError) return refused(`Max rate limit reached: ${error.message}`);
      if (error instanceof ArtifactError || error instanceof TypeError)
        return refused(`Invalid request: ${error.message}`);
      throw error;
    }
  };
}

/** Returns the fields of a request, of its query and of its form. */
async function fieldsOf(
  request: HttpRequest,
  { bodies }: VerificationParts,
): Promise<FormFields | undefined> {
  const query = [...new URLSearchParams(request.query)].map(
    ([name, value]) => [name, Buffer.from(value)] as const,
  );
  const type = request.headers['content-type'] ?? '';
  if (!isForm(request.headers)) {
    const refusal = request.connection.admit?.();
    if (refusal !== undefined) throw refusal;
    return new Map(query);
  }
  const form = type.startsWith(MULTIPART_TYPE)
    ? await readMultipart(request.body, type)
    : await bodies.read(request, readForm);
  return form && new Map([...query, ...form]);
}

async function verifySourceCode(
  fields: FormFields,
  request: HttpRequest,
  { contracts, bodies, reader }: VerificationParts,
): Promise<HttpResponse> {
  const address = addressIn(fields, 'contractaddress');
  if (address === undefined) return refused('Missing or invalid contractaddress');
  if ((await reader.codeAt(address)).length === 0)
    return refused(`Unable to locate ContractCode at ${address}`);
  const known = await contracts.contract(address);
  if (known?.runtime === 'exact_match' || known?.creation === 'exact_match') return refused(ALREADY_VERIFIED);
  const source = fields.get('sourceCode') ?? Buffer.alloc(0);
  const format = textIn(fields, 'codeformat') ?? SINGLE_FILE;
  const name = textIn(fields, 'contractname') ?? '';
  const read = await bodies.read({ ...request, body: source }, (bytes) => readSource(bytes, format, name));
  if (read === undefined) return { status: 204 };
  const given = textIn(fields, 'constructorArguments') || textIn(fields, 'constructorArguements');
  const submitted: VerificationRequest = {
    address,
    input: read,
    contract: readIdentifier(name),
    compilerVersion: plainVersion(textIn(fields, 'compilerversion') ?? ''),
    constructorArguments: given?.replace(/^0x/, ''),
    size: source.length,
  };
  const job = contracts.submit(submitted);
  if (job === 'duplicate') return refused('Pending in queue');
  if (job === 'full') return refused('Max rate limit reached: too many contracts wait to be verified');
  return accepted(job.id);
}

/** Reads the sources of a request. @throws ArtifactError */
function* readSource(source: Buffer, format: string, name: string): Generator<void, StandardInput> {
  if (format === SINGLE_FILE) {
    const path = readIdentifier(name).path || `${name}.sol`;
    return { language: 'Solidity', sources: new Map([[path, source.toString()]]), settings: {} };
  }
  // Some tools send the braces twice.
  const text =
    source.toString('latin1', 0, 2) === '{{' ? source.subarray(1, source.lastIndexOf('}')) : source;
  const part = yield* findParts(text, STANDARD_INPUT);
  return yield* readStandardInput(new JsonValue(({ start, end }) => text.toString('utf8', start, end), part));
}

async function checkStatus(
  fields: FormFields,
  _request: HttpRequest,
  { contracts }: VerificationParts,
): Promise<HttpResponse> {
  const job = await contracts.job(textIn(fields, 'guid') ?? '');
  if (job === undefined) return refused('Unknown UID');
  if (job.finishedAt === undefined) return refused('Pending in queue');
  return job.verified === undefined ? refused('Fail - Unable to verify') : accepted('Pass - Verified');
}

async function contractCreations(
  fields: FormFields,
  _request: HttpRequest,
  { reader }: VerificationParts,
): Promise<HttpResponse> {
  const addresses = (textIn(fields, 'contractaddresses') ?? '').toLowerCase().split(',');
  if (addresses.length > CREATIONS_MAX || !addresses.every((address) => ADDRESS.test(address))) {
    return refused(`Error! Give 1 to ${CREATIONS_MAX} addresses`);
  }
  const found: object[] = [];
  for (const address of addresses) {
    const { creation } = await reader.contractAt(address);
    if (creation === undefined) continue;
    found.push({
      contractAddress: address,
      contractCreator: creation.deployer,
      txHash: creation.transactionHash,
      blockNumber: String(creation.blockNumber),
    });
  }
  return found.length === 0 ? refused('No data found') : accepted(found);
}

/** Returns the object of a contract in Etherscan's interface; empty texts for an unverified one. */
function sourceCodeOf(verified: VerifiedContract | undefined): object {
  const optimizer = verified && settingsOf(verified).optimizer;
  const { enabled, runs } = recordOf(optimizer);
  return {
    SourceCode: verified === undefined ? '' : `{${JSON.stringify(standardJsonOf(verified.input))}}`,
    ABI: verified === undefined ? NOT_VERIFIED : verified.artifact.abiText,
    ContractName: verified?.identifier.name ?? '',
    CompilerVersion: verified === undefined ? '' : `v${verified.compilerVersion}`,
    OptimizationUsed: verified === undefined ? '' : enabled === true ? '1' : '0',
    Runs: verified === undefined ? '' : String(runs ?? 200),
    ConstructorArguments: verified?.constructorArguments ?? '',
    EVMVersion: verified === undefined ? 'Default' : String(settingsOf(verified).evmVersion ?? 'Default'),
    Library: Object.entries(verified?.values.libraries ?? {})
      .map(([name, address]) => `${name}:${checksummed(address)}`)
      .join(';'),
    LicenseType: '',
    Proxy: '0',
    Implementation: '',
    SwarmSource: '',
  };
}

function settingsOf({ input }: VerifiedContract): Readonly<Record<string, unknown>> {
  return recordOf(input.settings);
}

function textIn(fields: FormFields, name: string): string | undefined {
  return fields.get(name)?.toString();
}

/** Returns an address in lower case; undefined for another text. */
function addressIn(fields: FormFields, name: string): string | undefined {
  const text = textIn(fields, name);
  return text !== undefined && ADDRESS.test(text) ? text.toLowerCase() : undefined;
}

function accepted(result: unknown): HttpResponse {
  return json(200, { status: '1', message: 'OK', result });
}

function refused(result: string): HttpResponse {
  return json(200, { status: '0', message: 'NOTOK', result });
}
