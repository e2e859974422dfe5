import { startTestNode, type TestNodeConfiguration } from '../node/index.ts';
import { banner } from './banner.ts';
import type { Environment } from './environment.ts';
import { blockLine, droppedLine, failureLine, internalFailureLine } from './log.ts';

/**
 * Runs a node until it is asked to stop.
 *
 * @param quiet whether to print nothing but errors
 * @throws what the start of the node throws
 */
export async function runStart(
  configuration: TestNodeConfiguration,
  quiet: boolean,
  environment: Environment,
): Promise<void> {
  const { paint } = environment;
  const print = quiet ? () => undefined : environment.print;
  // Listens first: a signal during the start stops the node as soon as it stands.
  const stopRequested = environment.stopRequested();
  const node = await startTestNode(configuration, {
    onBlock: (block) => print(blockLine(block, paint)),
    onDropped: (dropped) => print(droppedLine(dropped, paint)),
    ...(quiet ? {} : { onFailedCall: (method, message) => print(failureLine(method, message, paint)) }),
    onInternalFailure: (task, error) => environment.printError(internalFailureLine(task, error)),
  });
  print(banner(node.description, paint));
  await stopRequested;
  print('\nstopping\n');
  await node.close();
}
