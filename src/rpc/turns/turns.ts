import { SENDS_FIRST_MS, TURN_PAUSE_SHARE } from '../../limits.ts';
import { LongWork } from '../../long-work.ts';
import { systemTime, type Time } from '../../time.ts';
import { CallCosts, kindOf } from './call-costs.ts';
import { type Asking, FairQueue, type Ticket } from './fair-queue.ts';

/** Who asks for a turn, and for what. */
export interface TurnAsking extends Asking {
  /** Whether it is to change the chain, and goes before what only asks. */
  readonly isSend?: boolean | undefined;
}

/** Work that waits for its turn. */
interface Waiting {
  begin(ticket: Ticket<Waiting>): void;
  giveUp(): void;
}

/** One of the ways in which work comes to its turn: in rounds, with pauses between them. */
interface Lane {
  readonly queue: FairQueue<Waiting>;
  /** Milliseconds that work has taken since the last pause, and when it last ended. */
  roundMs: number;
  endedAt: number;
  isPausing: boolean;
}

/** Shorter pauses are a single turn of the event loop. */
const TIMED_PAUSE_MS = 2;

/**
 * Gives turns to work that may take long, since everything runs on one thread. As long as there is little of it,
 * it runs at once. When a round has taken its time, there is a pause in which whatever is quick is answered, and
 * then whoever has used least of his part is next: one who asks now and then does not wait for those who ask all
 * the time. A long round has a long pause, up to its own length while clients go on arriving: the server accepts a
 * single connection in a turn of the event loop.
 *
 * What is to change the chain has a lane of its own: it does not wait for the pauses of the other, and goes first,
 * unless it has done so for a while. So it waits for the one call that runs, and for what is sent before it.
 */
export class Turns {
  readonly #roundMsMax: number;
  readonly #costs: CallCosts;
  readonly #time: Time;
  readonly #longWork: LongWork;
  readonly #calls: Lane;
  readonly #sends: Lane;
  /** Milliseconds of sends since the last round of calls. */
  #sendsMs = 0;
  #isTaken = false;
  /** Whether anybody has come since the event loop last went round in a pause. */
  #hasArrived = false;
  #beforeRound: () => void = () => undefined;

  /**
   * @param roundMsMax milliseconds of work before a pause
   * @param costs what calls of a kind have taken
   * @param longWork shared with whatever else may take long on this thread
   */
  constructor(roundMsMax: number, costs = new CallCosts(), time = systemTime, longWork = new LongWork(time)) {
    this.#time = time;
    this.#longWork = longWork;
    this.#roundMsMax = roundMsMax;
    this.#costs = costs;
    this.#calls = newLane(costs);
    this.#sends = newLane(costs);
  }

  /**
   * Runs work at once, or later when others are to come first; within a turn always at once.
   *
   * @param began when this was asked for
   * @returns what the work returns; undefined when its caller is gone before its turn comes
   * @throws LimitError when too many wait, and what the work throws
   */
  take<T>(asking: TurnAsking, work: () => T, began = this.#time.now()): T | Promise<Awaited<T> | undefined> {
    if (this.#isTaken) return work();
    const lane = asking.isSend === true ? this.#sends : this.#calls;
    const isFree = lane.queue.size === 0 && lane.roundMs < this.#roundMsMax && !this.#longWork.isResting();
    if (isFree) return this.#runNow(lane, asking, work, began);
    const turn = new Promise<Awaited<T> | undefined>((resolve, reject) => {
      const begin = (ticket: Ticket<Waiting>): void => {
        try {
          resolve(this.#runWaiting(lane, ticket, work) as Awaited<T>); // a promise is taken over
        } catch (error) {
          reject(error);
        }
      };
      lane.queue.push(asking, { begin, giveUp: () => resolve(undefined) });
    });
    if (!lane.isPausing) this.#pause(lane);
    return turn;
  }

  /** Takes note of a client that has come, or asked for something: there may be more of them. */
  noticeArrival(): void {
    this.#hasArrived = true;
  }

  /**
   * Has something done before each round for which others had to wait: what is quick has been answered until then, and
   * the answers are not to wait for the round.
   */
  beforeRounds(act: () => void): void {
    this.#beforeRound = act;
  }

  #runNow<T>(lane: Lane, { caller, call }: TurnAsking, work: () => T, began: number): T {
    this.#isTaken = true;
    try {
      return work();
    } finally {
      const milliseconds = this.#ended(lane, began);
      lane.queue.note(caller, milliseconds);
      if (call !== undefined && milliseconds > this.#roundMsMax) this.#costs.note(kindOf(call), milliseconds);
    }
  }

  #runWaiting<T>(lane: Lane, ticket: Ticket<Waiting>, work: () => T): T {
    const began = this.#time.now();
    lane.queue.begin(ticket);
    this.#isTaken = true;
    try {
      return work();
    } finally {
      lane.queue.end(ticket, this.#ended(lane, began));
    }
  }

  /** The turn is over; gives the milliseconds that it took. */
  #ended(lane: Lane, began: number): number {
    this.#isTaken = false;
    lane.endedAt = this.#time.now();
    const milliseconds = lane.endedAt - began;
    lane.roundMs += milliseconds;
    if (lane === this.#sends) this.#sendsMs += milliseconds;
    this.#longWork.note(milliseconds);
    return milliseconds;
  }

  #giveRound(lane: Lane): void {
    lane.isPausing = false;
    lane.roundMs = 0;
    if (lane === this.#calls) this.#sendsMs = 0;
    this.#beforeRound();
    let isFirst = true;
    do {
      const ticket = lane.queue.next();
      if (ticket === undefined) return;
      // What the round has answered so far goes out before a call that takes long.
      if (!isFirst && ticket.expected > this.#roundMsMax) break;
      isFirst = false;
      ticket.item.begin(ticket);
    } while (lane.roundMs < this.#roundMsMax);
    if (lane.queue.size > 0) this.#pause(lane);
  }

  /** Lets everything else have its share before the next round. */
  #pause(lane: Lane): void {
    lane.isPausing = true;
    const milliseconds = lane.endedAt + lane.roundMs * TURN_PAUSE_SHARE - this.#time.now();
    if (milliseconds < TIMED_PAUSE_MS) this.#time.soon(() => this.#resume(lane));
    else this.#time.after(milliseconds, () => this.#resume(lane));
  }

  #resume(lane: Lane): void {
    const isNext = lane === this.#sends || !this.#isSendsTurn();
    if (isNext && !this.#longWork.isResting() && (lane === this.#sends || this.#isPauseOver())) {
      this.#giveRound(lane);
      return;
    }
    if (isNext) this.#letShortPass(lane);
    this.#time.soon(() => this.#resume(lane));
  }

  #isSendsTurn(): boolean {
    return this.#sends.queue.size > 0 && this.#sendsMs < SENDS_FIRST_MS;
  }

  /**
   * Runs what is next if it is expected to be short: what somebody asks for now and then does not wait for the long
   * pause after another's long call. The pause goes on.
   */
  #letShortPass(lane: Lane): void {
    const ticket = lane.queue.next();
    if (ticket === undefined || ticket.expected > this.#roundMsMax) return;
    const { roundMs, endedAt } = lane;
    this.#beforeRound();
    ticket.item.begin(ticket);
    if (lane.roundMs - roundMs > this.#roundMsMax) return;
    lane.roundMs = roundMs;
    lane.endedAt = endedAt;
  }

  /** Whether the pause of the calls is over. */
  #isPauseOver(): boolean {
    const { endedAt, roundMs } = this.#calls;
    const isOver = !this.#hasArrived || this.#time.now() - endedAt >= roundMs;
    this.#hasArrived = false;
    return isOver;
  }
}

function newLane(costs: CallCosts): Lane {
  const queue = new FairQueue<Waiting>(costs, ({ giveUp }) => giveUp());
  return { queue, roundMs: 0, endedAt: 0, isPausing: false };
}
