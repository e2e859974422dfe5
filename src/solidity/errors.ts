/** An interface, a value or an encoding that is not what it should be; the message says which part of it. */
export class AbiError extends Error {
  override readonly name = 'AbiError';
  /** Which parameter, such as `orders[2].amount`; empty where there is none. */
  readonly place: string;
  /** What is wrong with it. */
  readonly problem: string;

  constructor(place: string, problem: string) {
    super(place === '' ? problem : `${place}: ${problem}`);
    this.place = place;
    this.problem = problem;
  }
}
