import type { TraceListener } from '../engine/tracing.ts';

/** Combines several listeners. */
export function combineListeners(listeners: readonly TraceListener[]): TraceListener {
  const [first] = listeners;
  if (listeners.length === 1 && first !== undefined) return first;
  const stepListeners = listeners.filter(({ step }) => step !== undefined);
  return {
    enter: (call) => {
      for (const listener of listeners) listener.enter?.(call);
    },
    leave: (call) => {
      for (const listener of listeners) listener.leave?.(call);
    },
    log: (log, index) => {
      for (const listener of listeners) listener.log?.(log, index);
    },
    selfDestruct: (event) => {
      for (const listener of listeners) listener.selfDestruct?.(event);
    },
    ...(stepListeners.length === 0
      ? {}
      : {
          step: (frame) => {
            for (const listener of stepListeners) listener.step?.(frame);
          },
        }),
  };
}
