/** The system's clock that never goes back, in ms: the same in all processes. */
export function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}
