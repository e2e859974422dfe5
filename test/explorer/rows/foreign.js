/** Checks that pages of other origins reach nothing: the browser or the node rejects them. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { holds, same } from '../../tools/harness/checks.js';
import { findChromium } from '../harness/chromium.js';
import { startNode } from '../harness/node.js';

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser, scratch }) {
  const { join } = await import('node:path');
  const { runProgram } = await import('../harness/node.js');
  const dataDir = join(scratch, 'foreign');
  await runProgram('init', '--data-dir', dataDir, '--block-interval', '0.5');
  const node = await startNode('--data-dir', dataDir, '--explorer');
  const { port } = new URL(node.url);
  const other = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>another page</title>');
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const place = other.address();
  if (place === null || typeof place === 'string') throw new Error('the server has no port');
  const elsewhere = `http://127.0.0.1:${place.port}/`;
  const context = await browser.newContext();
  const page = await context.newPage();
  const socket = `ws://127.0.0.1:${port}/`;
  try {
    await page.goto(elsewhere);
    await checks.check('a WebSocket of another origin', async () => {
      same(await page.evaluate(attempt, socket), 'refused', 'the socket');
    });
    await checks.check('a call of another origin', async () => {
      same(await page.evaluate(callFrom, node.url), 'refused', 'the call');
      // What needs no permission to be sent is refused by the node, which names the origin.
      same(await page.evaluate(simpleCallFrom, node.url), 'refused', 'the call');
    });
    await checks.check('a null origin: a frame without one', async () => {
      const outcome = await page.evaluate(inFrame, { socket, url: node.url });
      same(outcome, { socket: 'refused', call: 'refused' }, 'from the frame');
    });
    await checks.check('the page in a frame of another', async () => {
      const isShown = await page.evaluate(async (/** @type {string} */ url) => {
        const frame = document.createElement('iframe');
        frame.src = url;
        const loaded = new Promise((done) => frame.addEventListener('load', done));
        document.body.append(frame);
        await loaded;
        try {
          return frame.contentDocument !== null;
        } catch {
          return true;
        }
      }, node.url);
      const text = await page
        .frames()
        .at(-1)
        ?.locator('body')
        .innerText()
        .catch(() => '');
      holds(!isShown || !/ledgerd/.test(text ?? ''), `the frame shows: ${text}`);
    });
    await checks.check('the own page', async () => {
      await page.goto(node.url);
      same(await page.evaluate(attempt, socket), 'open', 'the socket');
    });
  } finally {
    await context.close();
    other.close();
  }
  await checks.check('a host that was rebound to this machine', async () => {
    const { startBrowser } = await import('../harness/browser.js');
    const rebound = await startBrowser(findChromium(''), [
      '--host-resolver-rules=MAP rebound.example 127.0.0.1',
    ]);
    try {
      const { page: victim } = { page: await rebound.newPage() };
      const response = await victim.goto(`http://rebound.example:${port}/`);
      same(response?.status(), 403, 'the status');
      holds(!(await victim.content()).includes('<script'), 'the page is there');
      same(await victim.evaluate(attempt, `ws://rebound.example:${port}/`), 'refused', 'the socket');
      const body = await victim.evaluate(
        async () =>
          (await fetch('/', { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}' }))
            .status,
      );
      same(body, 403, 'the status of a call');
    } finally {
      await rebound.close();
    }
  });
  await node.stop();
}

/** Opens a WebSocket; resolves to the outcome. */
function attempt(/** @type {string} */ url) {
  return new Promise((done) => {
    try {
      const socket = new WebSocket(url);
      socket.addEventListener('open', () => done('open'));
      socket.addEventListener('error', () => done('refused'));
    } catch {
      done('refused');
    }
  });
}

/** Calls as the page of a dapp does, with a preflight request. */
function callFrom(/** @type {string} */ url) {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
    // The error is readable: it names the flag that allows the page.
    (response) => (response.status === 403 ? 'refused' : 'answered'),
    () => 'refused',
  );
}

/** Sends a request without a preflight, such as that of a form; resolves to the outcome. */
function simpleCallFrom(/** @type {string} */ url) {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
  return fetch(url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body }).then(
    (response) => (response.status === 403 ? 'refused' : 'answered'),
    () => 'refused',
  );
}

/** Does the same from a frame with a null origin. */
function inFrame(/** @type {{ socket: string, url: string }} */ { socket, url }) {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
  const script = `
    const socket = new Promise((done) => {
      const opened = new WebSocket(${JSON.stringify(socket)});
      opened.onopen = () => done('open');
      opened.onerror = () => done('refused');
    });
    const call = fetch(${JSON.stringify(url)}, { method: 'POST', body: ${JSON.stringify(body)} })
      .then((response) => (response.status === 403 ? 'refused' : 'answered'), () => 'refused');
    Promise.all([socket, call]).then(([socket, call]) => parent.postMessage({ socket, call }, '*'));`;
  return new Promise((done) => {
    addEventListener('message', ({ data }) => done(data), { once: true });
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.srcdoc = `<script>${script}</script>`;
    document.body.append(frame);
  });
}
