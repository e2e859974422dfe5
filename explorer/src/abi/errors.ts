/** An interface, a value or an encoding that is not what it should be; the message says which part of it. */
export class AbiError extends Error {
  override readonly name = 'AbiError';

  /** @param place which parameter, such as `orders[2].amount`; empty where there is none */
  constructor(
    readonly place: string,
    readonly problem: string,
  ) {
    super(place === '' ? problem : `${place}: ${problem}`);
  }
}
