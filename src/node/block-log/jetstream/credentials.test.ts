import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { Credentials } from './credentials.testing.ts';
import { openJetStream } from './jetstream.ts';
import type { JetStreamSettings } from './log-address.ts';
import { blocksOf, chainIdentity } from './log-chain.testing.ts';
import { NATS_SERVER, NatsServers } from './nats-servers.testing.ts';
import { namesOf } from './stream.ts';
import { testWithServer } from './with-server.testing.ts';

const WAIT_MS = 300_000;
const HOUR = 3_600;

const credentials = new Credentials();
let servers: NatsServers;

beforeAll(async () => {
  if (NATS_SERVER === undefined) return;
  servers = await NatsServers.start({ lines: credentials.configuration() });
}, WAIT_MS);
afterAll(() => servers?.stop());

/** Settings with a file of credentials of these words. */
function withFile(words: string): JetStreamSettings {
  const credentialsFile = join(servers.folder, 'user.creds');
  writeFileSync(credentialsFile, words);
  return servers.settings({ credentialsFile });
}

async function refusal(settings: JetStreamSettings, name: string): Promise<string> {
  return openJetStream(settings, chainIdentity(name), true).then(
    async ({ log }) => {
      await log.close();
      return 'it opens';
    },
    (error: Error) => error.message,
  );
}

testWithServer(
  'behavior: a user of theirs makes a log, appends and reads',
  { timeout: WAIT_MS },
  async () => {
    const chain = chainIdentity('credentials');
    const { log } = await openJetStream(withFile(credentials.user()), chain, true);
    const [first] = blocksOf(chain, 1);
    if (first === undefined) throw new RangeError('there is a block');
    expect(await log.append(first.number, first.parent, first.bytes)).toBe('appended');
    const stop = new AbortController();
    for await (const bytes of log.read(1, stop.signal)) {
      expect(Buffer.compare(bytes, first.bytes)).toBe(0);
      stop.abort();
    }
    await log.close();
  },
);

testWithServer('behavior: with the rights that are said to be enough', { timeout: WAIT_MS }, async () => {
  const allow = ['ledgerd.>', '$JS.API.>', '_INBOX.>'];
  const user = credentials.user({ pub: { allow }, sub: { allow } });
  expect(await refusal(withFile(user), 'enough')).toBe('it opens');
});

testWithServer.each<[string, () => string, RegExp]>([
  [
    'of another operator',
    () => new Credentials().user(),
    /Authorization Violation.*credentials of --block-log-credentials/,
  ],
  [
    'that have ended',
    () => credentials.user({}, { exp: Math.floor(Date.now() / 1_000) - HOUR }),
    /(Authorization Violation|expired).*credentials of --block-log-credentials/i,
  ],
  ['that are none', () => 'no credentials', /--block-log-credentials: .*has no NATS credentials/],
  [
    'whose key is another one',
    () => credentials.user().replace(/^SU\w+$/m, /^SU\w+$/m.exec(credentials.user())?.[0] ?? ''),
    /Authorization Violation.*credentials of --block-log-credentials/,
  ],
])('error: credentials %s', { timeout: WAIT_MS }, async (_title, words, message) => {
  const said = await refusal(withFile(words()), 'refused');
  expect(said).toMatch(message);
  expect(said).not.toMatch(/SU\w{20}/);
});

testWithServer('error: no credentials at all', { timeout: WAIT_MS }, async () => {
  expect(await refusal(servers.settings(), 'without')).toMatch(
    /Authorization Violation.*give --block-log-credentials/,
  );
});

testWithServer('error: a user that may not publish what a node does', { timeout: WAIT_MS }, async () => {
  const { stream } = namesOf(chainIdentity('rights'));
  const user = credentials.user({ pub: { deny: [`$JS.API.STREAM.*.${stream}`] } });
  expect(await refusal(withFile(user), 'rights')).toMatch(/[Pp]ermissions [Vv]iolation/);
});
