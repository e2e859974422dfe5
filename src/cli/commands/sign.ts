import type { Command } from 'commander';
import { type Choose, listOption, STANDARD_STREAM, valueOption } from '../command.ts';
import { UsageError } from '../errors.ts';
import { runSign, type SignRequest } from '../sign/sign.ts';
import { flagParser, nodeUrl, path, type ValueType } from '../values.ts';

interface SignFlags {
  readonly keyFile: readonly string[];
  readonly url?: URL;
  readonly chainId?: string;
  readonly referenceBlock?: string;
  readonly expiration?: string;
  readonly send?: true;
}

function hexText(expected: string, form: RegExp): ValueType<string> {
  return { expected, read: (text) => (form.test(text) ? text : undefined) };
}

const chainId = hexText('64 hexadecimal digits, with or without 0x', /^(0x)?[0-9a-f]{64}$/i);
const block = hexText('the hash of a block or its id of 20 bytes', /^(0x)?([0-9a-f]{64}|[0-9a-f]{40})$/i);
const time = hexText('a time such as 2030-01-31T12:00:00, in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);

/** Declares `ledgerd sign`. */
export function addSignCommand(program: Command, choose: Choose): void {
  program
    .command('sign')
    .description('Sign a native transaction, and print it as eth_sendRawTransaction takes it.')
    .argument('<file>', 'JSON of the transaction; - for the standard input', flagParser('<file>', path))
    .addOption(listOption('--key-file <file>', 'file of a private key, repeatable', path))
    .addOption(valueOption('--url <url>', 'where a node listens that says what is not given', nodeUrl))
    .addOption(valueOption('--chain-id <id>', "native chain id (default: the node's)", chainId))
    .addOption(valueOption('--reference-block <hash>', "recent block (default: the node's newest)", block))
    .addOption(
      valueOption('--expiration <time>', 'when it is void (default: 10 minutes after the block)', time),
    )
    .option('--send', 'send it to the node, and print its hash instead')
    .action((file: string, flags: SignFlags) => {
      const request = requestOf(file, flags);
      choose('cannot sign', (environment) => runSign(request, environment));
    });
}

/** Makes a request of the flags. @throws UsageError for flags that are missing or contradict each other */
function requestOf(file: string, flags: SignFlags): SignRequest {
  const { keyFile, url, send = false } = flags;
  if (keyFile.length === 0) throw new UsageError('--key-file: name the file of a key');
  if (send && url === undefined) throw new UsageError('--send: name the node by --url');
  return {
    file: file === STANDARD_STREAM ? undefined : file,
    keyFiles: keyFile,
    url,
    chainId: flags.chainId,
    referenceBlock: flags.referenceBlock,
    expiration: flags.expiration,
    send,
  };
}
