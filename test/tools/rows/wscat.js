/** wscat, a command-line client of WebSockets. */

import { holds, same } from '../harness/checks.js';
import { start } from '../harness/processes.js';
import { SUITE } from '../harness/row.js';

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'wscat', packages: ['wscat'], run };

const PROGRAM = `${SUITE}node_modules/wscat/bin/wscat`;
const SUBSCRIBE = '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}';
/** Polling interval of its output. */
const LOOK_MS = 20;

/** @type {import('../harness/row.js').Run} */
async function run(checks, target) {
  const { host } = new URL(target.webSocketUrl);
  const paths = target.name === 'anvil' ? ['/'] : ['/', '/ws', '/ethereum', '/ethereum/ws'];
  for (const path of paths) {
    await checks.check(`subscribes at ${path} and sees a head`, async () => {
      const { program, lines } = listen(`ws://${host}${path}`);
      try {
        const subscription = await lines(({ id }) => id === 1);
        holds(/^0x[0-9a-f]+$/.test(subscription.result), 'the answer has an id');
        const head = Number(await target.endpoint.call('eth_blockNumber')) + 1;
        await target.endpoint.call('evm_mine');
        const notification = await lines(
          ({ method, params }) => method === 'eth_subscription' && Number(params.result.number) === head,
        );
        same(notification.params.subscription, subscription.result, 'subscription');
      } finally {
        await program.stop();
      }
    });
  }
}

/**
 * Connects, subscribes and waits; `lines` returns the first relevant line of the output.
 *
 * @param {string} url
 */
function listen(url) {
  const words = [PROGRAM, '--connect', url, '--execute', SUBSCRIBE, '--wait', '-1'];
  // It ends when nobody can type any more.
  const program = start(process.execPath, words, { isInputOpen: true });
  /** @param {(message: any) => boolean} isMeant */
  const lines = async (isMeant) => {
    for (;;) {
      const found = messagesOf(program.outputs.stdout).find(isMeant);
      if (found !== undefined) return found;
      if (program.child.exitCode !== null) {
        throw new Error(`it ended: ${program.outputs.stdout}${program.outputs.stderr}`);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  return { program, lines };
}

/**
 * Returns the messages in the complete lines of the output.
 *
 * @param {string} text
 * @returns {any[]}
 */
function messagesOf(text) {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice(Math.max(0, line.indexOf('{'))))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}
