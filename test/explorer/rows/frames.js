/**
 * Measures the page with 20 blocks a second: `--frames`, in a separate run, since it measures the machine as
 * well.
 *
 * The goals concern the page: no task of its main thread over 50 ms (the Long Tasks API), and no long
 * animation frame in which its scripts took that long. The times between two frames, which a loaded machine
 * stretches, are only printed.
 */

import { holds } from '../../tools/harness/checks.js';
import { openPage, show } from '../harness/browser.js';
import { startNode } from '../harness/node.js';

const BLOCKS_PER_SECOND = 20;
const WARM_UP_MS = 3_000;
const LONG_MS = 50;

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser, seconds }) {
  const node = await startNode();
  const [from, ...others] = await node.call('eth_accounts');
  let [isOver, made] = [false, 0];
  const load = (async () => {
    const began = performance.now();
    while (!isOver) {
      await node.call('eth_sendTransaction', { from, to: others[made % others.length], value: '0x1' });
      made += 1;
      const ahead = began + (made / BLOCKS_PER_SECOND) * 1_000 - performance.now();
      if (ahead > 0) await new Promise((done) => setTimeout(done, ahead));
    }
    return (made / (performance.now() - began)) * 1_000;
  })();
  const { page, close } = await openPage(browser, node.url);
  await checks.check(`no long work in ${seconds} s with ${BLOCKS_PER_SECOND} blocks a second`, async () => {
    await show(page, node.url, '');
    await page.waitForTimeout(WARM_UP_MS);
    await page.evaluate(watchFrames);
    await page.waitForTimeout(seconds * 1_000);
    // @ts-expect-error what `watchFrames` keeps
    const { gaps, tasks, scripts } = await page.evaluate(() => window.frames50);
    isOver = true;
    const rate = await load;
    gaps.sort((/** @type {number} */ left, /** @type {number} */ right) => left - right);
    const at = (/** @type {number} */ share) => gaps[Math.floor(gaps.length * share)]?.toFixed(1);
    process.stdout.write(
      [
        `${rate.toFixed(1)} blocks a second, ${gaps.length} frames`,
        `ms between frames: median ${at(0.5)}, p99 ${at(0.99)}, longest ${gaps.at(-1)?.toFixed(1)}`,
        `tasks over ${LONG_MS} ms: ${JSON.stringify(tasks)}`,
        `scripts in long frames, ms: ${JSON.stringify(scripts)}\n`,
      ].join('\n'),
    );
    holds(rate > BLOCKS_PER_SECOND * 0.9, `the node made only ${rate.toFixed(1)} blocks a second`);
    holds(tasks.length === 0, `there were ${tasks.length} long tasks: ${tasks.join(', ')} ms`);
    holds(!scripts.some((/** @type {number} */ ms) => ms > LONG_MS), `scripts took ${scripts.join(', ')} ms`);
  });
  isOver = true;
  await load;
  await close();
  await node.stop();
}

/** Notes, from now on, times between frames, long tasks, and what scripts took in long frames. */
function watchFrames() {
  const found = {
    gaps: /** @type {number[]} */ ([]),
    tasks: /** @type {number[]} */ ([]),
    scripts: /** @type {number[]} */ ([]),
  };
  Object.assign(window, { frames50: found });
  let last = performance.now();
  const frame = (/** @type {number} */ now) => {
    found.gaps.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) found.tasks.push(Math.round(duration));
  }).observe({ type: 'longtask' });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { scripts = [] } = /** @type {any} */ (entry);
      found.scripts.push(
        Math.round(
          scripts.reduce((/** @type {number} */ sum, /** @type {any} */ { duration }) => sum + duration, 0),
        ),
      );
    }
  }).observe({ type: 'long-animation-frame' });
}
