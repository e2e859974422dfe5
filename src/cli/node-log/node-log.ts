import type { NodeDescription, NodeEvents, TestNodeDescription } from '../../node/index.ts';

/** Tells the operator of a node what it does. Nothing secret goes into it, save for the keys of test mode. */
export interface NodeLog {
  /** What the node itself tells while it runs. */
  readonly events: NodeEvents;
  started(description: NodeDescription | TestNodeDescription): void;
  /** The node was asked to stop. */
  stopping(): void;
  stopped(): void;
}
