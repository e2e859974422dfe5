/** Returns the system's monotonic time in ms, which is the same in all processes. */
export function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}
