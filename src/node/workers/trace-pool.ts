import { Readable } from 'node:stream';
import type { BlockTiming } from '../../ledger/index.ts';
import {
  TRACE_CHECK_MS,
  TRACE_IDLE_MS,
  TRACE_PAUSE_BEFORE_OTHERS_MS_MAX,
  TRACE_PAUSE_MS_MAX,
  TRACE_PIECES_AHEAD_MAX,
  WORKER_SILENCE_MS_MAX,
} from '../../limits.ts';
import { invariant } from '../../protocol/index.ts';
import {
  ResponseBody,
  type TraceAsking,
  type TraceTask,
  type TraceWorkers,
  type WorkerAnswer,
  WorkerLostError,
} from '../../rpc/index.ts';
import { type WorkerMessage, writeQuestion } from './frames.ts';
import type { WorkerOrder } from './order.ts';
import { TraceProcess } from './trace-process.ts';

/** How many processes make traces, and what they have to know of the node to see the chain that it has. */
export interface TracePoolOptions {
  /** Processes at a time. */
  readonly most: number;
  readonly order: WorkerOrder;
  /** Writes what of the chain is not in the file yet. Throws where there is no room for that. */
  settle(): void;
  /** Of the blocks of the node's ledger. */
  timing(): BlockTiming;
  /** Of the node's ledger. */
  epoch(): number;
  /** Told when a process has ended that was not to. */
  onLost(processId: number | undefined, reason: string): void;
}

/** A trace that a process makes. */
interface Making {
  readonly asking: TraceAsking;
  /** What comes of it while it is sent. */
  rest: Readable | undefined;
  answered(answer: WorkerAnswer | ResponseBody): void;
  ended(outcome: WorkerAnswer | WorkerLostError): void;
}

/** A process, and what it does. */
interface Maker {
  readonly process: TraceProcess;
  making: Making | undefined;
  isPaused: boolean;
  /** Milliseconds since it last told something, or was last read. */
  silentMs: number;
  /** Milliseconds for which its trace has waited for its client. */
  pausedMs: number;
}

/** Reason for the end of a trace that nobody waits for. */
const GONE = 'its client is gone';
/** Every question is the only one of its process. */
const QUESTION = 1;

/**
 * The processes that make the traces of a node: started when there is something to trace, ended when there is nothing
 * for a while. A process is ended with what it makes when nobody waits for that any more, when it says nothing for
 * longer than a trace can take, and when its client does not take what it makes. A trace reads the chain as it was when
 * its process began with it, so that blocks that are reverted meanwhile do not end it.
 */
export class TracePool implements TraceWorkers {
  readonly #options: TracePoolOptions;
  readonly #makers = new Set<Maker>();
  readonly #ends = new Set<Promise<void>>();
  #check: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(options: TracePoolOptions) {
    this.#options = options;
  }

  hasRoom(): boolean {
    if (this.#isClosing) return false;
    return this.#makers.size < this.#options.most || this.#idle() !== undefined;
  }

  ask(asking: TraceAsking): TraceTask {
    this.#options.settle();
    const maker = this.#idle() ?? this.#start();
    let making: Making | undefined;
    const ended = new Promise<WorkerAnswer | WorkerLostError>((resolveEnded) => {
      making = { asking, rest: undefined, answered: () => undefined, ended: resolveEnded };
    });
    invariant(making !== undefined, 'a promise runs what it is made with');
    const begun: Making = making;
    const answer = new Promise<WorkerAnswer | ResponseBody>((resolve, reject) => {
      begun.answered = resolve;
      // What is answered by then stays so.
      void ended.then((outcome) => outcome instanceof WorkerLostError && reject(outcome));
    });
    this.#begin(maker, begun);
    return { answer, ended };
  }

  /** Ends the processes. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const maker of [...this.#makers]) this.#giveUp(maker, 'the node stops');
    await Promise.all(this.#ends);
  }

  #idle(): Maker | undefined {
    for (const maker of this.#makers) if (maker.making === undefined) return maker;
    return undefined;
  }

  #start(): Maker {
    const maker: Maker = {
      process: new TraceProcess(this.#options.order, {
        onMessage: (message) => this.#take(maker, message),
        onEnded: (reason) => {
          this.#options.onLost(maker.process.processId, reason);
          this.#giveUp(maker, reason);
        },
      }),
      making: undefined,
      isPaused: false,
      silentMs: 0,
      pausedMs: 0,
    };
    this.#makers.add(maker);
    this.#check ??= setInterval(() => this.#lookAfterAll(), TRACE_CHECK_MS).unref();
    return maker;
  }

  #begin(maker: Maker, making: Making): void {
    maker.making = making;
    maker.silentMs = 0;
    maker.pausedMs = 0;
    const { request, profile, takesRest } = making.asking;
    const [timing, epoch] = [this.#options.timing(), this.#options.epoch()];
    const isTrial = false;
    maker.process.ask(
      writeQuestion({ number: QUESTION, timing, epoch, isTrial, takesRest, profile, request }),
    );
  }

  #take(maker: Maker, message: WorkerMessage): void {
    maker.silentMs = 0;
    const { making } = maker;
    if (message.kind === 'ready' || making === undefined) return;
    const isOfTraces = message.kind === 'piece' || message.kind === 'answer';
    invariant(isOfTraces, 'what is traced is no trial, and tells nothing else');
    if (message.kind === 'piece') {
      making.rest ??= this.#openRest(maker, making);
      if (!making.rest.push(message.piece)) this.#pause(maker);
      return;
    }
    const { answer } = message;
    maker.making = undefined;
    if (making.rest === undefined) making.answered(answer);
    else if (answer.outcome === 'result') making.rest.push(null);
    else making.rest.destroy(new Error(answer.message));
    making.ended(answer);
  }

  /** Opens the rest of a response, which has the process wait while nobody reads. */
  #openRest(maker: Maker, making: Making): Readable {
    const rest = new Readable({
      objectMode: true,
      highWaterMark: TRACE_PIECES_AHEAD_MAX,
      read: () => this.#resume(maker),
      destroy: (error, done) => {
        if (maker.making === making) this.#giveUp(maker, GONE);
        done(error);
      },
    });
    // Its reader hears of an error, if there is one.
    rest.on('error', () => undefined);
    making.answered(new ResponseBody([], rest));
    return rest;
  }

  #pause(maker: Maker): void {
    maker.isPaused = true;
    maker.process.pause();
  }

  #resume(maker: Maker): void {
    if (!maker.isPaused) return;
    maker.isPaused = false;
    maker.silentMs = 0;
    maker.process.resume();
  }

  /** Time is counted by looks, since a node that was stopped itself has heard of nobody meanwhile. */
  #lookAfterAll(): void {
    const silentMsMax = this.#options.order.limits.traceTimeMsMax + WORKER_SILENCE_MS_MAX;
    for (const maker of [...this.#makers]) {
      const { making } = maker;
      if (maker.isPaused) maker.pausedMs += TRACE_CHECK_MS;
      else maker.silentMs += TRACE_CHECK_MS;
      if (making === undefined) {
        if (maker.silentMs > TRACE_IDLE_MS) this.#end(maker);
      } else if (making.asking.isGone()) {
        this.#giveUp(maker, GONE);
      } else if (keepsWaiting(maker, making)) {
        this.#giveUp(maker, 'its client did not read');
      } else if (maker.silentMs > silentMsMax) {
        const reason = `it said nothing for ${maker.silentMs / 1_000} s`;
        this.#options.onLost(maker.process.processId, reason);
        this.#giveUp(maker, reason);
      }
    }
  }

  /** Ends a process, and what it makes. */
  #giveUp(maker: Maker, reason: string): void {
    const { making } = maker;
    this.#end(maker);
    const error = new WorkerLostError(reason);
    making?.rest?.destroy(error);
    making?.ended(error);
  }

  #end(maker: Maker): void {
    if (!this.#makers.delete(maker)) return;
    maker.making = undefined;
    const end = maker.process.end();
    this.#ends.add(end);
    void end.finally(() => this.#ends.delete(end));
    if (this.#makers.size > 0) return;
    clearInterval(this.#check);
    this.#check = undefined;
  }
}

/** Whether the client of a trace keeps it waiting for too long. */
function keepsWaiting({ isPaused, pausedMs }: Maker, { asking }: Making): boolean {
  if (!isPaused) return false;
  return pausedMs > (asking.isAwaited() ? TRACE_PAUSE_BEFORE_OTHERS_MS_MAX : TRACE_PAUSE_MS_MAX);
}
