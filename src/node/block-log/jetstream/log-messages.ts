/** A message of the stream that a log is kept in. */
export interface LogMessage {
  /** Its place in the stream, counted from 1. */
  readonly sequence: number;
  /** The value of a header; empty where there is none. */
  header(name: string): string;
  readonly data: Uint8Array;
}

/** Reads the stream that a log is kept in. Messages never change, so what is there may come from any replica. */
export interface LogMessages {
  /** How often another server was seen to lead the stream. */
  readonly elections: number;
  /**
   * A message as the stream's leader has it; undefined where the leader knows of none, which may change at any moment.
   *
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  at(sequence: number): Promise<LogMessage | undefined>;
  /**
   * Some of the messages from a sequence on, in order and without a gap, from any replica: perhaps none.
   *
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  from(sequence: number): Promise<readonly LogMessage[]>;
  /**
   * Sequence of the newest message that the stream's leader knows of, and with it most of the replicas; 0 while there
   * is none.
   *
   * @throws BlockLogUnavailableError, BlockLogUnsoundError
   */
  last(): Promise<number>;
}
