/** Returns the compiled file of a thread or process, also in tests, which run sources. */
export function workerFile(name: string): URL {
  const folder = import.meta.url.endsWith('.ts') ? '../../dist/processes/' : './';
  return new URL(`${folder}${name}`, import.meta.url);
}
