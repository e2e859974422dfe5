import {
  arrayShape,
  describedShape,
  nullableShape,
  objectShape,
  type Shape,
  textShape,
} from '../../../view/index.ts';
import { ResponseBody } from '../../json/response-body.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';

const entryShape: Shape<object> = { describe: () => ({ type: 'object' }) };

const artifactShape = objectShape({
  name: textShape,
  abi: arrayShape(entryShape),
  source: describedShape(
    nullableShape(
      objectShape({
        path: textShape,
        text: describedShape(nullableShape(textShape), 'Null where only the path is known.'),
      }),
    ),
    'Where the contract was compiled from.',
  ),
});

export const getArtifact = defineMethod({
  name: 'ledger_getArtifact',
  summary:
    'Answers what the node was told of the contract at an address, by `--artifacts`, `ledger_addArtifact` or ' +
    '`hardhat_addCompilationResult`; null where it knows nothing.',
  section: 'state',
  work: 'turn',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: nullableShape(artifactShape),
  differences: 'Ethereum has no such method; nodes that are not in test mode know no artifacts.',
  handler: ({ artifacts, ledger }, [address]) => {
    const found = artifacts?.contractAt(address, ledger.codeAt(address));
    if (found === undefined) return null;
    const { name, path, abiText, sourceText } = found;
    const source = path === undefined ? null : { path, text: sourceText() ?? null };
    return new ResponseBody<{ name: string; abi: readonly object[]; source: typeof source }>(
      `{"name":${JSON.stringify(name)},"abi":${abiText},"source":${JSON.stringify(source)}}`,
    );
  },
});
